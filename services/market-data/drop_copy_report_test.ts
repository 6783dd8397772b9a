import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixMessage, FixWriter } from "../../shared/codec/fix/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { EventKind, Reason } from "../../shared/protocol/mod.ts";
import { dropCopySchema } from "../../shared/protocol/market_data_schema.ts";
import { report } from "../fix-gateway/order_entry/report.ts";
import { dropCopyOf } from "./drop_copy.ts";
import { AT, type EventFields, eventOf, OPEN_US, ORDER, TRADER1, TULIP } from "./test_events.ts";

const TRANSACT_TIME = "2026-03-02T09:30:00.000123Z";

/** FIX tag → the drop copy's name for it. */
const NAMES: Record<number, string> = {
  6: "avgPx",
  11: "clOrdId",
  14: "cumQty",
  17: "execId",
  18: "execInst",
  31: "lastPx",
  32: "lastQty",
  37: "orderId",
  38: "orderQty",
  39: "ordStatus",
  40: "ordType",
  41: "origClOrdId",
  44: "price",
  54: "side",
  55: "symbol",
  58: "text",
  59: "timeInForce",
  60: "transactTime",
  99: "stopPx",
  102: "cxlRejReason",
  103: "ordRejReason",
  111: "maxFloor",
  126: "expireTime",
  150: "execType",
  151: "leavesQty",
  378: "execRestatementReason",
  434: "cxlRejResponseTo",
  527: "secondaryExecId",
  584: "massStatusReqId",
  790: "ordStatusReqId",
  851: "lastLiquidityInd",
  911: "totNumReports",
  912: "lastRptRequested",
};
/** What a copy says beyond the report: whose it is and where it stands. */
const COPY_ONLY = ["kind", "copyId", "session", "firm", "cmdSeq"];

describe("a drop copy and the FIX report of the same event", () => {
  const { OrderAccepted, OrderRejected, OrderExecuted, OrderCanceled, OrderReplaced } = EventKind;
  const { OrderExpired, CancelRejected, ReplaceRejected, OrderStatusReported, OrderRestated } = EventKind;
  const { SelfMatchPrevented } = Reason;
  const filled = { cumQtyLots: 3, leavesQtyLots: 6, notionalLow: 127 };
  const rows: [string, EventFields][] = [
    ["New", { ...ORDER, kind: OrderAccepted, leavesQtyLots: 9 }],
    ["New at market", {
      ...ORDER,
      kind: OrderAccepted,
      ordType: 1,
      priceTicks: 0,
      timeInForce: 3,
      leavesQtyLots: 9,
    }],
    ["Rejected", {
      ...ORDER,
      kind: OrderRejected,
      ordStatus: 8,
      orderId: 0,
      reason: Reason.DuplicateClOrdId,
    }],
    ["Rejected, unknown symbol", {
      ...ORDER,
      kind: OrderRejected,
      ordStatus: 8,
      instrumentId: 0,
      symbol: "X",
      reason: 1,
    }],
    ["Trade", {
      ...ORDER,
      ...filled,
      kind: OrderExecuted,
      ordStatus: 1,
      lastPxTicks: 43,
      lastQtyLots: 2,
      liquidity: 2,
      tradeIndex: 4,
    }],
    ["Canceled", {
      ...ORDER,
      ...filled,
      kind: OrderCanceled,
      ordStatus: 4,
      leavesQtyLots: 0,
      origClOrdId: "A0",
    }],
    ["Replaced", { ...ORDER, ...filled, kind: OrderReplaced, ordStatus: 1, origClOrdId: "A0" }],
    ["Expired", { ...ORDER, ...filled, kind: OrderExpired, ordStatus: 12, leavesQtyLots: 0, timeInForce: 3 }],
    ["Status", { ...ORDER, ...filled, kind: OrderStatusReported, ordStatus: 1, origClOrdId: "Q1" }],
    ["Status of an unknown order", {
      kind: OrderRejected,
      detail: 1,
      ordStatus: 8,
      instrumentId: 4,
      side: 1,
      clOrdId: "A9",
      reason: 3,
    }],
    ["New with every term", {
      ...ORDER,
      kind: OrderAccepted,
      ordType: 4,
      stopPxTicks: 43,
      maxFloorLots: 2,
      timeInForce: 6,
      expireUs: OPEN_US,
      execInst: 1,
      leavesQtyLots: 9,
    }],
    ["Triggered", { ...ORDER, kind: EventKind.OrderTriggered, stopPxTicks: 43, leavesQtyLots: 9 }],
    ["Restated for a self-match", {
      ...ORDER,
      ...filled,
      kind: OrderRestated,
      ordStatus: 1,
      reason: SelfMatchPrevented,
    }],
    ["Repriced", {
      ...ORDER,
      kind: OrderRestated,
      execInst: 1,
      reason: Reason.PostOnlyRepriced,
      leavesQtyLots: 9,
    }],
    ["Canceled for a self-match", {
      ...ORDER,
      kind: OrderCanceled,
      ordStatus: 4,
      reason: SelfMatchPrevented,
    }],
    ["Canceled with others", { ...ORDER, kind: OrderCanceled, ordStatus: 4, reason: Reason.MassCanceled }],
    ["Execution of a quote", {
      ...ORDER,
      ...filled,
      kind: OrderExecuted,
      clOrdId: "QUOTE-1",
      ordStatus: 1,
      lastPxTicks: 43,
      lastQtyLots: 2,
      liquidity: 1,
      tradeIndex: 4,
    }],
    ["Mass status", {
      ...ORDER,
      kind: OrderStatusReported,
      detail: 2,
      origClOrdId: "ask",
      index: 1,
      total: 2,
    }],
    ["Mass status that finds nothing", {
      kind: OrderRejected,
      detail: 2,
      ordStatus: 8,
      instrumentId: 4,
      side: 1,
      origClOrdId: "ask",
      reason: 3,
    }],
    ["cancel refused", { ...ORDER, kind: CancelRejected, ordStatus: 2, origClOrdId: "A0", reason: 4 }],
    ["replace refused", { ...ORDER, kind: ReplaceRejected, ordStatus: 1, origClOrdId: "A0", reason: 11 }],
  ];
  for (const [name, fields] of rows) {
    it(`say the same: ${name}`, () => {
      const event = eventOf(fields);
      const instrument = fields.instrumentId === 4 ? TULIP : null;
      const copy = dropCopyOf(event, AT, TRADER1, instrument);
      assert.notEqual(copy, null);
      assert.deepEqual(dropCopySchema.parse(copy), copy);
      const writer = new FixWriter();
      writer.begin();
      const venue = { instrumentById: new Map([[4, TULIP]]) } as unknown as Venue;
      assert.equal(report(event, AT, venue, writer), copy?.kind === "cancel-reject" ? "9" : "8");
      const said = Object.fromEntries(
        Object.entries(copy ?? {}).filter(([key]) => !COPY_ONLY.includes(key))
          .map(([key, value]) => [key, String(value)]),
      );
      const expected = fieldsOf(writer);
      assert.equal(expected.transactTime, "20260302-09:30:00.000");
      expected.transactTime = TRANSACT_TIME;
      // The copy's times are finer.
      if (expected.expireTime === "20260302-09:30:00.000") expected.expireTime = TRANSACT_TIME;
      assert.deepEqual(said, expected);
    });
  }
});

/** The fields of a report's body under the drop copy's names. */
function fieldsOf(writer: FixWriter): Record<string, string> {
  const bytes = writer.finish({
    beginString: "FIX.4.4",
    msgType: "8",
    senderCompId: "PITWIRE",
    targetCompId: "TRADER1",
    msgSeqNum: 1,
    sendingTimeMs: OPEN_US / 1000,
  });
  const message = new FixMessage();
  assert.equal(message.parse(bytes, 0, bytes.length), 0);
  const fields: Record<string, string> = {};
  for (let i = 0; i < message.fieldCount; i++) {
    const tag = message.tags[i];
    if ([8, 9, 10, 34, 35, 49, 52, 56].includes(tag)) continue;
    fields[NAMES[tag] ?? `tag ${tag}`] = message.text(tag) ?? "";
  }
  return fields;
}
