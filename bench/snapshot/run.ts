/**
 * The bench of snapshots and restarts: how long matching stands still while one is taken, how long one takes to write and
 * to load, how long commands take to replay. A real nats-server where one is on the way.
 */
import { nullLogger } from "../../shared/cli/log.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { MatchAlgorithm } from "../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "../../services/matcher/engine/mod.ts";
import { testInstrument } from "../../services/matcher/engine/test_ledger.ts";
import { Matcher } from "../../services/matcher/matcher.ts";
import { NatsSnapshotStore, snapshotThread } from "../../services/matcher/snapshot/mod.ts";
import { loadSnapshot, writeSnapshot } from "../../services/matcher/snapshot/snapshot.ts";
import { type Flow, type FlowOptions, recordFlow, TRADING_MIX } from "../micro/book_flow.ts";
import type { BenchResult } from "../result.ts";
import { claimEvents, storeFlow } from "./command_stream.ts";
import { MatchingLoop } from "./stall.ts";

/** What a run needs. */
export interface SnapshotBench {
  readonly natsExecutable: string;
  readonly quick: boolean;
  readonly onStep: (name: string) => void;
}

const SEED = 20_261_130;
/** Commands a message, as a loaded gateway writes them. */
const PER_MESSAGE = 64;
const ROUNDS = 20;
/** One command each so many µs: 10,000 a second. */
const EVERY_US = 100;
/** How often the bench looks whether a snapshot has been taken: each look is work for nats-server. */
const LOOK_MS = 20;
const STALL_BAR_MS = 2;
const SECONDS_BAR = 2;
const MARK = { length: 0, crc: 0 };

/** Measures all; takes about four minutes. */
export async function runSnapshot({ natsExecutable, quick, onStep }: SnapshotBench): Promise<BenchResult[]> {
  const scale = quick ? 0.01 : 1;
  onStep("stall");
  const stalls = await withServer(natsExecutable, (server, nc) => stall(server, nc, scale, quick));
  onStep("load");
  const loads = await loadAndWrite(1_000_000 * scale);
  const results = [...stalls, ...loads];
  for (const perMessage of [PER_MESSAGE, 1]) {
    onStep(`replay, ${perMessage} a message`);
    results.push(await withServer(natsExecutable, (_, nc) => replay(nc, 1_000_000 * scale, perMessage)));
  }
  return results;
}

async function withServer<T>(
  executable: string,
  run: (server: TestServer, nc: NatsConnection) => Promise<T>,
): Promise<T> {
  const server = await TestServer.start(executable);
  const nc = await server.connect("bench");
  try {
    return await run(server, nc);
  } finally {
    await nc.close();
    await server.dispose();
  }
}

function flowOf(options: Partial<FlowOptions>): Flow {
  return recordFlow({
    mix: TRADING_MIX,
    algorithm: MatchAlgorithm.Fifo,
    symbols: 10,
    resting: 10_000,
    depth: 500,
    commands: 0,
    history: 100_000,
    ...options,
  }, SEED);
}

function engineOptions({ options }: Flow): EngineOptions {
  const { symbols, algorithm, resting, commands, history } = options;
  return {
    shard: 0,
    instruments: Array.from({ length: symbols }, (_, i) => testInstrument(i + 1, { algorithm })),
    maxOpenOrders: resting + commands,
    clOrdIdHistory: history,
  };
}

/**
 * The longest gap in the loop while a snapshot is taken beside it, and in as much time without. Rounds: what a snapshot does
 * to the loop, it does in each; what else happens on the machine does not, so that a round's longest gap counts by the best
 * and by the median round.
 */
async function stall(
  server: TestServer,
  nc: NatsConnection,
  scale: number,
  quick: boolean,
): Promise<BenchResult[]> {
  const rounds = quick ? 3 : ROUNDS;
  const resting = 100_000 * scale;
  const flow = flowOf({ resting, commands: quick ? 100_000 : 2_000_000 });
  const options = { ...engineOptions(flow), maxOpenOrders: resting };
  const lastSeq = await storeFlow(nc, { ...flow, total: flow.fill }, 1);
  await claimEvents(nc, lastSeq);
  const loop = new MatchingLoop(flow);
  const store = await NatsSnapshotStore.open(nc, 0);
  const { url } = server;
  const thread = snapshotThread({ url, user: undefined, password: undefined, engine: options })((reason) => {
    throw new Error(`The thread that takes snapshots failed: ${reason}`);
  });
  const telling: number[] = [];
  const beside: number[] = [];
  const alone: number[] = [];
  let takenMs = 0;
  for (let round = 0; round <= rounds; round++) {
    // Each includes a little more than the one before: none is a repetition, and all hold about as many orders.
    const due = lastSeq - rounds + round;
    const start = performance.now();
    const taken = watch(store, due);
    const told = performance.now();
    thread.due({ cmdSeq: due, unlessSince: Infinity });
    const toldMs = performance.now() - told;
    const longest = await loop.run(EVERY_US, taken);
    const end = performance.now() * 2 - start;
    const without = await loop.run(EVERY_US, () => performance.now() >= end);
    // The first starts the thread, replays everything and warms the loop up.
    if (round === 0) continue;
    telling.push(toldMs);
    beside.push(longest);
    alone.push(without);
    takenMs += (end - start) / 2;
  }
  thread.end();
  const note = `${resting} orders rest; ${Math.round(takenMs / rounds)} ms from due to verified`;
  return [
    longestOf("matching, longest gap without snapshots", alone),
    { ...longestOf("matching, longest gap while a snapshot is taken", beside), bar: STALL_BAR_MS, note },
    longestOf("matching's own part: telling the thread", telling),
    {
      name: "the longest gap, were it written by the loop itself",
      unit: "ms",
      value: inLoopMs(loop, options),
    },
  ];
}

/** Asks for the pointer now and then; the result says whether it has reached `cmdSeq`. */
function watch(store: NatsSnapshotStore, cmdSeq: number): () => boolean {
  let taken = false;
  const look = async () => {
    while (!taken) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      taken = (await store.pointer()).pointer?.newest.cmdSeq === cmdSeq;
    }
  };
  look();
  return () => taken;
}

function longestOf(name: string, gapsMs: readonly number[]): BenchResult {
  const sorted = gapsMs.toSorted((a, b) => a - b);
  return { name, unit: "ms", value: sorted[0], p50: sorted[sorted.length >> 1], max: sorted.at(-1) };
}

function inLoopMs({ engine }: MatchingLoop, options: EngineOptions): number {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    writeSnapshot(engine, options, MARK);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Writes and loads a snapshot of `orders` resting orders. */
function loadAndWrite(orders: number): BenchResult[] {
  const flow = flowOf({ resting: orders, depth: 5000, symbols: 100 });
  const options = engineOptions(flow);
  const loop = new MatchingLoop(flow);
  const { engine } = loop;
  let bytes: Uint8Array = new Uint8Array();
  let writeMs = Infinity;
  let loadMs = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    bytes = writeSnapshot(engine, options, MARK);
    writeMs = Math.min(writeMs, performance.now() - start);
    const middle = performance.now();
    const { reason } = loadSnapshot(bytes, options);
    if (reason !== null) throw new Error(`The snapshot cannot be loaded: ${reason}`);
    loadMs = Math.min(loadMs, performance.now() - middle);
  }
  const what = `snapshot of ${engine.openOrders.toLocaleString("en-US")} orders`;
  const hash = engine.stateHash();
  return [
    { name: `${what}: size`, unit: "MB", value: bytes.length / 1e6, hash },
    { name: `${what}: write`, unit: "s", value: writeMs / 1000 },
    { name: `${what}: load`, unit: "s", value: loadMs / 1000, bar: SECONDS_BAR },
  ];
}

/** From the start of a matcher to the moment at which it leads, with `commands` behind it. */
async function replay(nc: NatsConnection, commands: number, perMessage: number): Promise<BenchResult> {
  const flow = flowOf({ commands: commands - 10_000 });
  const lastSeq = await storeFlow(nc, flow, perMessage);
  await claimEvents(nc, lastSeq);
  const options = engineOptions(flow);
  const engine = new Engine(options);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const { instruments } = options;
  const matcher = new Matcher({ nc, shard: 0, engine, instruments, log: nullLogger, onFatal: reject });
  const start = performance.now();
  await Promise.race([matcher.start(), failed]);
  const seconds = (performance.now() - start) / 1000;
  await matcher.drain(5000);
  return {
    name: `replay of ${commands.toLocaleString("en-US")} commands, ${perMessage} a message`,
    unit: "s",
    value: seconds,
    bar: SECONDS_BAR,
  };
}
