/** EV_s as its writer uses it: publishes with the fence, and looks at what is there. Does I/O. */
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";
import {
  AckedPublisher,
  type NatsConnection,
  type PublishDone,
  storedMessage,
  streamExtent,
} from "../../shared/nats/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";

/** Whom a stream tells about its connection. */
export interface EventStreamHooks {
  /** The connection is gone. Every publish in flight has been reported unknown; looks may still end. */
  readonly onDisconnect: () => void;
  /** The connection is back; nothing is in flight. */
  readonly onReconnect: () => void;
}

/** The event stream of one shard. */
export interface EventStream {
  readonly connected: boolean;
  /**
   * Sends a message that the server stores only behind `expectedLastSeq`. `done` is called once, never within this
   * call. Throws while disconnected.
   */
  publish(subject: string, bytes: Uint8Array, expectedLastSeq: number, done: PublishDone): void;
  /** The last sequence, at some moment since the call; null: there is no such stream. Rejects when that cannot be told. */
  lastSeq(): Promise<number | null>;
  /** The message at a sequence, the caller's; null when it is not there. Rejects likewise. */
  bytesAt(seq: number): Promise<Uint8Array | null>;
  /** Ends it; publishes in flight are forgotten. */
  close(): void;
}

/** The stream on a real server. The connection stays the caller's. */
export function openEventStream(nc: NatsConnection, shard: number, hooks: EventStreamHooks): EventStream {
  const stream = evStream(shard);
  const publisher = new AckedPublisher(nc, hooks);
  return {
    get connected() {
      return publisher.connected;
    },
    publish(subject, bytes, expectedLastSeq, done) {
      const fence = headers();
      fence.set("Nats-Expected-Last-Sequence", String(expectedLastSeq));
      publisher.publish(subject, bytes, done, fence);
    },
    lastSeq: async () => {
      try {
        return (await streamExtent(nc, stream)).lastSeq;
      } catch (cause) {
        if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound) {
          return null;
        }
        throw cause;
      }
    },
    bytesAt: async (seq) => (await storedMessage(nc, stream, seq))?.bytes ?? null,
    close: () => publisher.close(),
  };
}
