/** What a connection says about itself, as calls. Does I/O. */
import type { NatsConnection, Status } from "@nats-io/nats-core";

/** Calls `fn` with every status of the connection, until the returned function is called. */
export function watchStatus(nc: NatsConnection, fn: (type: Status["type"]) => void): () => void {
  const statuses = nc.status();
  (async () => {
    for await (const { type } of statuses) fn(type);
  })();
  // The iterator has a stop() that its published type leaves out.
  return () => (statuses as unknown as { stop(): void }).stop();
}
