/**
 * The boot number of a gateway process: higher than that of every earlier process with the same gateway id, so that
 * the matcher can tell a restarted gateway, which numbers from 1 again, from a repeat. Does I/O. Spec: design §4.
 *
 * The number is kept in a bucket, and the bucket may be lost or older than the command streams: the matchers are asked
 * too. Where none answers in time the bucket alone counts; a number that was used before then shows in the events of
 * the first batch, and stops the gateway (taken_batches.ts).
 */
import { Kvm } from "@nats-io/kv";
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import { type NatsConnection, WRONG_LAST_SEQUENCES } from "../../../shared/nats/mod.ts";
import { REF_BUCKET } from "../../../shared/protocol/mod.ts";
import { askMatcher } from "./matcher_memory.ts";

/** How long matchers may take to answer when the bucket knows the gateway, ms; and when it does not. */
const KNOWN_WAIT_MS = 500;
const UNKNOWN_WAIT_MS = 10_000;

/**
 * Takes the next boot number of `gatewayId`, above all that the bucket and the matchers of `shards` know. Throws when
 * the bucket cannot be written.
 */
export async function takeBootNumber(
  nc: NatsConnection,
  gatewayId: number,
  shards: readonly number[],
  log: Logger,
): Promise<number> {
  try {
    const bucket = await new Kvm(nc).open(REF_BUCKET);
    const key = `gateway.${gatewayId}.boot`;
    const waitMs = await bucket.get(key) === null ? UNKNOWN_WAIT_MS : KNOWN_WAIT_MS;
    const used = await usedBoot(nc, gatewayId, shards, waitMs, log);
    for (;;) {
      const entry = await bucket.get(key);
      // Revisions rise too, so that a number is above those of versions that kept none in the value.
      const last = Math.max(entry?.revision ?? 0, Number(entry?.string() ?? 0));
      if (used > last) {
        log.error("boot numbers were lost: going on above the matchers'", { gatewayId, used, last });
      }
      const next = Math.max(last, used) + 1;
      if (await replace(bucket, key, String(next), entry?.revision ?? 0)) return next;
    }
  } catch (cause) {
    throw new Error(`Cannot take a boot number for gateway ${gatewayId}: ${errorText(cause)}`, { cause });
  }
}

/** The highest boot number under which a matcher has applied commands of the gateway. */
async function usedBoot(
  nc: NatsConnection,
  gatewayId: number,
  shards: readonly number[],
  waitMs: number,
  log: Logger,
): Promise<number> {
  const answers = await Promise.all(
    shards.map((shard) => askMatcher(nc, shard, `gateway ${gatewayId}`, waitMs)),
  );
  const silent = shards.filter((_, i) => answers[i] === null);
  if (silent.length > 0) log.warn("matchers did not say which boot numbers they know", { shards: silent });
  return Math.max(0, ...answers.map((answer) => answer?.gateway?.bootId ?? 0));
}

/** Writes the key if it still is at `revision`; false when it is not. */
async function replace(
  bucket: Awaited<ReturnType<Kvm["open"]>>,
  key: string,
  value: string,
  revision: number,
): Promise<boolean> {
  try {
    if (revision === 0) await bucket.create(key, value);
    else await bucket.update(key, value, revision);
    return true;
  } catch (error) {
    if (WRONG_LAST_SEQUENCES.has((error as { code?: unknown } | null)?.code)) return false;
    throw error;
  }
}
