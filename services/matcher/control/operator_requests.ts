/**
 * Carries an operator's requests out: read, write into the audit, send, wait for what the engine makes of it, write that
 * too, answer. Owns this order: nothing is done before the audit says so. Reaches the world through ports.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import type { ControlAnswer, ControlRequest, VenueAuditEntry } from "../../../shared/protocol/mod.ts";
import { parseControlRequest } from "./control_request.ts";
import { type Directory, operatorCommand } from "./operator_commands.ts";
import type { Applied, FillCommand } from "./own_commands.ts";

/** What carrying out needs. */
export interface OperatorPorts {
  readonly directory: Directory;
  readonly send: (symbol: string | null, commands: readonly FillCommand[]) => Promise<Applied>;
  readonly audit: (entry: VenueAuditEntry) => Promise<void>;
  readonly phaseOf: (instrumentId: number) => number;
  /** MatchAlgorithm(1142). */
  readonly algorithmOf: (instrumentId: number) => string;
  /** Now, ms since 1970. */
  readonly wallMs: () => number;
  /** Calls `action` once after a while; the result cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void;
  readonly log: Logger;
}

/** How long the command may take; an operator's tool waits longer. */
const ANSWER_MS = 8000;

/** The answer to a request. Never rejects. */
export async function carryOut(text: string, ports: OperatorPorts): Promise<ControlAnswer> {
  const { shard } = ports.directory;
  try {
    return await carryOutRequest(parseControlRequest(text), ports);
  } catch (error) {
    return { kind: "refused", shard, reason: errorText(error) };
  }
}

async function carryOutRequest(request: ControlRequest, ports: OperatorPorts): Promise<ControlAnswer> {
  const { directory, log, phaseOf } = ports;
  const { by, ...asked } = request;
  const write = (outcome: VenueAuditEntry["outcome"], answer?: ControlAnswer) =>
    ports.audit({
      time: new Date(ports.wallMs()).toISOString(),
      by,
      via: `matcher ${directory.shard}`,
      asked,
      outcome,
      answer,
    });
  const command = operatorCommand(request, directory, ports.algorithmOf);
  if ("refused" in command) {
    const answer = { kind: "refused", shard: directory.shard, reason: command.refused } as const;
    await write("refused", answer);
    return answer;
  }
  log.warn("an operator asks", { by, asked });
  await write("started");
  const answer = await answered(
    ports.send(command.symbol, [command.fill]).then((applied) => command.answer(applied, phaseOf)),
    ports,
  );
  log.warn("what came of an operator's request", { by, answer });
  try {
    await write(answer.kind === "refused" || answer.kind === "unknown" ? answer.kind : "done", answer);
  } catch (cause) {
    log.error("the audit does not say what came of an operator's request", { by, cause: errorText(cause) });
  }
  return answer;
}

/** The answer, or that it is not known in time. */
async function answered(answer: Promise<ControlAnswer>, ports: OperatorPorts): Promise<ControlAnswer> {
  const { shard } = ports.directory;
  const unknown = (why: string): ControlAnswer => ({
    kind: "unknown",
    shard,
    reason: `It is not known whether it will be done: ${why}`,
  });
  let cancel = () => {};
  const late = new Promise<ControlAnswer>((resolve) => {
    cancel = ports.after(ANSWER_MS, () => resolve(unknown("the command waits for the command stream")));
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    return unknown(errorText(error));
  } finally {
    cancel();
  }
}
