/** Reads single messages of a stream. Used at start and after an outage, never on the hot path. Does I/O. */
import type { NatsConnection } from "@nats-io/nats-core";
import { jetstreamManager, type StoredMsg } from "@nats-io/jetstream";

/** A message as the stream holds it; `bytes` is the caller's. */
export interface StoredMessage {
  readonly seq: number;
  readonly subject: string;
  readonly bytes: Uint8Array;
}

/** What a stream holds: sequences `firstSeq` … `lastSeq`; empty when `firstSeq` > `lastSeq`. */
export interface StreamExtent {
  readonly firstSeq: number;
  /** 0 when the stream never held a message. */
  readonly lastSeq: number;
}

/** The stream's first and last sequence. Throws when the stream or JetStream cannot be reached. */
export async function streamExtent(nc: NatsConnection, stream: string): Promise<StreamExtent> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const { state } = await jsm.streams.info(stream);
  return { firstSeq: Math.max(1, state.first_seq), lastSeq: state.last_seq };
}

/**
 * The message at `seq`, or null when the stream does not hold it. Asks the stream's leader, since a replica may lag.
 * Throws when JetStream cannot be reached.
 */
export async function storedMessage(
  nc: NatsConnection,
  stream: string,
  seq: number,
): Promise<StoredMessage | null> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const message = await jsm.streams.getMessage(stream, { seq });
  return message === null ? null : { seq: message.seq, subject: message.subject, bytes: message.data };
}

/** Which messages {@link storedPage} reads. */
export interface PageRequest {
  readonly fromSeq: number;
  readonly count: number;
  readonly maxBytes: number;
  /** All when absent. */
  readonly subject?: string;
}

/**
 * Messages at and behind a sequence: at most `count`, about `maxBytes`, at least one if there is any. A direct get: in a
 * cluster a replica may answer. Throws when there is no such stream or JetStream cannot be reached.
 */
export async function storedPage(
  nc: NatsConnection,
  stream: string,
  { fromSeq, count, maxBytes, subject }: PageRequest,
): Promise<StoredMessage[]> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const batch = await jsm.direct.getBatch(stream, {
    seq: Math.max(1, fromSeq),
    ...(subject === undefined ? {} : { next_by_subj: subject }),
    batch: count,
    max_bytes: Math.max(1, maxBytes),
  });
  const messages: StoredMessage[] = [];
  try {
    for await (const { seq, subject, data } of batch as AsyncIterable<StoredMsg>) {
      messages.push({ seq, subject, bytes: new Uint8Array(data) });
    }
  } catch (error) {
    if (!isNothingFound(error)) throw error;
  }
  return messages;
}

function isNothingFound(error: unknown): boolean {
  return (error as { code?: number } | null)?.code === 404 || /no (results|message)/i.test(String(error));
}

/**
 * The sequence of the first message at or behind `seq` that the stream can read, or null when there is none. Throws when
 * JetStream cannot be reached.
 */
export async function firstHeld(nc: NatsConnection, stream: string, seq: number): Promise<number | null> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  // The client's type leaves out what the server takes here; its direct get has it, but a replica may answer that one.
  const request = { seq, next_by_subj: ">" } as { seq: number };
  const message = await jsm.streams.getMessage(stream, request);
  return message === null ? null : message.seq;
}

/**
 * The newest message of `subject` that the stream holds, the caller's, or null. A direct get, as guests may: in a
 * cluster a replica may answer. Throws when there is no such stream or JetStream cannot be reached.
 */
export async function lastMessageOf(
  nc: NatsConnection,
  stream: string,
  subject: string,
): Promise<StoredMessage | null> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const message = await jsm.direct.getMessage(stream, { last_by_subj: subject });
  return message === null ? null : { seq: message.seq, subject: message.subject, bytes: message.data };
}
