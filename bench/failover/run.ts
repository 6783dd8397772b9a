/**
 * How long nobody is acknowledged when a leading matcher is killed with SIGKILL while FIX sessions trade: rounds on one venue
 * with standbys, the histogram of their outages, and a few planned hand-overs. A run that loses or doubles anything fails.
 */
import { build } from "hdr-histogram-js";
import type { Logger } from "../../shared/cli/log.ts";
import { type Departure, failover, type FailoverRound } from "../../tests/recovery/failover.ts";
import type { BenchResult } from "../result.ts";

/** What a run needs. */
export interface FailoverBench {
  readonly natsExecutable: string;
  readonly log: Logger;
  readonly quick: boolean;
  /** How often the leader is killed. */
  readonly rounds: number;
}

const SEED = 20_261_130;
const HANDOVERS = 10;
const BUCKET_MS = 50;
/** What the project wants: half of the rounds, and every round, below. */
const BAR_P50_MS = 400;
const BAR_MAX_MS = 1000;
const BAR_HANDOVER_MS = 100;

/** Measures; takes about two seconds a round. */
export async function runFailover(
  { natsExecutable, log, quick, rounds }: FailoverBench,
): Promise<BenchResult[]> {
  const kills = quick ? 1 : rounds;
  const handovers = quick ? 1 : HANDOVERS;
  const departures: Departure[] = [
    ...Array<Departure>(kills).fill("kill"),
    ...Array<Departure>(handovers).fill("handover"),
  ];
  const onRound = ({ number, departure, from, to, outageMs, pausedMs, messages }: FailoverRound) =>
    log.info(`round ${number} of ${departures.length}: ${departure}`, {
      from,
      to,
      outageMs: Math.round(outageMs),
      ...(pausedMs === null ? {} : { pausedMs }),
      messages,
    });
  const done = await failover({ departures, seed: SEED, natsExecutable, onRound });
  const killed = done.filter(({ departure }) => departure === "kill").map(({ outageMs }) => outageMs);
  const paused = done.flatMap(({ pausedMs }) => pausedMs === null ? [] : [pausedMs]);
  for (const line of histogram(killed)) log.info(line);
  const whole = distribution("kill -9 of the leader to the next acknowledged order", killed);
  return [
    { ...whole, bar: BAR_P50_MS },
    { name: "the longest of them", unit: "ms", value: whole.max ?? 0, bar: BAR_MAX_MS },
    { ...distribution("hand-over: nobody applies commands", paused), bar: BAR_HANDOVER_MS },
  ];
}

function distribution(name: string, valuesMs: readonly number[]): BenchResult {
  const us = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
  });
  for (const value of valuesMs) us.recordValue(Math.max(1, Math.round(value * 1000)));
  const p50 = us.getValueAtPercentile(50) / 1000;
  return {
    name,
    unit: "ms",
    value: p50,
    p50,
    p99: us.getValueAtPercentile(99) / 1000,
    max: us.maxValue / 1000,
  };
}

/** A line per 50 ms, with a mark for each round. */
function histogram(valuesMs: readonly number[]): string[] {
  const counts: number[] = [];
  for (const value of valuesMs) {
    const bucket = Math.floor(value / BUCKET_MS);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return Array.from(counts, (count = 0, bucket) => {
    const from = String(bucket * BUCKET_MS).padStart(5);
    return `${from} to ${String((bucket + 1) * BUCKET_MS).padStart(5)} ms  ${"#".repeat(count)} ${count}`;
  });
}
