/** Reads single messages of a stream. Used at start and after an outage, never on the hot path. Does I/O. */
import type { NatsConnection } from "@nats-io/nats-core";
import { jetstreamManager } from "@nats-io/jetstream";

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
