/**
 * Gets a shard's books from its matcher, waiting for one that leads, and the time to which they belong. Does I/O.
 */
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/nats-core";
import type { Logger } from "../../shared/cli/log.ts";
import { DepthImageReader, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { messageOf, requestDepth } from "../../shared/nats/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";
import type { DepthLevel } from "./feed.ts";
import type { PlacedImage } from "./follower_options.ts";

const REQUEST_TIMEOUT_MS = 5000;
const FIRST_BACKOFF_MS = 50;
const LAST_BACKOFF_MS = 1000;

/**
 * The books of a shard. Asks until a matcher answers, saying so once in the log; rejects only when `signal` aborts
 * first, with its reason.
 */
export async function depthOf(
  nc: NatsConnection,
  shard: number,
  log: Logger,
  signal: AbortSignal,
): Promise<PlacedImage> {
  for (let backoffMs = FIRST_BACKOFF_MS;; backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS)) {
    signal.throwIfAborted();
    try {
      const parts = await requestDepth(nc, shard, REQUEST_TIMEOUT_MS);
      const image = placedImageOf(parts);
      return { ...image, timestampUs: await timeBefore(nc, shard, image.nextEvSeq) };
    } catch (cause) {
      if (backoffMs === FIRST_BACKOFF_MS) {
        log.info("waiting for the matcher's depth", { shard, cause: messageOf(cause) });
      }
      await pause(backoffMs, signal);
    }
  }
}

/** Reads the parts of an image that {@link requestDepth} has checked; its time is 0. */
export function placedImageOf(parts: readonly Uint8Array[]): PlacedImage {
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

/** Claims of leadership hold no command: how many messages are looked at for one that does. */
const TIME_LOOKBACK = 16;

/** Time of the last command whose events EV_s holds before `evSeq`; 0 when the stream does not say. */
async function timeBefore(nc: NatsConnection, shard: number, evSeq: number): Promise<number> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const reader = new EventBatchReader();
  for (let seq = evSeq - 1; seq >= Math.max(1, evSeq - TIME_LOOKBACK); seq--) {
    const stored = await jsm.direct.getMessage(evStream(shard), { seq });
    if (stored === null) return 0;
    if (reader.open(stored.data) !== null || reader.groupCount === 0) continue;
    while (reader.nextGroup());
    return reader.timestampUs;
  }
  return 0;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
