/**
 * `deno task explain EXECID`: why an execution of a running venue had its quantity. Wires and decides nothing. Exit codes:
 * 0 explained, 1 cannot be explained, 2 wrong command line, 78 wrong configuration.
 *
 * Permissions: --allow-read of venue file and state folder, --allow-net to reach NATS, --allow-env of the variables that
 * name folders and NATS credentials.
 */
import { CommandBatchReader } from "../../shared/codec/wire/mod.ts";
import { runCommand } from "../../shared/cli/command.ts";
import { print, write } from "../../shared/cli/output.ts";
import { loadVenue, type Venue } from "../../shared/config/mod.ts";
import { connectNats, type NatsConnection } from "../../shared/nats/mod.ts";
import { EventKind, evStream } from "../../shared/protocol/mod.ts";
import { accessOf } from "../admin/access.ts";
import { type ExplainArgs, parseExplainArgs, USAGE } from "./args.ts";
import { commandAt } from "./command.ts";
import { explain, textOf } from "./explanation.ts";
import { explanationJson } from "./json.ts";
import { explanationText } from "./print.ts";
import { ReplayProgress } from "./progress.ts";
import { type RecordedEvent, Recording } from "./recording.ts";
import { replayBefore, type StoredExecution, storedExecution } from "./replay.ts";

async function explained(nc: NatsConnection, venue: Venue, { execId, json }: ExplainArgs): Promise<string> {
  const { shard, cmdSeq } = execId;
  if (!venue.shards.includes(shard)) {
    throw new Error(`Cannot explain ${textOf(execId)}: the venue has no shard ${shard}`);
  }
  const { maxOpenOrders, clOrdIdHistory } = venue.limits;
  const instruments = venue.instruments.filter((each) => each.shard === shard);
  const options = { shard, instruments, maxOpenOrders, clOrdIdHistory };
  const progress = new ReplayProgress((text) => write(Deno.stderr, text), Deno.stderr.isTerminal(), Date.now);
  const { engine, bytes, timestampUs } = await replayBefore(
    nc,
    options,
    execId,
    (applied, of) => progress.at(applied, of),
  );
  progress.done();
  const recording = new Recording(engine);
  engine.books.matching.listener = recording;
  const batch = new CommandBatchReader();
  const fault = batch.open(bytes);
  if (fault !== null) {
    throw new Error(`Cannot explain ${textOf(execId)}: its command message is unreadable: ${fault}`);
  }
  engine.applyBatch(cmdSeq, timestampUs, batch, recording);
  const stored = await storedExecution(nc, execId);
  if (stored !== null && !agrees(stored, recording.events[execId.index])) {
    throw new Error(
      `Cannot explain ${textOf(execId)}: the replay gives another event than ${
        evStream(shard)
      } holds; the venue file ` +
        "may have been another one then (--config)",
    );
  }
  const explanation = explain(recording, execId, timestampUs);
  batch.open(bytes);
  const command = commandAt(batch, explanation.execution.commandIndex);
  return json
    ? `${explanationJson(explanation, command, venue)}\n`
    : explanationText(explanation, command, venue);
}

function agrees(stored: StoredExecution, replayed: RecordedEvent | undefined): boolean {
  if (stored.kind !== replayed?.kind) return false;
  if (stored.kind !== EventKind.OrderExecuted) return true;
  return stored.orderId === replayed.orderId && stored.lastQtyLots === replayed.lastQtyLots &&
    stored.lastPxTicks === replayed.lastPxTicks;
}

async function run(args: ExplainArgs): Promise<void> {
  const access = accessOf(args);
  const venue = loadVenue(access.config);
  const nc = await connectNats({ ...access, name: "pitwire-explain" });
  try {
    print(await explained(nc, venue, args));
  } finally {
    await nc.close();
  }
}

await runCommand({ help: USAGE, read: parseExplainArgs, run });
