/** An explanation as one line of JSON: quantities in lots, prices and identifiers as text. No I/O. */
import type { ShareRule, ToldStep } from "../../services/matcher/engine/allocation_told.ts";
import type { Venue } from "../../shared/config/venue.ts";
import { whyText } from "../allocation/told_text.ts";
import { type CausingCommand, kindName } from "./command.ts";
import { type Explanation, textOf } from "./explanation.ts";
import { outcomeReasons } from "./outcome_text.ts";
import type { RecordedEvent } from "./recording.ts";
import { sideText, timeText, Words } from "./words.ts";

/** One line, without its end. */
export function explanationJson(explanation: Explanation, command: CausingCommand, venue: Venue): string {
  const { execId, timestampUs, execution, counter } = explanation;
  const words = new Words(venue, execId.shard, execution.instrumentId);
  return JSON.stringify({
    execId: textOf(execId),
    time: timeText(timestampUs),
    symbol: words.instrument.symbol,
    lot: words.instrument.lot,
    execution: executionJson(execution, words),
    counter: executionJson(counter, words),
    command: {
      sequence: execId.cmdSeq,
      index: command.index,
      kind: kindName(command.kind),
      session: words.session(command.sessionId),
      clOrdId: command.clOrdId,
      ordType: command.ordType,
      timeInForce: command.timeInForce,
      qtyLots: command.qtyLots,
      price: command.priceTicks === 0 ? null : words.price(command.priceTicks),
    },
    ...(explanation.kind === "level"
      ? { level: levelJson(explanation, words) }
      : { auction: auctionJson(explanation, words) }),
  });
}

function executionJson(event: RecordedEvent, words: Words): Record<string, unknown> {
  const { orderId, clOrdId, sessionId, firmId, side, lastQtyLots, lastPxTicks, cumQtyLots, leavesQtyLots } =
    event;
  return {
    orderId: words.order(orderId),
    clOrdId,
    session: words.session(sessionId),
    firm: words.firm(firmId),
    side: sideText(side),
    lastQtyLots,
    lastPx: words.price(lastPxTicks),
    cumQtyLots,
    leavesQtyLots,
  };
}

function levelJson(
  explanation: Extract<Explanation, { kind: "level" }>,
  words: Words,
): Record<string, unknown> {
  const { stage, outcomes, aggressorPrevented } = explanation;
  const byTime = stage.steps.length === 0;
  const reasons = outcomeReasons(explanation);
  return {
    side: sideText(stage.side),
    price: words.price(stage.priceTicks),
    algorithm: stage.algorithm,
    oldestFirst: byTime,
    aggressor: words.order(stage.aggressorId),
    leftLots: stage.leftLots,
    aggressorPrevented,
    orders: outcomes.map(({ order, receivedLots, trades, prevented }, i) => ({
      orderId: words.order(order.orderId),
      clOrdId: order.clOrdId,
      session: words.session(order.sessionId),
      shownLots: order.shownLots,
      hiddenLots: order.hiddenLots,
      top: order.isTop,
      lmmPercent: order.makerPercent,
      receivedLots,
      trades,
      prevented,
      ...(byTime ? { why: reasons[i] } : {}),
    })),
    steps: stage.steps.map((told) => stepJson(told, (order) => words.order(stage.orders[order].orderId))),
  };
}

function stepJson({ step, before, after, openTotal, shares }: ToldStep, id: (order: number) => string) {
  return {
    step,
    before,
    after,
    openTotal,
    shares: shares.map(({ order, open, gave, rule }) => ({
      orderId: id(order),
      open,
      gave,
      ...fractionOf(rule),
      why: whyText(rule, open),
    })),
  };
}

/** The share before rounding, exact, where a proportion gave it. */
function fractionOf(rule: ShareRule): Record<string, string> {
  if (rule.kind === "split") return fractionOf(rule.proportion);
  if (rule.kind !== "proportion" && rule.kind !== "marketMaker") return {};
  return { numerator: String(rule.numerator), denominator: String(rule.denominator) };
}

function auctionJson(
  { stage, parts }: Extract<Explanation, { kind: "auction" }>,
  words: Words,
): Record<string, unknown> {
  const { priceTicks, qtyLots, surplusLots, referenceTicks, marketBuyLots, marketSellLots, rows } = stage;
  return {
    price: words.price(priceTicks),
    qtyLots,
    surplusLots,
    referencePrice: referenceTicks === 0 ? null : words.price(referenceTicks),
    marketBuyLots,
    marketSellLots,
    prices: rows.map(({ priceTicks, buyLots, sellLots }) => ({
      price: words.price(priceTicks),
      buyLots,
      sellLots,
    })),
    orders: parts.map(({ orderId, clOrdId, sessionId, priceTicks, leavesLots, receivedLots }) => ({
      orderId: words.order(orderId),
      clOrdId,
      session: words.session(sessionId),
      price: priceTicks === 0 ? null : words.price(priceTicks),
      leavesLots,
      receivedLots,
    })),
  };
}
