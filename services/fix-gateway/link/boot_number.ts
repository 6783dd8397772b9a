/**
 * The boot number of a gateway process: higher than that of every earlier process with the same gateway id, so that
 * the matcher can tell a restarted gateway, which numbers from 1 again, from a repeat. Does I/O. Spec: design §4.
 */
import { Kvm } from "@nats-io/kv";
import { errorText } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { REF_BUCKET } from "../../../shared/protocol/mod.ts";

/**
 * Takes the next boot number of `gatewayId`: the revision of a put, which the bucket's stream makes rise. Throws when
 * the bucket cannot be written.
 */
export async function takeBootNumber(nc: NatsConnection, gatewayId: number): Promise<number> {
  try {
    const bucket = await new Kvm(nc).open(REF_BUCKET);
    return await bucket.put(`gateway.${gatewayId}.boot`, new Uint8Array(0));
  } catch (cause) {
    throw new Error(`Cannot take a boot number for gateway ${gatewayId}: ${errorText(cause)}`, { cause });
  }
}
