/**
 * The engine on one core, over recorded flow (book_flow.ts): full commands with ClOrdIDs in, every event out as a
 * finished wire message of 32 commands. FIFO and pro rata, small and large books, one symbol and many. Filling the
 * Command object is inside the measured time, and a note says what it takes; reading commands from bytes is not
 * (engine.ts has that).
 *
 * The flow is measured in slices, each by its best round (slices.ts): what other processes take of the machine is not
 * counted, what the engine itself does now and then is.
 */
import { type Engine, EventEncoder } from "../../services/matcher/engine/mod.ts";
import { Command } from "../../shared/codec/wire/mod.ts";
import { MatchAlgorithm, MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import type { BenchResult } from "../result.ts";
import { Slices } from "./slices.ts";
import { engineFor, type Flow, type FlowOptions, load, recordFlow } from "./book_flow.ts";

const SEED = 20_240_607;
const PER_MESSAGE = 32;
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
  { name: "book: FIFO, 1,000 resting", flow: {}, bar: 5e6, rounds: 12 },
  { name: "book: FIFO, 100,000 resting", flow: { resting: 100_000 }, rounds: 6 },
  {
    name: "book: FIFO, 1,000 symbols, 100,000 resting",
    flow: { symbols: 1000, resting: 100_000 },
    rounds: 6,
  },
  {
    name: "book: pro rata, 50 orders per level",
    flow: { algorithm: MatchAlgorithm.ProRata, resting: 10_000, depth: 100 },
    rounds: 6,
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
  const slices = new Slices(flow.fill, flow.total);
  let hash = "";
  for (let round = 0; round < rounds; round++) hash = replay(flow, slices);
  const { p50, p99, p999, max } = timeEach(flow);
  const note =
    `p50 ${p50} ns, p99 ${p99} ns, p99.9 ${p999} ns, max ${max} ns per command, clock read included; ` +
    `${loadNs(flow)} ns of each command fill the Command`;
  return { name, unit: "ops/s", value: slices.perSecond, bar, hash, note };
}

function replay(flow: Flow, slices: Slices): string {
  const engine = engineFor(flow.options);
  const encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  const command = new Command();
  apply(engine, flow, 0, flow.fill, command, encoder);
  let bytes = 0;
  slices.run((from, to) => bytes += apply(engine, flow, from, to, command, encoder));
  return `${engine.stateHash()}-${bytes}`;
}

/** Applies commands `from` … `to - 1` and returns the bytes of their event messages. */
function apply(
  engine: Engine,
  flow: Flow,
  from: number,
  to: number,
  command: Command,
  encoder: EventEncoder,
): number {
  let bytes = 0;
  for (let first = from; first < to; first += PER_MESSAGE) {
    const sequence = first + 1;
    const end = Math.min(to, first + PER_MESSAGE);
    encoder.begin(0, 1, sequence, first);
    for (let i = first; i < end; i++) {
      load(flow, i, command);
      engine.apply(sequence, i - first, first, command, encoder);
    }
    for (const part of encoder.end()) bytes += part.length;
  }
  return bytes;
}

function timeEach(flow: Flow): { p50: number; p99: number; p999: number; max: number } {
  const engine = engineFor(flow.options);
  const encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  const command = new Command();
  apply(engine, flow, 0, flow.fill, command, encoder);
  const times = new Float64Array(flow.total - flow.fill);
  for (let i = flow.fill; i < flow.total; i++) {
    if ((i - flow.fill) % PER_MESSAGE === 0) {
      if (i > flow.fill) encoder.end();
      encoder.begin(0, 1, i + 1, i);
    }
    const start = performance.now();
    load(flow, i, command);
    engine.apply(i + 1, 0, i, command, encoder);
    times[i - flow.fill] = performance.now() - start;
  }
  times.sort();
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] * 1e6);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}

/** What filling the Command alone takes, ns per command. */
function loadNs(flow: Flow): number {
  const command = new Command();
  const slices = new Slices(flow.fill, flow.total);
  for (let round = 0; round < 5; round++) {
    slices.run((from, to) => {
      for (let i = from; i < to; i++) load(flow, i, command);
    });
  }
  return Math.round(1e9 / slices.perSecond);
}

if (import.meta.main) {
  for (const result of run()) {
    Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result) + "\n"));
  }
}
