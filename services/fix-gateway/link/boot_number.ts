/**
 * The boot number of a gateway process (shared/nats/boot_number.ts), above all that were used: command messages say under
 * which they were sent, and matchers remember it of messages that are not among the newest. Where those are needed and none
 * answers in time the bucket alone counts; a number that was used before then shows in the events of the first batch,
 * and stops the gateway (taken_batches.ts). Does I/O.
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { type NatsConnection, nextBootNumber, storedPage, streamExtent } from "../../../shared/nats/mod.ts";
import { cmdStream } from "../../../shared/protocol/mod.ts";
import { askMatcher } from "./matcher_memory.ts";

/** How long matchers may take to answer when the bucket knows the gateway, ms; and when it does not. */
const KNOWN_WAIT_MS = 500;
const UNKNOWN_WAIT_MS = 10_000;
/** How many of a stream's newest messages are looked through, one part behind the other, until one is the gateway's. */
const PARTS = [64, 1024, 8192];
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Takes the next boot number of `gatewayId`, above `known` and all that the bucket, the command streams of `shards` and
 * their matchers know. Throws when the bucket cannot be written or a stream cannot be read.
 */
export function takeBootNumber(
  nc: NatsConnection,
  gatewayId: number,
  shards: readonly number[],
  log: Logger,
  known = 0,
): Promise<number> {
  const used = async (isKept: boolean) => {
    const found = await Promise.all(shards.map((shard) => sentBoot(nc, shard, gatewayId)));
    const unsure = shards.filter((_, i) => found[i] === null);
    const waitMs = isKept ? KNOWN_WAIT_MS : UNKNOWN_WAIT_MS;
    return Math.max(
      known,
      ...found.map((boot) => boot ?? 0),
      await appliedBoot(nc, gatewayId, unsure, waitMs, log),
    );
  };
  return nextBootNumber(nc, gatewayId, used, log);
}

/** The boot number of the gateway's newest commands in a stream, 0 when it sent none; null when that was not found out. */
async function sentBoot(nc: NatsConnection, shard: number, gatewayId: number): Promise<number | null> {
  const { firstSeq, lastSeq } = await streamExtent(nc, cmdStream(shard));
  let end = lastSeq;
  for (const count of PARTS) {
    const from = Math.max(firstSeq, end - count + 1);
    const boot = await highestBoot(nc, shard, gatewayId, from, end);
    if (boot > 0) return boot;
    if (from === firstSeq) return firstSeq === 1 ? 0 : null;
    end = from - 1;
  }
  return null;
}

/** The highest boot number of the gateway in the messages `from` … `end`; 0 when none is the gateway's. */
async function highestBoot(
  nc: NatsConnection,
  shard: number,
  gatewayId: number,
  from: number,
  end: number,
): Promise<number> {
  const reader = new CommandBatchReader();
  let highest = 0;
  for (let fromSeq = from; fromSeq <= end;) {
    const page = await storedPage(nc, cmdStream(shard), {
      fromSeq,
      count: end - fromSeq + 1,
      maxBytes: PAGE_BYTES,
    });
    if (page.length === 0) break;
    for (const { bytes } of page) {
      if (reader.open(bytes) === null && reader.gatewayId === gatewayId) {
        highest = Math.max(highest, reader.bootId);
      }
    }
    fromSeq = page.at(-1)!.seq + 1;
  }
  return highest;
}

/** The highest boot number under which a matcher has applied commands of the gateway. */
async function appliedBoot(
  nc: NatsConnection,
  gatewayId: number,
  shards: readonly number[],
  waitMs: number,
  log: Logger,
): Promise<number> {
  const answers = await Promise.all(
    shards.map((shard) => askMatcher(nc, shard, `gateway ${gatewayId}`, waitMs)),
  );
  const silent = shards.filter((_, i) => typeof answers[i] === "string");
  if (silent.length > 0) log.warn("matchers did not say which boot numbers they know", { shards: silent });
  return Math.max(
    0,
    ...answers.map((answer) => typeof answer === "string" ? 0 : answer.gateway?.bootId ?? 0),
  );
}
