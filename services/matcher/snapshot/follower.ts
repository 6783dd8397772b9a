/** Applies CMD_s to an engine up to a message and hears nothing of the events. Does I/O. */
import type { Logger } from "../../../shared/cli/log.ts";
import { CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { type NatsConnection, StreamReader } from "../../../shared/nats/mod.ts";
import { cmdStream, MAX_MESSAGE_BYTES } from "../../../shared/protocol/mod.ts";
import { type Engine, EventEncoder } from "../engine/mod.ts";
import { NO_PACE, type Pace } from "./pace.ts";
import { type CommandMark, commandMark } from "./snapshot.ts";

/**
 * Applies what follows the engine's place up to message `target`, at least one, which the stream must hold; resolves with
 * the mark of that message. `pace` is asked behind each. Rejects with one sentence; the engine then stands behind some message before.
 */
export async function applyUpTo(
  nc: NatsConnection,
  engine: Engine,
  target: number,
  log: Logger,
  pace: Pace = NO_PACE,
): Promise<CommandMark> {
  const { shard } = engine;
  const batch = new CommandBatchReader();
  const sink = new EventEncoder(MAX_MESSAGE_BYTES);
  const { promise, resolve, reject } = Promise.withResolvers<CommandMark>();
  const reader = new StreamReader({
    nc,
    stream: cmdStream(shard),
    startSeq: engine.cmdSeq + 1,
    log,
    onMessage(seq, timestampUs, _subject, bytes) {
      if (seq > target) return;
      sink.begin(shard, 0, seq, timestampUs);
      if (batch.open(bytes) === null) engine.applyBatch(seq, timestampUs, batch, sink);
      else engine.begin(seq, timestampUs);
      sink.end();
      if (seq === target) resolve(commandMark(bytes));
      pace.look();
    },
    onMissing(from, to) {
      throw new Error(`commands ${from} to ${to} are missing`);
    },
    onFatal: reject,
  });
  try {
    return await promise;
  } finally {
    await reader.stop();
  }
}
