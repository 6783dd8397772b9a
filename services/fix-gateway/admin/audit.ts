/** What is kept of every change that an operator asks for, and how it is kept. Pure: types only. docs/operations.md. */
import type { Numbers } from "../durable/record.ts";
import type { NumberChange } from "./change.ts";

/** One entry: JSON on `audit.session.<id>` of the stream AUDIT. */
export interface AuditEntry {
  /** UTC, ISO 8601. */
  readonly time: string;
  /** Who asked, as they called themselves. */
  readonly by: string;
  /** Who did it: `gateway 1`, or `admin` when no gateway held the session. */
  readonly via: string;
  readonly session: string;
  readonly sessionId: number;
  readonly asked: NumberChange;
  /**
   * `started` is written before anything is done, `done` or `failed` behind it; `refused` stands alone. A `started`
   * without either means that whoever did it died: the session's numbers tell.
   */
  readonly outcome: "started" | "done" | "failed" | "refused";
  readonly before?: Numbers;
  readonly after?: Numbers;
  /** Why it was refused or failed. */
  readonly reason?: string;
}

/** The place where entries are kept. */
export interface Audit {
  /** Resolves when the entry is stored for good; rejects when it is not known to be. */
  write(entry: AuditEntry): Promise<void>;
}
