/**
 * What a matcher does with events once EV_s is claimed: sends them live, stores them, answers requests. Owns the store of
 * one epoch. Does I/O.
 */
import type { Logger } from "../../shared/cli/log.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import {
  aliveSubject,
  claimSubject,
  hashSubject,
  type Instrument,
  liveSubject,
} from "../../shared/protocol/mod.ts";
import type { EnginePort } from "./engine_port.ts";
import { EventStore } from "./event_store.ts";
import { openEventStream } from "./event_stream.ts";
import { answerRequests, type LeaderState } from "./requests.ts";
import type { OwnPart } from "./standby/event_comparison.ts";
import { type AliveAnswer, STANDS_BY, type ToldHash, WANTS_HASH } from "./standby/handover_messages.ts";

/** For whom and from where. */
export interface LeadershipOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly engine: EnginePort;
  readonly instruments: readonly Instrument[];
  readonly log: Logger;
  /** The claimed epoch and the claim's sequence. */
  readonly epoch: number;
  readonly claimSeq: number;
  readonly state: () => LeaderState;
  /** Digest of the rules that the engine was made for. */
  readonly rules: string;
  /** A standby wants a state hash of where the engine stands. */
  readonly onHashWanted: () => void;
  /** Bytes of events not yet stored at which {@link Leadership.isFull}; there is room again at a quarter. */
  readonly maxUnstoredBytes: number;
  /** There is room again. */
  readonly onRoom: () => void;
  /** Another matcher has written to EV_s. */
  readonly onFenced: (error: Error) => void;
  readonly onFatal: (error: Error) => void;
}

/** A standby asks every 20 ms: one that has been silent for so long is gone. */
const STANDBY_GONE_MS = 1000;

/** One epoch of a shard. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #live: string;
  readonly #store: EventStore;
  readonly #stopAnswers: (() => void)[];
  #full = false;
  /** When a standby asked last, monotonic ms. */
  #standbyMs = -Infinity;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    const { nc, shard, engine, instruments, log, epoch, claimSeq, state, rules, onFenced, onFatal } = options;
    this.#live = liveSubject(shard);
    this.#store = new EventStore({
      shard,
      open: (hooks) => openEventStream(nc, shard, hooks),
      lastSeq: claimSeq,
      log,
      onFenced,
      onFatal,
      onStored: () => this.#onStored(),
    });
    const alive = JSON.stringify({ shard, epoch, pid: Deno.pid, rules } satisfies AliveAnswer);
    const answers = nc.subscribe(aliveSubject(shard), {
      callback: (error, message) => {
        if (error !== null) return;
        message.respond(alive);
        const question = message.string();
        if (question === STANDS_BY || question === WANTS_HASH) this.#standbyMs = performance.now();
        if (question === WANTS_HASH) options.onHashWanted();
      },
    });
    // Only a hint that comes early (a refused claim is heard too): EV_s itself says whether the claim counts.
    const claims = nc.subscribe(claimSubject(shard), { callback: () => void this.#store.lookForOthers() });
    this.#stopAnswers = [
      answerRequests(nc, shard, engine, instruments, state),
      () => answers.unsubscribe(),
      () => claims.unsubscribe(),
    ];
  }

  /** The last sequence of EV_s that is known to be ours. */
  get evSeq(): number {
    return this.#store.lastSeq;
  }

  /** Whether a standby has asked of late. */
  get hasStandby(): boolean {
    return performance.now() - this.#standbyMs < STANDBY_GONE_MS;
  }

  /** So much waits to be stored that nothing more should be made until {@link LeadershipOptions.onRoom}. */
  get isFull(): boolean {
    return this.#full ||= this.#store.unstoredBytes > this.#options.maxUnstoredBytes;
  }

  /** Sends an event message on; it must never be written to again. */
  take(part: Uint8Array, symbol: string): void {
    this.#options.nc.publish(this.#live, part);
    this.#store.store(part, symbol);
  }

  /** Sends on what was made before this epoch and never stored; the parts' headers are changed. */
  inherit(parts: readonly OwnPart[]): void {
    for (const { bytes, symbol } of parts) this.take(ofEpoch(bytes, this.#options.epoch), symbol);
  }

  /** Tells a standby the state hash behind a command message. */
  hashed(hash: ToldHash): void {
    this.#options.nc.publish(hashSubject(this.#options.shard), JSON.stringify(hash));
  }

  /** Resolves when everything taken is stored, or nothing more is stored. */
  idle(): Promise<void> {
    return this.#store.idle();
  }

  /** Ends it without waiting. */
  close(): void {
    for (const stop of this.#stopAnswers) stop();
    this.#store.close();
  }

  #onStored(): void {
    if (!this.#full || this.#store.unstoredBytes > this.#options.maxUnstoredBytes / 4) return;
    this.#full = false;
    this.#options.onRoom();
  }
}

const EPOCH_AT = 8;

/** The event message with another epoch in its header; changed in place. */
function ofEpoch(bytes: Uint8Array, epoch: number): Uint8Array {
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setFloat64(EPOCH_AT, epoch, true);
  return bytes;
}
