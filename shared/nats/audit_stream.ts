/** The stream AUDIT, where what operators change is kept for good: JSON entries, written and read. Does I/O. */
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/nats-core";
import { AUDIT_STREAM } from "../protocol/mod.ts";
import { auditSettings } from "./session_streams.ts";
import { ensureStream } from "./streams.ts";

/** The audit over one connection. */
export class AuditStream {
  readonly #jetstream: JetStreamClient;
  readonly #manager: JetStreamManager;

  private constructor(client: JetStreamClient, manager: JetStreamManager) {
    this.#jetstream = client;
    this.#manager = manager;
  }

  /** The stream is made if it is not there. Throws when that cannot be done. */
  static async open(nc: NatsConnection): Promise<AuditStream> {
    const manager = await jetstreamManager(nc, { checkAPI: false });
    await ensureStream(manager, auditSettings());
    return new AuditStream(jetstream(nc), manager);
  }

  /** Resolves when the entry is stored for good; rejects when it is not known to be. */
  async write(subject: string, entry: unknown): Promise<void> {
    try {
      await this.#jetstream.publish(subject, JSON.stringify(entry));
    } catch (cause) {
      throw new Error("Cannot write into the audit, so nothing is changed", { cause });
    }
  }

  /** The newest entries, at most `count`, oldest first. */
  async last(count: number): Promise<unknown[]> {
    const { state } = await this.#manager.streams.info(AUDIT_STREAM);
    const entries: unknown[] = [];
    const first = Math.max(state.first_seq, state.last_seq - count + 1, 1);
    for (let seq = first; seq <= state.last_seq; seq++) {
      const stored = await this.#manager.streams.getMessage(AUDIT_STREAM, { seq });
      if (stored !== null) entries.push(stored.json());
    }
    return entries;
  }
}
