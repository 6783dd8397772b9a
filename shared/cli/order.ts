/**
 * `deno task order`: sends one order message over FIX and prints the replies. Wires command line, venue file, terminal
 * and session; the rest is in order_args.ts, order_session.ts and order_reply.ts. docs/fix.md, "From the command line".
 */
import { fileURLToPath } from "node:url";
import type { SequenceNumbers } from "../../services/fix-gateway/client/mod.ts";
import { loadVenue } from "../config/mod.ts";
import { EXIT_USAGE, UsageError } from "./flags.ts";
import { errorText } from "./log.ts";
import { write } from "./output.ts";
import { type OrderOptions, type ParsedOrder, parseOrderArgs } from "./order_args.ts";
import { type OrderIdentity, type OrderIo, runOrder } from "./order_session.ts";

const ACCEPTED = 0;
const FAILED = 1;

/** Runs the command and returns the exit code: 0 accepted, 1 rejected or no answer, 2 wrong usage. */
export async function main(args: readonly string[], io: OrderIo): Promise<number> {
  try {
    const parsed = parseOrderArgs(args, fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url)));
    if (parsed.kind === "run") return await send(parsed, io);
    io.out(parsed.text);
    return ACCEPTED;
  } catch (error) {
    io.err(errorText(error));
    return error instanceof UsageError ? EXIT_USAGE : FAILED;
  }
}

async function send({ request, options }: ParsedOrder & { kind: "run" }, io: OrderIo): Promise<number> {
  const identity = identityOf(options);
  const numbers = options.reset || options.numbers === undefined ? undefined : readNumbers(options.numbers);
  const clOrdId = options.id ?? `cli-${crypto.randomUUID().slice(0, 13)}`;
  const outcome = await runOrder(request, clOrdId, identity, options, numbers, io);
  if (options.numbers !== undefined && outcome.numbers !== undefined) {
    Deno.writeTextFileSync(options.numbers, JSON.stringify(outcome.numbers) + "\n");
  }
  return outcome.exitCode;
}

/** Credentials from the flags, and from the venue file where a flag is absent. Throws when they are nowhere. */
function identityOf(options: OrderOptions): OrderIdentity {
  const { sender, target, username, password, config } = options;
  if (target !== undefined && username !== undefined && password !== undefined) {
    return { senderCompId: sender, targetCompId: target, username, password };
  }
  const venue = loadVenue(config);
  const session = venue.sessionByCompId.get(sender);
  if (session === undefined) {
    const known = venue.sessions.filter(({ role }) => role === "trading").map((each) => each.senderCompId);
    throw new UsageError(
      `Cannot find the session "${sender}" in ${config}: expected one of ${known.join(", ")}`,
    );
  }
  return {
    senderCompId: sender,
    targetCompId: target ?? venue.targetCompId,
    username: username ?? session.username,
    password: password ?? session.password,
  };
}

/** Numbers kept by an earlier run. Throws on a file that is not there or holds something else. */
function readNumbers(path: string): SequenceNumbers {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw new Error(`Cannot read ${path}: ${errorText(error)}`);
  }
  const found = /^\{"outgoing":([1-9]\d{0,9}),"incoming":([1-9]\d{0,9})\}\s*$/.exec(text);
  if (found === null) {
    throw new Error(`Cannot read ${path}: expected {"outgoing":N,"incoming":N}, got "${text.slice(0, 60)}"`);
  }
  return { outgoing: Number(found[1]), incoming: Number(found[2]) };
}

if (import.meta.main) {
  const interrupted = Promise.withResolvers<void>();
  Deno.addSignalListener("SIGINT", () => interrupted.resolve());
  const io: OrderIo = {
    out: (line) => write(Deno.stdout, `${line}\n`),
    err: (line) => write(Deno.stderr, `${line}\n`),
    interrupted: interrupted.promise,
  };
  Deno.exit(await main(Deno.args, io));
}
