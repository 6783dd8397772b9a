/** The audit of sessions in its stream, AUDIT. Decides nothing. Does I/O. */
import { AuditStream, type NatsConnection } from "../../../shared/nats/mod.ts";
import { auditSubject } from "../../../shared/protocol/mod.ts";
import type { Audit, AuditEntry } from "./audit.ts";

/** The audit over one connection. */
export class NatsAudit implements Audit {
  readonly #stream: AuditStream;

  private constructor(stream: AuditStream) {
    this.#stream = stream;
  }

  /** The stream is made if it is not there. Throws when that cannot be done. */
  static async open(nc: NatsConnection): Promise<NatsAudit> {
    return new NatsAudit(await AuditStream.open(nc));
  }

  write(entry: AuditEntry): Promise<void> {
    return this.#stream.write(auditSubject(entry.sessionId), entry);
  }
}
