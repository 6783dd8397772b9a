/**
 * Takes a snapshot of an engine that stands between two command messages: writes it, uploads it, reads it back into
 * another engine, moves the pointer, removes what is too old, and purges the commands that no start needs any more.
 * Owns the order of these steps, which makes a death between any two of them harmless. docs/snapshots.md.
 */
import { crc32 } from "node:zlib";
import type { Logger } from "../../../shared/cli/log.ts";
import { cmdStream } from "../../../shared/protocol/mod.ts";
import type { Engine, EngineOptions } from "../engine/mod.ts";
import { ByteWriter } from "./byte_writer.ts";
import { readHeader, type SnapshotHeader } from "./header.ts";
import { NO_PACE, type Pace } from "./pace.ts";
import { type CommandMark, loadSnapshot, openSnapshot, snapshotBound, writeSnapshot } from "./snapshot.ts";
import { clearedMemory } from "./spare_memory.ts";
import type { CommandLog, SnapshotPlace, SnapshotPointer, SnapshotStore } from "./snapshot_store.ts";

/** What a taker works with. */
export interface TakerOptions {
  readonly store: SnapshotStore;
  readonly commands: CommandLog;
  /** What the engines are made for. */
  readonly engine: EngineOptions;
  readonly log: Logger;
  /** Calls `action` once after a while. */
  readonly after: (delayMs: number, action: () => void) => void;
  /** Asked during everything that takes long. */
  readonly pace?: Pace;
}

/** Command messages purged in one call: a longer one would hold the stream's other users up. */
export const PURGE_SLICE = 10_000;
/** How often, and how many times, EV_s is looked at until it holds the events of a snapshot. */
const LOOK_MS = 100;
const LOOKS = 100;

/** One shard's. */
export class SnapshotTaker {
  readonly #options: TakerOptions;
  readonly #pace: Pace;
  /** Kept: memory that is asked for again for each snapshot is collected again for each. */
  readonly #out = new ByteWriter();
  /** For the engine that a snapshot is read back into. */
  #spare: ArrayBuffer | undefined;

  constructor(options: TakerOptions) {
    this.#options = options;
    this.#pace = options.pace ?? NO_PACE;
  }

  /**
   * Takes one; `last` marks the engine's last command message. Returns null, or why there is none: a clause. Rejects when
   * store or streams cannot be reached. The engine may go on when this resolves.
   */
  async take(engine: Engine, last: CommandMark): Promise<string | null> {
    const { store, engine: options, log } = this.#options;
    const { cmdSeq } = engine;
    const startedMs = performance.now();
    const { pointer, revision } = await store.pointer();
    if (pointer !== null && pointer.newest.cmdSeq >= cmdSeq) {
      return `there is one of command ${pointer.newest.cmdSeq} already`;
    }
    const bytes = writeSnapshot(engine, options, last, this.#pace, this.#out);
    const { stateHash } = readHeader(bytes, crc32) as SnapshotHeader;
    await store.put(cmdSeq, bytes);
    const fault = await this.#verify(cmdSeq, stateHash) ?? await this.#awaitEvents(cmdSeq);
    if (fault !== null) return await this.#discard(cmdSeq, fault);
    const next = { newest: { cmdSeq, stateHash }, previous: await this.#stillGood(pointer) };
    if (!await store.movePointer(next, revision)) {
      return await this.#discard(cmdSeq, "another process has taken one meanwhile");
    }
    log.info("snapshot taken", {
      shard: options.shard,
      cmdSeq,
      bytes: bytes.length,
      ms: Math.round(performance.now() - startedMs),
    });
    await this.#tidy(next);
    return null;
  }

  /** Removes the snapshot that was just stored, unless another process has made the same one its own. */
  async #discard(cmdSeq: number, reason: string): Promise<string> {
    const { store } = this.#options;
    const { pointer } = await store.pointer();
    const isOthers = pointer?.newest.cmdSeq === cmdSeq || pointer?.previous?.cmdSeq === cmdSeq;
    if (!isOthers) await store.remove(cmdSeq);
    return reason;
  }

  /** Removes older snapshots, and commands below the older of the two that are kept. */
  async #tidy(pointer: SnapshotPointer): Promise<void> {
    const { store } = this.#options;
    const kept = [pointer.newest.cmdSeq, pointer.previous?.cmdSeq];
    for (const cmdSeq of await store.list()) {
      if (cmdSeq < pointer.newest.cmdSeq && !kept.includes(cmdSeq)) await store.remove(cmdSeq);
    }
    await store.sweep();
    if (pointer.previous !== null) await this.#purge(pointer.previous.cmdSeq);
  }

  /** Reads the snapshot back into another engine. */
  async #verify(cmdSeq: number, stateHash: string): Promise<string | null> {
    const { store, engine: options } = this.#options;
    const bytes = await store.read(cmdSeq, snapshotBound(options));
    if (typeof bytes === "string") return `it cannot be read back: ${bytes}`;
    const loaded = loadSnapshot(bytes, { ...options, memory: this.#spare }, this.#pace);
    // Not twice, whatever becomes of it: an engine may have it.
    this.#spare = undefined;
    if (loaded.engine !== null) this.#spare = clearedMemory(loaded.engine, this.#pace);
    if (loaded.engine === null) return `read back, ${loaded.reason}`;
    return loaded.header.stateHash === stateHash ? null : `read back, its hash is ${loaded.header.stateHash}`;
  }

  /** A start needs the events of everything that a snapshot includes in EV_s. */
  async #awaitEvents(cmdSeq: number): Promise<string | null> {
    const { commands, after } = this.#options;
    for (let look = 0; look < LOOKS; look++) {
      if (await commands.storedUpTo() >= cmdSeq) return null;
      await new Promise<void>((resolve) => after(LOOK_MS, resolve));
    }
    return "its events are not stored in time";
  }

  /** The newest so far when what is stored is still whole, else the one before on the same condition. */
  async #stillGood(pointer: SnapshotPointer | null): Promise<SnapshotPlace | null> {
    const { store, engine: options, log } = this.#options;
    for (const place of pointer === null ? [] : [pointer.newest, pointer.previous]) {
      if (place === null) continue;
      const bytes = await store.read(place.cmdSeq, snapshotBound(options));
      const header = typeof bytes === "string" ? bytes : openSnapshot(bytes, options, this.#pace);
      if (typeof header !== "string") return place;
      log.error("a stored snapshot is bad", { shard: options.shard, cmdSeq: place.cmdSeq, reason: header });
    }
    return null;
  }

  async #purge(below: number): Promise<void> {
    const { commands, engine: { shard }, log } = this.#options;
    const end = Math.min(below, await commands.storedUpTo());
    const { firstSeq } = await commands.extent();
    for (let seq = firstSeq; seq < end;) {
      seq = Math.min(seq + PURGE_SLICE, end);
      await commands.purgeBelow(seq);
    }
    if (firstSeq < end) {
      log.info("commands purged", { stream: cmdStream(shard), from: firstSeq, to: end - 1 });
    }
  }
}
