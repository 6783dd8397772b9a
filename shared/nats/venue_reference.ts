/**
 * The reference data of a venue beside its streams, in the bucket `ref`: what the first service that starts on them writes,
 * and what the venue file of every later one must continue. So a service that is started again with another file than the
 * others run with does not trade by other rules. Owns the record's form. Does I/O.
 */
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import { type KvEntry, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/nats-core";
import { errorText } from "../cli/log.ts";
import {
  type ChangeRemedies,
  ConfigError,
  findChange,
  type Reference,
  referenceOf,
  saysNothingNew,
  type Venue,
} from "../config/mod.ts";
import { REF_BUCKET } from "../protocol/mod.ts";
import { WRONG_LAST_SEQUENCES } from "./publish_ack.ts";

/** Key of the bucket `ref`: the reference data as JSON, by gzip, since ten thousand instruments would not fit a message. */
export const REFERENCE_KEY = "venue.reference";

type Bucket = Awaited<ReturnType<Kvm["open"]>>;

/**
 * Compares the venue with what the streams were written by, and remembers what is new of it. Throws a {@link ConfigError}
 * with one sentence when an id or a rule has changed, an Error when the record cannot be read or written.
 */
export async function checkStoredReference(nc: NatsConnection, venue: Venue): Promise<void> {
  const now = referenceOf(venue);
  try {
    const bucket = await new Kvm(nc).create(REF_BUCKET, { history: 1 });
    for (;;) {
      const entry = await bucket.get(REFERENCE_KEY);
      const before = await recordOf(entry);
      refuseChange(before, now);
      if (before !== null && saysNothingNew(before, now)) return;
      if (await replaced(bucket, entry, now)) return;
    }
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw notCompared(cause);
  }
}

/**
 * Why the venue is not the one that the streams were written by; null when it is, or nothing is recorded. Writes nothing.
 * Throws one sentence when the record cannot be read.
 */
export async function storedReferenceChange(
  nc: NatsConnection,
  venue: Venue,
  remedies?: ChangeRemedies,
): Promise<string | null> {
  try {
    const before = await recordOf(await storedEntry(nc));
    return before === null ? null : findChange(before, referenceOf(venue), remedies);
  } catch (cause) {
    throw notCompared(cause);
  }
}

/** Null when there is no such bucket, or nothing in it. */
async function storedEntry(nc: NatsConnection): Promise<KvEntry | null> {
  try {
    return await (await new Kvm(nc).open(REF_BUCKET)).get(REFERENCE_KEY);
  } catch (cause) {
    if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound) return null;
    throw cause;
  }
}

function notCompared(cause: unknown): Error {
  return new Error(`Cannot compare the venue file with the streams: ${errorText(cause)}`, { cause });
}

function refuseChange(before: Reference | null, now: Reference): void {
  const change = before === null ? null : findChange(before, now);
  if (change !== null) throw new ConfigError(`Cannot use the venue's streams: ${change}`);
}

async function recordOf(entry: KvEntry | null): Promise<Reference | null> {
  if (entry === null || entry.operation !== "PUT") return null;
  try {
    return JSON.parse(await new Response(through(entry.value, new DecompressionStream("gzip"))).text());
  } catch (cause) {
    throw new Error(`key ${REFERENCE_KEY} of the bucket ${REF_BUCKET} is not readable reference data`, {
      cause,
    });
  }
}

/** False when another has written meanwhile. */
async function replaced(bucket: Bucket, entry: KvEntry | null, now: Reference): Promise<boolean> {
  const text = new TextEncoder().encode(JSON.stringify(now));
  const packed = await new Response(through(text, new CompressionStream("gzip"))).bytes();
  try {
    if (entry === null) await bucket.create(REFERENCE_KEY, packed);
    else await bucket.update(REFERENCE_KEY, packed, entry.revision);
    return true;
  } catch (error) {
    if (WRONG_LAST_SEQUENCES.has((error as { code?: unknown } | null)?.code)) return false;
    throw error;
  }
}

function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream);
}
