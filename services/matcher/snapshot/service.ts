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
import { type CommandMark, commandMark } from "./snapshot.ts";
import type { CommandLog, SnapshotStore } from "./snapshot_store.ts";
import { SnapshotTaker } from "./taker.ts";

/**
 * Messages applied in one go, and how many times as long as that takes the rest after it is, at most `MAX_REST_MS`: orders
 * wait for the processors that a burst of commands takes (bench/end_to_end pays for it).
 */
const SLICE_MESSAGES = 2_000;
const RESTS = 3;
const MAX_REST_MS = 500;

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
    const { nc, engine: engineOptions, log } = this.#options;
    const { shard } = engineOptions;
    const commands = this.#commands;
    const store = this.#store ??= await NatsSnapshotStore.open(nc, shard);
    const newest = (await store.pointer()).pointer?.newest.cmdSeq ?? 0;
    const isOthers = newest > unlessSince && newest !== this.#own;
    if (newest >= cmdSeq || isOthers) return `there is one of command ${newest}`;
    if (this.#engine === null || this.#engine.cmdSeq < newest) {
      this.#engine = (await restoreEngine({ store, commands, engine: engineOptions, log })).engine;
    }
    const engine = this.#engine;
    const last = engine.cmdSeq < cmdSeq
      ? await this.#follow(engine, cmdSeq)
      : await commands.message(engine.cmdSeq).then((message) =>
        message === null ? null : commandMark(message)
      );
    if (last === null) return `command ${engine.cmdSeq} is gone`;
    const reason = await this.#taker(store).take(engine, last);
    if (reason === null) this.#own = engine.cmdSeq;
    return reason;
  }

  /** Applies up to `cmdSeq` in slices with rests between, which are left out as soon as the next snapshot is due. */
  async #follow(engine: Engine, cmdSeq: number): Promise<CommandMark> {
    const { nc, log } = this.#options;
    for (;;) {
      const startedMs = performance.now();
      const end = Math.min(engine.cmdSeq + SLICE_MESSAGES, cmdSeq);
      const mark = await applyUpTo(nc, engine, end, log);
      if (end === cmdSeq) return mark;
      if (this.#due !== null) continue;
      const restMs = Math.min(RESTS * (performance.now() - startedMs), MAX_REST_MS);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
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
