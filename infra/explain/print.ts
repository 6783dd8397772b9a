/** An explanation as text for people. No I/O. */
import { CommandKind, MatchAlgorithm } from "../../shared/protocol/mod.ts";
import { STEP_NAMES, type StepName } from "../../services/matcher/engine/allocation.ts";
import type { Venue } from "../../shared/config/venue.ts";
import { stepTable, stepTitle, table } from "../allocation/told_text.ts";
import { type CausingCommand, kindName } from "./command.ts";
import { type Explanation, textOf } from "./explanation.ts";
import { outcomeReasons } from "./outcome_text.ts";
import type { LevelStage, RestingOrder } from "./recording.ts";
import { ordTypeText, sideText, timeInForceText, timeText, Words } from "./words.ts";

type LevelExplanation = Extract<Explanation, { kind: "level" }>;
type AuctionExplanation = Extract<Explanation, { kind: "auction" }>;

/** The whole explanation. */
export function explanationText(explanation: Explanation, command: CausingCommand, venue: Venue): string {
  const words = new Words(venue, explanation.execId.shard, explanation.execution.instrumentId);
  const lines = [
    ...executionLines(explanation, words),
    "",
    ...commandLines(explanation, command, words),
    "",
    ...(explanation.kind === "level" ? levelLines(explanation, words) : auctionLines(explanation, words)),
  ];
  const { lot } = words.instrument;
  if (words.qty(1) !== "1") lines.push("", `Quantities in tables and steps are in lots of ${lot}.`);
  return `${lines.join("\n")}\n`;
}

function executionLines({ execId, execution, counter, ...rest }: Explanation, words: Words): string[] {
  const { side, lastQtyLots, lastPxTicks, cumQtyLots, leavesQtyLots, firmId } = execution;
  const resting = rest.kind === "level" && execution.orderId !== rest.stage.aggressorId;
  const role = rest.kind === "auction"
    ? "in an auction"
    : resting
    ? "as the resting side"
    : "as the aggressor";
  return [
    `Execution ${textOf(execId)}: ${sideText(side)} ${words.qty(lastQtyLots)} ${words.instrument.symbol} at ${
      words.price(lastPxTicks)
    }`,
    `Order ${words.owned(execution)} of ${words.firm(firmId)}, ${role}, against order ${
      words.owned(counter)
    }`,
    `Afterwards: CumQty ${words.qty(cumQtyLots)}, LeavesQty ${words.qty(leavesQtyLots)}`,
  ];
}

function commandLines(
  { execId, timestampUs }: Explanation,
  command: CausingCommand,
  words: Words,
): string[] {
  const { index, kind, sessionId, clOrdId, origClOrdId, side, ordType, timeInForce } = command;
  const { priceTicks, stopPxTicks, qtyLots, maxFloorLots, minQtyLots } = command;
  const id = clOrdId === "" ? "" : `, ClOrdID ${clOrdId}`;
  const of = origClOrdId === "" ? "" : `, OrigClOrdID ${origClOrdId}`;
  const terms = qtyLots === 0 ? [] : [
    `${sideText(side)} ${words.qty(qtyLots)}`,
    priceTicks === 0 ? "" : `at ${words.price(priceTicks)}`,
    `${ordTypeText(ordType)}, ${timeInForceText(timeInForce)}`,
    stopPxTicks === 0 ? "" : `StopPx ${words.price(stopPxTicks)}`,
    maxFloorLots === 0 ? "" : `MaxFloor ${words.qty(maxFloorLots)}`,
    minQtyLots === 0 ? "" : `MinQty ${words.qty(minQtyLots)}`,
  ].filter((term) => term !== "");
  return [
    `Command ${index} of message ${execId.cmdSeq}, ${timeText(timestampUs)}: ${kindName(kind)} by ${
      kind === CommandKind.SetPhase ? phaseSetter(command) : words.session(sessionId)
    }${id}${of}`,
    ...(terms.length === 0 ? [] : [`  ${terms.join(", ")}`]),
  ];
}

/** Who set a phase: a schedule says when it was due, and the end of an auction which phase it ends. */
function phaseSetter({ expireUs, scope }: CausingCommand): string {
  if (expireUs > 0) return "the venue (its schedule)";
  return scope > 0 ? "the venue (the end of an auction)" : "an operator (deno task admin audit says who)";
}

function levelLines(explanation: LevelExplanation, words: Words): string[] {
  const { stage, execution, counter } = explanation;
  const { side, priceTicks, orders, leftLots, aggressorId, algorithm, steps } = stage;
  const byTime = steps.length === 0;
  const resting = execution.orderId === aggressorId ? counter : execution;
  const count = orders.length === 1 ? "1 order" : `${orders.length} orders`;
  const lines = [
    `The level: ${sideText(side)}s at ${words.price(priceTicks)}, ${count}; order ${
      words.order(aggressorId)
    } came to it with ${leftLots} lots`,
    ruleLine(stage),
  ];
  if (explanation.aggressorPrevented !== null) {
    lines.push(`Self-match prevention: the aggressor was ${explanation.aggressorPrevented}`);
  }
  const names = STEP_NAMES[algorithm];
  const label = (order: number) => restingLabel(orders[order], names, words);
  steps.forEach((told, i) => {
    const rounds = steps.length > names.length;
    if (rounds && i % names.length === 0) lines.push("", `Round ${i / names.length + 1}`);
    lines.push("", stepTitle(i % names.length + 1, told));
    lines.push(told.before === 0 ? "Nothing is left to share out." : stepTable(told, label).trimEnd());
  });
  const reasons = outcomeReasons(explanation);
  const head = ["Order", "Shows", "Hides", "Receives", ...(byTime ? ["Why"] : [])];
  const rows = explanation.outcomes.map(({ order, receivedLots, prevented }, i) => [
    restingLabel(order, names, words) +
    (prevented === null || byTime ? "" : `, ${prevented} by self-match prevention`),
    order.shownLots,
    order.hiddenLots,
    receivedLots,
    ...(byTime ? [reasons[i]] : []),
  ]);
  lines.push("", byTime ? "In time priority" : "In all", table(head, rows).trimEnd());
  lines.push(`Order ${words.owned(resting)} received ${execution.lastQtyLots} of it in this trade.`);
  return lines;
}

function ruleLine({ algorithm, steps, leftLots, orders }: LevelStage): string {
  if (steps.length > 0) return `Algorithm ${algorithm}: ${STEP_NAMES[algorithm].join(", ")}`;
  if (algorithm === MatchAlgorithm.Fifo) return "Algorithm F: the oldest first";
  const total = orders.reduce((sum, { shownLots, hiddenLots }) => sum + shownLots + hiddenLots, 0);
  return `The aggressor's ${leftLots} take all that may trade of the level's ${total}: the oldest first, whatever the ` +
    `algorithm (${algorithm})`;
}

/** An order at the level, with what the algorithm's steps care about. */
function restingLabel(order: RestingOrder, steps: readonly StepName[], words: Words): string {
  const marks = [
    words.owned(order),
    order.isTop && (steps.includes("top") || steps.includes("lmm")) ? "top order" : "",
    order.makerPercent !== null && steps.includes("lmm") ? `market maker, ${order.makerPercent} %` : "",
  ];
  return marks.filter((mark) => mark !== "").join(", ");
}

function auctionLines({ stage, parts, execution }: AuctionExplanation, words: Words): string[] {
  const { priceTicks, qtyLots, surplusLots, referenceTicks, marketBuyLots, marketSellLots, rows } = stage;
  const lines = [
    `The auction's price is ${words.price(priceTicks)}: ${qtyLots} lots trade, surplus ${
      surplusText(surplusLots)
    }`,
    `Reference price ${
      referenceTicks === 0 ? "none" : words.price(referenceTicks)
    }; market orders: buy ${marketBuyLots}, ` +
    `sell ${marketSellLots}`,
    "The most that trades, then the smallest surplus, then the side of the surplus, then the reference price:",
  ];
  const curve = rows.map((row) => {
    const executable = Math.min(row.buyLots, row.sellLots);
    const chosen = row.priceTicks === priceTicks ? "the price" : "";
    return [
      words.price(row.priceTicks),
      row.buyLots,
      row.sellLots,
      executable,
      row.buyLots - row.sellLots,
      chosen,
    ];
  });
  lines.push(table(["Price", "Buy", "Sell", "Trades", "Surplus", ""], curve).trimEnd());
  lines.push("", `The ${sideText(execution.side)}s that trade, by price, then time, whatever they hide`);
  const traded = parts.map((part) => {
    const all = part.receivedLots === part.leavesLots;
    return [
      words.owned(part),
      part.priceTicks === 0 ? "market" : words.price(part.priceTicks),
      part.leavesLots,
      part.receivedLots,
      all ? "its turn: all of it" : `its turn: the last ${part.receivedLots} of ${qtyLots}`,
    ];
  });
  lines.push(table(["Order", "Price", "Quantity", "Receives", "Why"], traded).trimEnd());
  lines.push(`Order ${words.owned(execution)} received ${execution.lastQtyLots} of it in this trade.`);
  return lines;
}

function surplusText(lots: number): string {
  return lots === 0 ? "none" : `${Math.abs(lots)} ${lots > 0 ? "to buy" : "to sell"}`;
}
