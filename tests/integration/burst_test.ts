/** One order that trades 100,000 times: both sides are told of every trade, in order, and stay logged on. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { FixClient } from "../../services/fix-gateway/client/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { CONFIG, TestVenue } from "./running.ts";
import { connectAs } from "./trader.ts";

const ICEBERGS = 1000;
const SLICES = 100;
const TRADES = ICEBERGS * SLICES;
/** MsgSeqNum, PossDupFlag, PossResend, ClOrdID, ExecType, OrdStatus, LeavesQty, CumQty, RefMsgType. */
const KEPT = [34, 43, 97, 11, 150, 39, 151, 14, 372] as const;

/** A session and what it was told, the fields of {@link KEPT} of each message. */
class Listener {
  readonly told: string[] = [];
  client!: FixClient;

  static async logon(venue: TestVenue, name: string): Promise<Listener> {
    const listener = new Listener();
    listener.client = await connectAs(venue.running, name, {
      onMessage: (message) => listener.told.push(KEPT.map((tag) => message.text(tag) ?? "").join(" ")),
    });
    return listener;
  }

  order(clOrdId: string, side: string, qty: number, displayed: number): void {
    const writer = this.client.compose();
    writer.text(11, clOrdId);
    writer.text(55, "ACME");
    writer.text(54, side);
    writer.utcTimestamp(60, Date.now());
    writer.text(38, String(qty));
    writer.text(40, "2");
    writer.text(44, "10");
    if (displayed > 0) writer.text(111, String(displayed));
    this.client.send("D");
  }

  async heard(count: number): Promise<void> {
    const closed = this.client.closed.then((reason) => assert.fail(`closed: ${reason}`));
    await Promise.race([until(`${count} messages`, () => this.told.length >= count), closed]);
  }
}

/** Message `i` of a session, from 0; number 1 is the Logon's. */
const line = (i: number, ...fields: readonly (string | number)[]) => `${i + 2}   ${fields.join(" ")} `;

describe("a burst of reports", () => {
  it("of 100,000 trades of one order reaches both sides whole and in order, and nobody is cut off", async () => {
    const dir = await Deno.makeTempDir({ prefix: "pitwire-burst-" });
    const config = `${dir}/venue.yaml`;
    const text = await Deno.readTextFile(CONFIG);
    await Deno.writeTextFile(config, text.replace('maxOrderQty: "1000"', `maxOrderQty: "${TRADES}"`));
    await using venue = await TestVenue.start({ config, venue: loadVenue(config) });
    const [maker, taker] = [await Listener.logon(venue, "A1"), await Listener.logon(venue, "B1")];
    for (let i = 0; i < ICEBERGS; i++) maker.order(`m${i}`, "1", SLICES, 1);
    await maker.heard(ICEBERGS);
    const start = performance.now();
    taker.order("t", "2", TRADES, 0);
    await taker.heard(1 + TRADES);
    await maker.heard(ICEBERGS + TRADES);
    console.log(
      `${TRADES} trades told to both sides in ${((performance.now() - start) / 1000).toFixed(1)} s`,
    );
    maker.order("m", "1", 1, 0);
    taker.order("u", "2", 1, 0);
    await taker.heard(1 + TRADES + 2);
    await maker.heard(ICEBERGS + TRADES + 2);
    const made = Array.from({ length: TRADES }, (_, i) => {
      const cum = Math.floor(i / ICEBERGS) + 1;
      return [`m${i % ICEBERGS}`, "F", cum === SLICES ? 2 : 1, SLICES - cum, cum];
    });
    const taken = Array.from({ length: TRADES }, (_, i) => {
      const cum = i + 1;
      return ["t", "F", cum === TRADES ? 2 : 1, TRADES - cum, cum];
    });
    const accepted = (clOrdId: string, qty: number) => [clOrdId, 0, 0, qty, 0];
    const after = (clOrdId: string) => [accepted(clOrdId, 1), [clOrdId, "F", 2, 0, 1]];
    const rested = Array.from({ length: ICEBERGS }, (_, i) => accepted(`m${i}`, SLICES));
    assert.deepEqual(maker.told, [...rested, ...made, ...after("m")].map((each, i) => line(i, ...each)));
    assert.deepEqual(
      taker.told,
      [accepted("t", TRADES), ...taken, ...after("u")].map((each, i) => line(i, ...each)),
    );
    await Promise.all([maker.client.logout(), taker.client.logout()]);
    await Deno.remove(dir, { recursive: true });
  });
});
