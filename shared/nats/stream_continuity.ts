/**
 * Whether a stream is still the one of which somebody has read: a server that was started again may have lost the end of
 * a stream, and been given other messages in its place since. Does I/O.
 */
import type { JetStreamManager } from "@nats-io/jetstream";

/** The stream is not the one that the reader knew: what was delivered is not there, or something else is. */
export class StreamReplacedError extends Error {}

/** Microseconds since 1970 of RFC 3339 text with up to nine decimals, cut, not rounded. */
export function microsecondsOf(timestamp: string): number {
  const [, second, fraction = ""] = /^([^.]+?)(?:\.(\d+))?Z$/.exec(timestamp)!;
  return Date.parse(`${second}Z`) * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

/**
 * Throws a {@link StreamReplacedError} when a stream that ends at `lastSeq` ends before `seq`, or holds a message there that
 * was not taken at `timestampUs`. One that is gone, or of whose time nothing is known (NaN), says nothing. Rejects when
 * JetStream cannot be reached.
 */
export async function assertSameStream(
  jsm: JetStreamManager,
  stream: string,
  lastSeq: number,
  seq: number,
  timestampUs: number,
): Promise<void> {
  if (lastSeq < seq) {
    throw new StreamReplacedError(`it ends at sequence ${lastSeq}, but ${seq} was seen before`);
  }
  if (Number.isNaN(timestampUs)) return;
  const held = await jsm.streams.getMessage(stream, { seq });
  if (held === null || microsecondsOf(held.timestamp) === timestampUs) return;
  throw new StreamReplacedError(`its sequence ${seq} is another message than was seen before`);
}
