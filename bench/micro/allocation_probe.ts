/**
 * A program for allocation_test.ts: many commands through a warm engine, between two forced collections. Run with
 * `--v8-flags=--expose-gc,--trace-gc` and one argument: `views` or `messages` (book_replay.ts) for a million plain
 * commands; `object`, which makes one object per command on top of `views`; `features` for a million commands of
 * every kind, order type, phase and algorithm. Says on standard error by how many bytes the heap grew.
 */
import { memoryUsage } from "node:process";
import { Engine } from "../../services/matcher/engine/mod.ts";
import { testInstrument } from "../../services/matcher/engine/test_ledger.ts";
import { MatchAlgorithm } from "../../shared/protocol/mod.ts";
import { record, TRADING } from "./book.ts";
import { playerOf, ViewSink } from "./book_replay.ts";
import { FeatureFlow } from "./feature_flow.ts";

const WARM = 300_000;
const MEASURED = 1_000_000;
const KEPT = 64;
const FIRST_US = 1_796_040_000_000_000;
/** Commands of a feature flow at one time. */
const PER_TICK = 100;
const TICKS = (WARM + MEASURED) / PER_TICK;

/** Applies the share of the commands from `from` to `to`, both 0 … 1. */
type Run = (from: number, to: number) => void;

function plain(mode: string): Run {
  const flow = record({ ...TRADING, commands: WARM + MEASURED });
  const player = playerOf(flow, mode === "messages" ? "messages" : "views");
  const kept: { index: number }[] = Array.from({ length: KEPT }, () => ({ index: 0 }));
  const at = (share: number) => flow.fill + Math.round(share * (WARM + MEASURED));
  return (from, to) => {
    if (mode !== "object") return player.play(at(from), at(to));
    for (let i = at(from); i < at(to); i++) {
      player.play(i, i + 1);
      kept[i % KEPT] = { index: i };
    }
  };
}

function featured(): Run {
  const instruments = Object.values(MatchAlgorithm).map((algorithm, i) =>
    testInstrument(i + 1, { algorithm })
  );
  const engine = new Engine({ shard: 0, instruments, maxOpenOrders: 500, clOrdIdHistory: 500 });
  const flow = new FeatureFlow(instruments.length);
  const sink = new ViewSink();
  // Objects that are there already: among other values, numbers are kept as such.
  const times: unknown[] = [null];
  for (let i = 0; i <= TICKS; i++) times.push(FIRST_US + i * PER_TICK * 10);
  let sequence = 0;
  return (from, to) => {
    for (let tick = Math.round(from * TICKS); tick < Math.round(to * TICKS); tick++) {
      const nowUs = times[tick + 1] as number;
      for (let each = 0; each < PER_TICK; each++) {
        sequence = sequence + 1 | 0;
        flow.next(nowUs);
        sink.records.begin(0, 1, sequence, nowUs);
        engine.apply(sequence, 0, nowUs, flow.command, sink);
      }
    }
  };
}

const [mode] = Deno.args;
const collect = (globalThis as { gc?: () => void }).gc!;
const run = mode === "features" ? featured() : plain(mode);
const warm = WARM / (WARM + MEASURED);
run(0, warm);
collect();
const before = memoryUsage().heapUsed;
run(warm, 1);
collect();
Deno.stderr.writeSync(
  new TextEncoder().encode(`heap grew by ${memoryUsage().heapUsed - before} bytes\n`),
);
