/**
 * Two ways to the same events, compared byte for byte: the parts that this process makes of CMD_s, and what the leader
 * stored in EV_s. Owns whichever of the two is ahead. What is left of the own parts when EV_s ends is what a matcher that
 * takes over has to send. Pure.
 */
import { EVENT_HEADER_BYTES } from "../../../shared/codec/wire/mod.ts";

/** An event message of this process's making. */
export interface OwnPart {
  readonly symbol: string;
  readonly bytes: Uint8Array;
}

/** One shard's, from some place on at which both stand. */
export class EventComparison {
  /** Bytes of own parts that EV_s has not shown yet. */
  unstoredBytes = 0;
  /** Bytes of stored messages for which no own part has been made yet. */
  aheadBytes = 0;
  /** Everything in EV_s up to here has been compared, and is the same. */
  evSeq: number;
  /** Own parts that were compared, and are the same. */
  compared = 0;
  #own: OwnPart[] = [];
  /** How many of {@link #own} have been compared; cut off from time to time. */
  #ownDone = 0;
  #stored: { readonly evSeq: number; readonly bytes: Uint8Array }[] = [];
  /** What of the first stored message has been compared. */
  #at = EVENT_HEADER_BYTES;

  /** Begins behind message `evSeq`. */
  constructor(evSeq: number) {
    this.evSeq = evSeq;
  }

  /** The next own part; it is kept. Returns what is wrong, or null. */
  made(part: OwnPart): string | null {
    this.#own.push(part);
    this.unstoredBytes += part.bytes.length;
    return this.#compare();
  }

  /**
   * The next message of EV_s, copied; only what stands from byte `from` on counts. Claims, which hold nothing, are to be told
   * too. Returns what is wrong, or null.
   */
  stored(evSeq: number, bytes: Uint8Array, from = EVENT_HEADER_BYTES): string | null {
    const counted = bytes.subarray(from - EVENT_HEADER_BYTES);
    this.#stored.push({ evSeq, bytes: new Uint8Array(counted) });
    this.aheadBytes += counted.length;
    return this.#compare();
  }

  /** The own parts that EV_s does not hold, in order; they are the caller's from now on. */
  takeUnstored(): OwnPart[] {
    const rest = this.#own.slice(this.#ownDone);
    this.#own = [];
    this.#ownDone = 0;
    this.unstoredBytes = 0;
    return rest;
  }

  #compare(): string | null {
    while (this.#stored.length > 0) {
      const { evSeq, bytes } = this.#stored[0];
      while (this.#at < bytes.length) {
        if (this.#ownDone === this.#own.length) return null;
        const own = this.#own[this.#ownDone].bytes;
        if (!holds(bytes, this.#at, own)) return `its events differ from message ${evSeq}`;
        this.#at += own.length - EVENT_HEADER_BYTES;
        this.unstoredBytes -= own.length;
        this.#ownDone++;
        this.compared++;
        this.#forget();
      }
      this.#stored.shift();
      this.aheadBytes -= bytes.length;
      this.#at = EVENT_HEADER_BYTES;
      this.evSeq = evSeq;
    }
    return null;
  }

  #forget(): void {
    if (this.#ownDone < FORGET_AT && this.#ownDone < this.#own.length) return;
    this.#own.splice(0, this.#ownDone);
    this.#ownDone = 0;
  }
}

/** Compared parts are cut off in lots: cutting each would move all others each time. */
const FORGET_AT = 1024;

/** Whether the groups of `part` stand at `at` of `message`, whatever both headers say. */
function holds(message: Uint8Array, at: number, part: Uint8Array): boolean {
  if (at + part.length - EVENT_HEADER_BYTES > message.length) return false;
  for (let i = EVENT_HEADER_BYTES; i < part.length; i++) if (part[i] !== message[at++]) return false;
  return true;
}
