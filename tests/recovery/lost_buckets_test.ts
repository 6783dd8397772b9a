/** A store that has lost a key-value bucket but not its streams: every order is answered, and each loss is loud. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { until } from "../../shared/testing/awaited.ts";
import { TestVenue } from "../integration/running.ts";
import { LastingTrader } from "./lasting_trader.ts";

const ORDERS = 5;
const TERMS = [[55, "ACME"], [54, "1"], [38, "10"], [40, "2"], [44, "100"]] as const;

/** Removes the folder of a stream from a stopped store. */
async function lose(store: string, stream: string): Promise<void> {
  const found = [];
  for await (const folder of foldersBelow(`${store}/jetstream`)) {
    if (folder.endsWith(`/streams/${stream}`)) found.push(folder);
  }
  assert.equal(found.length, 1, `folders of ${stream}`);
  await Deno.remove(found[0], { recursive: true });
}

async function* foldersBelow(path: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(path)) {
    if (!entry.isDirectory) continue;
    yield `${path}/${entry.name}`;
    yield* foldersBelow(`${path}/${entry.name}`);
  }
}

/** Sends orders and waits until each has an answer; they then rest. */
async function trade(trader: LastingTrader, prefix: string): Promise<void> {
  for (let i = 0; i < ORDERS; i++) trader.send("D", `${prefix}${i}`, TERMS);
  await until(`answers to ${prefix}`, () => trader.unanswered.length === 0, () => trader.unanswered.join());
  assert.deepEqual(
    trader.received.filter(({ clOrdId }) => clOrdId.startsWith(prefix)).map(({ line }) =>
      /11=([^|]*).*150=(.)/.exec(line)!.slice(1)
    ),
    Array.from({ length: ORDERS }, (_, i) => [`${prefix}${i}`, "0"]),
  );
}

describe("a store without its bucket", () => {
  it("ref: the gateway's numbers go on above those that the matcher has seen", async () => {
    await using venue = await TestVenue.start();
    const trader = new LastingTrader(venue.running.venue, "A1");
    const address = () => ({ host: venue.running.address.fixHost, port: venue.running.address.fixPort });
    await trader.logon(address(), true);
    await trade(trader, "before-");
    await trader.logout();
    // Twice: what is written after the loss is enough for the next start.
    for (const prefix of ["first-", "second-"]) {
      await venue.restart((store) => lose(store, "KV_ref"));
      await trader.logon(address());
      await trade(trader, prefix);
      await trader.logout();
    }
    await venue.restart();
    await trader.logon(address());
    await trade(trader, "after-");
  });

  it("session: numbers go on above what sessions were sent; without that too, clients hear that they start again", async () => {
    await using venue = await TestVenue.start();
    const [one, two] = ["A1", "B1"].map((name) => new LastingTrader(venue.running.venue, name));
    const address = () => ({ host: venue.running.address.fixHost, port: venue.running.address.fixPort });
    for (const trader of [one, two]) {
      for (const reset of [true, true]) {
        await trader.logon(address(), reset);
        await trade(trader, `before-${trader.ends.length}-`);
        await trader.logout();
      }
    }
    await venue.restart((store) => lose(store, "KV_session"));
    await one.logon(address(), true);
    await trade(one, "after-");
    await one.logout();
    await two.logon(address());
    await trade(two, "after-");
    await two.logout();
    await venue.restart(async (store) => {
      for (const stream of ["KV_session", "FIXOUT"]) await lose(store, stream);
    });
    await assert.rejects(
      two.logon(address()),
      /Cannot go on with the numbers of B1: they are lost; log on with/,
    );
    await two.logon(address(), true);
    await trade(two, "last-");
  });

  it("lease: nothing changes", async () => {
    await using venue = await TestVenue.start();
    const trader = new LastingTrader(venue.running.venue, "A1");
    const address = () => ({ host: venue.running.address.fixHost, port: venue.running.address.fixPort });
    await trader.logon(address(), true);
    await trade(trader, "before-");
    await trader.logout();
    await venue.restart((store) => lose(store, "KV_lease"));
    await trader.logon(address());
    await trade(trader, "after-");
  });
});
