/**
 * The book on one core: engine.apply over recorded flow (book_flow.ts), every event handed to a sink. FIFO and pro
 * rata, small and large books, one symbol and many. Loading the Command object is inside the measured time; encoding
 * events is not (engine.ts has that).
 */
import { Command } from "../../shared/codec/wire/mod.ts";
import { MatchAlgorithm } from "../../shared/protocol/mod.ts";
import type { BenchResult } from "../result.ts";
import { CountingSink, engineFor, type Flow, type FlowOptions, load, recordFlow } from "./book_flow.ts";

const SEED = 20_240_607;
const BASE: FlowOptions = {
  algorithm: MatchAlgorithm.Fifo,
  symbols: 1,
  resting: 1000,
  depth: 500,
  commands: 200_000,
};

interface Case {
  readonly name: string;
  readonly flow: Partial<FlowOptions>;
  readonly bar?: number;
  readonly rounds: number;
}

const CASES: readonly Case[] = [
  { name: "book: FIFO, 1,000 resting", flow: {}, bar: 5e6, rounds: 5 },
  { name: "book: FIFO, 100,000 resting", flow: { resting: 100_000 }, rounds: 3 },
  {
    name: "book: FIFO, 1,000 symbols, 100,000 resting",
    flow: { symbols: 1000, resting: 100_000 },
    rounds: 3,
  },
  {
    name: "book: pro rata, 50 orders per level",
    flow: { algorithm: MatchAlgorithm.ProRata, resting: 10_000, depth: 100 },
    rounds: 3,
  },
];

/** Commands per second (best of a few rounds) and the time of single commands; `scale` shrinks the runs for tests. */
export function run(scale = 1): BenchResult[] {
  return CASES.map((each) => measure(each, scale));
}

function measure({ name, flow: overrides, bar, rounds }: Case, scale: number): BenchResult {
  const options = { ...BASE, ...overrides };
  const flow = recordFlow({
    ...options,
    commands: Math.max(100, Math.round(options.commands * scale)),
    resting: Math.max(100, Math.round(options.resting * scale)),
  }, SEED);
  let best = 0;
  let hash = "";
  for (let round = 0; round < rounds; round++) {
    const result = replay(flow);
    best = Math.max(best, result.rate);
    hash = result.hash;
  }
  const { p50, p99, p999, max } = timeEach(flow);
  const note =
    `p50 ${p50} ns, p99 ${p99} ns, p99.9 ${p999} ns, max ${max} ns per command, clock read included`;
  return { name, unit: "ops/s", value: Math.round(best), bar, hash, note };
}

function replay(flow: Flow): { rate: number; hash: string } {
  const engine = engineFor(flow.options);
  const sink = new CountingSink();
  const command = new Command();
  for (let i = 0; i < flow.fill; i++) apply(engine, flow, i, command, sink);
  const start = performance.now();
  for (let i = flow.fill; i < flow.total; i++) apply(engine, flow, i, command, sink);
  const seconds = (performance.now() - start) / 1000;
  const hash = `${engine.stateHash()}-${sink.count}-${(sink.sum >>> 0).toString(16)}`;
  return { rate: (flow.total - flow.fill) / seconds, hash };
}

function timeEach(flow: Flow): { p50: number; p99: number; p999: number; max: number } {
  const engine = engineFor(flow.options);
  const sink = new CountingSink();
  const command = new Command();
  for (let i = 0; i < flow.fill; i++) apply(engine, flow, i, command, sink);
  const times = new Float64Array(flow.total - flow.fill);
  for (let i = flow.fill; i < flow.total; i++) {
    const start = performance.now();
    apply(engine, flow, i, command, sink);
    times[i - flow.fill] = performance.now() - start;
  }
  times.sort();
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] * 1e6);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}

function apply(
  engine: ReturnType<typeof engineFor>,
  flow: Flow,
  i: number,
  command: Command,
  sink: CountingSink,
): void {
  load(flow, i, command);
  engine.apply(i + 1, 0, i, command, sink);
}

if (import.meta.main) {
  for (const result of run()) {
    Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result) + "\n"));
  }
}
