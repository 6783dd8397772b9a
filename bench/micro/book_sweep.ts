/**
 * Whether a command costs the same in large and small books: time per command over the number of resting orders and
 * over the number of symbols, everything else equal. What grows is what caches and address tables do not hold.
 */
import { MatchAlgorithm } from "../../shared/protocol/mod.ts";
import type { BenchResult } from "../result.ts";
import { type Flow, type FlowOptions, recordFlow, TRADING_MIX } from "./book_flow.ts";
import { playerOf } from "./book_replay.ts";
import { Slices } from "./slices.ts";

const SEED = 20_240_608;
const ROUNDS = 4;
const FLAT = 1.3;
const BASE: FlowOptions = {
  mix: TRADING_MIX,
  algorithm: MatchAlgorithm.Fifo,
  symbols: 1,
  resting: 1000,
  depth: 500,
  commands: 200_000,
  history: 20_000,
};

/** The ends of the sweep over resting orders, by its number of orders; what the peers get of it (bench/peers). */
export function restingFlows(scale = 1): [resting: number, flow: Flow][] {
  return [1000, 1_000_000].map((resting) => [resting, recordSized({ ...BASE, resting }, scale)]);
}

/** ns per command at each size, and for each sweep the slowest over the fastest. `scale` shrinks the runs for tests. */
export function sweeps(scale = 1): BenchResult[] {
  const sized = (options: Partial<FlowOptions>) => perCommand({ ...BASE, ...options }, scale);
  const resting = [1000, 10_000, 100_000, 1_000_000].map((count) => sized({ resting: count }));
  const symbols = [1, 100, 10_000].map((count) => sized({ symbols: count, resting: 100_000 }));
  return [
    ...resting,
    ratioOf("book: 1,000 … 1,000,000 resting, slowest to fastest", resting),
    ...symbols,
    ratioOf("book: 1 … 10,000 symbols, slowest to fastest", symbols),
  ];
}

function recordSized(options: FlowOptions, scale: number): Flow {
  return recordFlow({
    ...options,
    commands: Math.max(320, Math.round(options.commands * scale)),
    resting: Math.max(100, Math.round(options.resting * scale)),
    symbols: Math.max(1, Math.round(options.symbols * scale)),
  }, SEED);
}

function perCommand(options: FlowOptions, scale: number): BenchResult {
  const { resting, symbols } = options;
  const flow = recordSized(options, scale);
  const slices = new Slices(flow.fill, flow.total);
  let hash = "";
  let events = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const player = playerOf(flow, "messages");
    slices.run((from, to) => player.play(from, to));
    hash = player.digest();
    events = player.eventCount / (flow.total - flow.fill);
  }
  return {
    name: `book: FIFO, ${countOf(resting, "resting order")}, ${countOf(symbols, "symbol")}`,
    unit: "ns/command",
    value: 1e9 / slices.perSecond,
    hash,
    note: `${events.toFixed(2)} events per command`,
  };
}

/** The slowest over the fastest. */
export function ratioOf(name: string, results: readonly BenchResult[]): BenchResult {
  const values = results.map(({ value }) => value);
  return { name, unit: "×", value: Math.max(...values) / Math.min(...values), bar: FLAT };
}

/** A number with what it counts. */
export function countOf(number: number, what: string): string {
  return `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
}
