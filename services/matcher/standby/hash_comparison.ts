/**
 * A leader's state hashes and the own ones, matched by command message in whatever order they come. Owns the last few of
 * each that have not met. Pure.
 */
import type { ToldHash } from "./handover_messages.ts";

/** Hashes of one side that wait for the other's. */
const MAX_WAITING = 64;

/** One standby's. */
export class HashComparison {
  /** The newest that were the same; null when none have met. */
  agreed: ToldHash | null = null;
  readonly #own = new Map<number, string>();
  readonly #told = new Map<number, string>();

  /** An own hash. Returns what is wrong, or null. */
  own(hash: ToldHash): string | null {
    return this.#meet(hash, this.#own, this.#told.get(hash.cmdSeq), hash.stateHash);
  }

  /** The leader's. Returns what is wrong, or null. */
  told(hash: ToldHash): string | null {
    return this.#meet(hash, this.#told, hash.stateHash, this.#own.get(hash.cmdSeq));
  }

  #meet(
    hash: ToldHash,
    side: Map<number, string>,
    leaders: string | undefined,
    own: string | undefined,
  ): string | null {
    const { cmdSeq } = hash;
    side.set(cmdSeq, hash.stateHash);
    if (leaders !== undefined && own !== undefined) {
      this.#own.delete(cmdSeq);
      this.#told.delete(cmdSeq);
      if (leaders !== own) {
        return `state hash ${own} behind command message ${cmdSeq}, the leader has ${leaders}`;
      }
      if (cmdSeq >= (this.agreed?.cmdSeq ?? 0)) this.agreed = { cmdSeq, stateHash: own };
      return null;
    }
    if (side.size > MAX_WAITING) side.delete(side.keys().next().value!);
    return null;
  }
}
