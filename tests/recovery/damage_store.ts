/**
 * A store of a venue that was killed in the middle of trading, copies of it that are damaged, and what the next start makes
 * of them. Owns where nats-server keeps the blocks of a stream. Test code only.
 */
import { join } from "node:path";
import { PulledStream } from "../../services/matcher/verify/pulled_stream.ts";
import { DEFAULT_POLICY, type RestartPolicy } from "../../infra/supervisor/service.ts";
import { type RunningVenue, startVenue, type VenueOptions } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats, type NatsConnection, streamExtent } from "../../shared/nats/mod.ts";
import { cmdStream } from "../../shared/protocol/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { CONFIG } from "../integration/running.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { clOrdIdOf, randomRichMessage } from "./random_orders.ts";

/** The one shard of these stores. */
export const SHARD = 0;
/** A service that ends twice has said what it had to say. */
const POLICY: RestartPolicy = {
  ...DEFAULT_POLICY,
  readyMs: 10_000,
  firstPauseMs: 5,
  longestPauseMs: 5,
  maxDeaths: 2,
};
const NAMES = ["A1", "B1"];
const BURST = 5;

/** What to trade before the venue is killed. */
export interface StoreOptions {
  readonly messages: number;
  readonly seed: number;
  /** Lines that the venue file gets. */
  readonly limits?: string;
}

/** Starts a venue on a store; whoever calls it stops it. */
export function startOn(store: string, more: Partial<VenueOptions> = {}): Promise<RunningVenue> {
  const config = join(store, "venue.yaml");
  return startVenue({
    config,
    venue: loadVenue(config),
    store,
    natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
    log: nullLogger,
    logLevel: "error",
    policy: POLICY,
    ...more,
  });
}

/** A connection to a running venue, as its services have. */
export function connectTo({ address }: RunningVenue): Promise<NatsConnection> {
  const { natsUrl: url, natsUser: user, natsPassword: password } = address;
  return connectNats({ url, name: "damage-test", user, password });
}

/** The store as it was when everything was killed, and what its clients know. */
export class KilledStore implements AsyncDisposable {
  #copies = 0;

  private constructor(
    /** Where the store and its copies lie. */
    readonly folder: string,
    /** The command messages, by sequence - 1. */
    readonly commands: readonly Uint8Array[],
    readonly traders: readonly LastingTrader[],
  ) {}

  /**
   * Trades on a new venue and kills every process of it at once; but nats-server ends in good order, so that it has noted
   * down what its blocks hold. {@link loseIndex} makes it a killed one's.
   */
  static async make({ messages, seed, limits }: StoreOptions): Promise<KilledStore> {
    const folder = await Deno.makeTempDir({ prefix: "pitwire-damage-" });
    const store = join(folder, "killed");
    await Deno.mkdir(store);
    await writeVenueFile(store, limits);
    const running = await startOn(store);
    try {
      const { fixHost: host, fixPort: port } = running.address;
      const traders = NAMES.map((name) => new LastingTrader(running.venue, name));
      for (const trader of traders) await trader.logon({ host, port }, true);
      await trade(traders, messages, seed);
      const nc = await connectTo(running);
      const commands = await commandsOf(nc);
      await nc.close();
      await Promise.all(["gateway", "matcher", "market-data"].map((name) => running.kill(name)));
      for (const trader of traders) await trader.cut();
      return new KilledStore(folder, commands, traders);
    } finally {
      await running.stop();
    }
  }

  /** A copy, for one damage. */
  async copy(): Promise<string> {
    const copy = join(this.folder, `copy-${++this.#copies}`);
    await copyFolder(join(this.folder, "killed"), copy);
    return copy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** One shard: every process more is a second more for each damage. */
export async function writeVenueFile(store: string, limits = ""): Promise<void> {
  const text = (await Deno.readTextFile(CONFIG)).replace("[0, 1]", "[0]").replace("shard: 1,", "");
  await Deno.writeTextFile(join(store, "venue.yaml"), `${text}\n${limits}\n`);
}

/** Sends random messages until about so many are answered. */
async function trade(traders: readonly LastingTrader[], messages: number, seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  for (let sent = 0; sent < messages;) {
    for (const trader of traders) {
      for (let i = 0; i < BURST; i++, sent++) {
        const { msgType, fields } = randomRichMessage(trader.senderCompId, random, trader.sent.length);
        trader.send(msgType, clOrdIdOf(trader.senderCompId, trader.sent.length), fields);
      }
    }
    await until("answers", () => traders.every(({ unanswered }) => unanswered.length === 0));
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

/** The folder of a stream in a store. */
export function streamFolder(store: string, stream: string): string {
  return join(store, "jetstream", "jetstream", "PITWIRE", "streams", stream);
}

/** The blocks of a stream, oldest first. */
export async function blocksOf(store: string, stream: string): Promise<string[]> {
  const folder = join(streamFolder(store, stream), "msgs");
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
    .filter((name) => name.endsWith(".blk"));
  return names.sort((a, b) => parseInt(a) - parseInt(b)).map((name) => join(folder, name));
}

/** Removes what nats-server has noted about a stream's blocks. */
export async function loseIndex(store: string, stream: string): Promise<void> {
  await Deno.remove(join(streamFolder(store, stream), "msgs", "index.db"));
}

/** Leaves the first part of a file. */
export async function cut(path: string, part: number): Promise<void> {
  await Deno.truncate(path, Math.floor((await Deno.stat(path)).size * part));
}

/** Turns over one bit of a file. */
export async function flip(path: string, at: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[at] ^= 4;
  await Deno.writeFile(path, bytes);
}

/** All command messages, by sequence - 1; those that are gone are empty. */
export async function commandsOf(nc: NatsConnection): Promise<Uint8Array[]> {
  const { lastSeq } = await streamExtent(nc, cmdStream(SHARD));
  const stream = new PulledStream(nc, cmdStream(SHARD), 1, lastSeq);
  const found: Uint8Array[] = Array.from({ length: lastSeq }, () => new Uint8Array());
  try {
    for (let next = await stream.next(); next !== null; next = await stream.next()) {
      if (next.kind === "message") found[next.seq - 1] = next.bytes;
    }
  } finally {
    await stream.stop();
  }
  return found;
}

/** Where two lists of command messages part, 0 where they do not. */
export function partAt(before: readonly Uint8Array[], after: readonly Uint8Array[]): number {
  for (let i = 0; i < before.length; i++) {
    const [a, b] = [before[i], after[i] ?? new Uint8Array()];
    if (a.length !== b.length || !a.every((byte, at) => byte === b[at])) return i + 1;
  }
  return 0;
}
