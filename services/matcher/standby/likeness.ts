/**
 * Whether it has been seen that a standby has its leader's book: one state hash of both, or so many of the leader's events
 * that a difference would have shown. Owns the state hashes; begins anew with another leader. Pure.
 */
import type { EventComparison } from "./event_comparison.ts";
import { HashComparison } from "./hash_comparison.ts";

/**
 * Parts of events, nearly always one for each command message: of a large book no state hash is made while commands come all
 * the time.
 */
export const ENOUGH_PARTS = 100;

/** One standby's. */
export class Likeness {
  /** Hashes of the present leader and the own ones. */
  hashes = new HashComparison();
  readonly #events: EventComparison;
  /** Parts compared when the present leader began. */
  #partsBefore = 0;

  /** Borrows the comparison of events. */
  constructor(events: EventComparison) {
    this.#events = events;
  }

  /** Whether leader and standby have been compared. */
  get isSeen(): boolean {
    return this.hashes.agreed !== null || this.#events.compared - this.#partsBefore >= ENOUGH_PARTS;
  }

  /** Another leads from now on. */
  again(): void {
    this.hashes = new HashComparison();
    this.#partsBefore = this.#events.compared;
  }
}
