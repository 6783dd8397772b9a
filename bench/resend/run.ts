/**
 * The bench of a large resend: one client asks for everything that it was ever sent while another trades. Measured are
 * the gateway's memory and the other client's latency, both against a quiet time in the same run. Whole venue, real
 * sockets, everything on one machine.
 */
import { join } from "node:path";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import {
  compIdOf,
  PASSWORD,
  sessionVenue,
  USERNAME,
  VENUE_COMP_ID,
} from "../../shared/testing/session_venue.ts";
import { FixLane } from "../end_to_end/fix_lane.ts";
import { type LoadResult, oneAtATime, openLoop, saturate } from "../end_to_end/load.ts";
import type { EndToEndOptions } from "../end_to_end/run.ts";
import type { BenchResult } from "../result.ts";
import { residentBytes } from "../sessions/resident.ts";
import type { ResendOrder, ResendOutcome } from "./resend_client.ts";

/** Two orders that trade are four messages. */
const ORDERS = 500_000;
const QUICK_ORDERS = 5_000;
const RATE = 500;
const WINDOW = 4000;
const QUIET_SECONDS = 40;
const LOOK_MS = 200;
const MiB = 2 ** 20;
/** The project's bars. */
const GROWTH_BAR_MB = 64;
const RATIO_BAR = 2;

/** Fills a session's history, measures a quiet time, then the resend. */
export async function runResend(
  { natsExecutable, log, quick, onStep }: EndToEndOptions,
): Promise<BenchResult[]> {
  const folder = await Deno.makeTempDir({ prefix: "pitwire-resend-" });
  const config = join(folder, "venue.yaml");
  await Deno.writeTextFile(config, sessionVenue([{}, {}], { fixOutStreamBytes: 4096 * MiB }));
  const venue = loadVenue(config);
  const running = await startVenue({ config, venue, store: null, natsExecutable, log, logLevel: "error" });
  try {
    return await measure(running, quick ? QUICK_ORDERS : ORDERS, quick, onStep);
  } finally {
    await running.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

async function measure(
  running: RunningVenue,
  orders: number,
  quick: boolean,
  onStep: (name: string) => void,
): Promise<BenchResult[]> {
  const { fixPort } = running.address;
  const pid = running.pid("gateway")!;
  onStep(`history: ${orders} orders`);
  await fillHistory(fixPort, orders);
  using trader = await laneOf(fixPort, 2);
  await oneAtATime(trader, quick ? 50 : 2000);
  const seconds = quick ? 1 : QUIET_SECONDS;
  onStep("quiet");
  const quietMemory = watchMemory(pid);
  const quiet: LoadResult[] = [];
  for (let i = 0; i < seconds; i++) quiet.push(await openLoop(trader, RATE, RATE));
  const before = await quietMemory.stop();
  onStep("resend");
  const memory = watchMemory(pid);
  const asked = askForAll({ port: fixPort, nextSeq: orders + 2, ...identityOf(1) });
  const loads: LoadResult[] = [];
  const done = asked.then((): true => true);
  do loads.push(await openLoop(trader, RATE, RATE)); while (!await settledNow(done));
  const outcome = await asked;
  const most = await memory.stop();
  if (outcome.problem !== null) throw new Error(`Cannot measure the resend: ${outcome.problem}`);
  return resultsOf(outcome, quiet, loads, before, most);
}

/** Orders of session 1 that trade with each other, as fast as it goes; ends with its connection cut. */
async function fillHistory(port: number, orders: number): Promise<void> {
  using lane = await laneOf(port, 1);
  await saturate(lane, orders, WINDOW);
}

function laneOf(port: number, number: number): Promise<FixLane> {
  return FixLane.connect({ port, ...identityOf(number), symbol: "ACME", price: "100", qty: "10" });
}

function identityOf(number: number): Omit<ResendOrder, "port" | "nextSeq"> {
  return {
    senderCompId: compIdOf(number),
    targetCompId: VENUE_COMP_ID,
    username: USERNAME,
    password: PASSWORD,
  };
}

function askForAll(order: ResendOrder): Promise<ResendOutcome> {
  const worker = new Worker(new URL("resend_client.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<ResendOutcome>();
  worker.onmessage = ({ data }: MessageEvent<ResendOutcome>) => resolve(data);
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage(order);
  return promise.finally(() => worker.terminate());
}

/** Looks at a process's memory until stopped; resolves with the most it had. */
function watchMemory(pid: number): { stop(): Promise<number> } {
  let stopped = false;
  let most = 0;
  const looking = (async () => {
    while (!stopped) {
      most = Math.max(most, await residentBytes(pid));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await looking;
      return most;
    },
  };
}

function settledNow(done: Promise<true>): Promise<boolean> {
  return Promise.race([done, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 0))]);
}

function resultsOf(
  outcome: ResendOutcome,
  quietLoads: readonly LoadResult[],
  loads: readonly LoadResult[],
  before: number,
  most: number,
): BenchResult[] {
  const { messages, numbers, milliseconds } = outcome;
  const quiet = medianBy(quietLoads, ({ p99 }) => p99);
  const busy = medianBy(loads, ({ p99 }) => p99);
  const latency = (name: string, { p50, p99, p999, max }: LoadResult): BenchResult => ({
    name,
    unit: "µs",
    value: p50,
    p50,
    p99,
    p999,
    max,
    note: "of the second with the median p99",
  });
  return [
    { name: "messages resent", unit: "messages", value: messages, note: `numbers 1 to ${numbers}` },
    { name: "resent per second", unit: "messages/s", value: Math.round(messages / milliseconds * 1000) },
    { name: "gateway, most while quiet", unit: "MiB", value: before / MiB },
    { name: "gateway grows by at most", unit: "MB", value: (most - before) / 1e6, bar: GROWTH_BAR_MB },
    latency(`other session at ${RATE}/s, quiet`, quiet),
    latency(`other session at ${RATE}/s, while resending`, busy),
    { name: "p99 ratio", unit: "×", value: busy.p99 / quiet.p99, bar: RATIO_BAR },
  ];
}

function medianBy<T>(values: readonly T[], key: (value: T) => number): T {
  return values.toSorted((a, b) => key(a) - key(b))[values.length >> 1];
}
