/**
 * Gets a shard's books from its matcher, waiting for one that leads, and the time to which they belong. Does I/O.
 */
import { errors, type NatsConnection } from "@nats-io/nats-core";
import { errorText, type Logger } from "../../shared/cli/log.ts";
import { DepthImageReader, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { lastEventBatch } from "../../shared/nats/event_history.ts";
import {
  DepthUnavailableError,
  InstrumentsUnavailableError,
  requestDepth,
  requestInstruments,
  streamExtent,
} from "../../shared/nats/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";
import type { Clock } from "./conflated_publisher.ts";
import type { DepthLevel } from "./feed.ts";
import type { PlacedImage } from "./follower_options.ts";

const REQUEST_TIMEOUT_MS = 5000;
const FIRST_BACKOFF_MS = 50;
const LAST_BACKOFF_MS = 1000;
/** Attempts, each up to {@link REQUEST_TIMEOUT_MS} and {@link LAST_BACKOFF_MS} long. */
const WARN_EVERY = 10;

/** Asks once for a shard's books, then for its phases. Throws as the two requests and JetStream do. */
export async function depthOf(nc: NatsConnection, shard: number): Promise<PlacedImage> {
  const image = placedImageOf(await requestDepth(nc, shard, REQUEST_TIMEOUT_MS));
  const { instruments, cmdSeq } = await requestInstruments(nc, shard, REQUEST_TIMEOUT_MS);
  return {
    ...image,
    timestampUs: await timeBefore(nc, shard, image.nextEvSeq),
    phases: instruments,
    phasesCmdSeq: cmdSeq,
  };
}

/** What waiting for a matcher needs. */
export interface DepthWait {
  readonly shard: number;
  readonly log: Logger;
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Asks until a matcher answers, and says so in the log, louder when it takes long. Rejects with what `ask` throws
 * unless a later answer may differ (nobody answered in time, or the connection was lost); when `signal` aborts first, with its reason.
 */
export async function awaitDepth(ask: () => Promise<PlacedImage>, wait: DepthWait): Promise<PlacedImage> {
  const { shard, log, clock, signal } = wait;
  let backoffMs = FIRST_BACKOFF_MS;
  for (let attempts = 1;; attempts++) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error)) throw error;
      const fields = { shard, attempts, cause: errorText(error) };
      if (attempts === 1) log.info("waiting for the matcher's depth", fields);
      else if (attempts % WARN_EVERY === 0) {
        log.warn("no matcher gives the depth of its books: market data of the shard waits for one", fields);
      }
    }
    await pause(backoffMs, clock, signal);
    backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
  }
}

/** Whether nobody answered, or not in time, or not before the connection was lost: a later request may be answered. */
function mayPass(error: unknown): boolean {
  const nobody = error instanceof DepthUnavailableError || error instanceof InstrumentsUnavailableError;
  if (nobody || error instanceof errors.TimeoutError) return true;
  return error instanceof errors.RequestError && error.isNoResponders();
}

/** Reads the parts of an image that {@link requestDepth} has checked; its time is 0. */
function placedImageOf(parts: readonly Uint8Array[]): Omit<PlacedImage, "phases" | "phasesCmdSeq"> {
  const reader = new DepthImageReader();
  const levels: DepthLevel[] = [];
  for (const part of parts) {
    const fault = reader.open(part);
    if (fault !== null) throw new Error(`Cannot read the depth image: ${fault}`);
    while (reader.next()) {
      const { instrumentId, side, priceTicks, qtyLots, orders } = reader;
      levels.push({ instrumentId, side, priceTicks, qtyLots, orders });
    }
  }
  return { cmdSeq: reader.cmdSeq, nextEvSeq: reader.nextEvSeq, timestampUs: 0, levels };
}

/** Time of the last command whose events EV_s holds before `evSeq`; 0 when the stream does not say. */
async function timeBefore(nc: NatsConnection, shard: number, evSeq: number): Promise<number> {
  const { firstSeq } = await streamExtent(nc, evStream(shard));
  const last = await lastEventBatch(nc, shard, evSeq - 1, firstSeq);
  if (last === null) return 0;
  const reader = new EventBatchReader();
  reader.open(last.bytes);
  while (reader.nextGroup());
  return reader.timestampUs;
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener("abort", done);
  });
}
