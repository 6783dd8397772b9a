/** The naive order commands: new, cancel, replace, status, refused. Pure. */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  ExecInst,
  MAX_PRICE_TICKS,
  OrdStatus,
  OrdType,
  Phase,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { RefEvents } from "./events.ts";
import { clOrdIdFault, first, newOrderFault, replaceFault } from "./faults.ts";
import { isCallPhase, type RefMarket } from "./market.ts";
import type { RefMatching } from "./matching.ts";
import { agreedOrder, identityFault, namedOrder, requestFault } from "./order_rules.ts";
import { isBetter, leavesOf, newRefOrder, opposite, type RefOrder, termsOf } from "./order.ts";
import type { RefState } from "./state.ts";

/** What clients ask of single orders. */
export class RefOrders {
  readonly #state: RefState;
  readonly #events: RefEvents;
  readonly #matching: RefMatching;

  constructor(state: RefState, events: RefEvents, matching: RefMatching) {
    this.#state = state;
    this.#events = events;
    this.#matching = matching;
  }

  newOrder(command: Command, orderId: number): void {
    const { names, open, maxOpenOrders, timestampUs } = this.#state;
    const clOrdId = command.clOrdId.toString();
    const known = names.find(command.sessionId, clOrdId);
    if (known !== undefined) {
      return this.#answerKnown(command, EventKind.OrderRejected, known.order, undefined);
    }
    const market = this.#state.markets.get(command.instrumentId);
    const reason = clOrdIdFault(clOrdId) || newOrderFault(command, market, timestampUs) ||
      first(
        [mayRest(command, market!) && open.size >= maxOpenOrders, Reason.BookFull],
        [postOnlyPrice(command, market!) === undefined, Reason.PostOnlyWouldTrade],
      );
    if (reason !== Reason.None) {
      const most = reason === Reason.BookFull ? maxOpenOrders : 0;
      return this.#events.refuse(EventKind.OrderRejected, reason, 0, undefined, most);
    }
    const order = newRefOrder(command, {
      orderId,
      instrument: command.instrumentId,
      side: command.side,
      isQuote: false,
      qty: command.qtyLots,
      minQty: command.minQtyLots,
      ...termsOf(command),
    });
    names.add(order.session, clOrdId, order);
    open.add(order);
    this.#events.ofOrder(EventKind.OrderAccepted, order);
    this.#reprice(order, postOnlyPrice(command, market!)!);
    this.#matching.place(order);
  }

  cancelOrder(command: Command): void {
    const { names } = this.#state;
    const order = namedOrder(command, names);
    const known = names.find(command.sessionId, command.clOrdId.toString());
    if (known !== undefined) return this.#answerKnown(command, EventKind.CancelRejected, known.order, order);
    const reason = requestFault(command, names, order) ||
      first([this.#state.marketOf(order!).phase === Phase.NoCancel, Reason.PhaseForbids]);
    if (reason !== Reason.None) return this.#refuse(EventKind.CancelRejected, reason, order);
    this.#state.leave(order!);
    order!.status = OrdStatus.Canceled;
    names.retire(names.add(command.sessionId, command.clOrdId.toString(), order!));
    this.#events.requested(EventKind.OrderCanceled, order!, order!.clOrdId);
    this.#state.done(order!);
  }

  replaceOrder(command: Command): void {
    const { names, timestampUs } = this.#state;
    const order = namedOrder(command, names);
    const known = names.find(command.sessionId, command.clOrdId.toString());
    if (known !== undefined) return this.#answerKnown(command, EventKind.ReplaceRejected, known.order, order);
    const reason = requestFault(command, names, order) || this.#replaceFault(command, order!, timestampUs);
    if (reason !== Reason.None) return this.#refuse(EventKind.ReplaceRejected, reason, order);
    this.#replace(command, order!);
  }

  requestStatus(command: Command): void {
    const { names } = this.#state;
    const name = names.find(command.sessionId, command.clOrdId.toString());
    const order = agreedOrder(command, names, name?.order);
    const reason = identityFault(command, name, order);
    if (reason === Reason.None) this.#events.status(order!);
    else this.#events.refuse(EventKind.OrderRejected, reason, 1, undefined);
  }

  refuseOrder(command: Command): void {
    const { refusedKind, reason } = command;
    const details: Record<number, number> = { [CommandKind.RequestStatus]: 1, [CommandKind.MassStatus]: 2 };
    const detail = details[refusedKind];
    if (detail !== undefined) return this.#events.refuse(EventKind.OrderRejected, reason, detail, undefined);
    const answers: Record<number, EventKind> = {
      [CommandKind.MassCancel]: EventKind.MassCancelReported,
      [CommandKind.MassQuote]: EventKind.QuoteAcknowledged,
      [CommandKind.CancelQuotes]: EventKind.QuotesCanceled,
    };
    const answer = answers[refusedKind];
    if (answer !== undefined) return this.#events.answer(answer, reason, 0);
    const kinds: Record<number, EventKind> = {
      [CommandKind.CancelOrder]: EventKind.CancelRejected,
      [CommandKind.ReplaceOrder]: EventKind.ReplaceRejected,
    };
    const kind = kinds[refusedKind] ?? EventKind.OrderRejected;
    const order = kind === EventKind.OrderRejected ? undefined : namedOrder(command, this.#state.names);
    const known = this.#state.names.find(command.sessionId, command.clOrdId.toString());
    const repeat = isRepeat(command) || (command.flags & CommandFlag.PossResend) !== 0;
    if (known !== undefined && repeat) return this.#answerKnown(command, kind, known.order, order);
    this.#refuse(kind, reason as Reason, order);
  }

  #replaceFault(command: Command, order: RefOrder, timestampUs: number): Reason {
    const market = this.#state.marketOf(order);
    const takesReplace = market.phase !== Phase.NoCancel && acceptsOrders(market);
    return first([!takesReplace, Reason.PhaseForbids]) || replaceFault(command, order, market, timestampUs) ||
      first([
        command.qtyLots > order.cum && postOnlyPrice(command, market) === undefined,
        Reason.PostOnlyWouldTrade,
      ]);
  }

  #replace(command: Command, order: RefOrder): void {
    const origClOrdId = order.clOrdId;
    this.#rename(command, order);
    const market = this.#state.marketOf(order);
    const keepsPlace = keepsPriority(command, order);
    if (keepsPlace && order.place === "book") this.#state.touch(order);
    if (!keepsPlace) this.#state.leave(order);
    const stopPx = order.triggered ? order.stopPx : command.stopPxTicks;
    Object.assign(order, termsOf(command), { stopPx, qty: Math.max(command.qtyLots, order.cum) });
    if (order.qty === order.cum) order.status = OrdStatus.Filled;
    if (keepsPlace) order.shown = Math.min(order.shown, order.maxFloor || Infinity, leavesOf(order));
    this.#events.requested(EventKind.OrderReplaced, order, origClOrdId);
    if (order.status === OrdStatus.Filled) return this.#state.done(order);
    if (keepsPlace) return;
    this.#reprice(order, postOnlyPrice(command, market)!);
    this.#matching.place(order);
  }

  /** The request's ClOrdID becomes the order's, unless another session asked. */
  #rename(command: Command, order: RefOrder): void {
    const { names } = this.#state;
    const name = names.add(command.sessionId, command.clOrdId.toString(), order);
    if (command.sessionId !== order.session) return names.retire(name);
    const past = names.find(order.session, order.clOrdId)!;
    order.clOrdId = name.text;
    names.retire(past);
  }

  #reprice(order: RefOrder, price: number): void {
    if (price === order.price) return;
    order.price = price;
    this.#events.ofOrder(EventKind.OrderRestated, order, Reason.PostOnlyRepriced);
  }

  #answerKnown(command: Command, kind: EventKind, known: RefOrder, order: RefOrder | undefined): void {
    if (isRepeat(command)) return;
    if ((command.flags & CommandFlag.PossResend) !== 0) return this.#events.status(known);
    this.#refuse(kind, Reason.DuplicateClOrdId, order);
  }

  #refuse(kind: EventKind, reason: Reason, order: RefOrder | undefined): void {
    const unknown: Reason[] = [Reason.UnknownOrder, Reason.UnknownSymbol, Reason.SymbolChanged];
    this.#events.refuse(kind, reason, 0, unknown.includes(reason) ? undefined : order);
  }
}

function isRepeat({ flags, incarnation }: Command): boolean {
  return (flags & CommandFlag.PossDup) !== 0 && incarnation === 0;
}

function acceptsOrders({ phase }: RefMarket): boolean {
  return phase === Phase.Continuous || isCallPhase(phase);
}

/** Whether a sound new order may be left to wait somewhere. */
function mayRest({ ordType, timeInForce }: Command, { phase }: RefMarket): boolean {
  if (isCallPhase(phase) || timeInForce === TimeInForce.AtTheClose) return true;
  const immediate: number[] = [TimeInForce.ImmediateOrCancel, TimeInForce.FillOrKill];
  return ordType !== OrdType.Market && !immediate.includes(timeInForce);
}

/** The price that a sound order gets: its own, or, when it is post-only and would trade, one behind the market; or undefined. */
function postOnlyPrice(command: Command, { book, phase, rules }: RefMarket): number | undefined {
  const { execInst, side, priceTicks } = command;
  const best = book.best(opposite(side));
  if (execInst !== ExecInst.PostOnly || phase !== Phase.Continuous || best === undefined) return priceTicks;
  if (isBetter(side, best, priceTicks)) return priceTicks;
  const behind = side === Side.Buy ? best - 1 : best + 1;
  const isPrice = behind >= 1 && behind <= MAX_PRICE_TICKS;
  return rules.postOnly === "reprice" && isPrice ? behind : undefined;
}

/** Whether a replacement leaves an order its place. */
function keepsPriority(command: Command, order: RefOrder): boolean {
  const floor = (lots: number) => lots === 0 ? Infinity : lots;
  const stopPx = order.triggered ? order.stopPx : command.stopPxTicks;
  return command.priceTicks === order.price && stopPx === order.stopPx &&
    command.qtyLots <= order.qty && command.qtyLots > order.cum &&
    floor(command.maxFloorLots) <= floor(order.maxFloor) &&
    command.ordType === order.ordType && command.account === order.account;
}
