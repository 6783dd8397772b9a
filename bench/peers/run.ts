/**
 * Other people's order books on the flows of bench/micro/book.ts, in the same run: programs of ours around libraries
 * from their registries, built outside the tree, each skipped with its reason where a toolchain is missing. They get
 * integer ids and commands already decoded, check nothing, write no messages; trades must agree with the engine's.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EventKind, Liquidity } from "../../shared/protocol/mod.ts";
import { Command, type Event } from "../../shared/codec/wire/mod.ts";
import { failureOfBuild } from "../../shared/testing/build.ts";
import { MOVING, record, TRADING } from "../micro/book.ts";
import { engineFor, type Flow, load } from "../micro/book_flow.ts";
import { countOf, ratioOf, restingFlows } from "../micro/book_sweep.ts";
import type { BenchResult } from "../result.ts";
import { flowFile } from "./flow_file.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROUNDS = 12;
const SWEEP_ROUNDS = 4;

/** What a peer's program prints. */
interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  readonly trades: number;
  readonly lots: number;
}

interface Peer {
  readonly name: string;
  /** Says what its figure includes. */
  readonly note: string;
  /** Builds it into `folder`. Returns its command line, or why there is none. */
  build(folder: string): Promise<readonly string[] | { readonly missing: string }>;
}

const EXCHANGE_CORE: Peer = {
  name: "exchange-core 0.5.3, OrderBookDirectImpl",
  note: "one thread; hash of ids, trade events as objects; no risk engine, no ring buffer",
  async build(folder) {
    const out = join(folder, "exchange_core");
    const classpath = join(out, "classpath.txt");
    const missing = await failureOfBuild("mvn", [
      "-q",
      "-B",
      "compile",
      "dependency:build-classpath",
      `-Dout=${out}`,
      `-Dmdep.outputFile=${classpath}`,
    ], `${HERE}exchange_core`);
    if (missing !== null) return { missing };
    return ["java", "-cp", `${out}/classes:${(await Deno.readTextFile(classpath)).trim()}`, "pitwire.Book"];
  },
};

const LOBSTER: Peer = {
  name: "lobster 0.7.0 (Rust)",
  note: "one thread; hash of ids, one event per command with a vector of fills",
  async build(folder) {
    const out = join(folder, "rust_book");
    const missing = await failureOfBuild("cargo", [
      "build",
      "--release",
      "--locked",
      "--quiet",
      "--target-dir",
      out,
    ], `${HERE}rust_book`);
    return missing === null ? [join(out, "release", "rust_book")] : { missing };
  },
};

/** A row per peer and flow that it can play. Builds go to `folder`, which must exist. */
export async function runPeers(folder: string, scale = 1): Promise<BenchResult[]> {
  const trading: NamedFlow = ["FIFO", record(TRADING, scale)];
  const moving: NamedFlow = ["FIFO, mostly moves", record(MOVING, scale)];
  const sized = restingFlows(scale).map(([resting, flow]): NamedFlow => [
    `FIFO, ${countOf(resting, "resting order")}`,
    flow,
  ]);
  return [
    ...await play(LOBSTER, folder, [trading], sized),
    ...await play(EXCHANGE_CORE, folder, [trading, moving], sized),
  ];
}

type NamedFlow = readonly [name: string, flow: Flow];

/** Commands per second in `flows`; ns per command in those of a sweep, and the slowest of these over the fastest. */
async function play(
  peer: Peer,
  folder: string,
  flows: readonly NamedFlow[],
  sweep: readonly NamedFlow[],
): Promise<BenchResult[]> {
  const command = await peer.build(folder);
  if ("missing" in command) {
    const { missing } = command as { missing: string };
    return [{ name: `peer: ${peer.name}`, unit: "ops/s", value: NaN, note: `skipped: ${missing}` }];
  }
  const line = command as readonly string[];
  const rows: BenchResult[] = [];
  for (const each of flows) rows.push(await playFlow(peer, line, folder, each, ROUNDS));
  const sized: BenchResult[] = [];
  for (const each of sweep) {
    const { name, value, hash, note } = await playFlow(peer, line, folder, each, SWEEP_ROUNDS);
    sized.push({ name, unit: "ns/command", value: 1e9 / value, hash, note });
  }
  const { bar: _, ...ratio } = ratioOf(
    `peer: ${peer.name}: FIFO, by resting orders, slowest to fastest`,
    sized,
  );
  return [...rows, ...sized, ratio];
}

async function playFlow(
  peer: Peer,
  [path, ...args]: readonly string[],
  folder: string,
  [name, flow]: NamedFlow,
  rounds: number,
): Promise<BenchResult> {
  const file = join(folder, "flow");
  await Deno.writeFile(file, flowFile(flow));
  const { success, stdout, stderr } = await new Deno.Command(path, { args: [...args, file, String(rounds)] })
    .output();
  if (!success) throw new Error(`Cannot run ${peer.name}: ${new TextDecoder().decode(stderr)}`);
  const figures = JSON.parse(new TextDecoder().decode(stdout)) as Figures;
  const { perSecond, p50, p99, p999, max } = figures;
  const hash = `${figures.trades}-${figures.lots}`;
  const ours = tradesOf(flow);
  if (hash !== ours) {
    throw new Error(`Cannot compare with ${peer.name}: it traded ${hash}, the engine ${ours}`);
  }
  const note = `${peer.note}; p50 … max in ns per command`;
  return {
    name: `peer: ${peer.name}: ${name}`,
    unit: "ops/s",
    value: perSecond,
    p50,
    p99,
    p999,
    max,
    hash,
    note,
  };
}

/** Trades and lots traded by the engine, after the filling. */
function tradesOf(flow: Flow): string {
  const engine = engineFor(flow.options);
  const command = new Command();
  let trades = 0;
  let lots = 0;
  const sink = {
    commandStarts() {},
    event(event: Event) {
      if (event.kind !== EventKind.OrderExecuted || event.liquidity !== Liquidity.Removed) return;
      trades++;
      lots += event.lastQtyLots;
    },
  };
  for (let i = 0; i < flow.total; i++) {
    load(flow, i, command);
    engine.apply(i + 1, 0, i, command, sink);
  }
  return `${trades}-${lots}`;
}
