/**
 * Writes a held session's progress to its record: at times, so that whoever takes over has little to go through, and so
 * that a superseded owner finds out. Owns when that is worth a write.
 */
import type { OutLog, Progress } from "./out_log.ts";
import type { OwnedRecord } from "./owned_record.ts";

/** Inbound messages that a client may have to send again though nothing is to come of them. */
const FAR_MESSAGES = 256;

/** What checkpoints ask and tell. */
export interface CheckpointHost {
  /** Every inbound message up to this one needs nothing more. */
  inDurable(): number;
  /** How far the session is, when everything that follows from it is stored; else null. */
  settled(): Progress | null;
  /** The record has another owner. */
  lost(): void;
}

/** The checkpoints of one holding. */
export class Checkpoints {
  readonly #record: OwnedRecord;
  readonly #log: OutLog;
  readonly #host: CheckpointHost;
  #writing = false;

  constructor(record: OwnedRecord, log: OutLog, host: CheckpointHost) {
    this.#record = record;
    this.#log = log;
    this.#host = host;
  }

  /** Messages that cause no report move no record of sent messages: writes when their progress has become long. */
  whenFar(): void {
    const written = Math.max(this.#log.confirmed.inDurable, this.#record.record.inDurable);
    if (this.#writing || this.#host.inDurable() - written < FAR_MESSAGES || !this.#log.idle) return;
    this.#writing = true;
    this.write().finally(() => this.#writing = false);
  }

  /** Writes what is settled, if anything; finds out whether the session still is this gateway's. */
  async write(): Promise<void> {
    const ours = await this.#record.update(() => this.#host.settled() ?? {});
    if (!ours) this.#host.lost();
  }
}
