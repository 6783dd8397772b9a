import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { testInstrument } from "../testing/instrument.ts";
import { Event } from "../codec/wire/mod.ts";
import { reasonText } from "./execution_text.ts";
import { EventKind, OrdType, Reason, TimeInForce } from "./mod.ts";

const CENTS = testInstrument(1, { symbol: "ACME", maxOrderQtyLots: 1000 });

const eventOf = (fields: Partial<Event>) => Object.assign(new Event(), fields);

describe("reasonText of order types, conditions and phases", () => {
  const { OrderRejected, ReplaceRejected, OrderTriggered, OrderRestated, OrderCanceled } = EventKind;
  const until = Date.UTC(2026, 10, 30, 17) * 1000;
  const rows: [reason: Reason, fields: Partial<Event>, text: string][] = [
    [Reason.OrdTypeUnsupported, { ordType: 25 }, 'OrdType(40): expected 1, 2, 3, 4 or K, got "P"'],
    [
      Reason.TimeInForceUnsupported,
      { ordType: OrdType.MarketToLimit, timeInForce: 3 },
      'TimeInForce(59): expected one that goes with OrdType(40) "K", got "3"',
    ],
    [Reason.PriceMissing, { ordType: 4 }, 'Price(44): expected a value for OrdType(40) "4", got none'],
    [
      Reason.PriceForbidden,
      { ordType: 3, priceTicks: 5 },
      'Price(44): expected none for OrdType(40) "3", got "0.05"',
    ],
    [Reason.StopPxMissing, { ordType: 3 }, 'StopPx(99): expected a value for OrdType(40) "3", got none'],
    [
      Reason.StopPxForbidden,
      { ordType: 2, stopPxTicks: 950 },
      'StopPx(99): expected none for OrdType(40) "2", got "9.5"',
    ],
    [
      Reason.StopPxNotPositive,
      { stopPxTicks: 0 },
      'StopPx(99): expected a value above 0 within the limit, got "0"',
    ],
    [Reason.StopPxOffTick, { stopPxTicks: 3 }, 'StopPx(99): expected a multiple of 0.01, got "0.03"'],
    [
      Reason.MaxFloorForbidden,
      { ordType: 2, maxFloorLots: 5 },
      'MaxFloor(111): expected none with OrdType(40) "2" and this TimeInForce(59), got "5"',
    ],
    [
      Reason.MaxFloorInvalid,
      { maxFloorLots: 50 },
      'MaxFloor(111): expected a value above 0, at most OrderQty(38) and at least a hundredth of it, got "50"',
    ],
    [
      Reason.MinQtyForbidden,
      { ordType: 3 },
      'MinQty(110): expected none with OrdType(40) "3" and this TimeInForce(59)',
    ],
    [Reason.MinQtyInvalid, {}, "MinQty(110): expected a value above 0, at most OrderQty(38)"],
    [
      Reason.ExecInstForbidden,
      { execInst: 1 },
      'ExecInst(18): expected none with these OrdType(40), TimeInForce(59) and MinQty(110), got "6"',
    ],
    [
      Reason.ExpireForbidden,
      { expireUs: until },
      'ExpireTime(126): expected none with this TimeInForce(59), got "20261130-17:00:00.000"',
    ],
    [Reason.ExpireMissing, {}, 'ExpireTime(126): expected a time for TimeInForce(59) "6", got none'],
    [
      Reason.ExpirePast,
      { expireUs: until },
      'ExpireTime(126): expected a time that is to come, got "20261130-17:00:00.000"',
    ],
    [
      Reason.ExpirePast,
      { expireUs: Date.UTC(2026, 11, 1) * 1000 - 1 },
      'ExpireDate(432): expected a day that is not over, got "20261130"',
    ],
    [
      Reason.PhaseForbids,
      { ordType: OrdType.Limit, timeInForce: TimeInForce.ImmediateOrCancel },
      'Symbol(55): expected an instrument in a trading phase that takes TimeInForce(59) "3", got "ACME", whose phase now does not: ' +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
    ],
    [
      Reason.PhaseForbids,
      { ordType: OrdType.Limit, timeInForce: TimeInForce.AtTheOpening },
      'Symbol(55): expected an instrument in a trading phase that takes TimeInForce(59) "2", got "ACME", whose phase now does not: ' +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
    ],
    [
      Reason.PhaseForbids,
      { ordType: OrdType.MarketToLimit, timeInForce: TimeInForce.Day },
      'Symbol(55): expected an instrument in a trading phase that takes OrdType(40) "K", got "ACME", whose phase now does not: ' +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
    ],
    [
      Reason.PhaseForbids,
      { ordType: OrdType.Limit, timeInForce: TimeInForce.Day, total: 40 },
      'Symbol(55): expected an instrument in a trading phase that takes MinQty(110) "40", got "ACME", whose phase now does not: ' +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
    ],
    [
      Reason.PhaseForbids,
      {},
      'Symbol(55): expected an instrument in a trading phase that takes this, got "ACME", whose phase now does not: ' +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
    ],
    [
      Reason.PostOnlyWouldTrade,
      { priceTicks: 1005 },
      'Price(44): expected one at which ExecInst(18) "6" does not trade on arrival, got "10.05"',
    ],
  ];
  for (const [reason, fields, text] of rows) {
    it(text, () => {
      const event = eventOf({ ...fields, kind: OrderRejected, reason });
      assert.equal(reasonText(event, CENTS), `Cannot accept ${text}`);
    });
  }

  it("does not repeat what is the order's and was not asked for", () => {
    for (const [reason, fields] of rows) {
      if (reason === Reason.PhaseForbids || reason === Reason.ExpirePast) continue;
      const event = eventOf({ ...fields, kind: ReplaceRejected, reason, orderId: 9 });
      assert.doesNotMatch(reasonText(event, CENTS), /got "/);
    }
    const triggered = eventOf({ kind: ReplaceRejected, reason: Reason.StopTriggered, orderId: 9 });
    assert.equal(
      reasonText(triggered, CENTS),
      "Cannot replace OrdType(40): expected no stop type for an order whose stop has been triggered",
    );
  });

  const asked: [fields: Partial<Event>, text: string][] = [
    [
      { reason: Reason.TimeInForceUnsupported, timeInForce: TimeInForce.Day, total: 51 },
      `TimeInForce(59): expected 0, 1 or 6 in the place of the order's "0", got "3"`,
    ],
    [
      { reason: Reason.TimeInForceUnsupported, timeInForce: TimeInForce.AtTheOpening, total: 48 },
      `TimeInForce(59): expected the order's own "2", got "0"`,
    ],
    [
      { reason: Reason.OrdTypeUnsupported, ordType: 2, total: 80 },
      'OrdType(40): expected 1, 2, 3, 4 or K, got "P"',
    ],
    [
      { reason: Reason.StopTriggered, ordType: 2, total: 51 },
      'OrdType(40): expected no stop type for an order whose stop has been triggered, got "3"',
    ],
    [
      { reason: Reason.ExpirePast, expireUs: until },
      'ExpireTime(126): expected a time that is to come, got "20261130-17:00:00.000"',
    ],
    [
      { reason: Reason.ExpirePast, expireUs: Date.UTC(2026, 11, 1) * 1000 - 1 },
      'ExpireDate(432): expected a day that is not over, got "20261130"',
    ],
    [
      { reason: Reason.PhaseForbids, total: 75 },
      'Symbol(55): expected an instrument in a trading phase that takes OrdType(40) "K", got "ACME", whose phase now does not: ' +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
    ],
  ];
  for (const [fields, text] of asked) {
    it(`a replacement: ${text}`, () => {
      const event = eventOf({ ...fields, kind: ReplaceRejected, orderId: 9 });
      assert.equal(reasonText(event, CENTS), `Cannot replace ${text}`);
    });
  }

  const unasked: [title: string, fields: Partial<Event>, text: string][] = [
    [
      "a triggered stop",
      { kind: OrderTriggered, stopPxTicks: 950, timeInForce: TimeInForce.Day },
      'Triggered: a trade reached StopPx(99) "9.5"',
    ],
    [
      "an order for the closing auction",
      { kind: OrderTriggered, timeInForce: TimeInForce.AtTheClose },
      'Activated: the closing auction has begun, for which TimeInForce(59) "7" waits',
    ],
    [
      "a post-only order moved",
      { kind: OrderRestated, reason: Reason.PostOnlyRepriced, priceTicks: 999 },
      'Price(44) moved to "9.99": at the one sent the order would have traded on arrival, which ExecInst(18) "6" forbids',
    ],
    [
      "a leftover priced",
      { kind: OrderRestated, reason: Reason.LeftoverPriced, priceTicks: 999 },
      `Price(44) set to "9.99", the last trade's: what is left rests as a limit order`,
    ],
    [
      "a quantity reduced",
      { kind: OrderRestated, reason: Reason.SelfMatchPrevented },
      "OrderQty(38) reduced: it would have traded with an order of the same firm and SelfMatchPreventionID(7928)",
    ],
    [
      "a cancel for a self-match",
      { kind: OrderCanceled, reason: Reason.SelfMatchPrevented },
      "Canceled: it would have traded with an order of the same firm and SelfMatchPreventionID(7928)",
    ],
    [
      "a mass cancel",
      { kind: OrderCanceled, reason: Reason.MassCanceled },
      "Canceled by a mass cancel for orders of its session, its firm or the venue",
    ],
  ];
  for (const [title, fields, text] of unasked) {
    it(`says what happened: ${title}`, () => {
      assert.equal(reasonText(eventOf({ ...fields, orderId: 9 }), CENTS), text);
    });
  }

  it("says that a mass status request found nothing", () => {
    const event = eventOf({ kind: OrderRejected, reason: Reason.UnknownOrder, detail: 2 });
    assert.equal(
      reasonText(event, null),
      "Cannot report orders: expected an open order that the request is about, got none",
    );
  });
});
