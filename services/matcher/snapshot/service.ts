/**
 * Snapshots of one shard, taken whenever one is due: an engine of its own follows CMD_s up to there. Owns that engine, and
 * that a failure is told and forgotten. What is due while one is being taken waits, the last of it only. Does I/O.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import type { Engine, EngineOptions } from "../engine/mod.ts";
import type { SnapshotDue } from "./duty.ts";
import { applyUpTo } from "./follower.ts";
import { natsCommandLog } from "./nats_command_log.ts";
import { NatsSnapshotStore } from "./nats_snapshot_store.ts";
import { restoreEngine } from "./restore.ts";
import type { Bursts } from "./pace.ts";
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
}

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
  #running: Promise<void> | null = null;

  constructor(options: SnapshotServiceOptions) {
    this.#options = options;
    this.#commands = natsCommandLog(options.nc, options.engine.shard);
  }

  /** A snapshot is due of commands that the stream holds. */
  due(due: SnapshotDue): void {
    this.#due = due;
    this.#setHurry();
    this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    const { log, engine: { shard } } = this.#options;
    while (this.#due !== null) {
      const due = this.#due;
      const { cmdSeq } = due;
      this.#due = null;
      this.#setHurry();
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
    }
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

  /** Rests are left out while the next one is due already. */
  #setHurry(): void {
    const { bursts } = this.#options;
    if (bursts !== undefined) bursts.hurry = this.#due !== null && this.#running !== null;
  }
}
