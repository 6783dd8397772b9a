/** Asks a shard's matcher for its books. Does I/O. */
import type { NatsConnection } from "@nats-io/nats-core";
import { DepthImageReader } from "../codec/wire/mod.ts";
import { depthRequestSubject } from "../protocol/mod.ts";

/**
 * The parts of a depth image (docs/wire.md, "Depth image"), in order and complete; the caller owns them. Throws when
 * no matcher leads the shard, or when the image has not arrived whole within `timeoutMs`.
 */
export async function requestDepth(
  nc: NatsConnection,
  shard: number,
  timeoutMs = 5000,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  const reader = new DepthImageReader();
  const answers = await nc.requestMany(depthRequestSubject(shard), new Uint8Array(0), {
    strategy: "sentinel",
    maxWait: timeoutMs,
  });
  let whole = false;
  for await (const answer of answers) {
    if (whole || answer.data.length === 0) continue;
    const fault = reader.open(answer.data);
    if (fault !== null) throw new Error(`Cannot read the depth image of shard ${shard}: ${fault}`);
    if (reader.part !== parts.length) {
      throw new Error(
        `Cannot read the depth image of shard ${shard}: expected part ${parts.length}, got ${reader.part}`,
      );
    }
    parts.push(answer.data.slice());
    whole = !reader.more;
  }
  if (!whole) throw new Error(`Cannot read the depth image of shard ${shard}: no whole answer in time`);
  return parts;
}
