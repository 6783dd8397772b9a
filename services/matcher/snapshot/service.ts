/**
 * Snapshots of one shard, taken whenever one is due: an engine of its own follows CMD_s up to there, and before the first
 * compares what a start replayed with EV_s. Owns that engine, and that a failure is told and forgotten. What is due while
 * one is being taken waits, the last of it only. Does I/O.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import type { Engine, EngineOptions } from "../engine/mod.ts";
import type { ReplayToCompare, SnapshotDue } from "./duty.ts";
import { compareReplay } from "../replay_comparison.ts";
import { applyUpTo } from "./follower.ts";
import { natsCommandLog } from "./nats_command_log.ts";
import { NatsSnapshotStore } from "./nats_snapshot_store.ts";
import { restoreEngine } from "./restore.ts";
import { type Bursts, NO_PACE } from "./pace.ts";
import { commandMark } from "./snapshot.ts";
import type { CommandLog, SnapshotStore } from "./snapshot_store.ts";
import { SnapshotTaker } from "./taker.ts";

/** What it works with. */
export interface SnapshotServiceOptions {
  /** Its own: a snapshot on its way must not stand in the way of events. */
  readonly nc: NatsConnection;
  readonly engine: EngineOptions;
  readonly log: Logger;
  /** How its thread works: a burst of it would take the processors that orders wait for. Without rests when absent. */
  readonly bursts?: Bursts;
  /**
   * The command message of the newest snapshot that anybody has asked for. A thread that works hears of none before it lets
   * go; this it can look at meanwhile. The newest that it has heard of when absent.
   */
  readonly newestDue?: () => number;
}

/** A replay that could not be compared is tried again so often, after so long. */
const COMPARE_ATTEMPTS = 5;
const COMPARE_PAUSE_MS = 1000;

/** One shard's. */
export class SnapshotService {
  readonly #options: SnapshotServiceOptions;
  readonly #commands: CommandLog;
  #store: SnapshotStore | null = null;
  #taker: SnapshotTaker | null = null;
  /** Null at first and after a failure. */
  #engine: Engine | null = null;
  /** The newest snapshot that was taken here. */
  #own = 0;
  #due: SnapshotDue | null = null;
  /** The command message of the one that is being taken, and of the newest that was due. */
  #taking = Infinity;
  #heard = 0;
  /** The replay that is to be compared, and then while it is. */
  #replay: ReplayToCompare | null = null;
  #running: Promise<void> | null = null;

  constructor(options: SnapshotServiceOptions) {
    this.#options = options;
    this.#commands = natsCommandLog(options.nc, options.engine.shard);
    const { bursts, newestDue = () => this.#heard } = options;
    // Rests are left out while the next one is due already, but not in a comparison, nor for the first behind it.
    if (bursts !== undefined) bursts.hurry = () => newestDue() > this.#taking;
  }

  /** A snapshot is due of commands that the stream holds. */
  due(due: SnapshotDue): void {
    this.#due = due;
    this.#heard = due.cmdSeq;
    this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Compares what a start has replayed with everything that EV_s holds of it, before any snapshot that is due. */
  compare(replay: ReplayToCompare): void {
    this.#replay = replay;
    this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    const { log, engine: { shard } } = this.#options;
    if (this.#replay !== null) await this.#compare(this.#replay);
    while (this.#due !== null) {
      const due = this.#due;
      const { cmdSeq } = due;
      this.#due = null;
      this.#taking = cmdSeq;
      try {
        const reason = await this.#take(due);
        if (reason !== null) log.info("no snapshot taken", { shard, cmdSeq, reason });
      } catch (cause) {
        this.#engine = null;
        log.error("cannot take a snapshot; the next one is tried when it is due", {
          shard,
          cmdSeq,
          cause: errorText(cause),
        });
      }
      this.#taking = Infinity;
    }
  }

  async #compare(replay: ReplayToCompare): Promise<void> {
    const { log, engine: { shard } } = this.#options;
    for (let attempt = 1; attempt <= COMPARE_ATTEMPTS; attempt++) {
      try {
        await this.#compareOnce(replay);
        break;
      } catch (cause) {
        this.#engine = null;
        log.error("cannot compare the replay with the events that were stored", {
          shard,
          attempt,
          cause: errorText(cause),
        });
        if (attempt < COMPARE_ATTEMPTS) {
          await new Promise<void>((resolve) => setTimeout(resolve, COMPARE_PAUSE_MS));
        }
      }
    }
    this.#replay = null;
  }

  async #compareOnce({ from, onDifferent }: ReplayToCompare): Promise<void> {
    const { nc, engine: engineOptions, log, bursts = NO_PACE } = this.#options;
    const { shard } = engineOptions;
    const store = this.#store ??= await NatsSnapshotStore.open(nc, shard, bursts);
    const found = { store, commands: this.#commands, engine: engineOptions, log, upTo: from, pace: bursts };
    const { engine } = await restoreEngine(found);
    this.#engine = engine;
    const after = engine.cmdSeq;
    const startedMs = performance.now();
    const verdict = await compareReplay({ nc, shard, engine, pace: bursts });
    if (verdict.kind === "different") {
      this.#engine = null;
      log.error("the replay differs from the events that were stored", { shard, reason: verdict.reason });
      return onDifferent(verdict.reason);
    }
    const { compared, notHeld, cmdSeq, cut } = verdict;
    const ms = Math.round(performance.now() - startedMs);
    const fields = { shard, after, cmdSeq, compared, notHeld, ms };
    if (cut === null) log.info("replay compared with the events that were stored", fields);
    else log.warn("replay compared with the events that are left", { ...fields, reason: cut });
  }

  async #take({ cmdSeq, unlessSince }: SnapshotDue): Promise<string | null> {
    const { nc, engine: engineOptions, log, bursts } = this.#options;
    const { shard } = engineOptions;
    const commands = this.#commands;
    const store = this.#store ??= await NatsSnapshotStore.open(nc, shard, bursts);
    const newest = (await store.pointer()).pointer?.newest.cmdSeq ?? 0;
    const isOthers = newest > unlessSince && newest !== this.#own;
    if (newest >= cmdSeq || isOthers) return `there is one of command ${newest}`;
    if (this.#engine === null || this.#engine.cmdSeq < newest) {
      this.#engine = (await restoreEngine({ store, commands, engine: engineOptions, log, pace: bursts }))
        .engine;
    }
    const engine = this.#engine;
    const last = engine.cmdSeq < cmdSeq
      ? await applyUpTo(nc, engine, cmdSeq, log, bursts)
      : await commands.message(engine.cmdSeq).then((message) =>
        message === null ? null : commandMark(message)
      );
    if (last === null) return `command ${engine.cmdSeq} is gone`;
    this.#taker ??= new SnapshotTaker({
      store,
      commands,
      engine: engineOptions,
      log,
      after: (delayMs, action) => void setTimeout(action, delayMs),
      pace: bursts,
    });
    const reason = await this.#taker.take(engine, last);
    if (reason === null) this.#own = engine.cmdSeq;
    return reason;
  }
}
