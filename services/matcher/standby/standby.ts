/**
 * A matcher's time as standby: follows EV_s beside CMD_s, compares what it makes of the one with what the leader stored in
 * the other, and claims EV_s when nobody leads any more or the leader asks for it. Owns the reader of EV_s, the watch over
 * the leader and the parts that EV_s does not hold yet. Never writes but the claim. Does I/O.
 */
import type { Msg, Subscription } from "@nats-io/nats-core";
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import { ConfigError } from "../../../shared/config/mod.ts";
import { type NatsConnection, StreamReader } from "../../../shared/nats/mod.ts";
import { evStream, hashSubject, standbySubject, takeOverSubject } from "../../../shared/protocol/mod.ts";
import { claimStream } from "../claim.ts";
import { type EventTail, readEventTail } from "../event_tail.ts";
import { EventComparison, type OwnPart } from "./event_comparison.ts";
import {
  type AliveAnswer,
  type StandbyState,
  STANDS_BY,
  type TakeOverAnswer,
  type ToldHash,
  WANTS_HASH,
} from "./handover_messages.ts";
import { LeaderWatch } from "./leader_watch.ts";
import { Likeness } from "./likeness.ts";

/** For whom it stands by, and from where. */
export interface StandbyOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly log: Logger;
  /** The end of EV_s up to which commands have been replayed; {@link Standby.made} begins behind. */
  readonly tail: EventTail;
  /** The last command message applied. */
  readonly cmdSeq: () => number;
  /** Whether CMD_s has been read to its end once. */
  readonly caughtUp: () => boolean;
  /** Digest of the rules that the engine was made for. */
  readonly rules: string;
  /** Called while leader and standby have not been compared: wants a state hash of where the engine stands. */
  readonly onHashWanted: () => void;
  /** Own events are so far ahead of EV_s that no more should be made until {@link onRoom}. */
  readonly onRoom: () => void;
  /** It cannot stand by: EV_s holds other events, or cannot be read. */
  readonly onFatal: (error: Error) => void;
}

/** A shard that is this process's to lead. */
export interface Term {
  readonly epoch: number;
  readonly claimSeq: number;
}

const EPOCH_AT = 8;
/** Bytes of own events, and of stored ones, that wait for the other. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** One shard's standby, until it leads or is stopped. */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #stream: string;
  readonly #comparison: EventComparison;
  readonly #events: StreamReader;
  readonly #likeness: Likeness;
  readonly #watch: LeaderWatch;
  readonly #subscriptions: Subscription[];
  readonly #term = Promise.withResolvers<Term>();
  /** The newest epoch known. */
  #epoch: number;
  #claiming = false;
  /** The leader's request that is being carried out. */
  #asked: Msg | null = null;
  #waiting: { readonly evSeq: number; readonly resolve: () => void }[] = [];
  #full = false;
  #eventsPaused = false;
  #stopped = false;

  constructor(options: StandbyOptions) {
    this.#options = options;
    const { nc, shard, log, tail } = options;
    this.#stream = evStream(shard);
    this.#epoch = tail.epoch;
    this.#comparison = new EventComparison(tail.evSeq);
    this.#likeness = new Likeness(this.#comparison);
    this.#events = new StreamReader({
      nc,
      stream: this.#stream,
      startSeq: tail.evSeq + 1,
      log,
      onMessage: (seq, _timestampUs, _subject, bytes) => this.#onStored(seq, bytes),
      onMissing: (from, to) => {
        throw new Error(`events ${from} to ${to} are missing`);
      },
      onFatal: (error) => this.#fail(error),
    });
    this.#watch = new LeaderWatch({
      nc,
      shard,
      onGone: (why) => void this.#takeOver(why),
      question: () => this.#question(),
      onAnswer: (answer) => this.#onAlive(answer),
    });
    this.#subscriptions = [
      nc.subscribe(standbySubject(shard), {
        callback: (error, message) => {
          if (error === null) message.respond(JSON.stringify(this.state()));
        },
      }),
      nc.subscribe(hashSubject(shard), {
        callback: (error, message) => {
          if (error === null) this.#judge(this.#likeness.hashes.told(message.json<ToldHash>()));
        },
      }),
      nc.subscribe(takeOverSubject(shard), {
        callback: (error, message) => {
          if (error === null) this.#onAsked(message);
        },
      }),
    ];
  }

  /** Resolves when EV_s is claimed; {@link takeUnstored} then has what it does not hold. */
  get term(): Promise<Term> {
    return this.#term.promise;
  }

  /** How far it follows. */
  state(): StandbyState {
    const { shard, cmdSeq, caughtUp } = this.#options;
    const { evSeq, unstoredBytes } = this.#comparison;
    const { agreed } = this.#likeness.hashes;
    const ready = caughtUp() && this.#likeness.isSeen;
    return { shard, pid: Deno.pid, ready, cmdSeq: cmdSeq(), evSeq, unstoredBytes, agreed };
  }

  /** Whether no more events should be made for now. */
  get isFull(): boolean {
    return this.#full ||= this.#comparison.unstoredBytes > MAX_WAITING_BYTES;
  }

  /** The next part of this process's making, the standby's from now on. Throws when EV_s holds something else. */
  made(part: OwnPart): void {
    const fault = this.#comparison.made(part);
    if (fault !== null) throw new Error(`${fault} of ${this.#stream}`);
    this.#progressed();
  }

  /** The state hash of this process's engine. */
  hashed(hash: ToldHash): void {
    this.#judge(this.#likeness.hashes.own(hash));
  }

  /** What EV_s does not hold of the parts made, in order. */
  takeUnstored(): OwnPart[] {
    return this.#comparison.takeUnstored();
  }

  /** This process leads: whoever asked for that is told. */
  leads({ epoch }: Term): void {
    const answer: TakeOverAnswer = { kind: "led", epoch };
    this.#asked?.respond(JSON.stringify(answer));
    this.stop();
  }

  /** Ends it. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#watch.stop();
    if (!this.#options.nc.isClosed()) { for (const each of this.#subscriptions) each.unsubscribe(); }
    this.#events.stop().catch((error) => this.#options.log.debug("the end of a reader failed", { error }));
  }

  #question(): string {
    if (this.#likeness.isSeen || !this.#options.caughtUp()) return STANDS_BY;
    this.#options.onHashWanted();
    return WANTS_HASH;
  }

  #onAlive(answer: Msg): void {
    if (this.#stopped || this.#likeness.isSeen) return;
    const { shard, rules: own } = this.#options;
    const { rules } = answer.json<AliveAnswer>();
    if (rules === own) return;
    const what = `its rules have the digest ${own}, the leader's ${rules}`;
    this.#fail(new ConfigError(`Cannot stand by for shard ${shard}: ${what}`));
  }

  #onStored(seq: number, bytes: Uint8Array): void {
    const fault = this.#comparison.stored(seq, bytes);
    if (fault !== null) throw new Error(fault);
    const epoch = epochOf(bytes);
    if (epoch > this.#epoch) this.#another(epoch);
    if (this.#comparison.aheadBytes > MAX_WAITING_BYTES) {
      this.#events.pause();
      this.#eventsPaused = true;
    }
    this.#progressed();
  }

  #progressed(): void {
    const { evSeq, unstoredBytes, aheadBytes } = this.#comparison;
    if (this.#waiting.length > 0) {
      for (const each of this.#waiting) if (each.evSeq <= evSeq) each.resolve();
      this.#waiting = this.#waiting.filter((each) => each.evSeq > evSeq);
    }
    if (this.#eventsPaused && aheadBytes < MAX_WAITING_BYTES / 4) {
      this.#eventsPaused = false;
      this.#events.resume();
    }
    if (this.#full && unstoredBytes < MAX_WAITING_BYTES / 4) {
      this.#full = false;
      this.#options.onRoom();
    }
  }

  #onAsked(message: Msg): void {
    if (this.#claiming) {
      const answer: TakeOverAnswer = { kind: "failed", why: "it is taking over already" };
      message.respond(JSON.stringify(answer));
      return;
    }
    this.#asked = message;
    void this.#takeOver("it hands over");
  }

  /** Claims EV_s; goes on standing by when that fails. */
  async #takeOver(why: string): Promise<void> {
    if (this.#claiming || this.#stopped) return;
    this.#claiming = true;
    const { shard, log } = this.#options;
    log.info("nobody leads: taking over", { shard, why });
    let failure: string;
    try {
      const outcome = await this.#claim();
      if (typeof outcome !== "string") {
        this.#term.resolve(outcome);
        return;
      }
      failure = outcome;
    } catch (cause) {
      failure = errorText(cause);
    }
    if (this.#stopped) return;
    log.info("not taken over", { shard, why: failure });
    const answer: TakeOverAnswer = { kind: "failed", why: failure };
    this.#asked?.respond(JSON.stringify(answer));
    this.#asked = null;
    this.#claiming = false;
    this.#watch.again();
  }

  /** The term, or why there is none. Throws when the outcome is unknown: the next look at EV_s tells. */
  async #claim(): Promise<Term | string> {
    const { nc, shard } = this.#options;
    // Whom the watch has missed: whoever has claimed since may be seen in EV_s first.
    const missed = this.#epoch;
    const tail = await readEventTail(nc, shard);
    if (tail.epoch > missed) return this.#another(tail.epoch);
    await this.#compared(tail.evSeq);
    const epoch = tail.epoch + 1;
    const claimSeq = await claimStream(nc, shard, epoch, tail);
    if (claimSeq === null) {
      const { epoch: newest } = await readEventTail(nc, shard);
      return newest > missed ? this.#another(newest) : `the leader still writes to ${this.#stream}`;
    }
    return { epoch, claimSeq };
  }

  /** Somebody has begun to lead: what the watch saw is over. */
  #another(epoch: number): string {
    this.#epoch = epoch;
    this.#likeness.again();
    this.#watch.grace();
    return `another matcher has claimed epoch ${epoch}`;
  }

  /** Resolves once everything up to message `evSeq` has been compared. */
  #compared(evSeq: number): Promise<void> {
    if (this.#comparison.evSeq >= evSeq) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ evSeq, resolve }));
  }

  #judge(fault: string | null): void {
    if (fault !== null) this.#fail(new Error(`Cannot stand by for shard ${this.#options.shard}: ${fault}`));
  }

  #fail(error: Error): void {
    if (this.#stopped) return;
    this.stop();
    this.#options.onFatal(error);
  }
}

/** The epoch in the header of an event message. */
function epochOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(EPOCH_AT, true);
}
