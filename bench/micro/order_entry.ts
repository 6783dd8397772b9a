/**
 * Order entry on one core: FIX order messages to commands, events to report bodies. The mix of messages: 70 % limit
 * NewOrderSingle, 20 % OrderCancelRequest, 10 % market IOC. The mix of events: 50 % New, 30 % Trade, 20 % Canceled.
 * Parsing and header are not in the figures: bench/micro/codec.ts has them.
 */
import {
  ACME,
  fillEvent,
  messageOf,
  session,
  venue,
} from "../../services/fix-gateway/order_entry/fixture.ts";
import { report, translate } from "../../services/fix-gateway/order_entry/mod.ts";
import { type FixMessage, FixWriter } from "../../shared/codec/fix/mod.ts";
import { Command, Event } from "../../shared/codec/wire/mod.ts";
import { EventKind, Liquidity, OrdStatus } from "../../shared/protocol/mod.ts";
import type { BenchResult } from "../result.ts";

/** Rates over `count` messages each (≥ 10), after as many for warming up; the hash covers what one round made. */
export function run(count = 500_000): BenchResult[] {
  return [translation(count), reporting(count)];
}

function translation(count: number): BenchResult {
  const messages = mixOfMessages();
  const trader = session();
  const where = venue();
  const command = new Command();
  const round = (rounds: number) => {
    let sum = 0;
    for (let i = 0; i < rounds; i++) {
      translate(messages[i % messages.length], trader, where, command);
      sum =
        Math.imul(sum, 31) + command.kind + command.priceTicks + command.qtyLots + command.clOrdId.length | 0;
    }
    return sum;
  };
  return measure("order entry: translate", count, round, round(messages.length));
}

function reporting(count: number): BenchResult {
  const events = mixOfEvents();
  const where = venue();
  const writer = new FixWriter();
  const position = { shard: 0, cmdSeq: 123_456, eventIndex: 0, timestampUs: 1_796_040_000_000_000 };
  const round = (rounds: number, digest = false) => {
    let sum = 0;
    for (let i = 0; i < rounds; i++) {
      position.cmdSeq = 123_456 + i;
      position.timestampUs = 1_796_040_000_000_000 + i * 10;
      writer.begin();
      report(events[i % events.length], position, where, writer);
      if (digest) { for (const byte of writer.body) sum = Math.imul(sum, 31) + byte | 0; }
    }
    return sum;
  };
  return measure("order entry: report body", count, round, round(events.length, true), 500_000);
}

function measure(
  name: string,
  count: number,
  round: (rounds: number) => unknown,
  sum: number,
  bar?: number,
): BenchResult {
  round(count);
  const start = performance.now();
  round(count);
  const seconds = (performance.now() - start) / 1000;
  return { name, unit: "messages/s", value: count / seconds, hash: (sum >>> 0).toString(16), bar };
}

function mixOfMessages(): FixMessage[] {
  const messages: FixMessage[] = [];
  for (let i = 0; i < 100; i++) {
    const side = 1 + i % 2;
    const id = `11=ORDER-${1_000_000 + i}|`;
    const common = `21=1|55=${ACME.symbol}|54=${side}|60=20261130-12:00:00.000|`;
    if (i % 10 < 7) messages.push(messageOf("D", `${id}${common}38=100|40=2|44=${100 + i}.05|59=0|`));
    else if (i % 10 < 9) messages.push(messageOf("F", `41=ORDER-${i}|${id}${common.slice(5)}38=100|`));
    else messages.push(messageOf("D", `${id}${common}38=50|40=1|59=3|`));
  }
  return messages;
}

function mixOfEvents(): Event[] {
  const events: Event[] = [];
  for (let i = 0; i < 100; i++) {
    const order = {
      sessionId: 7,
      firmId: 9,
      instrumentId: ACME.id,
      orderId: (1000 + i) * 4096 + i,
      side: 1 + i % 2,
      ordType: 2,
      priceTicks: 2000 + i,
      orderQtyLots: 10,
      leavesQtyLots: 10,
      clOrdId: `ORDER-${1_000_000 + i}`,
    };
    const trade = {
      kind: EventKind.OrderExecuted,
      ordStatus: OrdStatus.PartiallyFilled,
      leavesQtyLots: 7,
      cumQtyLots: 3,
      notionalLow: 6000 + i,
      lastPxTicks: 2000,
      lastQtyLots: 1,
      tradeIndex: 1,
      liquidity: Liquidity.Added,
    };
    const canceled = { kind: EventKind.OrderCanceled, ordStatus: OrdStatus.Canceled, leavesQtyLots: 0 };
    const kind = i % 10 < 5
      ? { kind: EventKind.OrderAccepted }
      : i % 10 < 8
      ? trade
      : { ...canceled, origClOrdId: "ORDER-1" };
    events.push(fillEvent(new Event(), { ...order, ...kind }));
  }
  return events;
}
