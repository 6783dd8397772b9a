/** Order types, conditions and self-match prevention through the whole exchange, each replaced once. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { TestVenue } from "./running.ts";

const BUY = "55=ACME|54=1";
const SELL = "55=ACME|54=2";
const REACHED = 'Triggered: a trade reached StopPx(99) "9"';
const SELF = "it would have traded with an order of the same firm and SelfMatchPreventionID(7928)";

describe("order types and conditions", () => {
  it("shows an iceberg slice by slice, and takes a smaller slice without loss of place", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    a.order("i1", { price: "10", qty: "10", terms: "111=4" });
    a.replace("i2", "i1", { price: "10", qty: "9", terms: "111=3" });
    const ice = `${BUY}|38=9|40=2|44=10|59=0`;
    assert.deepEqual(await a.next(2), [
      `8 37=0-1-0|11=i1|17=0-1-0|150=0|39=0|${BUY}|38=10|40=2|44=10|59=0|151=10|14=0|6=0|111=4`,
      `8 37=0-1-0|11=i2|41=i1|17=0-1-2|150=5|39=0|${ice}|151=9|14=0|6=0|111=3`,
    ]);
    b.order("b1", { price: "10", qty: "1" });
    await b.next(1);
    b.order("s1", { side: "sell", price: "10", qty: "5" });
    // Three of the slice shown, the order that stood behind it, one of the next slice.
    assert.deepEqual(await a.next(2), [
      `8 37=0-1-0|527=0-3-1|11=i2|17=0-3-2|150=F|39=1|${ice}|32=3|31=10|151=6|14=3|6=10|111=3|851=1`,
      `8 37=0-1-0|527=0-3-5|11=i2|17=0-3-6|150=F|39=1|${ice}|32=1|31=10|151=5|14=4|6=10|111=3|851=1`,
    ]);
    const taker = `${SELL}|38=5|40=2|44=10|59=0`;
    const buyer = `${BUY}|38=1|40=2|44=10|59=0`;
    assert.deepEqual(await b.next(5), [
      `8 37=0-3-0|11=s1|17=0-3-0|150=0|39=0|${taker}|151=5|14=0|6=0`,
      `8 37=0-3-0|527=0-3-1|11=s1|17=0-3-1|150=F|39=1|${taker}|32=3|31=10|151=2|14=3|6=10|851=2`,
      `8 37=0-3-0|527=0-3-3|11=s1|17=0-3-3|150=F|39=1|${taker}|32=1|31=10|151=1|14=4|6=10|851=2`,
      `8 37=0-2-0|527=0-3-3|11=b1|17=0-3-4|150=F|39=2|${buyer}|32=1|31=10|151=0|14=1|6=10|851=1`,
      `8 37=0-3-0|527=0-3-5|11=s1|17=0-3-5|150=F|39=2|${taker}|32=1|31=10|151=0|14=5|6=10|851=2`,
    ]);
  });

  it("keeps a stop out of the book until a trade reaches it, and tells that it does", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    a.order("st1", { side: "sell", qty: "6", type: "3", tif: "1", terms: "99=8.5" });
    a.replace("st2", "st1", { side: "sell", qty: "5", type: "4", price: "8.9", tif: "1", terms: "99=9" });
    assert.deepEqual(await a.next(2), [
      `8 37=0-1-0|11=st1|17=0-1-0|150=0|39=0|${SELL}|38=6|40=3|99=8.5|59=1|151=6|14=0|6=0`,
      `8 37=0-1-0|11=st2|41=st1|17=0-1-1|150=5|39=0|${SELL}|38=5|40=4|44=8.9|99=9|59=1|151=5|14=0|6=0`,
    ]);
    b.order("b1", { price: "9", qty: "3" });
    await b.next(1);
    b.order("s1", { side: "sell", price: "9", qty: "2" });
    const triggered = `${SELL}|38=5|40=2|44=8.9|99=9|59=1`;
    assert.deepEqual(await a.next(2), [
      `8 37=0-1-0|11=st2|17=0-3-3|150=D|39=0|378=99|${triggered}|151=5|14=0|6=0|58=${REACHED}`,
      `8 37=0-1-0|527=0-3-4|11=st2|17=0-3-4|150=F|39=1|${triggered}|32=1|31=9|151=4|14=1|6=9|851=2`,
    ]);
    a.replace("st3", "st2", { side: "sell", qty: "5", type: "3", tif: "1", terms: "99=9" });
    assert.deepEqual(await a.next(1), [
      "9 37=0-1-0|11=st3|41=st2|39=1|434=2|102=2|" +
      '58=Cannot replace OrdType(40): expected no stop type for an order whose stop has been triggered, got "3"',
    ]);
  });

  it("rejects a post-only order that would trade, also one that a replacement would make trade", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    b.order("s1", { side: "sell", price: "10" });
    await b.next(1);
    a.order("p1", { price: "10", terms: "18=6" });
    a.order("p2", { price: "9.99", terms: "18=6" });
    a.replace("p3", "p2", { price: "10", terms: "18=6" });
    a.replace("p4", "p2", { price: "9.98", terms: "18=6" });
    const why = 'Price(44): expected one at which ExecInst(18) "6" does not trade on arrival';
    assert.deepEqual(await a.next(4), [
      `8 37=NONE|11=p1|17=0-2-0|150=8|39=8|103=99|${BUY}|38=10|40=2|44=10|59=0|18=6|151=0|14=0|6=0|` +
      `58=Cannot accept ${why}, got "10"`,
      `8 37=0-2-1|11=p2|17=0-2-1|150=0|39=0|${BUY}|38=10|40=2|44=9.99|59=0|18=6|151=10|14=0|6=0`,
      `9 37=0-2-1|11=p3|41=p2|39=0|434=2|102=2|58=Cannot replace ${why}`,
      `8 37=0-2-1|11=p4|41=p2|17=0-2-4|150=5|39=0|${BUY}|38=10|40=2|44=9.98|59=0|18=6|151=10|14=0|6=0`,
    ]);
  });

  it("takes an order that is good till a date or a time, and no time that has passed", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    a.order("g1", { price: "9", tif: "6", terms: "432=20991231" });
    a.replace("g2", "g1", { price: "9", tif: "6", terms: "126=20990101-12:00:00.250" });
    a.replace("g3", "g2", { price: "9", tif: "1" });
    a.order("g4", { price: "9", tif: "6", terms: "432=20200101" });
    assert.deepEqual(await a.next(4), [
      `8 37=0-1-0|11=g1|17=0-1-0|150=0|39=0|${BUY}|38=10|40=2|44=9|59=6|126=20991231-23:59:59.999|151=10|14=0|6=0`,
      `8 37=0-1-0|11=g2|41=g1|17=0-1-2|150=5|39=0|${BUY}|38=10|40=2|44=9|59=6|126=20990101-12:00:00.250|` +
      "151=10|14=0|6=0",
      `8 37=0-1-0|11=g3|41=g2|17=0-1-3|150=5|39=0|${BUY}|38=10|40=2|44=9|59=1|151=10|14=0|6=0`,
      `8 37=NONE|11=g4|17=0-1-4|150=8|39=8|103=99|${BUY}|38=10|40=2|44=9|59=6|126=20200101-23:59:59.999|` +
      "151=0|14=0|6=0|" +
      '58=Cannot accept ExpireDate(432): expected a day that is not over, got "20200101"',
    ]);
  });

  it("leaves what a market order did not get as a limit order at the last price", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    b.order("s1", { side: "sell", price: "10", qty: "4" });
    await b.next(1);
    a.order("k1", { qty: "6", type: "K", terms: "110=4" });
    const left = `${BUY}|38=6|40=2|44=10|59=0|151=2|14=4|6=10`;
    assert.deepEqual(await a.next(3), [
      `8 37=0-2-0|11=k1|17=0-2-0|150=0|39=0|${BUY}|38=6|40=K|59=0|151=6|14=0|6=0`,
      `8 37=0-2-0|527=0-2-1|11=k1|17=0-2-1|150=F|39=1|${BUY}|38=6|40=K|59=0|32=4|31=10|151=2|14=4|6=10|851=2`,
      `8 37=0-2-0|11=k1|17=0-2-3|150=D|39=1|378=3|${left}|` +
      `58=Price(44) set to "10", the last trade's: what is left rests as a limit order`,
    ]);
  });

  it("does not let a firm's group trade with itself, whichever of its sessions sends", async () => {
    await using venue = await TestVenue.start();
    const [a1, a2] = await venue.logon("A1", "A2");
    a1.order("r1", { price: "10", qty: "4", terms: "7928=7|8000=X" });
    a1.order("r2", { price: "10", qty: "5" });
    await a1.next(2);
    a2.order("t1", { side: "sell", price: "10", qty: "6", terms: "7928=7|8000=O" });
    // r1 is of the group and goes; r2 is of none and trades.
    assert.deepEqual(await a1.next(2), [
      `8 37=0-1-0|11=r1|17=0-2-1|150=4|39=4|378=8|${BUY}|38=4|40=2|44=10|59=0|151=0|14=0|6=0|58=Canceled: ${SELF}`,
      `8 37=0-1-1|527=0-2-2|11=r2|17=0-2-3|150=F|39=2|${BUY}|38=5|40=2|44=10|59=0|32=5|31=10|151=0|14=5|6=10|851=1`,
    ]);
    const taker = `${SELL}|38=6|40=2|44=10|59=0`;
    assert.deepEqual(await a2.next(2), [
      `8 37=0-2-0|11=t1|17=0-2-0|150=0|39=0|${taker}|151=6|14=0|6=0`,
      `8 37=0-2-0|527=0-2-2|11=t1|17=0-2-2|150=F|39=1|${taker}|32=5|31=10|151=1|14=5|6=10|851=2`,
    ]);
    // What is left of t1 is sell 1; a buy of the group in which both lose the smaller quantity.
    a1.order("d1", { price: "10", qty: "3", terms: "7928=7|8000=D" });
    assert.deepEqual(await a1.next(2), [
      `8 37=0-3-0|11=d1|17=0-3-0|150=0|39=0|${BUY}|38=3|40=2|44=10|59=0|151=3|14=0|6=0`,
      `8 37=0-3-0|11=d1|17=0-3-1|150=D|39=0|378=5|${BUY}|38=2|40=2|44=10|59=0|151=2|14=0|6=0|` +
      `58=OrderQty(38) reduced: ${SELF}`,
    ]);
    assert.deepEqual(await a2.next(1), [
      `8 37=0-2-0|11=t1|17=0-3-2|150=4|39=4|378=8|${SELL}|38=6|40=2|44=10|59=0|151=0|14=5|6=10|58=Canceled: ${SELF}`,
    ]);
    a2.order("n1", { side: "sell", price: "11", qty: "2", terms: "7928=7|8000=N" });
    a2.replace("n2", "n1", { side: "sell", price: "10", qty: "2", terms: "7928=7|8000=N" });
    const refused = `${SELL}|38=2|40=2|44=10|59=0`;
    assert.deepEqual((await a2.next(3)).slice(1), [
      `8 37=0-4-0|11=n2|41=n1|17=0-4-2|150=5|39=0|${refused}|151=2|14=0|6=0`,
      `8 37=0-4-0|11=n2|17=0-4-3|150=4|39=4|378=8|${refused}|151=0|14=0|6=0|58=Canceled: ${SELF}`,
    ]);
  });
});
