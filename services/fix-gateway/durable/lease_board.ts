/**
 * Which gateways are alive: each refreshes a key that the bucket forgets after a few seconds. Says who may be taken over
 * from, and fences nobody: that is what revisions and expected sequences are for. Does I/O. docs/adr/0003-durable-sessions.md.
 */
import { type KV, Kvm } from "@nats-io/kv";
import type { Logger } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { LEASE_BUCKET, LEASE_MS } from "../../../shared/protocol/mod.ts";
import type { Leases } from "./ports.ts";
import type { Owner } from "./record.ts";

const REFRESH_MS = LEASE_MS / 3;

/** The leases of a venue, to be read. */
export class LeaseReader implements Leases {
  readonly #bucket: KV;

  /** Reads from a bucket that is open. */
  constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  /** Opens the bucket, which ensureSessionStreams has made. */
  static async open(nc: NatsConnection): Promise<LeaseReader> {
    return new LeaseReader(await new Kvm(nc).open(LEASE_BUCKET));
  }

  async bootOf(gatewayId: number): Promise<number | null> {
    const entry = await this.#bucket.get(keyOf(gatewayId));
    if (entry === null || entry.operation !== "PUT") return null;
    const bootId = Number(entry.string());
    return Number.isSafeInteger(bootId) ? bootId : null;
  }
}

/** The leases of a venue, and this gateway's own. */
export class LeaseBoard implements Leases {
  readonly #bucket: KV;
  readonly #reader: LeaseReader;
  readonly #me: Owner;
  readonly #log: Logger;
  readonly #timer: ReturnType<typeof setInterval>;
  #refreshedMs = performance.now();
  #refreshing = false;

  private constructor(bucket: KV, me: Owner, onLapse: () => void, log: Logger) {
    this.#bucket = bucket;
    this.#reader = new LeaseReader(bucket);
    this.#me = me;
    this.#log = log;
    this.#timer = setInterval(() => this.#refresh(onLapse), REFRESH_MS);
  }

  /**
   * Takes this gateway's lease and keeps it. `onLapse` is called when it could not be kept for so long that others may
   * have taken sessions over. Rejects when the bucket cannot be written.
   */
  static async open(nc: NatsConnection, me: Owner, onLapse: () => void, log: Logger): Promise<LeaseBoard> {
    const bucket = await new Kvm(nc).open(LEASE_BUCKET);
    await bucket.put(keyOf(me.gatewayId), String(me.bootId));
    return new LeaseBoard(bucket, me, onLapse, log);
  }

  bootOf(gatewayId: number): Promise<number | null> {
    return this.#reader.bootOf(gatewayId);
  }

  /** Lets the lease go. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#bucket.delete(keyOf(this.#me.gatewayId)).catch((error) => {
      this.#log.debug("the lease could not be let go; it runs out", { error });
    });
  }

  async #refresh(onLapse: () => void): Promise<void> {
    if (this.#refreshing) return;
    this.#refreshing = true;
    try {
      await this.#bucket.put(keyOf(this.#me.gatewayId), String(this.#me.bootId));
      const nowMs = performance.now();
      const lapsed = nowMs - this.#refreshedMs > LEASE_MS;
      this.#refreshedMs = nowMs;
      if (lapsed) {
        this.#log.warn("the lease had run out; sessions are checked for other owners");
        onLapse();
      }
    } catch (error) {
      this.#log.warn("the lease could not be refreshed", { error });
    } finally {
      this.#refreshing = false;
    }
  }
}

function keyOf(gatewayId: number): string {
  return `gateway.${gatewayId}`;
}
