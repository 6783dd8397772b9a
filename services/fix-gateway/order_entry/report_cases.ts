/** Test support for report: one event in, the body with `|` for SOH out. */
import assert from "node:assert/strict";
import { FixWriter } from "../../../shared/codec/fix/mod.ts";
import { Event } from "../../../shared/codec/wire/mod.ts";
import { OrdType, Side, TimeInForce } from "../../../shared/protocol/mod.ts";
import { checkedBody, fillEvent, venue } from "./fixture.ts";
import { report } from "./report.ts";

const VENUE = venue();
const writer = new FixWriter();

/** The report of an event: MsgType and body with `|`, checked against the FIX 4.4 dictionary. */
export function reportOf(fields: Record<string, number | string>, eventIndex = 0): string | null {
  const event = fillEvent(new Event(), fields);
  const timestampUs = Date.UTC(2026, 10, 30, 12, 34, 56, 789) * 1000 + 999;
  writer.begin();
  const position = { shard: 0, cmdSeq: 1234, eventIndex, timestampUs };
  const msgType = report(event, position, VENUE, writer);
  if (msgType === null) {
    assert.equal(writer.body.length, 0);
    return null;
  }
  const body = checkedBody(msgType, writer);
  assert.doesNotMatch(body, /(^|\|)(\d{5,}|[5-9]\d{3})=/, "a user-defined field");
  return `35=${msgType}|${body}`;
}

/** A resting limit order of {@link ACME}: buy 100 at 10.05, nothing executed. */
export const ORDER = {
  sessionId: 7,
  firmId: 9,
  instrumentId: 1,
  orderId: 1234 * 4096 + 5,
  side: Side.Buy,
  ordType: OrdType.Limit,
  timeInForce: TimeInForce.Day,
  priceTicks: 201,
  orderQtyLots: 10,
  leavesQtyLots: 10,
  clOrdId: "c1",
};
/** TransactTime of every report. */
export const STAMP = "60=20261130-12:34:56.789|";
