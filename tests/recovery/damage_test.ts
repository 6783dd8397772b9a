/**
 * Stores that were damaged while the venue was away: the next start goes on with the same books, which a rebuild proves, or
 * stops and names stream and sequence. What each damage leads to stands in docs/operations.md, "Damaged stores".
 */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import type { RunningVenue } from "../../infra/venue_process.ts";
import { until } from "../../shared/testing/awaited.ts";
import {
  blocksOf,
  commandsOf,
  connectTo,
  cut,
  flip,
  KilledStore,
  loseIndex,
  partAt,
  startOn,
  streamFolder,
} from "./damage_store.ts";
import type { LastingTrader } from "./lasting_trader.ts";
import { rebuiltTruth } from "./truth.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? "7");
const MESSAGES = 400;

/** What is done to a copy of the store. */
type Damage = (store: string) => Promise<void>;

/** Something done to the last block of a stream. */
const block =
  (stream: string, change: (path: string, size: number) => Promise<void>): Damage => async (store) => {
    const path = (await blocksOf(store, stream)).at(-1)!;
    await change(path, (await Deno.stat(path)).size);
  };
const half = (stream: string) => block(stream, (path) => cut(path, 0.5));
const torn = (stream: string) => block(stream, (path, size) => Deno.truncate(path, size - 3));
const flipped = (stream: string, part: number) =>
  block(stream, (path, size) => flip(path, Math.floor(size * part)));
const gone = (stream: string) => block(stream, (path) => Deno.remove(path));
const unnoted = (...streams: string[]): Damage => async (store) => {
  for (const stream of streams) await loseIndex(store, stream);
};
const all = (...damages: Damage[]): Damage => async (store) => {
  for (const damage of damages) await damage(store);
};

describe("a damaged store", () => {
  let killed: KilledStore;

  beforeAll(async () => {
    console.log(`seed ${SEED} (PITWIRE_SEED)`);
    killed = await KilledStore.make({ messages: MESSAGES, seed: SEED });
  });
  afterAll(() => killed[Symbol.asyncDispose]());

  /** Starts on a damaged copy; `act` hears of the running venue. */
  async function start(damage: Damage, act: (running: RunningVenue) => Promise<void>): Promise<void> {
    const store = await killed.copy();
    try {
      await damage(store);
      const running = await startOn(store);
      try {
        await act(running);
      } finally {
        await running.stop();
      }
    } finally {
      await Deno.remove(store, { recursive: true });
    }
  }

  /** Logs on with the numbers of before, and has one order answered. */
  async function order(running: RunningVenue, trader: LastingTrader, prefix: string): Promise<void> {
    const { fixHost: host, fixPort: port } = running.address;
    await trader.logon({ host, port });
    const terms = [[55, "ACME"], [54, "1"], [38, "10"], [40, "2"], [44, "90"]] as const;
    trader.send("D", `${prefix}-${trader.senderCompId}`, terms);
    await until("the answer", () => trader.unanswered.length === 0, () => trader.ends.join());
  }

  /** The books are those of before, and both sessions go on with their numbers. */
  async function goesOn(running: RunningVenue, traders = killed.traders): Promise<void> {
    const nc = await connectTo(running);
    try {
      assert.equal(partAt(killed.commands, await commandsOf(nc)), 0, "a command is lost or changed");
      for (const trader of traders.map((each) => each.twin())) {
        await order(running, trader, "after");
        await trader.logout();
      }
      await rebuiltTruth(nc, running.venue);
    } finally {
      await nc.close();
    }
  }

  const GO_ON: readonly (readonly [what: string, damage: Damage])[] = [
    ["no index of any stream", unnoted("CMD_0", "EV_0", "FIXOUT", "KV_ref", "KV_session")],
    ["EV_0 with a bit changed in the middle", all(unnoted("EV_0"), flipped("EV_0", 0.5))],
    ["EV_0 torn within its last message", all(unnoted("EV_0"), torn("EV_0"))],
    ["EV_0 without its block", all(unnoted("EV_0"), gone("EV_0"))],
    ["FIXOUT cut in the middle, KV_ref without its block", all(half("FIXOUT"), gone("KV_ref"))],
    ["KV_session without its block", gone("KV_session")],
    ["CMD_0 without its meta.inf", (store) => Deno.remove(join(streamFolder(store, "CMD_0"), "meta.inf"))],
  ];
  for (const [what, damage] of GO_ON) {
    it(`goes on with the same books: ${what}`, () => start(damage, goesOn));
  }

  it("goes on with numbers that nobody has had when KV_session and KV_ref are those of an older copy", async () => {
    const traders = killed.traders.map((each) => each.twin());
    const older = await killed.copy();
    await start(async (store) => {
      const running = await startOn(store);
      try {
        for (const trader of traders) await order(running, trader, "between");
        await running.kill("gateway");
        for (const trader of traders) await trader.cut();
      } finally {
        await running.stop();
      }
      for (const stream of ["KV_session", "KV_ref"]) {
        await Deno.remove(streamFolder(store, stream), { recursive: true });
        await Deno.rename(streamFolder(older, stream), streamFolder(store, stream));
      }
    }, (running) => goesOn(running, traders));
    await Deno.remove(older, { recursive: true });
  });

  it("goes on when an old message of EV_0 cannot be read, and a verification names it", () =>
    start(flipped("EV_0", 0.5), async (running) => {
      const nc = await connectTo(running);
      assert.equal(partAt(killed.commands, await commandsOf(nc)), 0);
      await assert.rejects(
        rebuiltTruth(nc, running.venue),
        /DIFFERENT at CMD_0 sequence \d+, EV_0 sequence \d+: EV_0 does not hold \d+/,
      );
      await nc.close();
    }));

  it("goes on when every consumer is deleted while orders flow", () =>
    start(unnoted(), async (running) => {
      const nc = await connectTo(running);
      const jsm = await jetstreamManager(nc);
      for (const stream of ["CMD_0", "EV_0"]) {
        const names = (await Array.fromAsync(jsm.consumers.list(stream))).map(({ name }) => name);
        assert.ok(names.length > 0, stream);
        for (const name of names) await jsm.consumers.delete(stream, name);
      }
      await nc.close();
      await goesOn(running);
    }));

  /** Matcher and gateway start at the same time: whichever sees it first says so. */
  const CMD_LOST = new RegExp(
    [
      "Cannot replay CMD_0: it ends at \\d+, but EV_0 holds events of \\d+$",
      "Cannot go on at CMD_0 sequence \\d+: commands \\d+ to \\d+ are missing$",
      "Cannot start shard 0: CMD_0 begins at \\d+, and nothing leads there ",
      "Cannot start: [AB]1 was told of CMD_0 sequence \\d+, but it ends at \\d+: acknowledged orders are lost$",
      "Cannot go on with drop copies: those of CMD_0 sequence \\d+ were published, but it ends at \\d+: acknowledged orders are lost$",
    ].map((text) => `: ${text}`).join("|"),
  );
  const STOP: readonly (readonly [what: string, damage: Damage, says: RegExp])[] = [
    ["CMD_0 cut in the middle, of which its index knows nothing", half("CMD_0"), CMD_LOST],
    ["CMD_0 torn within its last message", all(unnoted("CMD_0"), torn("CMD_0")), CMD_LOST],
    ["CMD_0 torn within its last message, of which its index knows nothing", torn("CMD_0"), CMD_LOST],
    ["CMD_0 with a bit changed in the middle", flipped("CMD_0", 0.5), CMD_LOST],
    ["CMD_0 without its block", gone("CMD_0"), CMD_LOST],
    [
      "CMD_0 and EV_0 without what came last: only sessions and drop copies know that it was there",
      all(unnoted("CMD_0", "EV_0"), half("CMD_0"), block("EV_0", (path) => cut(path, 0.2))),
      /^Cannot start (gateway: ended with code 1: Cannot start: [AB]1 was told of CMD_0 sequence \d+|market-data: ended with code 1: Cannot go on with drop copies: those of CMD_0 sequence \d+ were published), but it ends at \d+: acknowledged orders are lost$/,
    ],
    [
      "EV_0 cut in the middle, of which its index knows nothing",
      half("EV_0"),
      /: Cannot read EV_0 sequence \d+: it is missing$/,
    ],
    [
      "a lock that cannot be written",
      async (store) => {
        await Deno.remove(join(store, "lock"));
        await Deno.mkdir(join(store, "lock"));
      },
      /^Cannot use store .*: Is a directory/,
    ],
  ];
  for (const [what, damage, says] of STOP) {
    it(`stops and says where: ${what}`, () =>
      assert.rejects(
        start(damage, () => Promise.resolve()),
        ({ message }: Error) => (assert.match(message, says), true),
      ));
  }
});
