/** Mass actions, quotes, reference data and trading sessions through the whole exchange, over FIX. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { connectNats } from "../../shared/nats/mod.ts";
import { controlSubject } from "../../shared/protocol/mod.ts";
import { DEADLINE_MS } from "../../shared/testing/awaited.ts";
import { TestVenue } from "./running.ts";
import type { Trader } from "./trader.ts";

const TIME = "60=20261130-12:00:00.000|";
const ACME = "55=ACME|54=1";

/**
 * The next `count` lines, those of shard 0 before those of shard 1 and what names no order last, each shard's in order;
 * without their ExecID.
 */
async function byShard(trader: Trader, count: number): Promise<string[]> {
  const lines = await trader.next(count);
  const shardOf = (line: string) => Number(/\|?37=(\d)-/.exec(line)?.[1] ?? 9);
  return lines.sort((a, b) => shardOf(a) - shardOf(b)).map((line) => line.replace(/\|17=[^|]*/, ""));
}

/** Waits until the gateway has heard from every matcher. */
async function untilKnown(trader: Trader): Promise<void> {
  for (const deadline = performance.now() + DEADLINE_MS;;) {
    trader.raw("x", "320=known|559=4|");
    const [answer] = await trader.next(1);
    if (answer.includes("|560=0|")) return;
    assert.match(answer, /\|560=4$/);
    assert.ok(performance.now() < deadline, "no matcher has told");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Has an operator put a symbol into a phase. */
async function setPhase(venue: TestVenue, shard: number, symbol: string, phase: string): Promise<void> {
  const { natsUrl: url, natsUser: user, natsPassword: password } = venue.running.address;
  const nc = await connectNats({ url, name: "operator", user, password });
  const request = JSON.stringify({ do: "phase", by: "test", symbol, phase });
  const answer = await nc.request(controlSubject(shard), request, { timeout: 10_000 });
  await nc.close();
  assert.equal(answer.json<{ error?: string }>().error, undefined);
}

describe("OrderMassCancelRequest", () => {
  it("cancels by symbol and side, and all of the firm's in every shard", async () => {
    await using venue = await TestVenue.start();
    const [a, other] = await venue.logon("A1", "A2");
    a.order("a1", { price: "10" });
    await a.next(1);
    a.order("a2", { price: "11", side: "sell", qty: "5" });
    await a.next(1);
    a.order("a3", { symbol: "GIZMO", price: "1" });
    await a.next(1);
    other.order("x1", { price: "9", qty: "7" });
    await other.next(1);

    a.raw("q", `11=m1|530=1|55=ACME|54=1|${TIME}`);
    assert.deepEqual(await byShard(a, 2), [
      `8 37=0-1-0|11=a1|150=4|39=4|${ACME}|38=10|40=2|44=10|59=0|151=0|14=0|6=0|` +
      "58=Canceled by a mass cancel for orders of its session, its firm or the venue",
      `r 11=m1|37=0-4-1|530=1|531=1|533=1|${ACME}`,
    ]);
    a.raw("q", `11=m2|530=7|${TIME}5530=F|`);
    const lines = await byShard(a, 4);
    assert.deepEqual(lines.map((line) => line.replace(/\|58=.*$/, "")), [
      "8 37=0-2-0|11=a2|150=4|39=4|55=ACME|54=2|38=5|40=2|44=11|59=0|151=0|14=0|6=0",
      "r 11=m2|37=0-5-2|530=7|531=7|533=2",
      "8 37=1-1-0|11=a3|150=4|39=4|55=GIZMO|54=1|38=10|40=2|44=1|59=0|151=0|14=0|6=0",
      "r 11=m2|37=1-2-1|530=7|531=7|533=1",
    ]);
    assert.match((await other.next(1))[0], /^8 37=0-3-0\|11=x1\|17=0-5-0\|150=4\|39=4\|378=8\|/);
  });

  it("takes its place among the orders of its session, whatever their symbols", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    a.order("a1", { price: "10" });
    a.order("a2", { symbol: "TULIP", price: "100" });
    a.order("a3", { symbol: "GIZMO", price: "1" });
    a.raw("q", `11=m1|530=7|${TIME}`);
    a.order("a4", { price: "10" });
    a.raw("AF", "584=s1|585=7|");
    const told = (await byShard(a, 11)).map((line) => line.replace(/\|(55|54|38)=.*$/, ""));
    assert.equal(told.pop(), "8 37=NONE|584=s1|911=0|912=Y|150=I|39=8|103=5", "shard 1 has none any more");
    const [first, second] = [0, 1].map((shard) => told.filter((line) => line.includes(`37=${shard}-`)));
    assert.deepEqual(first.map((line) => line.replace(/37=[^|]*\|/, "")), [
      "8 11=a1|150=0|39=0",
      "8 11=a2|150=0|39=0",
      "8 11=a1|150=4|39=4",
      "8 11=a2|150=4|39=4",
      "r 11=m1|530=7|531=7|533=2",
      "8 11=a4|150=0|39=0",
      "8 11=a4|584=s1|911=1|912=Y|150=I|39=0",
    ]);
    assert.deepEqual(second.map((line) => line.replace(/37=[^|]*\|/, "")), [
      "8 11=a3|150=0|39=0",
      "8 11=a3|150=4|39=4",
      "r 11=m1|530=7|531=7|533=1",
    ]);
  });

  it("says why it is refused", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    a.raw("q", `11=m1|530=6|336=DAY|${TIME}`);
    a.raw("q", `11=m2|530=1|55=NONE|${TIME}`);
    assert.deepEqual(await a.next(2), [
      "r 11=m1|37=0-1-0|530=6|531=0|532=0|" +
      '58=Cannot cancel MassCancelRequestType(530): expected 1 or 7, got "6"',
      "r 11=m2|37=0-1-1|530=1|531=0|532=1|55=NONE|" +
      '58=Cannot cancel Symbol(55): expected a listed symbol, got "NONE"',
    ]);
    a.raw("D", `11=a1|55=ACME|54=1|38=10|40=2|44=10|${TIME}`);
    await a.next(1);
    await setPhase(venue, 0, "ACME", "pre-open");
    await setPhase(venue, 0, "ACME", "no-cancel");
    a.raw("q", `11=m3|530=1|55=ACME|${TIME}`);
    assert.match(
      (await a.next(1))[0],
      /^r 11=m3\|37=0-\d+-0\|530=1\|531=0\|532=0\|55=ACME\|58=Cannot cancel/,
    );
    a.raw("q", `11=m4|530=7|${TIME}`);
    assert.deepEqual((await byShard(a, 2)).map((line) => line.replace(/37=[^|]*\|/, "")), [
      "r 11=m4|530=7|531=7|533=0",
      "r 11=m4|530=7|531=7|533=0",
    ]);
  });
});

describe("MassQuote", () => {
  it("is set, traded against, replaced and withdrawn", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    const entries =
      "299=e1|55=ACME|132=10|133=10.1|134=20|135=20|299=e2|55=TULIP|132=100|133=99|134=5|135=5|";
    a.raw("i", `117=q1|301=2|296=1|302=s|304=2|295=2|${entries}`);
    assert.deepEqual(await a.next(1), [
      'b 117=q1|297=0|301=2|58=Cannot quote QuoteEntryID(299) "e2": expected BidPx(132) below OfferPx(133)|' +
      "296=1|302=s|304=2|295=2|299=e1|55=ACME|299=e2|55=TULIP|368=7",
    ]);
    b.order("b1", { side: "sell", price: "10", qty: "5" });
    assert.deepEqual((await a.next(1)).map((line) => line.replace(/527=[^|]*\|/, "")), [
      `8 37=0-1-0|11=q1|17=0-2-2|150=F|39=1|${ACME}|38=20|40=2|44=10|59=0|32=5|31=10|151=15|14=5|6=10|851=1`,
    ]);
    await b.next(2);
    a.raw("i", "117=q2|301=1|296=1|302=s|304=1|295=1|299=e1|55=ACME|132=9.9|133=10.1|134=10|135=15|");
    a.raw("AF", "584=s1|585=1|55=ACME|");
    assert.match((await a.next(1))[0], /^8 37=NONE\|584=s1\|.*\|150=I\|39=8\|/, "quotes are no orders");
    b.order("b2", { price: "10.1", qty: "15" });
    const [offer] = (await a.next(1)).map((line) => line.replace(/527=[^|]*\|/, ""));
    assert.equal(
      offer,
      "8 37=0-1-1|11=q2|17=0-5-2|150=F|39=2|55=ACME|54=2|38=15|40=2|44=10.1|59=0|" +
        "32=15|31=10.1|151=0|14=15|6=10.1|851=1",
    );
    await b.next(2);
    a.raw("Z", "117=q3|298=1|295=1|55=ACME|");
    a.raw("Z", "117=q4|298=1|295=1|55=ACME|");
    assert.deepEqual(await a.next(2), [
      "AI 117=q3|55=ACME|297=1|58=Orders of quotes canceled: 1",
      "AI 117=q4|55=ACME|297=9|58=Orders of quotes canceled: 0",
    ]);
    b.order("b3", { side: "sell", price: "9", qty: "5", tif: "3" });
    assert.match((await b.next(2))[1], /\|150=C\|/, "nothing is quoted any more");
  });

  it("is answered by every shard that it concerns, and canceled in all", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    const entries = "299=1|55=GIZMO|132=1|134=10|299=2|55=ACME|132=10|134=1|299=3|55=NONE|132=1|134=1|";
    a.raw("i", `117=q1|301=2|296=1|302=s|304=3|295=3|${entries}`);
    const why = '58=Cannot quote QuoteEntryID(299) "3": expected a listed Symbol(55)|';
    assert.deepEqual(
      (await a.next(2)).sort(),
      [
        "b 117=q1|297=0|301=2|296=1|302=s|304=1|295=1|299=1|55=GIZMO",
        `b 117=q1|297=0|301=2|${why}296=1|302=s|304=2|295=2|299=2|55=ACME|299=3|368=1`,
      ].sort(),
    );
    a.raw("Z", "117=q2|298=4|");
    const canceled = "AI 117=q2|55=[N/A]|297=4|58=Orders of quotes canceled: 1";
    assert.deepEqual(await a.next(2), [canceled, canceled]);
    a.raw("i", "117=q3|131=r|296=1|302=s|304=1|295=1|299=1|55=ACME|132=1|134=1|");
    assert.deepEqual(await a.next(1), [
      'b 117=q3|297=5|300=99|301=0|58=Cannot quote QuoteReqID(131): expected no such field, got "r"',
    ]);
  });
});

describe("reference data and trading sessions", () => {
  it("are told to trading and market-data sessions, and changes of phase to who subscribed", async () => {
    await using venue = await TestVenue.start();
    const [a, m] = await venue.logon("A1", "M1");
    await untilKnown(m);
    m.raw("x", "320=r1|559=4|");
    const acme =
      "55=ACME|561=1|562=1|58=tick 0.01, lot 1, at most 1000, algorithm F|969=0.01|1140=1000|1142=F";
    const [list] = await m.next(1);
    assert.match(list, /^y 320=r1\|322=1-\d+-\d+\|560=0\|393=3\|893=Y\|146=3\|/);
    assert.ok(list.includes(`|${acme}|`), list);
    m.raw("c", "320=r2|321=0|55=TULIP|");
    assert.match(
      (await m.next(1))[0],
      /^d 320=r2\|322=[^|]*\|323=1\|55=TULIP\|.*\|969=0\.25\|1140=1000\|1142=C$/,
    );
    m.raw("g", "335=s1|336=ACME|263=1|");
    assert.deepEqual(await m.next(1), ["h 335=s1|336=ACME|625=continuous|338=1|340=2"]);
    await setPhase(venue, 0, "TULIP", "halt");
    await setPhase(venue, 0, "ACME", "halt");
    assert.deepEqual(await m.next(1), ["h 335=s1|336=ACME|625=halt|338=1|325=Y|340=1"]);
    a.raw("g", "335=s2|263=0|");
    assert.deepEqual(await a.next(3), [
      "h 335=s2|336=ACME|625=halt|338=1|340=1",
      "h 335=s2|336=GIZMO|625=continuous|338=1|340=2",
      "h 335=s2|336=TULIP|625=halt|338=1|340=1",
    ]);
    m.raw("q", `11=m|530=7|${TIME}`);
    assert.match((await m.next(1))[0], /^j .*\|380=6/);
  });

  it("are known to a gateway that starts later", async () => {
    await using venue = await TestVenue.start();
    await setPhase(venue, 1, "GIZMO", "closed");
    await venue.running.restart("gateway");
    const [a] = await venue.logon("A1");
    await untilKnown(a);
    a.raw("g", "335=s1|336=GIZMO|263=1|");
    assert.deepEqual(await a.next(1), ["h 335=s1|336=GIZMO|625=closed|338=1|340=3"]);
  });
});
