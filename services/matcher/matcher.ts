/**
 * The matcher of one shard: replays CMD_s, claims EV_s, then follows CMD_s and hands every event on twice, at once on
 * `live.<s>` and stored in EV_s. Owns the order of these steps and nothing of matching itself. Stops, loudly and for
 * good, when it cannot be sure: a gap in CMD_s, a replay that differs from EV_s, another writer. Does I/O.
 *
 * Snapshots come in front of the replay later: they give an engine that has applied CMD_s up to some sequence.
 */
import { EVENT_HEADER_BYTES } from "../../shared/codec/wire/mod.ts";
import type { Logger } from "../../shared/cli/log.ts";
import { type NatsConnection, streamExtent, StreamReader } from "../../shared/nats/mod.ts";
import { cmdStream, evStream, type Instrument } from "../../shared/protocol/mod.ts";
import { claimStream, leaderAnswers } from "./claim.ts";
import { CommandApplier } from "./command_applier.ts";
import type { EnginePort } from "./engine_port.ts";
import { type EventTail, readEventTail } from "./event_tail.ts";
import type { LeaderDuties } from "./leader_duties.ts";
import { Leadership } from "./leadership.ts";
import type { LeaderState } from "./requests.ts";
import { isStored, lastTouchedCmdSeq, ReplayCheck } from "./stored_position.ts";
import type { OnTraced } from "./tracing_encoder.ts";

/** What a matcher works with. */
export interface MatcherOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly engine: EnginePort;
  /** The instruments whose books the engine keeps. */
  readonly instruments: readonly Instrument[];
  readonly log: Logger;
  /** The matcher has stopped and must not be used again. */
  readonly onFatal: (error: Error) => void;
  /** Bytes of events not yet stored at which reading pauses (default 8 MiB); it resumes at a quarter. */
  readonly maxUnstoredBytes?: number;
  /** Called for traced commands that are new, not for those of the replay. */
  readonly onTraced?: OnTraced;
  /** What the leader does beside; nothing when absent. */
  readonly duties?: LeaderDuties;
}

/** Why a process ended: another matcher is the shard's writer. */
export class FencedError extends Error {}

const FIRST_EVENT_INDEX_AT = EVENT_HEADER_BYTES + 8;

/** One shard's matcher. `start` once, `drain` or {@link MatcherOptions.onFatal} ends it. */
export class Matcher {
  readonly #options: MatcherOptions;
  readonly #commands: CommandApplier;
  #reader: StreamReader | null = null;
  /** Null while replaying. */
  #leadership: Leadership | null = null;
  /** What EV_s holds; replayed parts up to there are not sent. */
  #tail!: EventTail;
  /** The comparison with the last batch of EV_s; null when there is none to compare with. */
  #check: ReplayCheck | null = null;
  /** Whether a part has been made that EV_s did not hold at the start. */
  #pastStored = false;
  /** Replaying up to this command message before EV_s is claimed. */
  #replayTarget = 0;
  #replayed: (() => void) | null = null;
  /** Rejects the running `start`; null before and after. */
  #starting: ((error: Error) => void) | null = null;
  /** Reading waits until more of the events are stored. */
  #storePaused = false;
  #ready = false;
  #stopped = false;

  constructor(options: MatcherOptions) {
    this.#options = options;
    const { shard, engine, log, duties } = options;
    this.#commands = new CommandApplier({
      shard,
      engine,
      log,
      duties,
      onPart: (seq, symbol, part) => this.#onPart(seq, symbol, part),
    });
  }

  /** The matcher's state; `ready` once it has replayed everything and leads. */
  state(): LeaderState {
    return {
      shard: this.#options.shard,
      epoch: this.#commands.epoch,
      ready: this.#ready,
      cmdSeq: this.#commands.cmdSeq,
      evSeq: this.#leadership?.evSeq ?? this.#tail?.evSeq ?? 0,
    };
  }

  /**
   * Replays, claims and catches up; resolves when the matcher follows the stream. Throws an Error with one sentence
   * (FencedError when another matcher leads); the matcher is then stopped.
   */
  async start(): Promise<void> {
    const failed = new Promise<never>((_, reject) => this.#starting = reject);
    try {
      await Promise.race([this.#takeOver(), failed]);
      this.#starting = null;
      this.#ready = !this.#stopped;
    } catch (cause) {
      await this.#stop();
      throw cause;
    }
  }

  /** Stops reading, stores what is applied, and leaves. Returns false when not everything could be stored in time. */
  async drain(deadlineMs: number): Promise<boolean> {
    await this.#reader?.stop();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), deadlineMs));
    const stored = (this.#leadership?.idle() ?? Promise.resolve()).then(() => !this.#stopped);
    const whole = await Promise.race([stored, late]);
    clearTimeout(timer);
    await this.#stop();
    return whole;
  }

  async #takeOver(): Promise<void> {
    await this.#takeTail();
    await this.#replay();
    await this.#claim();
    await this.#reader!.caughtUp;
    if (!this.#stopped) await this.#options.duties?.start();
  }

  /** Reads where EV_s stands and what has to be replayed for it. */
  async #takeTail(): Promise<void> {
    const { nc, shard } = this.#options;
    this.#tail = await readEventTail(nc, shard);
    this.#replayTarget = this.#tail.position.completeCmdSeq;
    const needed = lastTouchedCmdSeq(this.#tail.position);
    const { lastSeq } = await streamExtent(nc, cmdStream(shard));
    if (lastSeq < needed) {
      throw new Error(
        `Cannot replay ${cmdStream(shard)}: it ends at ${lastSeq}, but ${
          evStream(shard)
        } holds events of ${needed}`,
      );
    }
    const { lastBatch } = this.#tail;
    this.#check = lastBatch === null ? null : new ReplayCheck(lastBatch.bytes);
  }

  /** Applies CMD_s up to the target, without sending anything; the reader is paused afterwards. */
  #replay(): Promise<void> {
    const { nc, shard, log } = this.#options;
    return new Promise((resolve) => {
      this.#replayed = resolve;
      this.#reader = new StreamReader({
        nc,
        stream: cmdStream(shard),
        startSeq: 1,
        log,
        onMessage: (seq, timestampUs, subject, bytes) => this.#onCommand(seq, timestampUs, subject, bytes),
        onMissing: (from, to) => {
          throw new Error(`commands ${from} to ${to} are missing`);
        },
        onFatal: (error) => this.#fail(error),
      });
      if (this.#replayTarget === 0) this.#endReplay();
    });
  }

  #endReplay(): void {
    this.#reader!.pause();
    this.#replayed?.();
    this.#replayed = null;
  }

  /** Claims EV_s and goes on as its writer. */
  async #claim(): Promise<void> {
    const { nc, shard } = this.#options;
    if (await leaderAnswers(nc, shard)) {
      throw new FencedError(`Cannot lead shard ${shard}: another matcher leads it`);
    }
    const epoch = this.#tail.epoch + 1;
    const seq = await claimStream(nc, shard, epoch, this.#tail);
    if (seq === null) {
      throw new FencedError(`Cannot lead shard ${shard}: another matcher has written to ${evStream(shard)}`);
    }
    if (!this.#stopped) this.#lead(epoch, seq);
  }

  /** Goes on as the writer of EV_s. */
  #lead(epoch: number, claimSeq: number): void {
    const { nc, shard, engine, instruments, log, maxUnstoredBytes, onTraced } = this.#options;
    const { cmdSeq } = this.#commands;
    log.info("matcher leads", { shard, epoch, cmdSeq, evSeq: claimSeq });
    this.#leadership = new Leadership({
      nc,
      shard,
      engine,
      instruments,
      log,
      epoch,
      claimSeq,
      state: () => this.state(),
      maxUnstoredBytes: maxUnstoredBytes ?? 8 * 1024 * 1024,
      onRoom: () => this.#resumeWhenStored(),
      onFenced: (error) => this.#fail(new FencedError(error.message)),
      onFatal: (error) => this.#fail(error),
    });
    this.#commands.epoch = epoch;
    this.#commands.onTraced = onTraced ?? null;
    this.#reader!.resume();
  }

  #onCommand(seq: number, timestampUs: number, subject: string, bytes: Uint8Array): void {
    this.#commands.apply(seq, timestampUs, subject, bytes);
    if (this.#leadership === null) {
      if (seq === this.#replayTarget) this.#endReplay();
    } else if (this.#leadership.isFull) {
      this.#reader!.pause();
      this.#storePaused = true;
    }
  }

  /** Sends an event message on, or, when EV_s holds it already, checks that it is the same. */
  #onPart(seq: number, symbol: string, part: Uint8Array): void {
    if (!this.#pastStored) {
      const firstEventIndex = u32At(part, FIRST_EVENT_INDEX_AT);
      const stored = isStored(this.#tail.position, seq, firstEventIndex);
      const check = this.#check;
      if (check !== null && !(stored ? check.agrees(seq, firstEventIndex, part) : check.complete)) {
        const { shard } = this.#options;
        throw new Error(`its events differ from ${evStream(shard)} sequence ${this.#tail.lastBatch!.seq}`);
      }
      if (stored) return;
      this.#pastStored = true;
    }
    this.#leadership!.take(part, symbol);
  }

  #resumeWhenStored(): void {
    if (!this.#storePaused) return;
    this.#storePaused = false;
    this.#reader!.resume();
  }

  #fail(error: Error): void {
    if (this.#stopped) return;
    const starting = this.#starting;
    this.#stop();
    if (starting === null) this.#options.onFatal(error);
    else starting(error);
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    this.#ready = false;
    this.#options.duties?.stop();
    this.#leadership?.close();
    await this.#reader?.stop();
  }
}

/** The little-endian number at `at`. */
function u32At(bytes: Uint8Array, at: number): number {
  return (bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24) >>> 0;
}
