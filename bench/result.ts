/** What a benchmark reports, on which machine, and how it is shown and kept. */
import { cpus } from "node:os";
import Table from "cli-table3";

/** One measured figure. Latencies in microseconds, rates in operations per second. */
export interface BenchResult {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** Percentiles in `unit`, where the value is a distribution's median. */
  readonly p50?: number;
  readonly p99?: number;
  readonly p999?: number;
  readonly max?: number;
  /** Digest of what the run computed: the same on every machine. */
  readonly hash?: string;
  /** The bar of the project for this figure, in `unit`. */
  readonly bar?: number;
  readonly note?: string;
}

/** The machine and versions of a run. */
export interface BenchHost {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly os: string;
  readonly deno: string;
  readonly v8: string;
}

/** Reads the host's description; needs --allow-sys. */
export function describeHost(): BenchHost {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? Deno.build.arch,
    cores: navigator.hardwareConcurrency,
    os: `${Deno.build.os} ${Deno.osRelease()}`,
    deno: Deno.version.deno,
    v8: Deno.version.v8,
  };
}

/** A table for people. */
export function formatResults(results: readonly BenchResult[]): string {
  const table = new Table({
    head: ["benchmark", "value", "unit", "p50", "p99", "p99.9", "max", "bar", "hash"],
    colAligns: ["left", "right", "left", "right", "right", "right", "right", "right", "left"],
    style: { head: [], border: [] },
  });
  for (const result of results) {
    const { name, value, unit, p50, p99, p999, max, bar, hash } = result;
    table.push([
      name,
      number(value),
      unit,
      number(p50),
      number(p99),
      number(p999),
      number(max),
      number(bar),
      hash ?? "",
    ]);
  }
  return table.toString();
}

/** Writes `bench/results/<name>.json`. */
export async function saveResults(
  name: string,
  host: BenchHost,
  results: readonly BenchResult[],
): Promise<string> {
  const folder = new URL("results/", import.meta.url);
  const file = new URL(`${name}.json`, folder);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(file, JSON.stringify({ host, results }, null, 2) + "\n");
  return `bench/results/${name}.json`;
}

function number(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}
