/**
 * An engine that has applied CMD_s up to some message, at the start of a matcher: from the newest snapshot that is good,
 * else the one before, else an empty one when CMD_s still begins with its first message. Owns that order and what is said
 * on the way; never goes on from something that it is not sure of, nor when a snapshot shows that CMD_s has lost commands
 * or holds others. Decides, and leaves reading to its ports.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import { cmdStream, evStream } from "../../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "../engine/mod.ts";
import { NO_PACE, type Pace } from "./pace.ts";
import { commandMark, type LoadedSnapshot, loadSnapshot, snapshotBound } from "./snapshot.ts";
import type { CommandLog, SnapshotStore } from "./snapshot_store.ts";

/** What a restart works with. */
export interface RestoreOptions {
  readonly store: SnapshotStore;
  readonly commands: CommandLog;
  /** What the engine is made for. */
  readonly engine: EngineOptions;
  readonly log: Logger;
  /** Uses no snapshot that includes more than the commands up to here; any when absent. */
  readonly upTo?: number;
  /** Asked while a snapshot is loaded. */
  readonly pace?: Pace;
}

/** An engine and its place: command message `cmdSeq` is the last that it has applied, 0 for none. */
export interface RestoredEngine {
  readonly engine: Engine;
  readonly cmdSeq: number;
  /** The engine's time, µs. */
  readonly timestampUs: number;
}

/** A snapshot that may do. */
interface Candidate {
  readonly cmdSeq: number;
  /** What the pointer says of it; null for one that it does not name. */
  readonly stateHash: string | null;
}

/** How often the snapshots are looked for, when the pointer has moved before one of them was loaded. */
const ATTEMPTS = 5;

/**
 * Finds and loads the snapshot to start from. Throws an Error with one sentence that names what is missing when the shard
 * cannot be started from what there is.
 */
export async function restoreEngine(options: RestoreOptions): Promise<RestoredEngine> {
  const { commands, engine: engineOptions, upTo = Infinity } = options;
  const { shard } = engineOptions;
  for (let attempt = 1;; attempt++) {
    const { candidates, revision, bad } = await lookForSnapshots(options);
    const restored = await firstGood(options, candidates, bad);
    if (restored !== null) return restored;
    const { firstSeq } = await commands.extent();
    if (firstSeq <= 1) return { engine: new Engine(engineOptions), cmdSeq: 0, timestampUs: 0 };
    const moved = await hasMoved(options, revision, bad);
    const none = upTo === Infinity ? "there is no snapshot" : `there is no snapshot up to command ${upTo}`;
    const why = bad.length === 0 ? none : bad.join("; ");
    if (!moved) {
      throw new Error(
        `Cannot start shard ${shard}: ${
          cmdStream(shard)
        } begins at ${firstSeq}, and nothing leads there (${why})`,
      );
    }
    if (attempt === ATTEMPTS) {
      throw new Error(
        `Cannot start shard ${shard}: ${ATTEMPTS} times others had replaced the snapshots before one was loaded (${why})`,
      );
    }
  }
}

/** Loads the first that is good; tells of each that is not, and adds why to `bad`. */
async function firstGood(
  options: RestoreOptions,
  candidates: readonly Candidate[],
  bad: string[],
): Promise<RestoredEngine | null> {
  const { log, engine: { shard } } = options;
  for (const { cmdSeq, stateHash } of candidates) {
    const startedMs = performance.now();
    const { engine, reason } = await tryOne(options, cmdSeq, stateHash);
    if (reason === null) {
      log.info("snapshot loaded", {
        shard,
        cmdSeq,
        openOrders: engine!.openOrders,
        ms: Math.round(performance.now() - startedMs),
      });
      return { engine: engine!, cmdSeq, timestampUs: engine!.timestampUs };
    }
    log.warn("snapshot not used", { shard, cmdSeq, reason });
    bad.push(`snapshot ${cmdSeq}: ${reason}`);
  }
  return null;
}

/** What may do, and when that was looked for. */
interface Found {
  /** Those that the pointer names, newest first, then any others, newest first. */
  readonly candidates: readonly Candidate[];
  /** The pointer's; null when it could not be read. */
  readonly revision: number | null;
  /** Why there may be more: clauses. */
  readonly bad: string[];
}

async function lookForSnapshots(
  { store, log, engine: { shard }, upTo = Infinity }: RestoreOptions,
): Promise<Found> {
  const found: Candidate[] = [];
  const bad: string[] = [];
  let revision: number | null = null;
  try {
    const entry = await store.pointer();
    revision = entry.revision;
    if (entry.damaged) {
      log.error("the snapshot pointer cannot be read", { shard });
      bad.push("the pointer cannot be read");
    }
    for (const place of [entry.pointer?.newest, entry.pointer?.previous]) if (place) found.push(place);
    for (const cmdSeq of (await store.list()).reverse()) {
      if (!found.some((each) => each.cmdSeq === cmdSeq)) found.push({ cmdSeq, stateHash: null });
    }
  } catch (cause) {
    log.error("cannot look for snapshots", { shard, cause: errorText(cause) });
    bad.push(`the snapshots cannot be reached: ${errorText(cause)}`);
  }
  return { candidates: found.filter(({ cmdSeq }) => cmdSeq <= upTo), revision, bad };
}

/**
 * Whether snapshots were taken since the pointer had that revision, so that commands may have been purged that those before
 * needed. Adds to `bad` why that is not known.
 */
async function hasMoved({ store }: RestoreOptions, revision: number | null, bad: string[]): Promise<boolean> {
  try {
    return (await store.pointer()).revision !== revision;
  } catch (cause) {
    bad.push(`whether there are newer ones cannot be told: ${errorText(cause)}`);
    return false;
  }
}

async function tryOne(
  { store, commands, engine: options, pace = NO_PACE }: RestoreOptions,
  cmdSeq: number,
  stateHash: string | null,
): Promise<LoadedSnapshot> {
  const bad = (reason: string): LoadedSnapshot => ({ engine: null, reason });
  const { shard } = options;
  const stream = cmdStream(shard);
  const { firstSeq, lastSeq } = await commands.extent();
  if (cmdSeq > lastSeq) {
    throw new Error(
      `Cannot start shard ${shard}: ${stream} ends at ${lastSeq}, but snapshot ${cmdSeq} was taken of it`,
    );
  }
  if (cmdSeq + 1 < firstSeq) {
    return bad(`${stream} begins at ${firstSeq}, so that commands behind it are missing`);
  }
  if (cmdSeq > await commands.storedUpTo()) {
    return bad(`${evStream(shard)} does not hold all events up to it`);
  }
  const message = await commands.message(cmdSeq);
  if (message === null) return bad(`${stream} does not hold its last command`);
  let bytes: Uint8Array | string;
  try {
    bytes = await store.read(cmdSeq, snapshotBound(options));
  } catch (cause) {
    return bad(`it cannot be read: ${errorText(cause)}`);
  }
  if (typeof bytes === "string") return bad(bytes);
  const loaded = loadSnapshot(bytes, options, pace);
  if (loaded.engine === null) return loaded;
  const { header } = loaded;
  const mark = commandMark(message);
  if (header.cmdSeq !== cmdSeq) return bad(`it includes commands up to ${header.cmdSeq}`);
  if (header.lastCommand.crc !== mark.crc || header.lastCommand.length !== mark.length) {
    throw new Error(
      `Cannot start shard ${shard}: ${stream} sequence ${cmdSeq} is another than the one that snapshot ${cmdSeq} was taken behind`,
    );
  }
  if (stateHash !== null && header.stateHash !== stateHash) {
    return bad(`its state hash is ${header.stateHash}, the pointer says ${stateHash}`);
  }
  return loaded;
}
