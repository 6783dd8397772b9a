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
import { Engine, type EngineOptions, EventEncoder } from "../../services/matcher/engine/mod.ts";
import { loadSnapshot, NatsSnapshotStore, snapshotBound } from "../../services/matcher/snapshot/mod.ts";
import { type ExecId } from "./exec_id.ts";
import { NoExecutionError, textOf } from "./explanation.ts";
import type { RecordedEvent } from "./recording.ts";

/** A command message, and an engine that has applied everything before it and not yet that. */
export interface ReadMessage {
  readonly engine: Engine;
  /** The caller's. */
  readonly bytes: Uint8Array;
  /** The engine's time for it. */
  readonly timestampUs: number;
}

/**
 * Applies the commands before `execId`'s message and returns that one: from the first command, or from a snapshot when
 * that is purged. `onProgress` hears how many of how many messages are applied. Throws one sentence when the stream does not
 * go that far, or nothing leads there.
 */
export async function replayBefore(
  nc: NatsConnection,
  options: EngineOptions,
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
  const engine = firstSeq > 1 ? await fromSnapshot(nc, options, execId, firstSeq) : new Engine(options);
  const from = engine.cmdSeq;
  const batch = new CommandBatchReader();
  const encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  let time = engine.timestampUs;
  const found = Promise.withResolvers<ReadMessage>();
  const reader = new StreamReader({
    nc,
    stream,
    startSeq: from + 1,
    log: nullLogger,
    onMessage(seq, timestampUs, _subject, bytes) {
      if (seq > cmdSeq) return;
      if (timestampUs > time) time = timestampUs;
      if (seq === cmdSeq) return found.resolve({ engine, bytes: new Uint8Array(bytes), timestampUs: time });
      encoder.begin(shard, 0, seq, time);
      if (batch.open(bytes) === null) engine.applyBatch(seq, time, batch, encoder);
      else engine.begin(seq, time);
      encoder.end();
      onProgress(seq - from, cmdSeq - 1 - from);
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

/** An engine as the newest snapshot before the message has it. */
async function fromSnapshot(
  nc: NatsConnection,
  options: EngineOptions,
  execId: ExecId,
  firstSeq: number,
): Promise<Engine> {
  const store = await NatsSnapshotStore.open(nc, execId.shard);
  for (const place of (await store.places()).reverse()) {
    if (place >= execId.cmdSeq || place + 1 < firstSeq) continue;
    const bytes = await store.read(place, snapshotBound(options));
    const engine = typeof bytes === "string" ? null : loadSnapshot(bytes, options).engine;
    if (engine !== null) return engine;
  }
  throw new Error(purged(execId, firstSeq));
}

function purged(execId: ExecId, firstSeq: number): string {
  const stream = cmdStream(execId.shard);
  return `Cannot explain ${
    textOf(execId)
  }: ${stream} begins at message ${firstSeq}, and no snapshot leads from there to the execution`;
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
