/**
 * A session record that this gateway owns: its changes, one at a time, each against the revision before it. Owns the
 * decision what became of a write whose answer was lost. Knows nothing of sessions. A lease never
 * fences; the revision does.
 */
import type { SessionRecords } from "./ports.ts";
import { formatRecord, type SessionRecord } from "./record.ts";

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;

/** One owned record. */
export class OwnedRecord {
  readonly #session: number;
  readonly #records: SessionRecords;
  readonly #delay: (ms: number) => Promise<void>;
  #record: SessionRecord;
  #revision: number;
  #lost = false;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    session: number,
    records: SessionRecords,
    delay: (ms: number) => Promise<void>,
    record: SessionRecord,
    revision: number,
  ) {
    this.#session = session;
    this.#records = records;
    this.#delay = delay;
    this.#record = record;
    this.#revision = revision;
  }

  /** As last written. */
  get record(): SessionRecord {
    return this.#record;
  }

  /**
   * Writes a change once the writes before it are done; `change` is asked then, and may return null for none. Resolves
   * with false when the record has another owner or the writing was given up by {@link close}.
   */
  update(change: (record: SessionRecord) => Partial<SessionRecord> | null): Promise<boolean> {
    const done = this.#last.then(() => this.#write(change));
    this.#last = done;
    return done;
  }

  /** No write is tried again from now on. */
  close(): void {
    this.#closed = true;
  }

  async #write(change: (record: SessionRecord) => Partial<SessionRecord> | null): Promise<boolean> {
    const changes = this.#lost ? null : change(this.#record);
    if (changes === null) return !this.#lost;
    const next = { ...this.#record, ...changes, writes: this.#record.writes + 1 };
    for (let waitMs = FIRST_RETRY_MS; !this.#closed; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      const revision = await this.#attempt(next);
      if (revision === null) {
        this.#lost = true;
        return false;
      }
      if (revision > 0) {
        this.#record = next;
        this.#revision = revision;
        return true;
      }
      await this.#delay(waitMs);
    }
    return false;
  }

  /** The new revision; null when the record is another's; 0 when it is to be tried again. */
  async #attempt(next: SessionRecord): Promise<number | null> {
    try {
      const revision = await this.#records.write(this.#session, next, this.#revision);
      if (revision !== null) return revision;
      const found = await this.#records.read(this.#session);
      if (found === null) return null;
      if (formatRecord(found.record) === formatRecord(next)) return found.revision;
      return found.revision === this.#revision ? 0 : null;
    } catch {
      return 0;
    }
  }
}
