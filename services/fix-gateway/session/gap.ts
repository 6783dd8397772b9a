/**
 * Owns our own ResendRequest(2): one outstanding at a time, asked again when nothing comes of it, given up
 * after a few fruitless attempts. Pure. Source: FIX 4.4 Vol. 2, "Resend Request"; test case 2b.
 */
import type { SessionState } from "./state.ts";
import { Tag } from "./tags.ts";

/** How long a request may go without a message filling the gap before it is sent again, ms. */
const RESEND_ANSWER_MS = 10_000;
/** Requests for the same first number before the peer is logged out. */
const MAX_FRUITLESS_REQUESTS = 3;

/** The gap in what the peer sent. */
export class Gap {
  /** First number missing when we last asked; 0 while nothing is outstanding. */
  from = 0;
  /** The number that showed the gap: at it, the gap is filled. */
  until = 0;
  /** The highest number that came early and was not kept: it is missing too; 0 for none. */
  unkept = 0;
  /** When we last asked or last saw progress, ms. */
  #sinceMs = 0;
  #expectedThen = 0;
  #fruitless = 0;

  /** Whether a request is outstanding. */
  get open(): boolean {
    return this.from !== 0;
  }

  /** A request for everything from `from` on goes out because `until` came early. */
  ask(from: number, until: number, now: number): void {
    this.#fruitless = from === this.from ? this.#fruitless + 1 : 0;
    this.from = from;
    this.until = until;
    this.#expectedThen = from;
    this.#sinceMs = now;
  }

  /** `expected` is what is due now; true when that closed the gap. */
  advance(expected: number, now: number): boolean {
    if (expected !== this.#expectedThen) {
      this.#expectedThen = expected;
      this.#sinceMs = now;
    }
    if (expected < this.until) return false;
    this.#close();
    return true;
  }

  /** Message `seq` came early and was not kept. */
  notKept(seq: number): void {
    if (seq > this.unkept) this.unkept = seq;
  }

  /** When it is time to ask again, ms; Infinity while nothing is outstanding. */
  get deadline(): number {
    return this.open ? this.#sinceMs + RESEND_ANSWER_MS : Infinity;
  }

  /** Whether asking again is pointless. */
  get hopeless(): boolean {
    return this.#fruitless + 1 >= MAX_FRUITLESS_REQUESTS;
  }

  clear(): void {
    this.unkept = 0;
    this.#close();
  }

  #close(): void {
    this.from = 0;
    this.until = 0;
    this.#fruitless = 0;
  }
}

/** Asks for everything from the expected number on, because `until` came early. */
export function requestResend(state: SessionState, until: number, now: number): void {
  const writer = state.outbound.composeAdmin();
  writer.int(Tag.BeginSeqNo, state.expectedSeq);
  writer.int(Tag.EndSeqNo, 0);
  state.outbound.sendAdmin("2", now);
  state.gap.ask(state.expectedSeq, until, now);
}
