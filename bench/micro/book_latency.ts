/**
 * The time of single commands of a recorded flow, encoded events included, as an HDR histogram. Each is between two
 * reads of the clock, whose own time is measured beside it and not taken off.
 */
import { build } from "hdr-histogram-js";
import type { BenchResult } from "../result.ts";
import type { Flow } from "./book_flow.ts";
import { playerOf } from "./book_replay.ts";

const CLOCK_READS = 100_000;
/** The engine's code is warm when the times count. */
const WARM_SHARE = 0.2;

/** p50 … max of one command, ns. The bar is for p99. */
export function latency(name: string, flow: Flow, bar: number): BenchResult {
  const player = playerOf(flow, "messages");
  const from = flow.fill + Math.floor((flow.total - flow.fill) * WARM_SHARE);
  player.play(flow.fill, from);
  const times = new Float64Array(flow.total - from);
  for (let i = from; i < flow.total; i++) {
    const start = performance.now();
    player.play(i, i + 1);
    times[i - from] = performance.now() - start;
  }
  const histogram = build({ highestTrackableValue: 10_000_000_000, numberOfSignificantValueDigits: 3 });
  for (const time of times) histogram.recordValue(Math.max(0, Math.round(time * 1e6)));
  const at = (percentile: number) => histogram.getValueAtPercentile(percentile);
  return {
    name,
    unit: "ns, p99",
    value: at(99),
    p50: at(50),
    p99: at(99),
    p999: at(99.9),
    max: histogram.maxValue,
    bar,
    hash: player.digest(),
    note: `one command per message; ${Math.round(clockNs())} ns of each time are the clock's own`,
  };
}

/** Median time between two reads of the clock, ns. */
function clockNs(): number {
  const times = new Float64Array(CLOCK_READS);
  for (let i = 0; i < CLOCK_READS; i++) {
    const start = performance.now();
    times[i] = performance.now() - start;
  }
  times.sort();
  return times[CLOCK_READS >> 1] * 1e6;
}
