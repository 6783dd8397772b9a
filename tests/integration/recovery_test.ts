/** Restarts in good order and kills in the middle of a flow: nothing is lost, nothing happens twice. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { until, within } from "../../shared/testing/awaited.ts";
import { TestVenue } from "./running.ts";
import type { Trader } from "./trader.ts";

const ORDERS = 1200;
const CHUNK = 10;

/** Sends orders in chunks as their answers come, and kills a service with SIGKILL after a third of them. */
async function flowWithKill(venue: TestVenue, service: string): Promise<{ maker: Trader; taker: Trader }> {
  const [maker, taker] = await venue.logon("A1", "B1");
  const pid = venue.running.pid(service);
  for (let sent = 0; sent < ORDERS; sent += CHUNK) {
    for (let i = sent; i < sent + CHUNK; i++) {
      maker.order(`m${i}`, { price: "10", qty: "2" });
      if (i % 2 === 0) taker.order(`t${i}`, { price: "10", qty: "2", side: "sell" });
    }
    if (sent === ORDERS / 3) {
      await venue.running.kill(service, "SIGKILL");
      continue;
    }
    // Not more than a few chunks ahead, so that the flow lasts longer than the outage's beginning.
    await until(
      `answers up to order ${sent - 5 * CHUNK}`,
      () => maker.lines.length >= sent - 5 * CHUNK,
      () => `${maker.lines.length} came`,
    );
  }
  const makerReports = ORDERS + ORDERS / 2;
  await until("all reports", () => maker.lines.length >= makerReports && taker.lines.length >= ORDERS, () => {
    return `${maker.lines.length} of ${makerReports}, ${taker.lines.length} of ${ORDERS}`;
  });
  await within(`the next ${service}`, venue.running.whenReady(service));
  assert.notEqual(venue.running.pid(service), pid);
  return { maker, taker };
}

/** `ClOrdID ExecType OrdStatus LeavesQty` of each report. */
function pictureOf(trader: Trader): string[] {
  return trader.messages.map((message) => [11, 150, 39, 151].map((tag) => message.get(tag)).join(" "));
}

/** Every order is accepted once and in order; half of the maker's and all of the taker's are filled, in order. */
function assertComplete(maker: Trader, taker: Trader): void {
  const all = Array.from({ length: ORDERS }, (_, i) => i);
  const even = all.filter((i) => i % 2 === 0);
  const [makers, takers] = [maker, taker].map(pictureOf);
  const accepted = (line: string) => line.endsWith(" 0 0 2");
  assert.deepEqual(makers.filter(accepted), all.map((i) => `m${i} 0 0 2`));
  assert.deepEqual(takers.filter(accepted), even.map((i) => `t${i} 0 0 2`));
  assert.deepEqual(
    makers.filter((line) => !accepted(line)),
    all.slice(0, ORDERS / 2).map((i) => `m${i} F 2 0`),
  );
  assert.deepEqual(takers.filter((line) => !accepted(line)), even.map((i) => `t${i} F 2 0`));
  for (const trader of [maker, taker]) {
    const execIds = trader.messages.map((message) => message.get(17));
    assert.equal(new Set(execIds).size, execIds.length, "an ExecID came twice");
  }
}

describe("restart", () => {
  it("of everything finds the books as they were: what rested trades on, under its old identifiers", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    a.order("a1", { price: "10.01", qty: "10" });
    await a.next(1);
    a.order("a2", { price: "10.02", qty: "7" });
    await a.next(1);
    b.order("b1", { side: "sell", price: "10.02", qty: "3" });
    await b.next(2);
    await a.next(1);
    a.order("a3", { symbol: "TULIP", price: "100", qty: "5" });
    await a.next(1);
    a.order("a4", { price: "9" });
    a.cancel("a5", "a4", {});
    await a.next(2);
    const asked: [string, string][] = [["a1", "ACME"], ["a2", "ACME"], ["a3", "TULIP"], ["a4", "ACME"]];
    const statuses = async (trader: Trader) => {
      const lines = [];
      for (const [clOrdId, symbol] of asked) {
        trader.status(clOrdId, { symbol });
        lines.push(...await trader.next(1));
      }
      return lines;
    };
    const before = await statuses(a);

    await venue.restart();
    assert.match(await within("end of the session", a.closed), /./);
    const [a2, b2] = await venue.logon("A1", "B1");
    assert.deepEqual(await statuses(a2), before);
    b2.order("b2", { side: "sell", price: "10", qty: "12" });
    await b2.next(3);
    assert.deepEqual((await a2.next(2)).map((line) => line.replace(/\|(17|527)=[^|]*/g, "")), [
      "8 37=0-2-0|11=a2|150=F|39=2|55=ACME|54=1|38=7|40=2|44=10.02|59=0|32=4|31=10.02|151=0|14=7|6=10.02|851=1",
      "8 37=0-1-0|11=a1|150=F|39=1|55=ACME|54=1|38=10|40=2|44=10.01|59=0|32=8|31=10.01|151=2|14=8|6=10.01|851=1",
    ]);
    a2.order("a1", { price: "1" });
    assert.match((await a2.next(1))[0], /\|150=8\|39=8\|103=6\|/, "a ClOrdID of before is still taken");
  });
});

describe("kill -9 in the middle of a flow", () => {
  it("of the matcher: every order is answered once and in order", async () => {
    await using venue = await TestVenue.start();
    const { maker, taker } = await flowWithKill(venue, "matcher-0");
    assertComplete(maker, taker);
  });

  it("of nats-server: every order is answered once and in order", async () => {
    await using venue = await TestVenue.start();
    const { maker, taker } = await flowWithKill(venue, "nats");
    assertComplete(maker, taker);
  });

  it("of the gateway: what was accepted rests, and the session can log on again", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    for (let i = 0; i < 50; i++) a.order(`a${i}`, { price: "10", qty: "2" });
    await a.next(50);
    await venue.running.kill("gateway", "SIGKILL");
    await within("end of the session", a.closed);
    await within("the next gateway", venue.running.whenReady("gateway"));
    const [again] = await venue.logon("A1");
    for (let i = 0; i < 50; i++) again.status(`a${i}`, {});
    const statuses = await again.next(50);
    assert.deepEqual(
      statuses.map((line) => line.replace(/^8 37=\S*?\|/, "")),
      Array.from(
        { length: 50 },
        (_, i) => `11=a${i}|17=0|150=I|39=0|55=ACME|54=1|38=2|40=2|44=10|59=0|151=2|14=0|6=0`,
      ),
    );
  });
});

describe("an orderly stop", () => {
  it("answers every order that came, as accepted or as not processed, before it says Logout", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    for (let i = 0; i < 200; i++) a.order(`a${i}`, { price: "10" });
    await until("the first answer", () => a.lines.length > 0);
    const stopped = venue.running.stop();
    for (let i = 200; i < 400; i++) a.order(`a${i}`, { price: "10" });
    assert.match(await within("Logout", a.closed), /The exchange is stopping/);
    await stopped;
    const accepted = a.lines.filter((line) => line.startsWith("8")).length;
    assert.ok(accepted >= 200, `${accepted} were accepted`);
    const refusal = "58=Cannot take the message: the gateway is stopping; it was not processed";
    assert.deepEqual(
      a.lines.map((line) => line.replace(/^8 .*\|11=(\w+)\|.*/, "8 $1")).sort(byClOrdId),
      Array.from({ length: 400 }, (_, i) => {
        return i < accepted ? `8 a${i}` : `j 45=${i + 2}|${refusal}|372=D|379=a${i}|380=4`;
      }),
    );
  });
});

function byClOrdId(a: string, b: string): number {
  const numberIn = (line: string) => Number(/\ba(\d+)/.exec(line)![1]);
  return numberIn(a) - numberIn(b);
}
