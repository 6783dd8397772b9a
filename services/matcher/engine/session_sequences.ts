/**
 * Which FIX messages of which session have been applied: per session the newest incarnation of its numbers (a reset
 * starts the next one), the highest MsgSeqNum(34) and a bit for each number of the window below it. So a message that
 * a client sends again after a lost answer, by whatever gateway, is applied once. Pure. docs/matching.md.
 *
 * Why a window is enough: a gateway asks again only from the first number whose command is not acknowledged, and at
 * most its window of commands in flight lies between that and the highest. What is older than the window counts as
 * seen.
 */
import type { Digest } from "./digest.ts";

/** Numbers remembered below the highest, the highest included. A power of two. */
export const SESSION_WINDOW = 65536;

const SESSIONS = 65536;
const WORDS = SESSION_WINDOW / 32;

/** Per-session progress. Memory (8 KiB) is taken by a session's first command. */
export class SessionSequences {
  readonly #incarnations = new Float64Array(SESSIONS);
  readonly #highest = new Float64Array(SESSIONS);
  /** A ring per session: bit n & (SESSION_WINDOW - 1) stands for number n. */
  readonly #seen: (Uint32Array | undefined)[] = [];
  /** Largest id of a session that has sent commands. */
  #lastSession = 0;

  /**
   * Whether message `seq` (≥ 1) of a session's `incarnation` (≥ 1) is new; remembers it. False for one that was
   * applied before, is too old to tell, or belongs to an earlier incarnation.
   */
  admit(session: number, incarnation: number, seq: number): boolean {
    if (incarnation !== this.#incarnations[session]) {
      if (incarnation < this.#incarnations[session]) return false;
      this.#start(session, incarnation);
    }
    const seen = this.#seen[session]!;
    const highest = this.#highest[session];
    if (seq <= highest) {
      if (seq <= highest - SESSION_WINDOW) return false;
      const at = seq & SESSION_WINDOW - 1;
      if ((seen[at >>> 5] & 1 << (at & 31)) !== 0) return false;
      seen[at >>> 5] |= 1 << (at & 31);
      return true;
    }
    if (seq - highest >= SESSION_WINDOW) seen.fill(0);
    else for (let n = highest + 1; n < seq; n++) clearBit(seen, n & SESSION_WINDOW - 1);
    const at = seq & SESSION_WINDOW - 1;
    seen[at >>> 5] |= 1 << (at & 31);
    this.#highest[session] = seq;
    return true;
  }

  /** Incarnation and highest number of a session; zeros before its first command. */
  of(session: number): { incarnation: number; highest: number } {
    return { incarnation: this.#incarnations[session], highest: this.#highest[session] };
  }

  /**
   * Visits every session that has sent commands, by ascending id. `seen` is the session's own ring: bit n of it stands
   * for each number that is n modulo {@link SESSION_WINDOW}.
   */
  forEach(
    visit: (session: number, incarnation: number, highest: number, seen: Uint32Array) => void,
  ): void {
    for (let session = 0; session <= this.#lastSession; session++) {
      const seen = this.#seen[session];
      if (seen !== undefined) visit(session, this.#incarnations[session], this.#highest[session], seen);
    }
  }

  /** Sets what has been applied of a session's commands. Returns its ring, all zeros, for the caller to fill. */
  restore(session: number, incarnation: number, highest: number): Uint32Array {
    this.#start(session, incarnation);
    this.#highest[session] = highest;
    return this.#seen[session]!;
  }

  /** Adds every session that has sent commands, by ascending id. */
  digest(into: Digest): void {
    this.forEach((session, incarnation, highest, seen) => {
      into.word(session);
      into.integer(incarnation);
      into.integer(highest);
      for (let i = 0; i < WORDS; i++) into.word(seen[i]);
    });
  }

  #start(session: number, incarnation: number): void {
    this.#incarnations[session] = incarnation;
    this.#highest[session] = 0;
    const seen = this.#seen[session];
    if (seen === undefined) this.#seen[session] = new Uint32Array(WORDS);
    else seen.fill(0);
    if (session > this.#lastSession) this.#lastSession = session;
  }
}

function clearBit(words: Uint32Array, at: number): void {
  words[at >>> 5] &= ~(1 << (at & 31));
}
