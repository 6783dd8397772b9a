/**
 * Outgoing numbers reserved ahead, a block at a time: the next block is written down when half of this one is used.
 * Owns when to ask and what the session may use. docs/adr/0003-durable-sessions.md.
 */
import type { Session } from "../session/mod.ts";
import type { OwnedRecord } from "./owned_record.ts";
import type { SessionRecord } from "./record.ts";

/** What a block asks and tells. */
export interface NumberBlockHost {
  /** Whether numbers may be reserved now. */
  wanted(): boolean;
  /** What else can be written down with them. */
  progress(): Partial<SessionRecord> | null;
  /** The session may use more numbers; nothing waits for one any more. */
  flowing(): void;
  /** The record has another owner. */
  lost(): void;
}

/** The numbers of one holding. */
export class NumberBlock {
  readonly #session: Session;
  readonly #record: OwnedRecord;
  readonly #size: number;
  readonly #host: NumberBlockHost;
  #asking = false;

  /** Blocks of `size` (≥ 2) numbers. */
  constructor(session: Session, record: OwnedRecord, size: number, host: NumberBlockHost) {
    this.#session = session;
    this.#record = record;
    this.#size = size;
    this.#host = host;
  }

  /** Whether so few are left that nothing is to be sent that can wait. */
  get scarce(): boolean {
    const { nextSeq, reserve } = this.#session.state.outbound;
    return nextSeq > reserve.limit - this.#size / 4;
  }

  /** The session may use what the record reserves. */
  apply(): void {
    const { reservedOut } = this.#record.record;
    const { outbound, setup } = this.#session.state;
    outbound.reserved(reservedOut, reservedOut - Math.floor(this.#size / 2), setup.clock.monotonicMs());
    if (outbound.reserve.heldCount === 0) this.#host.flowing();
  }

  /** Reserves the next block, unless that is happening. */
  ask(): void {
    if (this.#asking || !this.#host.wanted()) return;
    this.#asking = true;
    const next = ({ reservedOut }: SessionRecord) => ({
      ...this.#host.progress(),
      reservedOut: reservedOut + this.#size,
    });
    this.#record.update(next).then((ours) => {
      this.#asking = false;
      if (!ours) this.#host.lost();
      else if (this.#host.wanted()) this.apply();
    });
  }
}
