/**
 * Plays a recorded flow (book_flow.ts) into an engine, in messages of 32 commands, with every event out in one of two
 * ways: as finished wire messages, which whoever sends them owns; or as views, encoded records in memory that is used
 * again, each of them read once by a consumer. Filling the Command object is part of it.
 */
import { type Engine, EventEncoder, type EventSink } from "../../services/matcher/engine/mod.ts";
import { Command, EventBatchWriter } from "../../shared/codec/wire/mod.ts";
import { MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import { engineFor, type Flow, load } from "./book_flow.ts";

const PER_MESSAGE = 32;
/** The stream's time, which does not go on: one number, as a message's own would be. */
const NOW_US = 1_796_040_000_000_000;

/** What becomes of the events. */
export type Output = "messages" | "views";

/** An engine with a filled book, and where its events go. */
export interface Player {
  readonly engine: Engine;
  /** Applies commands `from` … `to - 1`. */
  play(from: number, to: number): void;
  /** Events so far, those of the filling left out. */
  readonly eventCount: number;
  /** State and output so far: the same on every machine. */
  digest(): string;
}

/** A player whose engine has the flow's filling behind it. */
export function playerOf(flow: Flow, output: Output): Player {
  const player = output === "messages" ? new MessagePlayer(flow) : new ViewPlayer(flow);
  player.play(0, flow.fill);
  player.eventCount = 0;
  return player;
}

class MessagePlayer implements Player {
  readonly engine: Engine;
  eventCount = 0;
  readonly #flow: Flow;
  readonly #encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  readonly #command = new Command();
  #bytes = 0;
  #sequence = 0;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.engine = engineFor(flow.options);
  }

  play(from: number, to: number): void {
    const encoder = this.#encoder;
    const command = this.#command;
    const flow = this.#flow;
    for (let first = from; first < to; first += PER_MESSAGE) {
      const sequence = ++this.#sequence;
      const end = Math.min(to, first + PER_MESSAGE);
      encoder.begin(0, 1, sequence, NOW_US);
      for (let i = first; i < end; i++) {
        load(flow, i, command);
        this.engine.apply(sequence, i - first, NOW_US, command, encoder);
      }
      this.eventCount += encoder.eventCount;
      for (const part of encoder.end()) this.#bytes += part.length;
    }
  }

  digest(): string {
    return `${this.engine.stateHash()}-${this.#bytes}`;
  }
}

/** Takes events as records; never ends a message, so that the next one lies in the same place. */
export class ViewSink implements EventSink {
  readonly records = new EventBatchWriter(MAX_MESSAGE_BYTES);
  commandStarts(): void {}
  event(): void {}
}

class ViewPlayer implements Player {
  readonly engine: Engine;
  eventCount = 0;
  readonly #flow: Flow;
  readonly #sink = new ViewSink();
  readonly #command = new Command();
  #sum = 0;
  #sequence = 0;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.engine = engineFor(flow.options);
  }

  play(from: number, to: number): void {
    const sink = this.#sink;
    const command = this.#command;
    const flow = this.#flow;
    for (let first = from; first < to; first += PER_MESSAGE) {
      const sequence = ++this.#sequence;
      const end = Math.min(to, first + PER_MESSAGE);
      sink.records.begin(0, 1, sequence, NOW_US);
      const start = sink.records.reserve();
      for (let i = first; i < end; i++) {
        load(flow, i, command);
        this.engine.apply(sequence, i - first, NOW_US, command, sink);
      }
      this.eventCount += sink.records.eventCount;
      this.#consume(start, sink.records.reserve());
    }
  }

  /** Reads kind, size, price and quantity of each record. */
  #consume(from: number, to: number): void {
    const { words } = this.#sink.records;
    let sum = this.#sum;
    for (let at = from; at < to; at += (words[at] & 0xffff) >> 2) {
      sum = Math.imul(sum ^ words[at], 0x9e3779b1) + words[at + 2] + words[at + 4] | 0;
    }
    this.#sum = sum;
  }

  digest(): string {
    return `${this.engine.stateHash()}-${(this.#sum >>> 0).toString(16)}`;
  }
}
