/** The audit in its stream, AUDIT. Decides nothing. Does I/O. */
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { AUDIT_STREAM, auditSubject } from "../../../shared/protocol/mod.ts";
import type { Audit, AuditEntry } from "./audit.ts";

/** The audit over one connection. */
export class NatsAudit implements Audit {
  readonly #jetstream: JetStreamClient;
  readonly #manager: JetStreamManager;

  private constructor(client: JetStreamClient, manager: JetStreamManager) {
    this.#jetstream = client;
    this.#manager = manager;
  }

  /** The stream is ensureAuditStream's to make. */
  static async open(nc: NatsConnection): Promise<NatsAudit> {
    return new NatsAudit(jetstream(nc), await jetstreamManager(nc, { checkAPI: false }));
  }

  async write(entry: AuditEntry): Promise<void> {
    try {
      await this.#jetstream.publish(auditSubject(entry.sessionId), JSON.stringify(entry));
    } catch (cause) {
      throw new Error("Cannot write into the audit, so nothing is changed", { cause });
    }
  }

  /** The newest entries, at most `count`, oldest first. */
  async last(count: number): Promise<AuditEntry[]> {
    const { state } = await this.#manager.streams.info(AUDIT_STREAM);
    const entries: AuditEntry[] = [];
    const first = Math.max(state.first_seq, state.last_seq - count + 1, 1);
    for (let seq = first; seq <= state.last_seq; seq++) {
      const stored = await this.#manager.streams.getMessage(AUDIT_STREAM, { seq });
      if (stored !== null) entries.push(stored.json<AuditEntry>());
    }
    return entries;
  }
}
