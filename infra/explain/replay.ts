/**
 * Replays a shard's commands from CMD_s up to one message, which is left to the caller, and looks up what EV_s holds of
 * an execution. Owns the reading; decides nothing about explanations. Does I/O.
 */
import { CommandBatchReader, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { errorText, nullLogger } from "../../shared/cli/log.ts";
import {
  type NatsConnection,
  storedMessage,
  type StreamExtent,
  streamExtent,
  StreamReader,
} from "../../shared/nats/mod.ts";
import { cmdStream, evStream, MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import { type Engine, EventEncoder } from "../../services/matcher/engine/mod.ts";
import { type ExecId } from "./exec_id.ts";
import { NoExecutionError, textOf } from "./explanation.ts";
import type { RecordedEvent } from "./recording.ts";

/** A command message that the engine has not applied yet; everything before it, it has. */
export interface ReadMessage {
  /** The caller's. */
  readonly bytes: Uint8Array;
  /** The engine's time for it. */
  readonly timestampUs: number;
}

/**
 * Applies the commands before `execId`'s message and returns that one. `onProgress` hears how many of how many messages
 * are applied. Throws one sentence when the stream does not go that far or does not go back to its beginning.
 */
export async function replayBefore(
  nc: NatsConnection,
  engine: Engine,
  execId: ExecId,
  onProgress: (applied: number, of: number) => void,
): Promise<ReadMessage> {
  const { shard, cmdSeq } = execId;
  const stream = cmdStream(shard);
  const { firstSeq, lastSeq } = await extentOf(nc, stream);
  if (cmdSeq > lastSeq) {
    throw new NoExecutionError(
      `Cannot explain ${textOf(execId)}: there is no such execution; ${stream} ends at message ${lastSeq}`,
    );
  }
  if (firstSeq > 1) throw new Error(purged(execId, firstSeq));
  const batch = new CommandBatchReader();
  const encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  let time = 0;
  const found = Promise.withResolvers<ReadMessage>();
  const reader = new StreamReader({
    nc,
    stream,
    startSeq: 1,
    log: nullLogger,
    onMessage(seq, timestampUs, _subject, bytes) {
      if (seq > cmdSeq) return;
      if (timestampUs > time) time = timestampUs;
      if (seq === cmdSeq) return found.resolve({ bytes: bytes.slice(), timestampUs: time });
      encoder.begin(shard, 0, seq, time);
      if (batch.open(bytes) === null) engine.applyBatch(seq, time, batch, encoder);
      encoder.end();
      onProgress(seq, cmdSeq - 1);
    },
    onMissing: (_, to) => found.reject(new Error(purged(execId, to + 1))),
    onFatal: found.reject,
  });
  try {
    return await found.promise;
  } finally {
    await reader.stop();
  }
}

function purged(execId: ExecId, firstSeq: number): string {
  const stream = cmdStream(execId.shard);
  return `Cannot explain ${
    textOf(execId)
  }: ${stream} begins at message ${firstSeq}, and a replay needs it from 1 on`;
}

/** What an execution in EV_s says. */
export type StoredExecution = Pick<RecordedEvent, "kind" | "orderId" | "lastQtyLots" | "lastPxTicks">;

/** The event at `execId` as EV_s holds it; null when EV_s holds it no more or not yet. Throws when it is unreadable. */
export async function storedExecution(nc: NatsConnection, execId: ExecId): Promise<StoredExecution | null> {
  const { shard, cmdSeq, index } = execId;
  const stream = evStream(shard);
  const { firstSeq, lastSeq } = await extentOf(nc, stream);
  const reader = new EventBatchReader();
  const open = async (seq: number): Promise<void> => {
    const message = await storedMessage(nc, stream, seq);
    const fault = message === null ? "it is missing" : reader.open(message.bytes);
    if (fault !== null) throw new Error(`Cannot read ${stream} sequence ${seq}: ${fault}`);
  };
  let low = firstSeq;
  let high = lastSeq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    await open(middle);
    if (reader.lastCmdSeq < cmdSeq) low = middle + 1;
    else high = middle;
  }
  for (let seq = low; seq <= lastSeq; seq++) {
    await open(seq);
    if (reader.groupCount > 0 && reader.firstCmdSeq > cmdSeq) return null;
    while (reader.nextGroup()) {
      const { firstEventIndex, eventCount } = reader;
      if (reader.cmdSeq !== cmdSeq || index >= firstEventIndex + eventCount) continue;
      if (index < firstEventIndex) return null;
      while (reader.nextEvent()) {
        if (firstEventIndex + reader.eventIndex !== index) continue;
        const { kind, orderId, lastQtyLots, lastPxTicks } = reader.event;
        return { kind: kind as RecordedEvent["kind"], orderId, lastQtyLots, lastPxTicks };
      }
    }
  }
  return null;
}

async function extentOf(nc: NatsConnection, stream: string): Promise<StreamExtent> {
  try {
    return await streamExtent(nc, stream);
  } catch (cause) {
    throw new Error(`Cannot read ${stream}: ${errorText(cause)}`, { cause });
  }
}
