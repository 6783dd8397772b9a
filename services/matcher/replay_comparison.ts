/**
 * What an engine makes of the commands behind a snapshot, compared with everything that EV_s holds of them: whether a start
 * came out at the book that was traded on. Goes through both streams side by side, so that it holds one message of each;
 * how bytes are compared is standby/event_comparison.ts. Owns the place at which both stand. Does I/O, and takes its time:
 * it is meant for a thread beside the one that matches.
 */
import { EVENT_HEADER_BYTES, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { type NatsConnection, streamExtent } from "../../shared/nats/mod.ts";
import { cmdStream, evStream } from "../../shared/protocol/mod.ts";
import { CommandApplier } from "./command_applier.ts";
import type { EnginePort } from "./engine_port.ts";
import { readEventTail } from "./event_tail.ts";
import { comparePlaces, type EventPlace, firstEventSeq, partsOf } from "./replay_start.ts";
import { EventComparison, type OwnPart } from "./standby/event_comparison.ts";
import { lastTouchedCmdSeq } from "./stored_position.ts";
import { PulledStream } from "./verify/pulled_stream.ts";

/** What is compared, and how. */
export interface ReplayComparisonOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  /** Stands behind command message `cmdSeq`; it has applied the rest of what EV_s holds in the end. */
  readonly engine: EnginePort & { readonly cmdSeq: number; readonly timestampUs: number };
  /** Asked behind every message. */
  readonly pace: { look(): void };
}

/** What came of it. */
export type ReplayVerdict =
  | {
    readonly kind: "same";
    /** Parts of events compared, nearly always one for each command message; and those that EV_s does not hold. */
    readonly compared: number;
    readonly notHeld: number;
    /** The last command message compared. */
    readonly cmdSeq: number;
    /** Why not everything was compared, a clause; null when it was. */
    readonly cut: string | null;
  }
  /** `reason` is a sentence. */
  | { readonly kind: "different"; readonly reason: string };

/** A difference, as a sentence. */
class Difference extends Error {}

/** Command messages between two turns of the event loop. */
const MESSAGES_A_TURN = 256;

/**
 * Compares up to where EV_s ends now. Rejects when the streams cannot be reached, or CMD_s does not hold the commands any
 * more; the engine then stands anywhere.
 */
export async function compareReplay(options: ReplayComparisonOptions): Promise<ReplayVerdict> {
  const { nc, shard, engine, pace } = options;
  const tail = await readEventTail(nc, shard);
  const target = lastTouchedCmdSeq(tail.position);
  const { cmdSeq } = engine;
  if (target <= cmdSeq) return { kind: "same", compared: 0, notHeld: 0, cmdSeq, cut: null };
  const { firstSeq } = await streamExtent(nc, evStream(shard));
  const start = await firstEventSeq(nc, shard, cmdSeq + 1, { firstSeq, lastSeq: tail.evSeq });
  const walk = new Walk(
    options,
    new PulledStream(nc, cmdStream(shard), cmdSeq + 1, target, pace),
    new PulledStream(nc, evStream(shard), start, tail.evSeq, pace),
    start,
  );
  try {
    return await walk.verdict();
  } catch (cause) {
    if (cause instanceof Difference) return { kind: "different", reason: cause.message };
    throw cause;
  } finally {
    await walk.stop();
  }
}

/** One way through both streams. */
class Walk {
  readonly #options: ReplayComparisonOptions;
  readonly #commands: PulledStream;
  readonly #events: PulledStream;
  readonly #comparison: EventComparison;
  readonly #applier: CommandApplier;
  readonly #reader = new EventBatchReader();
  /** Where EV_s goes on; null at the start and behind messages that it does not hold. */
  #heldFrom: EventPlace | null = null;
  /** Parts made while {@link #heldFrom} was not known or not reached. */
  #notHeld = 0;
  #cut: string | null = null;
  /** The message of EV_s that is being compared. */
  #evSeq = 0;
  #turn = 0;

  constructor(
    options: ReplayComparisonOptions,
    commands: PulledStream,
    events: PulledStream,
    startSeq: number,
  ) {
    this.#options = options;
    this.#commands = commands;
    this.#events = events;
    this.#comparison = new EventComparison(startSeq - 1);
    const { shard, engine } = options;
    this.#applier = new CommandApplier({
      shard,
      engine,
      from: { cmdSeq: engine.cmdSeq, timestampUs: engine.timestampUs },
      log: nullLogger,
      onPart: (_seq, symbol, bytes) => this.#made({ symbol, bytes }),
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#commands.stop(), this.#events.stop()]);
  }

  async verdict(): Promise<ReplayVerdict> {
    for (;;) {
      const pulled = await this.#events.next();
      if (pulled === null) break;
      if (pulled.kind === "missing") {
        this.#heldFrom = null;
        this.#cut = `${evStream(this.#options.shard)} does not hold ${pulled.seq} to ${pulled.to}`;
        continue;
      }
      this.#stored(pulled.seq, pulled.bytes);
      while (this.#comparison.aheadBytes > 0) await this.#apply();
    }
    const { compared } = this.#comparison;
    return { kind: "same", compared, notHeld: this.#notHeld, cmdSeq: this.#applier.cmdSeq, cut: this.#cut };
  }

  /** The next message of EV_s. */
  #stored(seq: number, bytes: Uint8Array): void {
    this.#evSeq = seq;
    if (this.#heldFrom !== null) return this.#judge(this.#comparison.stored(seq, bytes));
    const { shard } = this.#options;
    const fault = this.#reader.open(bytes);
    if (fault !== null) throw new Difference(`Cannot read ${evStream(shard)} sequence ${seq}: ${fault}`);
    const own = this.#comparison.takeUnstored();
    const next = own.length > 0 ? placeOf(own[0].bytes) : { cmdSeq: this.#applier.cmdSeq + 1, eventIndex: 0 };
    const first = partsOf(bytes).find((part) => comparePlaces(part, next) >= 0);
    this.#heldFrom = first ?? null;
    if (first === undefined) return own.forEach((part) => this.#made(part));
    this.#judge(this.#comparison.stored(seq, bytes, first.at));
    own.forEach((part) => this.#made(part));
  }

  /** Applies the next command message. */
  async #apply(): Promise<void> {
    const { shard } = this.#options;
    const pulled = await this.#commands.next();
    if (pulled?.kind === "missing") {
      throw new Error(`${cmdStream(shard)} does not hold ${pulled.seq} to ${pulled.to} any more`);
    }
    if (pulled === null) this.#judge("its events are fewer");
    else this.#applier.apply(pulled.seq, pulled.timestampUs, "", pulled.bytes);
    if (++this.#turn % MESSAGES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  #made(part: OwnPart): void {
    const isHeld = this.#heldFrom === null || comparePlaces(placeOf(part.bytes), this.#heldFrom) >= 0;
    if (isHeld) this.#judge(this.#comparison.made(part));
    else this.#notHeld++;
  }

  #judge(fault: string | null): void {
    if (fault === null) return;
    const { shard } = this.#options;
    const at = `${cmdStream(shard)} sequence ${this.#applier.cmdSeq}`;
    const other = `${evStream(shard)} sequence ${this.#evSeq}`;
    throw new Difference(`Cannot go on at ${at}: its events differ from ${other}`);
  }
}

/** The place of an own part, which holds one group. */
function placeOf(part: Uint8Array): EventPlace {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
  return {
    cmdSeq: view.getFloat64(EVENT_HEADER_BYTES + 16, true),
    eventIndex: view.getUint32(EVENT_HEADER_BYTES + 8, true),
  };
}
