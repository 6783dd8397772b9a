/**
 * The boot number of a gateway process (shared/nats/boot_number.ts), above all that the matchers know. Where none
 * answers in time the bucket alone counts; a number that was used before then shows in the events of the first batch,
 * and stops the gateway (taken_batches.ts). Does I/O.
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { type NatsConnection, nextBootNumber } from "../../../shared/nats/mod.ts";
import { askMatcher } from "./matcher_memory.ts";

/** How long matchers may take to answer when the bucket knows the gateway, ms; and when it does not. */
const KNOWN_WAIT_MS = 500;
const UNKNOWN_WAIT_MS = 10_000;

/**
 * Takes the next boot number of `gatewayId`, above all that the bucket and the matchers of `shards` know. Throws when
 * the bucket cannot be written.
 */
export function takeBootNumber(
  nc: NatsConnection,
  gatewayId: number,
  shards: readonly number[],
  log: Logger,
): Promise<number> {
  const used = (known: boolean) =>
    usedBoot(nc, gatewayId, shards, known ? KNOWN_WAIT_MS : UNKNOWN_WAIT_MS, log);
  return nextBootNumber(nc, gatewayId, used, log);
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
