/**
 * Snapshots of one shard, taken whenever one is due: an engine of its own follows CMD_s up to there. Owns that engine, and
 * that a failure is told and forgotten. What is due while one is being taken waits, the last of it only. Does I/O.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import type { Engine, EngineOptions } from "../engine/mod.ts";
import { applyUpTo } from "./follower.ts";
import { natsCommandLog } from "./nats_command_log.ts";
import { NatsSnapshotStore } from "./nats_snapshot_store.ts";
import { restoreEngine } from "./restore.ts";
import { commandMark } from "./snapshot.ts";
import type { CommandLog, SnapshotStore } from "./snapshot_store.ts";
import { SnapshotTaker } from "./taker.ts";

/** What it works with. */
export interface SnapshotServiceOptions {
  /** Its own: a snapshot on its way must not stand in the way of events. */
  readonly nc: NatsConnection;
  readonly engine: EngineOptions;
  readonly log: Logger;
}

/** One shard's. */
export class SnapshotService {
  readonly #options: SnapshotServiceOptions;
  readonly #commands: CommandLog;
  #store: SnapshotStore | null = null;
  /** Null at first and after a failure. */
  #engine: Engine | null = null;
  /** The newest snapshot when one was last due. */
  #known = 0;
  /** The command message after which one is due, 0 when none is. */
  #due = 0;
  #running: Promise<void> | null = null;

  constructor(options: SnapshotServiceOptions) {
    this.#options = options;
    this.#commands = natsCommandLog(options.nc, options.engine.shard);
  }

  /** A snapshot is due that includes command message `cmdSeq`, which the stream holds. */
  due(cmdSeq: number): void {
    this.#due = cmdSeq;
    this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    const { log, engine: { shard } } = this.#options;
    while (this.#due !== 0) {
      const cmdSeq = this.#due;
      this.#due = 0;
      try {
        const reason = await this.#take(cmdSeq);
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

  async #take(cmdSeq: number): Promise<string | null> {
    const { nc, engine: engineOptions, log } = this.#options;
    const { shard } = engineOptions;
    const commands = this.#commands;
    const store = this.#store ??= await NatsSnapshotStore.open(nc, shard);
    const newest = (await store.pointer()).pointer?.newest.cmdSeq ?? 0;
    const others = newest > this.#known && this.#known !== 0 || newest >= cmdSeq;
    this.#known = Math.max(newest, 1);
    if (others) return `another process has taken one of command ${newest}`;
    if (this.#engine === null || this.#engine.cmdSeq < newest) {
      this.#engine = (await restoreEngine({ store, commands, engine: engineOptions, log })).engine;
    }
    const engine = this.#engine;
    const last = engine.cmdSeq < cmdSeq
      ? await applyUpTo(nc, engine, cmdSeq, log)
      : await commands.message(engine.cmdSeq).then((message) =>
        message === null ? null : commandMark(message)
      );
    if (last === null) return `command ${engine.cmdSeq} is gone`;
    const reason = await this.#taker(store).take(engine, last);
    if (reason === null) this.#known = engine.cmdSeq;
    return reason;
  }

  #taker(store: SnapshotStore): SnapshotTaker {
    const { engine, log } = this.#options;
    return new SnapshotTaker({
      store,
      commands: this.#commands,
      engine,
      log,
      after: (delayMs, action) => void setTimeout(action, delayMs),
    });
  }
}
