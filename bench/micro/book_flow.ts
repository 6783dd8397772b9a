/**
 * The order flow of the book benches, recorded once so that nothing but the engine runs while the clock does. Fixed
 * seed. Two mixes: 70 % limit, 20 % cancel, 10 % market; and the one that exchange-core's own throughput test states: 9 %
 * limit, 3 % immediate or cancel, 6 % cancel, 82 % moves to another price.
 *
 * Resting orders stay near a target: a limit order is passive below it and crosses above it. Cancels and moves hit a
 * random order that rests; while it is below its target, a cancel in the second mix is one more move. ClOrdIDs are 12 random letters and digits; passive prices lie up to `depth` ticks from the
 * middle, denser towards it; quantities are 1 … 100 lots, market orders 1 … 200.
 */
import { Engine, type EventSink } from "../../services/matcher/engine/mod.ts";

import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { testInstrument } from "../../services/matcher/engine/test_ledger.ts";
import { type ByteSlice, Command, type Event } from "../../shared/codec/wire/mod.ts";
import { CommandKind, MatchAlgorithm, OrdType, Side, TimeInForce } from "../../shared/protocol/mod.ts";

/** Of 100 commands, how many are what; the rest are moves: replaces with another price and the same quantity. */
export interface FlowMix {
  readonly limit: number;
  readonly cancel: number;
  /** Market orders, or limit orders with immediate or cancel: taken as market orders here. */
  readonly market: number;
}

/** The mix of the issue of speed: a book that trades much. */
export const TRADING_MIX: FlowMix = { limit: 70, cancel: 20, market: 10 };
/** exchange-core's README, "Benchmark configuration". */
export const MOVING_MIX: FlowMix = { limit: 9, cancel: 6, market: 3 };

/** What to record. */
export interface FlowOptions {
  readonly mix: FlowMix;
  readonly algorithm: MatchAlgorithm;
  readonly symbols: number;
  /** Orders that rest throughout. */
  readonly resting: number;
  /** Ticks from the middle to the farthest passive price. */
  readonly depth: number;
  /** Commands after the book has been filled. */
  readonly commands: number;
  /** Past ClOrdIDs that the engine remembers. */
  readonly history: number;
}

/**
 * Recorded commands by column; command i has ClOrdID bytes 24 i … 24 i + 11 of `ids`, and behind them, as in a message,
 * the OrigClOrdID of a cancel or move.
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
  /** The command that gave a cancel's or move's order the name that it goes by then; -1 for others. */
  readonly targets: Int32Array;
}

/** Length of a ClOrdID in the flow, bytes. */
export const ID_BYTES = 12;
const IDS_BYTES = 2 * ID_BYTES;
const MIDDLE = 1_000_000;
const { NewOrder, CancelOrder, ReplaceOrder } = CommandKind;
/** The bit in which CancelOrder and ReplaceOrder differ from NewOrder. */
const NAMES_ANOTHER = CancelOrder & ReplaceOrder;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An engine for a flow, empty. */
export function engineFor(options: FlowOptions): Engine {
  const { algorithm, symbols, resting, commands, history } = options;
  return new Engine({
    shard: 0,
    instruments: Array.from({ length: symbols }, (_, i) => testInstrument(i + 1, { algorithm })),
    maxOpenOrders: resting + commands,
    clOrdIdHistory: history,
  });
}

/** Records a flow by running it once through an engine. */
export function recordFlow(options: FlowOptions, seed: number): Flow {
  const { symbols, resting, mix } = options;
  const total = resting + options.commands;
  const flow: Flow = {
    options,
    fill: resting,
    total,
    terms: new Int32Array(total),
    instruments: new Int32Array(total),
    prices: new Int32Array(total),
    quantities: new Int32Array(total),
    ids: new Uint8Array(total * IDS_BYTES),
    targets: new Int32Array(total).fill(-1),
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
    const dice = i < resting ? 0 : random.below(100);
    if (dice < mix.limit) {
      const passive = i < resting || engine.openOrders < resting;
      putLimit(flow, i, 1 + random.below(2), passive ? distanceOf(flow, random) : -random.below(4));
      flow.quantities[i] = 1 + random.below(100);
      flow.instruments[i] = 1 + random.below(symbols);
      live.push(i);
    } else if (dice < mix.limit + mix.market) {
      flow.terms[i] = NewOrder | 1 + random.below(2) << 8 | OrdType.Market << 16 |
        TimeInForce.ImmediateOrCancel << 24;
      flow.quantities[i] = 1 + random.below(mix === TRADING_MIX ? 200 : 100);
      flow.instruments[i] = 1 + random.below(symbols);
    } else {
      const target = takeResting(engine, flow, live, random);
      const moves = mix.limit + mix.market + mix.cancel < 100;
      const isMove = moves && (dice >= 100 - mix.cancel ? engine.openOrders < resting : true);
      putLimit(flow, i, sideOf(flow, target), distanceOf(flow, random));
      flow.terms[i] = flow.terms[i] & ~0xff | (isMove ? ReplaceOrder : CancelOrder);
      if (flow.prices[i] === flow.prices[target]) flow.prices[i] += sideOf(flow, i) === Side.Buy ? -1 : 1;
      flow.quantities[i] = flow.quantities[target];
      flow.instruments[i] = flow.instruments[target];
      flow.targets[i] = target;
      flow.ids.copyWithin(i * IDS_BYTES + ID_BYTES, target * IDS_BYTES, target * IDS_BYTES + ID_BYTES);
      if (isMove) live.push(i);
    }
    load(flow, i, command);
    engine.apply(i + 1, 0, i, command, sink);
  }
  return flow;
}

/** How far from the middle a passive price lies, ticks. */
function distanceOf(flow: Flow, random: SeededRandom): number {
  return 1 + Math.floor(flow.options.depth * (random.next() / 2 ** 32) ** 2);
}

function sideOf(flow: Flow, i: number): number {
  return flow.terms[i] >> 8 & 0xff;
}

function putLimit(flow: Flow, i: number, side: number, distance: number): void {
  flow.terms[i] = NewOrder | side << 8 | OrdType.Limit << 16;
  flow.prices[i] = MIDDLE + (side === Side.Buy ? -distance : distance);
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
  point(command.origClOrdId, flow.ids, i * IDS_BYTES + ID_BYTES, terms & NAMES_ANOTHER ? ID_BYTES : 0);
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
