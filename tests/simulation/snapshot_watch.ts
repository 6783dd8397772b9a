/**
 * Holds the snapshots of a shard to their rules as they are stored: the pointer names states that the reference engine has
 * after the same commands, in rising order; commands go only below the older of the two. May damage the newest of them,
 * as long as the one before is good. Owns a rebuild of its own, which follows the pointer.
 */
import { noteSubject } from "../../services/matcher/snapshot/nats_snapshot_store.ts";
import { parsePointer, type SnapshotPointer } from "../../services/matcher/snapshot/snapshot_store.ts";
import { Rebuild } from "../../services/matcher/verify/rebuild.ts";
import type { EngineOptions } from "../../services/matcher/engine/mod.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { REF_BUCKET, SNAPSHOT_BUCKET, snapshotKey } from "../../shared/protocol/mod.ts";
import type { SimulatedStream, Stored } from "./nats_stream.ts";

/** Streams that hold pointers and snapshots. */
export const POINTERS = `KV_${REF_BUCKET}`;
export const SNAPSHOTS = `OBJ_${SNAPSHOT_BUCKET}`;

/** One shard's. */
export class SnapshotWatch {
  /** Snapshots that the pointer has named. */
  taken = 0;
  /** Snapshots that were damaged. */
  readonly #damaged = new Set<number>();
  readonly #subject: string;
  readonly #shard: number;
  readonly #rebuild: Rebuild;
  readonly #commands: readonly Stored[];
  #pointer: SnapshotPointer | null = null;

  /** `commands` are all command messages of the shard, those that are purged too; it grows. */
  constructor(options: EngineOptions, commands: readonly Stored[]) {
    this.#shard = options.shard;
    this.#subject = `$KV.${REF_BUCKET}.${snapshotKey(options.shard)}`;
    this.#rebuild = new Rebuild(options);
    this.#commands = commands;
  }

  /** A message of {@link POINTERS} is stored. Returns what is wrong with it, or null. */
  stored({ subject, payload }: Stored): string | null {
    if (subject !== this.#subject) return null;
    const pointer = parsePointer(new TextDecoder().decode(payload));
    if (pointer === null) return `snapshot pointer of shard ${this.#shard}: it cannot be read`;
    const before = this.#pointer;
    this.#pointer = pointer;
    this.taken++;
    const { newest, previous } = pointer;
    const known = [before?.newest, before?.previous].map((place) => JSON.stringify(place));
    if (before !== null && newest.cmdSeq <= before.newest.cmdSeq) return this.#wrong("does not rise");
    if (previous !== null && !known.includes(JSON.stringify(previous))) {
      return this.#wrong("names an older one that was none");
    }
    while (this.#rebuild.cmdSeq < newest.cmdSeq) {
      const command = this.#commands[this.#rebuild.cmdSeq];
      if (command === undefined) return this.#wrong("names a command that is not stored");
      this.#rebuild.apply(command.seq, command.timeUs, command.payload);
    }
    const hash = this.#rebuild.stateHash();
    return newest.stateHash === hash ? null : this.#wrong(`names a state that is not ${hash}`);
  }

  /** CMD_s was purged. Returns what is wrong with that, or null. */
  purged({ firstSeq }: SimulatedStream): string | null {
    const least = this.#pointer?.previous?.cmdSeq ?? 1;
    if (firstSeq <= least) return null;
    return `CMD_${this.#shard} begins at ${firstSeq}, above the older snapshot's ${least}`;
  }

  /** Flips a bit of the newest snapshot, or loses it, unless the other one is not good. False when it may not. */
  damage(snapshots: SimulatedStream, random: SeededRandom): boolean {
    const { newest, previous } = this.#pointer ?? { newest: null, previous: null };
    if (newest === null || previous === null) return false;
    if (this.#damaged.has(newest.cmdSeq) || this.#damaged.has(previous.cmdSeq)) return false;
    const meta = snapshots.lastOf(noteSubject(this.#shard, newest.cmdSeq));
    if (meta === null) return false;
    const { nuid } = JSON.parse(new TextDecoder().decode(meta.payload));
    const chunks = `$O.${SNAPSHOT_BUCKET}.C.${nuid}`;
    const chunk = snapshots.lastOf(chunks);
    if (chunk === null) return false;
    this.#damaged.add(newest.cmdSeq);
    if (random.chance(0.3)) snapshots.purge(0, chunks);
    else chunk.payload[random.below(chunk.payload.length)] ^= 1 << random.below(8);
    return true;
  }

  #wrong(what: string): string {
    return `snapshot pointer of shard ${this.#shard}: it ${what}: ${JSON.stringify(this.#pointer)}`;
  }
}
