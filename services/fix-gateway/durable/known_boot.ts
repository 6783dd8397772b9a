/**
 * Under which boot numbers a gateway has owned sessions or been alive, whatever became of the bucket that counts them. Owns
 * nothing. Reaches the world through ports. shared/nats/boot_number.ts.
 */
import type { FixSession } from "../../../shared/protocol/mod.ts";
import { readOutRecord } from "./out_record.ts";
import type { DurablePorts } from "./ports.ts";

/** Sessions that are looked at together: a venue may have thousands. */
const TOGETHER = 32;

/**
 * The highest boot number of `gatewayId` in session records, sent messages and leases; 0 when there is none. What cannot
 * be read says nothing. Rejects when the leases cannot be had.
 */
export async function knownBoot(
  gatewayId: number,
  sessions: readonly FixSession[],
  { records, out, leases }: Pick<DurablePorts, "records" | "out" | "leases">,
): Promise<number> {
  const ofSession = async ({ id }: FixSession) => {
    const owner = await records.read(id).then((found) => found?.record.owner).catch(() => null);
    const sender = await out.last(id).then((last) => last && readOutRecord(last.bytes)).catch(() => null);
    return [owner, sender].map((each) => each?.gatewayId === gatewayId ? each.bootId : 0);
  };
  let highest = await leases.bootOf(gatewayId) ?? 0;
  for (let at = 0; at < sessions.length; at += TOGETHER) {
    const found = await Promise.all(sessions.slice(at, at + TOGETHER).map(ofSession));
    highest = Math.max(highest, ...found.flat());
  }
  return highest;
}
