/** Many orders at once: batching, order of reports, and drop copies that equal them. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { connectNats, streamExtent } from "../../shared/nats/mod.ts";
import type { DropCopyMessage } from "../../shared/protocol/market_data.ts";
import { until } from "../../shared/testing/awaited.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { lineOfCopy } from "./drop_copy_lines.ts";
import { TestVenue } from "./running.ts";
import type { Trader } from "./trader.ts";

/** A connection with the services' rights, as the venue gives it. */
function connect(venue: TestVenue) {
  const { natsUrl: url, natsUser: user, natsPassword: password } = venue.running.address;
  return connectNats({ url, name: "test", user, password });
}

/** Resolves when everything that these traders sent before has been answered, other traders' fills included. */
async function settle(traders: readonly Trader[]): Promise<void> {
  for (const round of ["settle-1", "settle-2"]) {
    for (const trader of traders) trader.status(round, {});
    for (const trader of traders) {
      await until(
        `the answer to ${round} of ${trader.senderCompId}`,
        () => trader.messages.some((message) => message.get(11) === round),
      );
    }
  }
}

describe("a burst of orders in one write", () => {
  it("of 5,000 is batched into fewer stream messages and answered completely, in order", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    const clOrdIds = Array.from({ length: 5000 }, (_, i) => `burst-${i}`);
    const start = performance.now();
    for (const [i, clOrdId] of clOrdIds.entries()) a.order(clOrdId, { price: `${1 + i % 50}`, qty: "1" });
    const lines = await a.next(5000);
    const elapsedMs = performance.now() - start;
    const accepted = lines.map((line) => /^8 37=\S*?\|11=(\S*?)\|17=\S*?\|150=0\|39=0\|/.exec(line)?.[1]);
    assert.deepEqual(accepted, clOrdIds);
    const nc = await connect(venue);
    const { lastSeq } = await streamExtent(nc, "CMD_0");
    await nc.close();
    console.log(`5000 orders in ${lastSeq} stream messages, all answered after ${elapsedMs.toFixed(0)} ms`);
    // How many exactly is a matter of how TCP cuts the stream; that one read makes one message is the batcher's test.
    assert.ok(lastSeq < 5000, `${lastSeq} messages in the command stream`);
    assert.deepEqual(a.lines, []);
  });
});

describe("reports and drop copies", () => {
  it("are the same, complete and in event order, over a random flow of three sessions", async () => {
    await using venue = await TestVenue.start();
    const nc = await connect(venue);
    const copies: DropCopyMessage[] = [];
    nc.subscribe("drop.ALPHA", {
      callback: (_error, msg) => {
        copies.push(msg.json());
      },
    });
    await nc.flush();
    const traders = await venue.logon("A1", "A2", "B1");
    const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "7");
    console.log(`seed ${seed} (PITWIRE_SEED)`);
    sendRandomFlow(traders, seed, 1500);
    await settle(traders);

    for (const trader of traders) assertEventOrder(trader);
    const sent = traders.slice(0, 2).map((trader) => trader.lines);
    const total = sent[0].length + sent[1].length;
    await until("all drop copies", () => copies.length >= total, () => `${copies.length} of ${total}`);
    const copied = ["A1", "A2"].map((name) =>
      copies.filter((copy) => copy.session === name).map((copy) => lineOfCopy(copy))
    );
    assert.deepEqual(copied, sent);
    assert.equal(copies.length, total);
    const trades = traders[2].lines.filter((line) => line.includes("|150=F|")).length;
    assert.ok(trades > 100, `only ${trades} executions: the flow is too tame`);
    await nc.close();
  });
});

/** New orders, cancels and replacements of random orders, good and bad. */
function sendRandomFlow(traders: readonly Trader[], seed: number, count: number): void {
  const random = new SeededRandom(seed);
  const next = (limit: number) => random.below(limit);
  for (let i = 0; i < count; i++) {
    const trader = traders[next(traders.length)];
    const fields = {
      symbol: ["ACME", "TULIP"][next(2)],
      side: (["buy", "sell"] as const)[next(2)],
      price: String(100 + next(5)),
      qty: String(next(20)),
    };
    const earlier = `o${next(i + 1)}`;
    const what = next(10);
    if (what < 7) trader.order(`o${i}`, { ...fields, tif: (["0", "3", "4"] as const)[next(12) % 3] });
    else if (what < 8) trader.cancel(`o${i}`, earlier, fields);
    else if (what < 9) trader.replace(`o${i}`, earlier, fields);
    else trader.status(earlier, fields);
  }
}

/** ExecIDs rise: shard, command, event. */
function assertEventOrder(trader: Trader): void {
  const places = trader.messages
    .map((message) => message.get(17))
    .filter((execId) => execId !== undefined && execId !== "0")
    .map((execId) => execId!.split("-").map(Number));
  assert.ok(places.length > 100);
  for (let i = 1; i < places.length; i++) {
    const [, command, event] = places[i];
    const [, lastCommand, lastEvent] = places[i - 1];
    assert.ok(
      command > lastCommand || command === lastCommand && event > lastEvent,
      `${trader.senderCompId}: ${places[i - 1].join("-")} before ${places[i].join("-")}`,
    );
  }
}
