/**
 * The boot number of a process that sends commands: higher than that of every earlier process with the same gateway id,
 * so that the matcher can tell a restarted sender, which numbers from 1 again, from a repeat. Does I/O.
 * docs/architecture.md, "Commands".
 *
 * The number is kept in a bucket, and the bucket may be lost or older than the command streams: whoever knows what was
 * applied is asked too.
 */
import { Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/nats-core";
import { errorText, type Logger } from "../cli/log.ts";
import { REF_BUCKET } from "../protocol/mod.ts";
import { WRONG_LAST_SEQUENCES } from "./publish_ack.ts";

/** The highest boot number under which commands have been applied; `known`: whether the bucket has one. */
export type UsedBoot = (known: boolean) => Promise<number>;

/** Takes the next boot number of `gatewayId`. Throws when the bucket cannot be written. */
export async function nextBootNumber(
  nc: NatsConnection,
  gatewayId: number,
  usedBoot: UsedBoot,
  log: Logger,
): Promise<number> {
  try {
    const bucket = await new Kvm(nc).open(REF_BUCKET);
    const key = `gateway.${gatewayId}.boot`;
    const used = await usedBoot(await bucket.get(key) !== null);
    for (;;) {
      const entry = await bucket.get(key);
      // Revisions rise too, so that a number is above those of versions that kept none in the value.
      const last = Math.max(entry?.revision ?? 0, Number(entry?.string() ?? 0));
      if (used > last) {
        log.error("boot numbers were lost: going on above those that were used", { gatewayId, used, last });
      }
      const next = Math.max(last, used) + 1;
      if (await replace(bucket, key, String(next), entry?.revision ?? 0)) return next;
    }
  } catch (cause) {
    throw new Error(`Cannot take a boot number for gateway ${gatewayId}: ${errorText(cause)}`, { cause });
  }
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
