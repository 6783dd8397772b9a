/** Asks a shard's matcher for its books. Does I/O. */
import { errors, type NatsConnection } from "@nats-io/nats-core";
import { DepthImageReader } from "../codec/wire/mod.ts";
import { depthRequestSubject } from "../protocol/mod.ts";

/** No matcher leads, or its answer did not come whole (lost with a connection, or two leaders spoke): ask again. */
export class DepthUnavailableError extends Error {}

/**
 * The parts of a depth image (docs/wire.md, "Depth image"), in order and complete; the caller owns them. Throws a
 * {@link DepthUnavailableError} when nobody answers whole within `timeoutMs`; another Error when a part is damaged or
 * the connection is closed.
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
  try {
    for await (const answer of answers) {
      if (whole || answer.data.length === 0) continue;
      const fault = reader.open(answer.data);
      if (fault !== null) throw new Error(`Cannot read the depth image of shard ${shard}: ${fault}`);
      if (reader.part !== parts.length) {
        throw new DepthUnavailableError(
          `Cannot read the depth image of shard ${shard}: expected part ${parts.length}, got ${reader.part}`,
        );
      }
      parts.push(new Uint8Array(answer.data));
      whole = !reader.more;
    }
  } catch (cause) {
    if (!(cause instanceof errors.NoRespondersError)) throw cause;
    throw new DepthUnavailableError(`Cannot read the depth image of shard ${shard}: no matcher leads`, {
      cause,
    });
  }
  if (whole) return parts;
  throw new DepthUnavailableError(`Cannot read the depth image of shard ${shard}: no whole answer in time`);
}
