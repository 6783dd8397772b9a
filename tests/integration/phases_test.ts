/** Trading phases through the whole exchange: operators, the schedule, auctions, expiry, and what everybody is told. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { until } from "../../shared/testing/awaited.ts";
import { changedVenue, PhaseWatch } from "./phase_watch.ts";
import { TestVenue } from "./running.ts";

const SELL = "55=ACME|54=2";

/** `20260302-09:30:00.000` of an instant, ms since 1970. */
const utc = (ms: number) => new Date(ms).toISOString().replaceAll("-", "").replace("T", "-").slice(0, -1);

describe("an auction that an operator calls", () => {
  it("forms in public, trades at one price when it ends, and tells everybody", async () => {
    await using venue = await TestVenue.start();
    await using watch = await PhaseWatch.start(venue.running);
    const [a, b] = await venue.logon("A1", "B1");
    assert.deepEqual(await watch.ask({ do: "phase", symbol: "ACME", phase: "pre-open" }), {
      kind: "phase",
      shard: 0,
      cmdSeq: 1,
      phase: "pre-open",
      changed: [{ symbol: "ACME", previous: "continuous" }],
      unchanged: [],
    });
    a.order("a1", { price: "10.10", qty: "30" });
    await a.next(1);
    a.order("a2", { qty: "5" });
    assert.match((await a.next(1))[0], /\|150=0\|39=0\|55=ACME\|54=1\|38=5\|40=1\|/);
    b.order("b1", { side: "sell", price: "10", qty: "20" });
    await b.next(1);
    const forming = await watch.phase("ACME", ({ indicativeQty }) => indicativeQty === "20");
    const { indicativePrice, surplusSide, phase, previous, cause } = forming;
    assert.deepEqual(
      [phase, previous, cause, indicativePrice, surplusSide],
      ["pre-open", "continuous", "command", "10.1", "buy"],
    );
    assert.equal("surplus" in forming, false, "how much is left would tell of hidden quantity");
    assert.deepEqual(await watch.last("ACME"), forming);
    await until("a crossed book", () => watch.books.some(({ asks, bids }) => asks.length * bids.length > 0));
    const crossed = watch.books.findLast(({ symbol }) => symbol === "ACME")!;
    assert.deepEqual([crossed.phase, crossed.bids, crossed.asks], [
      "pre-open",
      [{ price: "10.1", qty: "30", orders: 1 }],
      [{ price: "10", qty: "20", orders: 1 }],
    ]);
    await watch.ask({ do: "phase", symbol: "ACME", phase: "continuous" });
    // The market order first, whatever came first.
    const sold = `${SELL}|38=20|40=2|44=10|59=0`;
    assert.deepEqual(await b.next(2), [
      `8 37=0-4-0|527=0-5-1|11=b1|17=0-5-2|150=F|39=1|${sold}|32=5|31=10.1|151=15|14=5|6=10.1`,
      `8 37=0-4-0|527=0-5-3|11=b1|17=0-5-4|150=F|39=2|${sold}|32=15|31=10.1|151=0|14=20|6=10.1`,
    ]);
    await until("its trades", () => watch.trades.length === 2);
    assert.deepEqual(watch.trades.map(({ price, qty, aggressor }) => [price, qty, aggressor]), [
      ["10.1", "5", null],
      ["10.1", "15", null],
    ]);
    await watch.been("ACME", "pre-open", "continuous");
  });
});

describe("a halt", () => {
  it("refuses orders, lets cancels through, and holds only what it names", async () => {
    await using venue = await TestVenue.start();
    await using watch = await PhaseWatch.start(venue.running);
    const [a] = await venue.logon("A1");
    a.order("a1", { price: "10" });
    await a.next(1);
    await watch.ask({ do: "phase", symbol: "ACME", phase: "halt" });
    a.order("a2", { price: "10" });
    const [refused] = await a.next(1);
    assert.match(refused, /^8 37=NONE\|11=a2\|17=0-3-0\|150=8\|39=8\|103=2\|/);
    a.order("a3", { symbol: "TULIP", price: "10" });
    assert.match((await a.next(1))[0], /\|150=0\|/);
    a.cancel("a4", "a1", {});
    assert.match((await a.next(1))[0], /\|150=4\|39=4\|/);
    assert.deepEqual(
      await watch.ask({ do: "phase", all: true, phase: "halt" }),
      {
        kind: "phase",
        shard: 0,
        cmdSeq: 6,
        phase: "halt",
        changed: [{ symbol: "TULIP", previous: "continuous" }],
        unchanged: ["ACME"],
      },
    );
    await venue.running.kill("matcher-0");
    await venue.running.whenReady("matcher-0");
    a.order("a5", { price: "10" });
    assert.match((await a.next(1))[0], /\|103=2\|/);
  });
});

describe("an operator's mass cancel", () => {
  it("cancels what fits, tells the owners, and says how many", async () => {
    await using venue = await TestVenue.start();
    await using watch = await PhaseWatch.start(venue.running);
    const [a, a2, b] = await venue.logon("A1", "A2", "B1");
    a.order("a1", { price: "10" });
    a.order("a2", { side: "sell", price: "11" });
    a2.order("x1", { price: "9" });
    b.order("b1", { price: "9" });
    await Promise.all([a.next(2), a2.next(1), b.next(1)]);
    const canceled = async (request: Record<string, unknown>) => {
      const answer = await watch.ask({ do: "mass-cancel", ...request });
      return answer.kind === "mass-cancel" ? answer.canceled : answer;
    };
    assert.equal(await canceled({ session: "A1", side: "sell" }), 1);
    assert.match((await a.next(1))[0], /\|11=a2\|.*\|150=4\|39=4\|/);
    assert.equal(await canceled({ firm: "ALPHA" }), 2);
    assert.match((await a.next(1))[0], /\|11=a1\|.*\|150=4\|39=4\|/);
    assert.match((await a2.next(1))[0], /\|11=x1\|.*\|150=4\|39=4\|/);
    assert.equal(await canceled({}), 1);
    assert.match((await b.next(1))[0], /\|11=b1\|.*\|150=4\|39=4\|/);
    assert.equal(await canceled({}), 0);
    // Nobody is sent a report of what nobody asked for by FIX: the next message is the answer to the next order.
    a.order("a3", { price: "10" });
    assert.match((await a.next(1))[0], /\|11=a3\|.*\|150=0\|/);
  });
});

describe("a good-till-date order", () => {
  it("expires when its time has come, also one that waits as a stop", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    const terms = `126=${utc(Date.now() + 2000)}`;
    a.order("g1", { price: "10", tif: "6", terms });
    a.order("g2", { side: "sell", type: "3", tif: "6", terms: `99=9|${terms}` });
    a.order("g3", { price: "9", tif: "6", terms: `126=${utc(Date.now() + 3_600_000)}` });
    await a.next(3);
    const lines = await a.next(2);
    assert.match(lines[0], /\|11=g1\|.*\|150=C\|39=C\|/);
    assert.match(lines[1], /\|11=g2\|.*\|150=C\|39=C\|/);
    a.status("g3", {});
    assert.match((await a.next(1))[0], /\|39=0\|/);
  });
});

describe("a volatility auction", () => {
  let dir: string;
  beforeEach(async () => void (dir = await Deno.makeTempDir({ prefix: "pitwire-phases-" })));
  afterEach(() => Deno.remove(dir, { recursive: true }));

  it("is called by a price beyond the band, ends by itself, and trades at one price", async () => {
    const options = await changedVenue(dir, (text) =>
      text.replace(
        "symbol: ACME,",
        'symbol: ACME, bandTicks: 50, volatilityAuctionSec: 1, referencePrice: "10.00",',
      ));
    await using venue = await TestVenue.start(options);
    await using watch = await PhaseWatch.start(venue.running);
    const [a, b] = await venue.logon("A1", "B1");
    b.order("b1", { side: "sell", price: "10.60", qty: "10" });
    a.order("a1", { price: "10.60", qty: "10" });
    const { previous, cause } = await watch.phase("ACME", ({ phase }) => phase === "volatility-auction");
    assert.deepEqual([previous, cause], ["continuous", "volatility"]);
    assert.match((await a.next(2))[1], /\|150=F\|39=2\|.*\|32=10\|31=10\.6\|/);
    assert.match((await b.next(2))[1], /\|150=F\|39=2\|/);
    await watch.been("ACME", "volatility-auction", "continuous");
  });
});

describe("a venue with a schedule", () => {
  let dir: string;
  beforeEach(async () => void (dir = await Deno.makeTempDir({ prefix: "pitwire-phases-" })));
  afterEach(() => Deno.remove(dir, { recursive: true }));

  /** A zone in which it is about noon, so that the day does not end within a test. */
  const hour = new Date().getUTCHours();
  const zone = `Etc/GMT${hour >= 12 ? `+${hour - 12}` : `-${12 - hour}`}`;
  /** The time of day in that zone, `fromNowMs` from now. */
  const clock = (fromNowMs: number) => {
    const local = Temporal.Instant.fromEpochMilliseconds(Date.now() + fromNowMs).toZonedDateTimeISO(zone);
    return local.toPlainTime().toString({ smallestUnit: "second" });
  };
  const scheduled = (...phases: [fromNowMs: number, phase: string][]) =>
    changedVenue(dir, (text) =>
      [
        text,
        "schedule:",
        `  timeZone: ${zone}`,
        "  days: [Mon, Tue, Wed, Thu, Fri, Sat, Sun]",
        "  phases:",
        ...phases.map(([fromNowMs, phase]) => `    - { at: "${clock(fromNowMs)}", phase: ${phase} }`),
        "",
      ].join("\n"));

  it("is in the phase that should be now when it starts, and catches up when it starts again", async () => {
    const before = await scheduled([-120_000, "closed"], [-60_000, "pre-open"]);
    await using venue = await TestVenue.start(before);
    const watch = await PhaseWatch.start(venue.running);
    assert.equal((await watch.last("ACME"))?.phase, "pre-open");
    const [a, b] = await venue.logon("A1", "B1");
    a.order("a1", { price: "10.10", qty: "30" });
    b.order("b1", { side: "sell", price: "10", qty: "20" });
    await Promise.all([a.next(1), b.next(1)]);
    await watch[Symbol.asyncDispose]();
    // What fell due while nobody was there.
    await scheduled([-120_000, "closed"], [-60_000, "pre-open"], [-1000, "continuous"]);
    const closed = [a.closed, b.closed];
    await venue.restart();
    await Promise.all(closed);
    await using after = await PhaseWatch.start(venue.running);
    assert.equal((await after.last("ACME"))?.phase, "continuous");
    const [b2] = await venue.logon("B1");
    b2.status("b1", { side: "sell" });
    assert.match((await b2.next(1))[0], /\|150=I\|39=2\|55=ACME\|54=2\|38=20\|.*\|14=20\|6=10\.1$/);
  });

  it("enters a phase when it is due, whichever matcher leads then", async () => {
    const options = await scheduled([-60_000, "closed"], [6000, "continuous"]);
    await using venue = await TestVenue.start(options);
    await using watch = await PhaseWatch.start(venue.running);
    await venue.running.kill("matcher-0");
    await until("continuous", async () => (await watch.last("ACME"))?.phase === "continuous");
    const [a] = await venue.logon("A1");
    a.order("a1", { price: "10" });
    assert.match((await a.next(1))[0], /\|150=0\|39=0\|/);
  });
});
