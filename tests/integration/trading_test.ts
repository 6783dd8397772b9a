/** Trading through the whole exchange: exact lists of what each session is sent, identifiers included. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { TestVenue } from "./running.ts";

const ACME_BUY = "55=ACME|54=1";
const ACME_SELL = "55=ACME|54=2";

describe("trading between two firms", () => {
  it("reports acceptance, partial fill, fill and replacement to both sides", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    a.order("a1", { price: "10.05", qty: "10" });
    assert.deepEqual(await a.next(1), [
      `8 37=0-1-0|11=a1|17=0-1-0|150=0|39=0|${ACME_BUY}|38=10|40=2|44=10.05|59=0|151=10|14=0|6=0`,
    ]);
    b.order("b1", { side: "sell", price: "10.05", qty: "4" });
    assert.deepEqual(await b.next(2), [
      `8 37=0-2-0|11=b1|17=0-2-0|150=0|39=0|${ACME_SELL}|38=4|40=2|44=10.05|59=0|151=4|14=0|6=0`,
      `8 37=0-2-0|527=0-2-1|11=b1|17=0-2-1|150=F|39=2|${ACME_SELL}|38=4|40=2|44=10.05|59=0|` +
      "32=4|31=10.05|151=0|14=4|6=10.05|851=2",
    ]);
    b.order("b2", { side: "sell", qty: "3" });
    assert.deepEqual(await b.next(2), [
      `8 37=0-3-0|11=b2|17=0-3-0|150=0|39=0|${ACME_SELL}|38=3|40=1|59=0|151=3|14=0|6=0`,
      `8 37=0-3-0|527=0-3-1|11=b2|17=0-3-1|150=F|39=2|${ACME_SELL}|38=3|40=1|59=0|` +
      "32=3|31=10.05|151=0|14=3|6=10.05|851=2",
    ]);
    a.replace("a2", "a1", { price: "10.06", qty: "12" });
    assert.deepEqual(await a.next(3), [
      `8 37=0-1-0|527=0-2-1|11=a1|17=0-2-2|150=F|39=1|${ACME_BUY}|38=10|40=2|44=10.05|59=0|` +
      "32=4|31=10.05|151=6|14=4|6=10.05|851=1",
      `8 37=0-1-0|527=0-3-1|11=a1|17=0-3-2|150=F|39=1|${ACME_BUY}|38=10|40=2|44=10.05|59=0|` +
      "32=3|31=10.05|151=3|14=7|6=10.05|851=1",
      `8 37=0-1-0|11=a2|41=a1|17=0-4-0|150=5|39=1|${ACME_BUY}|38=12|40=2|44=10.06|59=0|151=5|14=7|6=10.05`,
    ]);
    b.order("b3", { side: "sell", price: "10", qty: "5" });
    assert.deepEqual(await a.next(1), [
      `8 37=0-1-0|527=0-5-1|11=a2|17=0-5-2|150=F|39=2|${ACME_BUY}|38=12|40=2|44=10.06|59=0|` +
      "32=5|31=10.06|151=0|14=12|6=10.05416667|851=1",
    ]);
  });

  it("cancels, tells the state of a done order, and says why a second cancel is too late", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    a.order("a1", { price: "9.5" });
    a.cancel("a2", "a1", {});
    a.cancel("a3", "a1", {});
    a.status("a1", {});
    assert.deepEqual(await a.next(4), [
      `8 37=0-1-0|11=a1|17=0-1-0|150=0|39=0|${ACME_BUY}|38=10|40=2|44=9.5|59=0|151=10|14=0|6=0`,
      `8 37=0-1-0|11=a2|41=a1|17=0-1-2|150=4|39=4|${ACME_BUY}|38=10|40=2|44=9.5|59=0|151=0|14=0|6=0`,
      "9 37=0-1-0|11=a3|41=a1|39=4|434=1|102=0|" +
      '58=Cannot cancel OrigClOrdID(41): expected an open order, got "a1", which is canceled',
      `8 37=0-1-0|11=a1|17=0|150=I|39=4|${ACME_BUY}|38=10|40=2|44=9.5|59=0|151=0|14=0|6=0`,
    ]);
  });

  it("expires what IOC, FOK and market orders leave", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    b.order("m1", { side: "sell", price: "10", qty: "10" });
    await b.next(1);
    a.order("fok1", { price: "10", qty: "15", tif: "4" });
    assert.deepEqual(await a.next(2), [
      `8 37=0-2-0|11=fok1|17=0-2-0|150=0|39=0|${ACME_BUY}|38=15|40=2|44=10|59=4|151=15|14=0|6=0`,
      `8 37=0-2-0|11=fok1|17=0-2-1|150=C|39=C|${ACME_BUY}|38=15|40=2|44=10|59=4|151=0|14=0|6=0`,
    ]);
    a.order("ioc1", { price: "10", qty: "12", tif: "3" });
    assert.deepEqual(await a.next(3), [
      `8 37=0-3-0|11=ioc1|17=0-3-0|150=0|39=0|${ACME_BUY}|38=12|40=2|44=10|59=3|151=12|14=0|6=0`,
      `8 37=0-3-0|527=0-3-1|11=ioc1|17=0-3-1|150=F|39=1|${ACME_BUY}|38=12|40=2|44=10|59=3|` +
      "32=10|31=10|151=2|14=10|6=10|851=2",
      `8 37=0-3-0|11=ioc1|17=0-3-3|150=C|39=C|${ACME_BUY}|38=12|40=2|44=10|59=3|151=0|14=10|6=10`,
    ]);
    a.order("mkt1", { qty: "1" });
    assert.deepEqual(await a.next(2), [
      `8 37=0-4-0|11=mkt1|17=0-4-0|150=0|39=0|${ACME_BUY}|38=1|40=1|59=0|151=1|14=0|6=0`,
      `8 37=0-4-0|11=mkt1|17=0-4-1|150=C|39=C|${ACME_BUY}|38=1|40=1|59=0|151=0|14=0|6=0`,
    ]);
  });

  it("shares a pro-rata fill by size, with small shares to the first in time", async () => {
    await using venue = await TestVenue.start();
    const [a1, a2, b] = await venue.logon("A1", "A2", "B1");
    const tulip = { symbol: "TULIP", price: "100.25" };
    a1.order("p1", { ...tulip, qty: "60" });
    await a1.next(1);
    a2.order("p2", { ...tulip, qty: "39" });
    await a2.next(1);
    a1.order("p3", { ...tulip, qty: "1" });
    await a1.next(1);
    b.order("s1", { ...tulip, side: "sell", qty: "50" });
    const order = "55=TULIP|54=1|38=60|40=2|44=100.25|59=0";
    assert.deepEqual(await a1.next(1), [
      `8 37=0-1-0|527=0-4-1|11=p1|17=0-4-2|150=F|39=1|${order}|32=31|31=100.25|151=29|14=31|6=100.25|851=1`,
    ]);
    assert.deepEqual(await a2.next(1), [
      "8 37=0-2-0|527=0-4-3|11=p2|17=0-4-4|150=F|39=1|55=TULIP|54=1|38=39|40=2|44=100.25|59=0|" +
      "32=19|31=100.25|151=20|14=19|6=100.25|851=1",
    ]);
    const taker = "55=TULIP|54=2|38=50|40=2|44=100.25|59=0";
    assert.deepEqual(await b.next(3), [
      `8 37=0-4-0|11=s1|17=0-4-0|150=0|39=0|${taker}|151=50|14=0|6=0`,
      `8 37=0-4-0|527=0-4-1|11=s1|17=0-4-1|150=F|39=1|${taker}|32=31|31=100.25|151=19|14=31|6=100.25|851=2`,
      `8 37=0-4-0|527=0-4-3|11=s1|17=0-4-3|150=F|39=2|${taker}|32=19|31=100.25|151=0|14=50|6=100.25|851=2`,
    ]);
  });
});

describe("refusals", () => {
  it("answers an order that cannot be taken with the reason and the field", async () => {
    await using venue = await TestVenue.start();
    const [a, d] = await venue.logon("A1", "D1");
    const refused = (clOrdId: string, reason: number, terms: string, text: string) =>
      `8 37=NONE|11=${clOrdId}|17=${
        execIds[Number(clOrdId) - 1]
      }|150=8|39=8|103=${reason}|${terms}|151=0|14=0|6=0|58=${text}`;
    const send: [Parameters<typeof a.order>[1], number, string, string][] = [
      [
        { price: "10.001" },
        99,
        `${ACME_BUY}|38=10|40=2|59=0`,
        'Cannot accept Price(44): expected a multiple of 0.01, got "10.001"',
      ],
      [
        { price: "-1" },
        99,
        `${ACME_BUY}|38=10|40=2|59=0`,
        'Cannot accept Price(44): expected a value above 0, got "-1"',
      ],
      [
        { price: "1", qty: "0" },
        13,
        `${ACME_BUY}|40=2|44=1|59=0`,
        'Cannot accept OrderQty(38): expected a value above 0, got "0"',
      ],
      [
        { price: "1", qty: "1001" },
        3,
        `${ACME_BUY}|40=2|44=1|59=0`,
        'Cannot accept OrderQty(38): expected at most 1000, got "1001"',
      ],
      [
        { price: "1", qty: "15", symbol: "GIZMO" },
        13,
        "55=GIZMO|54=1|40=2|44=1|59=0",
        'Cannot accept OrderQty(38): expected a multiple of 10, got "15"',
      ],
      [
        { price: "1", symbol: "NOPE" },
        1,
        "55=NOPE|54=1",
        'Cannot accept Symbol(55): expected a listed symbol, got "NOPE"',
      ],
    ];
    // GIZMO has a shard of its own; an unknown symbol goes to the lowest.
    const execIds = ["0-1-0", "0-2-0", "0-3-0", "0-4-0", "1-1-0", "0-5-0"];
    for (const [index, [fields, reason, terms, text]] of send.entries()) {
      const clOrdId = String(index + 1);
      a.order(clOrdId, fields);
      assert.deepEqual(await a.next(1), [refused(clOrdId, reason, terms, text)]);
    }
    a.order("7", { price: "10" });
    await a.next(1);
    a.order("7", { price: "10" });
    assert.deepEqual(await a.next(1), [
      `8 37=NONE|11=7|17=0-7-0|150=8|39=8|103=6|${ACME_BUY}|38=10|40=2|44=10|59=0|151=0|14=0|6=0|` +
      '58=Cannot accept ClOrdID(11): expected one not used before in this session, got "7"',
    ]);
    d.order("d1", { price: "10" });
    const [line] = await d.next(1);
    assert.match(line, /^j 45=2\|.*372=D\|379=d1\|380=6$/);
  });

  it("refuses to change what a replacement may not change, and leaves the order as it was", async () => {
    await using venue = await TestVenue.start();
    const [a] = await venue.logon("A1");
    a.order("r1", { price: "9" });
    await a.next(1);
    a.replace("r2", "r1", { price: "9", side: "sell" });
    a.replace("r3", "r1", { price: "9", tif: "2" });
    a.replace("r4", "zz", { price: "9" });
    a.replace("r5", "r1", { price: "9", symbol: "TULIP" });
    assert.deepEqual(await a.next(4), [
      "9 37=0-1-0|11=r2|41=r1|39=0|434=2|102=2|" +
      `58=Cannot replace Side(54): expected the order's side, got "2"`,
      "9 37=0-1-0|11=r3|41=r1|39=0|434=2|102=2|" +
      `58=Cannot replace TimeInForce(59): expected 0, 1 or 6 in the place of the order's "0", got "2"`,
      "9 37=NONE|11=r4|41=zz|39=8|434=2|102=1|" +
      '58=Cannot replace OrigClOrdID(41): expected an order of this session or firm, got "zz"',
      "9 37=NONE|11=r5|41=r1|39=8|434=2|102=1|" +
      `58=Cannot replace Symbol(55): expected the order's symbol, got "TULIP"`,
    ]);
    a.status("r1", {});
    assert.deepEqual(await a.next(1), [
      `8 37=0-1-0|11=r1|17=0|150=I|39=0|${ACME_BUY}|38=10|40=2|44=9|59=0|151=10|14=0|6=0`,
    ]);
  });
});

describe("a symbol on another shard", () => {
  it("trades under identifiers of its own, next to the others", async () => {
    await using venue = await TestVenue.start();
    const [a, b] = await venue.logon("A1", "B1");
    const gizmo = { symbol: "GIZMO", price: "2.05", qty: "20" };
    a.order("a1", { price: "1" });
    await a.next(1);
    a.order("a2", gizmo);
    const terms = "55=GIZMO|54=1|38=20|40=2|44=2.05|59=0";
    assert.deepEqual(await a.next(1), [
      `8 37=1-1-0|11=a2|17=1-1-0|150=0|39=0|${terms}|151=20|14=0|6=0`,
    ]);
    b.order("b1", { ...gizmo, side: "sell" });
    assert.deepEqual(await a.next(1), [
      `8 37=1-1-0|527=1-2-1|11=a2|17=1-2-2|150=F|39=2|${terms}|32=20|31=2.05|151=0|14=20|6=2.05|851=1`,
    ]);
  });
});

describe("firms", () => {
  it("lets a firm touch only its own orders, by ClOrdID within a session and by OrderID across its sessions", async () => {
    await using venue = await TestVenue.start();
    const [a1, a2, b] = await venue.logon("A1", "A2", "B1");
    a1.order("x", { price: "5" });
    await a1.next(1);
    const unknown = (clOrdId: string, verb: string, to: number) =>
      `9 37=NONE|11=${clOrdId}|41=x|39=8|434=${to}|102=1|` +
      `58=Cannot ${verb} OrigClOrdID(41): expected an order of this session or firm, got "x"`;
    b.cancel("b1", "x", {});
    b.cancel("b2", "x", { orderId: "0-1-0" });
    b.replace("b3", "x", { price: "6", orderId: "0-1-0" });
    assert.deepEqual(await b.next(3), [
      unknown("b1", "cancel", 1),
      unknown("b2", "cancel", 1),
      unknown("b3", "replace", 2),
    ]);
    a2.cancel("c1", "x", {});
    assert.deepEqual(await a2.next(1), [unknown("c1", "cancel", 1)]);
    a2.cancel("c2", "x", { orderId: "0-1-0" });
    const terms = `${ACME_BUY}|38=10|40=2|44=5|59=0|151=0|14=0|6=0`;
    assert.deepEqual(await a2.next(1), [`8 37=0-1-0|11=c2|41=x|17=0-4-0|150=4|39=4|${terms}`]);
    assert.deepEqual(await a1.next(1), [`8 37=0-1-0|11=x|17=0-4-1|150=4|39=4|${terms}`]);
  });
});
