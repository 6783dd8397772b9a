/**
 * The end-to-end bench: the floor and Pitwire under the same load shapes, one after the other in one run, on the same
 * nats-server binary with the same streams. Order to first report; figures of Pitwire come with their ratio to the
 * floor. The load client runs on the same machine.
 */
import { fileURLToPath } from "node:url";
import { startVenue, type VenueAddress, type VenueOptions } from "../../infra/venue_process.ts";
import { type Durability, loadVenue } from "../../shared/config/mod.ts";
import type { Logger } from "../../shared/cli/log.ts";
import type { BenchResult } from "../result.ts";
import { EVENT_PATH_VARIABLE, EVENT_PATHS } from "./event_path.ts";
import { FixLane } from "./fix_lane.ts";
import { FloorLane } from "./floor_lane.ts";
import { type Lane, type LoadResult, oneAtATime, openLoop, saturate } from "./load.ts";

/** What a run needs. */
export interface EndToEndOptions {
  readonly natsExecutable: string;
  readonly log: Logger;
  /** Fewer orders, for the tests: the figures mean nothing then. */
  readonly quick: boolean;
  /** Called before each measurement with its name. */
  readonly onStep: (name: string) => void;
}

const CONFIG = fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url));
const FLOOR_SCRIPTS = {
  matcher: "bench/end_to_end/floor_matcher.ts",
  gateway: "bench/end_to_end/floor_gateway.ts",
  marketData: "bench/end_to_end/floor_market_data.ts",
};
const RATES = [1_000, 5_000, 20_000];
const WINDOW = 4_000;
const PATH_SHAPES = ["one at a time", "open loop 5,000/s"];

/** One load shape's name and how to run it. */
export interface Shape {
  readonly name: string;
  readonly run: (lane: Lane) => Promise<LoadResult>;
}

/** Measures floor and Pitwire; takes about a minute, a few seconds when quick. */
export async function runEndToEnd(options: EndToEndOptions): Promise<BenchResult[]> {
  const shapes = shapesOf(options.quick);
  const floor = await measure(
    "floor",
    shapes,
    options,
    FLOOR_SCRIPTS,
    ({ fixPort }) => FloorLane.connect(fixPort),
  );
  const pitwire = await measure("pitwire", shapes, options, {}, ({ fixPort }) => connectFix(fixPort));
  return shapes.flatMap(({ name }, i) => resultsOf(name, floor[i], pitwire[i]));
}

/** Measures the floor over each way in which events may reach the gateway. */
export async function runEventPaths(options: EndToEndOptions): Promise<BenchResult[]> {
  const shapes = shapesOf(options.quick).filter(({ name }) => PATH_SHAPES.includes(name));
  const results: BenchResult[] = [];
  for (const path of EVENT_PATHS) {
    Deno.env.set(EVENT_PATH_VARIABLE, path);
    try {
      const connect = ({ fixPort }: VenueAddress) => FloorLane.connect(fixPort);
      const loads = await measure(path, shapes, options, FLOOR_SCRIPTS, connect);
      loads.forEach((load, i) => results.push(latencyOf(`events by ${path}, ${shapes[i].name}`, load)));
    } finally {
      Deno.env.delete(EVENT_PATH_VARIABLE);
    }
  }
  return results;
}

function shapesOf(quick: boolean): Shape[] {
  const scale = quick ? 0.02 : 1;
  return [
    { name: "one at a time", run: (lane) => oneAtATime(lane, Math.ceil(10_000 * scale)) },
    ...RATES.map((rate) => ({
      name: `open loop ${rate.toLocaleString("en-US")}/s`,
      run: (lane: Lane) => openLoop(lane, rate, Math.ceil(rate * 5 * scale)),
    })),
    { name: "saturated", run: (lane) => saturate(lane, Math.ceil(500_000 * scale), WINDOW) },
  ];
}

/** The loads of `shapes`, one after the other, on a venue of their own, after a warm-up. */
export async function measure<L extends Lane & Disposable>(
  name: string,
  shapes: readonly Shape[],
  { natsExecutable, log, quick, onStep }: EndToEndOptions,
  scripts: VenueOptions["scripts"],
  connect: (address: VenueAddress) => Promise<L>,
  durability: Durability = "default",
): Promise<LoadResult[]> {
  const venue = { ...loadVenue(CONFIG), durability };
  const running = await startVenue({
    config: CONFIG,
    venue,
    store: null,
    natsExecutable,
    log,
    logLevel: "error",
    scripts,
  });
  try {
    using lane = await connect(running.address);
    onStep(`${name}: warm-up`);
    await oneAtATime(lane, quick ? 50 : 3_000);
    await saturate(lane, quick ? 500 : 30_000, 1_000);
    const results: LoadResult[] = [];
    for (const shape of shapes) {
      onStep(`${name}: ${shape.name}`);
      results.push(await shape.run(lane));
    }
    return results;
  } finally {
    await running.stop();
  }
}

/** A session of the shipped venue as a lane. */
export function connectFix(port: number): Promise<FixLane> {
  const venue = loadVenue(CONFIG);
  const { senderCompId, username, password } = venue.sessionByCompId.get("BENCH1")!;
  return FixLane.connect({
    port,
    senderCompId,
    targetCompId: venue.targetCompId,
    username,
    password,
    symbol: "ACME",
    price: "100",
    qty: "10",
  });
}

function resultsOf(name: string, floor: LoadResult, pitwire: LoadResult): BenchResult[] {
  const latency = (who: string, load: LoadResult) => latencyOf(`${who}, ${name}`, load);
  const rate = (who: string, { orders, seconds }: LoadResult): BenchResult => ({
    name: `${who}, ${name}: rate`,
    unit: "orders/s",
    value: Math.round(orders / seconds),
  });
  const ratio: BenchResult = {
    name: `ratio to the floor, ${name}`,
    unit: "×",
    value: pitwire.p50 / floor.p50,
    p50: pitwire.p50 / floor.p50,
    p99: pitwire.p99 / floor.p99,
    p999: pitwire.p999 / floor.p999,
    max: pitwire.max / floor.max,
    ...(name === "one at a time" ? { bar: 1.5 } : {}),
  };
  return name === "saturated"
    ? [rate("floor", floor), rate("pitwire", pitwire), latency("pitwire", pitwire)]
    : [latency("floor", floor), latency("pitwire", pitwire), ratio];
}

/** A figure from a load. */
export function latencyOf(name: string, { p50, p99, p999, max }: LoadResult): BenchResult {
  return { name, unit: "µs", value: p50, p50, p99, p999, max };
}
