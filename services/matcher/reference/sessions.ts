/** Which FIX messages were applied, the naive way: a set of numbers per session. The rule is docs/matching.md's. Pure. */
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Digest } from "../engine/digest.ts";

const WINDOW = 65536;

interface RefSession {
  readonly incarnation: number;
  readonly seen: Set<number>;
  /** The largest of them. */
  highest: number;
}

/** What was applied, by session. */
export class RefSessions {
  readonly #sessions = new Map<number, RefSession>();

  /** Whether the command's message is new; remembers it. Commands without an incarnation always are. */
  isNew({ sessionId, incarnation, msgSeqNum }: Command): boolean {
    if (incarnation === 0) return true;
    let session = this.#sessions.get(sessionId);
    if (session === undefined || incarnation > session.incarnation) {
      session = { incarnation, seen: new Set(), highest: 0 };
      this.#sessions.set(sessionId, session);
    }
    const oldest = session.highest - WINDOW + 1;
    if (incarnation < session.incarnation || session.seen.has(msgSeqNum) || msgSeqNum < oldest) return false;
    session.seen.add(msgSeqNum);
    session.highest = Math.max(session.highest, msgSeqNum);
    return true;
  }

  /** Puts back what was seen of a session: bit n % 65536 of `bits`, 32 to a word, for each number n that the window covers. */
  restore(id: number, incarnation: number, highest: number, bits: readonly number[]): void {
    const seen = new Set<number>();
    for (let seq = Math.max(1, highest - WINDOW + 1); seq <= highest; seq++) {
      const at = seq % WINDOW;
      if (((bits[Math.floor(at / 32)] ?? 0) & 1 << at % 32) !== 0) seen.add(seq);
    }
    this.#sessions.set(id, { incarnation, seen, highest });
  }

  /** Adds sessions by ascending id, with the numbers that the window still covers. */
  digest(into: Digest): void {
    for (const [id, { incarnation, seen, highest }] of [...this.#sessions].sort(([a], [b]) => a - b)) {
      const words = new Uint32Array(WINDOW / 32);
      for (const seq of seen) {
        const at = seq % WINDOW;
        if (seq > highest - WINDOW) words[Math.floor(at / 32)] |= 1 << at % 32;
      }
      into.word(id);
      into.integer(incarnation);
      into.integer(highest);
      words.forEach((word) => into.word(word));
    }
  }
}
