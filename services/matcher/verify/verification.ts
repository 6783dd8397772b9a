/**
 * One pass over a shard's two streams: applies each command message to the rebuild and holds what EV_s has of it against that.
 * Owns the order of reading; decides nothing about where the streams end. Does I/O.
 */
import { type NatsConnection, type StreamExtent, streamExtent } from "../../../shared/nats/mod.ts";
import { cmdStream, evStream, type Instrument, matcherStatusSubject } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "../engine/mod.ts";
import { WITH_HASH } from "../requests.ts";
import { Comparison, type Difference, differenceAt } from "./comparison.ts";
import { PulledStream } from "./pulled_stream.ts";
import type { RebuildStart } from "./reference_snapshot.ts";
import { type ExpectedGroup, type OnEvent, Rebuild } from "./rebuild.ts";
import { StoredEvents, type StoredPart } from "./stored_events.ts";
import type { HashComparison, Verdict } from "./verdict.ts";

/** What to verify. */
export interface VerifyOptions {
  readonly nc: NatsConnection;
  readonly venue: {
    readonly instruments: readonly Instrument[];
    readonly limits: { readonly maxOpenOrders: number; readonly clOrdIdHistory: number };
  };
  readonly shard: number;
  /** Hears how many of how many command messages have been applied, and how many by a snapshot, many times a second. */
  readonly onProgress?: (applied: number, of: number, startedAfter: number) => void;
  /** Hears of every event as the rebuild makes it. */
  readonly onEvent?: OnEvent;
}

/** What was to be read was purged, or dropped, before it was: the pass says nothing of the shard. */
export class OvertakenError extends Error {}

/** The loop lets others run as often, ms. */
const SLICE_MS = 50;
const STATUS_TIMEOUT_MS = 1000;
const STATUS_ATTEMPTS = 20;
const STATUS_PAUSE_MS = 50;

/** What the shard's engine is made for. */
export function engineOptionsOf({ shard, venue }: VerifyOptions): EngineOptions {
  const { maxOpenOrders, clOrdIdHistory } = venue.limits;
  const instruments = venue.instruments.filter((each) => each.shard === shard);
  return { shard, instruments, maxOpenOrders, clOrdIdHistory };
}

/** One pass. Always {@link stop} it. */
export class Verification {
  readonly #options: VerifyOptions;
  readonly #rebuild: Rebuild;
  readonly #comparison: Comparison;
  readonly #stored: StoredEvents;
  readonly #cmd: PulledStream;
  readonly #ev: PulledStream;
  /** Where CMD_s ended. */
  #cmdEnd: number;
  /** Parts read and not compared yet. */
  #parts: StoredPart[] = [];
  #evEnded = false;
  /** The message of the snapshot that the rebuild began with; 0: none. */
  readonly #startedAfter: number;
  /** 0 until something was compared. */
  #comparedFrom = 0;
  /** The last message whose group was compared whole, and how many were. */
  #comparedTo = 0;
  #compared = 0;
  #sliceEndMs = performance.now() + SLICE_MS;

  /** `lastSeq` Infinity: until {@link endAt} says where. */
  constructor(
    options: VerifyOptions,
    stored: StreamExtent,
    commands: StreamExtent,
    start: RebuildStart | null = null,
  ) {
    const { nc, shard, onEvent } = options;
    this.#options = options;
    this.#rebuild = new Rebuild(engineOptionsOf(options), onEvent, start);
    this.#startedAfter = this.#comparedTo = this.#rebuild.cmdSeq;
    this.#comparison = new Comparison(shard);
    this.#stored = new StoredEvents(shard, stored.firstSeq === 1);
    this.#cmdEnd = commands.lastSeq;
    this.#cmd = new PulledStream(nc, cmdStream(shard), this.#startedAfter + 1, commands.lastSeq);
    this.#ev = new PulledStream(nc, evStream(shard), stored.firstSeq, stored.lastSeq);
  }

  /** The command message last applied. */
  get cmdSeq(): number {
    return this.#rebuild.cmdSeq;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#cmd.stop(), this.#ev.stop()]);
  }

  /** Ends a pass over streams that grow, with these messages, when it began without an end. */
  endAt(cmdSeq: number, evSeq: number): void {
    this.#cmdEnd = cmdSeq;
    this.#cmd.endAt(cmdSeq);
    this.#ev.endAt(evSeq);
  }

  /** Goes through both streams to their ends, or to the first difference. Call it once. */
  async verdict(): Promise<Verdict> {
    const { shard } = this.#options;
    const difference = await this.#applyAll() ?? await this.#rest();
    const tailTo = this.#rebuild.cmdSeq;
    const tail = tailTo - this.#comparedTo;
    const hash = difference === null ? await this.#compareHash() : null;
    const isOther = hash !== null && hash.matcher !== hash.rebuilt;
    return {
      shard,
      rebuild: this.#rebuild,
      difference: isOther
        ? differenceAt(`the matcher's state hash is ${hash.matcher}, not ${hash.rebuilt}`, null, hash.cmdSeq)
        : difference,
      messages: this.#compared,
      events: this.#comparison.events,
      trades: this.#comparison.checks.trades,
      epoch: this.#stored.epoch,
      claims: this.#stored.claims,
      comparedFrom: this.#comparedFrom,
      startedAfter: this.#startedAfter,
      tail,
      tailFrom: tail === 0 ? 0 : this.#comparedTo + 1,
      tailTo: tail === 0 ? 0 : tailTo,
      later: this.#rebuild.cmdSeq - tailTo,
      hash,
    };
  }

  /** Applies and compares what CMD_s held. */
  async #applyAll(): Promise<Difference | null> {
    const { shard } = this.#options;
    for (;;) {
      const pulled = await this.#cmd.next();
      if (pulled === null) return null;
      if (pulled.kind === "missing") {
        return differenceAt(await this.#missing(cmdStream(shard), pulled), null, pulled.seq);
      }
      const group = this.#rebuild.apply(pulled.seq, pulled.timestampUs, pulled.bytes);
      const difference = await this.#compare(group);
      if (difference !== null) return difference;
      if (performance.now() > this.#sliceEndMs) await this.#breathe();
    }
  }

  /** That the stream does not hold messages. Throws an {@link OvertakenError} when it began with them as the pass did. */
  async #missing(stream: string, { seq, to }: { seq: number; to: number }): Promise<string> {
    const { firstSeq } = await streamExtent(this.#options.nc, stream);
    if (firstSeq > to) {
      throw new OvertakenError(`${stream} was purged up to ${firstSeq - 1} before ${seq} was read`);
    }
    return `${stream} does not hold ${to === seq ? `${seq}` : `${seq} to ${to}`}`;
  }

  async #breathe(): Promise<void> {
    this.#options.onProgress?.(this.#rebuild.cmdSeq, this.#cmdEnd, this.#startedAfter);
    await pause(0);
    this.#sliceEndMs = performance.now() + SLICE_MS;
  }

  /** Compares a group with all parts that EV_s has of it. */
  async #compare(group: ExpectedGroup): Promise<Difference | null> {
    for (;;) {
      if (this.#parts.length === 0) {
        const fault = await this.#pullParts();
        if (fault !== null) return fault;
        if (this.#evEnded) return null;
      }
      const part = this.#parts[0];
      if (part.cmdSeq > group.cmdSeq) return null;
      this.#parts.shift();
      if (part.cmdSeq < group.cmdSeq) {
        const fault = this.#comparison.alone(part);
        if (fault !== null) return fault;
        continue;
      }
      if (this.#comparedFrom === 0) this.#comparedFrom = part.cmdSeq;
      const difference = this.#comparison.part(group, part);
      if (difference !== null) return difference;
      if (part.continues) continue;
      this.#comparedTo = part.cmdSeq;
      this.#compared++;
      return null;
    }
  }

  /** Reads EV_s up to its next part or its end. */
  async #pullParts(): Promise<Difference | null> {
    const stream = evStream(this.#options.shard);
    while (this.#parts.length === 0) {
      const pulled = await this.#ev.next();
      if (pulled === null) {
        this.#evEnded = true;
        return null;
      }
      if (pulled.kind === "missing") {
        return differenceAt(await this.#missing(stream, pulled), pulled.seq, this.#stored.nextCmdSeq);
      }
      const parts = this.#stored.take(pulled.seq, pulled.bytes);
      if (typeof parts === "string") return differenceAt(parts, pulled.seq, this.#stored.nextCmdSeq);
      this.#parts = parts;
    }
    return null;
  }

  /** What EV_s holds behind the last command. */
  async #rest(): Promise<Difference | null> {
    const { shard } = this.#options;
    for (;;) {
      if (this.#parts.length === 0) {
        const fault = await this.#pullParts();
        if (fault !== null || this.#parts.length === 0) return fault;
      }
      if (this.#parts[0].cmdSeq > this.#startedAfter) break;
      const fault = this.#comparison.alone(this.#parts.shift()!);
      if (fault !== null) return fault;
    }
    const { evSeq, cmdSeq } = this.#parts[0];
    const what =
      `${evStream(shard)} holds events of a command that ${
        cmdStream(shard)
      }, which ends at ${this.#cmdEnd}, ` +
      "does not hold";
    return differenceAt(what, evSeq, cmdSeq);
  }

  /** Asks the matcher for its hash and goes on to where it stands. */
  async #compareHash(): Promise<HashComparison | null> {
    for (let attempt = 1; attempt <= STATUS_ATTEMPTS; attempt++) {
      const status = await this.#matcherStatus();
      if (status === null) return null;
      if (status.cmdSeq < this.#rebuild.cmdSeq) {
        await pause(STATUS_PAUSE_MS);
        continue;
      }
      this.#cmd.endAt(Math.max(status.cmdSeq, this.#cmdEnd));
      while (this.#rebuild.cmdSeq < status.cmdSeq) {
        const pulled = await this.#cmd.next();
        if (pulled?.kind !== "message") return null;
        this.#rebuild.apply(pulled.seq, pulled.timestampUs, pulled.bytes);
      }
      return { cmdSeq: status.cmdSeq, matcher: status.stateHash, rebuilt: this.#rebuild.stateHash() };
    }
    return null;
  }

  async #matcherStatus(): Promise<{ cmdSeq: number; stateHash: string } | null> {
    const { nc, shard } = this.#options;
    try {
      const answer = await nc.request(matcherStatusSubject(shard), WITH_HASH, { timeout: STATUS_TIMEOUT_MS });
      const { cmdSeq, stateHash } = answer.json<{ cmdSeq: number; stateHash: string }>();
      return { cmdSeq, stateHash };
    } catch {
      return null;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
