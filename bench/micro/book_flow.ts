/**
 * The order flow of the book benches: 70 % limit, 20 % cancel, 10 % market, recorded once so that nothing but the
 * engine runs while the clock does. Fixed seed.
 *
 * Resting orders stay near a target: a limit order is passive below it and crosses above it. Cancels hit a random
 * order that rests. ClOrdIDs are 12 random letters and digits; passive prices lie up to `depth` ticks from the middle,
 * denser towards it; quantities are 1 … 100 lots, market orders 1 … 200.
 */
import { Engine, type EventSink } from "../../services/matcher/engine/mod.ts";

import { SeededRandom } from "../../services/matcher/engine/random_flow.ts";
import { testInstrument } from "../../services/matcher/engine/test_ledger.ts";
import { type ByteSlice, Command, type Event } from "../../shared/codec/wire/mod.ts";
import { CommandKind, MatchAlgorithm, OrdType, Side, TimeInForce } from "../../shared/protocol/mod.ts";

/** What to record. */
export interface FlowOptions {
  readonly algorithm: MatchAlgorithm;
  readonly symbols: number;
  /** Orders that rest throughout. */
  readonly resting: number;
  /** Ticks from the middle to the farthest passive price. */
  readonly depth: number;
  /** Commands after the book has been filled. */
  readonly commands: number;
}

/**
 * Recorded commands by column; command i has ClOrdID bytes 24 i … 24 i + 11 of `ids`, and behind them, as in a message,
 * the OrigClOrdID of a cancel.
 */
export interface Flow {
  readonly options: FlowOptions;
  /** Commands that fill the book; the rest is what is measured. */
  readonly fill: number;
  readonly total: number;
  /** Kind | side << 8 | OrdType << 16 | TimeInForce << 24. */
  readonly terms: Int32Array;
  readonly instruments: Int32Array;
  readonly prices: Int32Array;
  readonly quantities: Int32Array;
  readonly ids: Uint8Array;
}

/** Length of a ClOrdID in the flow, bytes. */
export const ID_BYTES = 12;
const IDS_BYTES = 2 * ID_BYTES;
const MIDDLE = 1_000_000;
/** The bit in which CancelOrder differs from NewOrder. */
const CANCEL = CommandKind.CancelOrder;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An engine for a flow, empty. */
export function engineFor(options: FlowOptions): Engine {
  const { algorithm, symbols, resting, commands } = options;
  return new Engine({
    shard: 0,
    instruments: Array.from({ length: symbols }, (_, i) => testInstrument(i + 1, { algorithm })),
    maxOpenOrders: resting + commands,
    clOrdIdHistory: Math.max(1000, resting >> 2),
  });
}

/** Records a flow by running it once through an engine. */
export function recordFlow(options: FlowOptions, seed: number): Flow {
  const { symbols, resting, depth, commands } = options;
  const total = resting + commands;
  const flow: Flow = {
    options,
    fill: resting,
    total,
    terms: new Int32Array(total),
    instruments: new Int32Array(total),
    prices: new Int32Array(total),
    quantities: new Int32Array(total),
    ids: new Uint8Array(total * IDS_BYTES),
  };
  const random = new SeededRandom(seed);
  const engine = engineFor(options);
  const sink = new CountingSink();
  const command = new Command();
  const live: number[] = [];
  for (let i = 0; i < total; i++) {
    for (let b = 0; b < ID_BYTES; b++) {
      flow.ids[i * IDS_BYTES + b] = LETTERS.charCodeAt(random.below(LETTERS.length));
    }
    const dice = i < resting ? 0 : random.below(10);
    if (dice < 7) {
      const side = 1 + random.below(2);
      const passive = i < resting || engine.openOrders < resting;
      const distance = passive ? 1 + Math.floor(depth * (random.next() / 2 ** 32) ** 2) : -random.below(4);
      flow.terms[i] = CommandKind.NewOrder | side << 8 | OrdType.Limit << 16;
      flow.prices[i] = MIDDLE + (side === Side.Buy ? -distance : distance);
      flow.quantities[i] = 1 + random.below(100);
      flow.instruments[i] = 1 + random.below(symbols);
      live.push(i);
    } else if (dice < 9) {
      const target = takeResting(engine, flow, live, random);
      flow.terms[i] = CommandKind.CancelOrder | flow.terms[target] & 0xff00;
      flow.instruments[i] = flow.instruments[target];
      const name = target * IDS_BYTES;
      flow.ids.copyWithin(i * IDS_BYTES + ID_BYTES, name, name + ID_BYTES);
    } else {
      flow.terms[i] = CommandKind.NewOrder | 1 + random.below(2) << 8 | OrdType.Market << 16 |
        TimeInForce.ImmediateOrCancel << 24;
      flow.quantities[i] = 1 + random.below(200);
      flow.instruments[i] = 1 + random.below(symbols);
    }
    load(flow, i, command);
    engine.apply(i + 1, 0, i, command, sink);
  }
  return flow;
}

/** Fills `command` with recorded command `i`. */
export function load(flow: Flow, i: number, command: Command): void {
  const terms = flow.terms[i];
  command.kind = terms & 0xff;
  command.side = terms >> 8 & 0xff;
  command.ordType = terms >> 16 & 0xff;
  command.timeInForce = terms >> 24;
  command.sessionId = 1;
  command.firmId = 1;
  command.msgSeqNum = i + 1;
  command.instrumentId = flow.instruments[i];
  command.priceTicks = flow.prices[i];
  command.qtyLots = flow.quantities[i];
  point(command.clOrdId, flow.ids, i * IDS_BYTES, ID_BYTES);
  point(command.origClOrdId, flow.ids, i * IDS_BYTES + ID_BYTES, terms & CANCEL ? ID_BYTES : 0);
}

/** As a message's reader does: a pointer is stored only when it changes. */
function point(slice: ByteSlice, buffer: Uint8Array, start: number, length: number): void {
  if (slice.buffer !== buffer) slice.buffer = buffer;
  slice.start = start;
  slice.length = length;
}

/** A random order that rests, out of `live`, which loses what turns out to be done. */
function takeResting(engine: Engine, flow: Flow, live: number[], random: SeededRandom): number {
  const { registry } = engine.books;
  const command = new Command();
  for (;;) {
    const at = random.below(live.length);
    const target = live[at];
    live[at] = live[live.length - 1];
    live.pop();
    load(flow, target, command);
    const entry = registry.find(1, command.clOrdId);
    if (entry === 0) continue;
    const order = registry.names.orderOf(entry);
    if (registry.orders.isOpen(order) && registry.isCurrent(entry)) {
      return target;
    }
  }
}

/** Takes every event and mixes a few of its fields, as a stand-in for whoever would use them. */
export class CountingSink implements EventSink {
  count = 0;
  sum = 0;
  commandStarts(): void {}
  event(event: Event): void {
    this.count++;
    this.sum = Math.imul(this.sum ^ event.kind, 0x9e3779b1) + event.orderId + event.leavesQtyLots +
        event.lastQtyLots + event.levelQtyLots | 0;
  }
}
