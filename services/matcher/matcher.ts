/**
 * The matcher of one shard: replays CMD_s, stands by while another leads if it is to, claims EV_s, then follows CMD_s and
 * hands every event on twice, at once on `live.<s>` and stored in EV_s. Owns the order of these steps and nothing of
 * matching itself. Stops, loudly and for good, when it cannot be sure: a gap in CMD_s, a replay or a leader that differs
 * from what it computes, another writer. Does I/O.
 *
 * It may be given an engine that has applied commands already: snapshot/restore.ts makes one.
 */
import { inTime } from "../../shared/in_time.ts";
import { StreamReader } from "../../shared/nats/mod.ts";
import { cmdStream, evStream } from "../../shared/protocol/mod.ts";
import { claimStream, leaderAnswers } from "./claim.ts";
import { CommandApplier } from "./command_applier.ts";
import { Leadership } from "./leadership.ts";
import type { MatcherOptions } from "./matcher_options.ts";
import type { LeaderState } from "./requests.ts";
import { Replay } from "./replay.ts";
import { tellProgress } from "./replay_progress.ts";
import { answerHandovers } from "./standby/handover.ts";
import { Standby } from "./standby/standby.ts";
import { StateHashing } from "./standby/state_hashing.ts";

export type { MatcherOptions } from "./matcher_options.ts";

/** Why a process ended: another matcher is the shard's writer. */
export class FencedError extends Error {}

/** One shard's matcher. `start` once, `drain` or {@link MatcherOptions.onFatal} ends it. */
export class Matcher {
  readonly #options: MatcherOptions;
  readonly #commands: CommandApplier;
  #reader: StreamReader | null = null;
  /** Null until it leads. */
  #leadership: Leadership | null = null;
  /** Null but while it stands by. */
  #standby: Standby | null = null;
  #stopHandovers: () => void = () => {};
  #hashing: StateHashing | null = null;
  /** Its commands are the standby's to apply; {@link #fenced} is then no surprise. */
  #handingOver = false;
  #fenced: FencedError | null = null;
  /** What EV_s held at the start; parts up to there are not sent. */
  #replay!: Replay;
  #endProgress: () => void = () => {};
  /** Ends the replay; null before and after. */
  #replayed: (() => void) | null = null;
  /** Rejects the running `start`; null before and after. */
  #starting: ((error: Error) => void) | null = null;
  /** Reading waits until more of the events are stored. */
  #full = false;
  #ready = false;
  #stopped = false;

  constructor(options: MatcherOptions) {
    this.#options = options;
    const { shard, engine, from, log, duties } = options;
    this.#commands = new CommandApplier({
      shard,
      engine,
      from,
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
      evSeq: this.#leadership?.evSeq ?? this.#replay?.tail.evSeq ?? 0,
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
    const stored = (this.#leadership?.idle() ?? Promise.resolve()).then(() => !this.#stopped);
    const whole = await inTime(stored, deadlineMs, false);
    await this.#stop();
    return whole;
  }

  async #takeOver(): Promise<void> {
    const { nc, shard } = this.#options;
    this.#replay = await Replay.locate(nc, shard, this.#commands.cmdSeq);
    await this.#catchUp();
    this.#hashing = new StateHashing({
      engine: this.#options.engine,
      cmdSeq: () => this.#commands.cmdSeq,
      isWanted: () => this.#leadership?.hasStandby ?? true,
      onHash: (cmdSeq, stateHash) => (this.#leadership ?? this.#standby)?.hashed({ cmdSeq, stateHash }),
    });
    if (this.#options.standby === true) await this.#standBy();
    else await this.#claim();
    await this.#reader!.caughtUp;
    // Whoever hears that it leads may ask it at once; a connection that breaks now asks for all subjects anew by itself.
    await nc.flush().catch(() => {});
    if (!this.#stopped) await this.#options.duties?.start();
  }

  /** Applies CMD_s up to the target, without sending anything; the reader is paused afterwards. */
  #catchUp(): Promise<void> {
    const { nc, shard, log } = this.#options;
    const { cmdSeq } = this.#commands;
    const { target } = this.#replay;
    const done = tellProgress(log, { shard, from: cmdSeq, to: target, at: () => this.#commands.cmdSeq });
    this.#endProgress = done;
    return new Promise((resolve) => {
      this.#replayed = resolve;
      this.#reader = new StreamReader({
        nc,
        stream: cmdStream(shard),
        startSeq: cmdSeq + 1,
        log,
        onMessage: (seq, timestampUs, subject, bytes) => this.#onCommand(seq, timestampUs, subject, bytes),
        onMissing: (from, to) => {
          throw new Error(`commands ${from} to ${to} are missing`);
        },
        onFatal: (error) => this.#fail(error),
      });
      if (target <= cmdSeq) this.#endReplay();
    });
  }

  #endReplay(): void {
    this.#endProgress();
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
    const { tail } = this.#replay;
    const epoch = tail.epoch + 1;
    const seq = await claimStream(nc, shard, epoch, tail);
    if (seq === null) {
      throw new FencedError(`Cannot lead shard ${shard}: another matcher has written to ${evStream(shard)}`);
    }
    if (!this.#stopped) this.#lead(epoch, seq);
  }

  /** Follows until EV_s is claimed, then goes on as its writer. */
  async #standBy(): Promise<void> {
    const { nc, shard, log, rules = "", onStandingBy } = this.#options;
    let caughtUp = false;
    const standby = new Standby({
      nc,
      shard,
      log,
      tail: this.#replay.tail,
      cmdSeq: () => this.#commands.cmdSeq,
      caughtUp: () => caughtUp,
      rules,
      onHashWanted: () => this.#hashing!.ask(false),
      onRoom: () => this.#onRoom(),
      onFatal: (error) => this.#fail(error),
    });
    this.#standby = standby;
    this.#reader!.resume();
    this.#reader!.caughtUp.then(() => {
      caughtUp = true;
      if (!this.#stopped && this.#standby === standby) onStandingBy?.();
    });
    const term = await standby.term;
    if (this.#stopped) return;
    this.#standby = null;
    this.#lead(term.epoch, term.claimSeq);
    this.#leadership!.inherit(standby.takeUnstored());
    standby.leads(term);
  }

  /** Goes on as the writer of EV_s. */
  #lead(epoch: number, claimSeq: number): void {
    const { nc, shard, engine, instruments, log, rules = "", maxUnstoredBytes, onTraced } = this.#options;
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
      rules,
      onHashWanted: () => this.#hashing!.ask(true),
      maxUnstoredBytes: maxUnstoredBytes ?? 8 * 1024 * 1024,
      onRoom: () => this.#onRoom(),
      onFenced: (error) => {
        this.#fenced = new FencedError(error.message);
        if (!this.#handingOver) this.#fail(this.#fenced);
      },
      onFatal: (error) => this.#fail(error),
    });
    this.#stopHandovers = answerHandovers({
      nc,
      shard,
      epoch,
      log,
      cmdSeq: () => this.#commands.cmdSeq,
      pause: () => this.#pauseForHandover(),
      resume: () => this.#resumeAfterHandover(),
      stored: () => this.#leadership!.idle(),
      onHandedOver: () => {
        this.#stop();
        this.#options.onHandedOver?.();
      },
    });
    this.#commands.epoch = epoch;
    this.#full = false;
    this.#commands.onTraced = onTraced ?? null;
    this.#reader!.resume();
  }

  #onCommand(seq: number, timestampUs: number, subject: string, bytes: Uint8Array): void {
    this.#commands.apply(seq, timestampUs, subject, bytes);
    if (this.#replayed !== null) {
      if (seq === this.#replay.target) this.#endReplay();
      return;
    }
    this.#hashing!.applied(seq);
    if ((this.#leadership ?? this.#standby)?.isFull === true) {
      this.#reader!.pause();
      this.#full = true;
    }
  }

  /** Sends an event message on unless EV_s held it at the start; keeps it while another leads. */
  #onPart(seq: number, symbol: string, part: Uint8Array): void {
    if (this.#replay.holds(seq, part)) return;
    if (this.#standby !== null) this.#standby.made({ bytes: part, symbol });
    else this.#leadership!.take(part, symbol);
  }

  #onRoom(): void {
    if (!this.#full || this.#handingOver) return;
    this.#full = false;
    this.#reader!.resume();
  }

  #pauseForHandover(): void {
    this.#handingOver = true;
    this.#reader!.pause();
  }

  #resumeAfterHandover(): void {
    this.#handingOver = false;
    if (this.#stopped) return;
    if (this.#fenced !== null) this.#fail(this.#fenced);
    else this.#reader!.resume();
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
    this.#endProgress();
    this.#hashing?.stop();
    this.#stopHandovers();
    this.#standby?.stop();
    this.#leadership?.close();
    await this.#reader?.stop();
  }
}
