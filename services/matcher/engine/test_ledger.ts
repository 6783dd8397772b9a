/**
 * The tests' little language: commands and events as lines of text, so that a test is a ledger (commands in, exact
 * event list out). Test support only. Pure.
 *
 * Commands: `new s1 A buy 10@100`, `new s1 A buy 10@mkt ioc`, `cancel s1 C A buy`, `replace s1 B A buy 5@101`,
 * `status s1 A buy`, `refuse new s1 A buy 10@100 reason=UnknownSymbol text=why`. Options behind: `i2` instrument,
 * `id=1.0` OrderID, `req=R` OrdStatusReqID, `resend`, `dup`, `f9` firm, `m7` MsgSeqNum, `n2` incarnation. `-` is an
 * absent OrigClOrdID. Sessions 1-2 are firm 1, 3-4 firm 2, and so on.
 *
 * Events: `executed s1 A #1.0 buy 10@100 day Partial 4+6 last 4@100 trade 2 removed notional 400 m1`: CumQty +
 * LeavesQty; `ClOrdID<OrigClOrdID` (of a status, `<OrdStatusReqID`); zero fields are left out; every other field of the
 * event is there.
 */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  type Instrument,
  MatchAlgorithm,
  OrdStatus,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { Command, type Event } from "../../../shared/codec/wire/mod.ts";
import type { EventSink } from "./event_sink.ts";

const MARKET = "mkt";
const TIMES: Readonly<Record<string, number>> = {
  day: TimeInForce.Day,
  ioc: TimeInForce.ImmediateOrCancel,
  fok: TimeInForce.FillOrKill,
};
const KINDS: Readonly<Record<string, number>> = {
  new: CommandKind.NewOrder,
  cancel: CommandKind.CancelOrder,
  replace: CommandKind.ReplaceOrder,
  status: CommandKind.RequestStatus,
};
const STATUS_NAMES: Readonly<Record<number, string>> = {
  [OrdStatus.New]: "New",
  [OrdStatus.PartiallyFilled]: "Partial",
  [OrdStatus.Filled]: "Filled",
  [OrdStatus.Canceled]: "Canceled",
  [OrdStatus.Rejected]: "Rejected",
  [OrdStatus.Expired]: "Expired",
};
const EVENT_NAMES: Readonly<Record<number, string>> = {
  [EventKind.OrderAccepted]: "accepted",
  [EventKind.OrderRejected]: "rejected",
  [EventKind.OrderExecuted]: "executed",
  [EventKind.OrderCanceled]: "canceled",
  [EventKind.OrderReplaced]: "replaced",
  [EventKind.OrderExpired]: "expired",
  [EventKind.CancelRejected]: "cancel-rejected",
  [EventKind.ReplaceRejected]: "replace-rejected",
  [EventKind.OrderStatusReported]: "status",
};

/** An instrument for tests; FIFO unless `overrides` says otherwise. */
export function testInstrument(id: number, overrides: Partial<Instrument> = {}): Instrument {
  return {
    id,
    symbol: `SYM${id}`,
    shard: 0,
    priceScale: 2,
    tickUnits: 1,
    qtyScale: 0,
    lotUnits: 1,
    algorithm: MatchAlgorithm.Fifo,
    proRataMin: 1,
    maxOrderQtyLots: 1_000_000,
    tick: "0.01",
    lot: "1",
    ...overrides,
  };
}

/** The command that a line says. Throws on a line that it cannot read. */
export function parseCommand(line: string): Command {
  const command = new Command();
  const words = line.trim().split(/\s+/);
  let kind = words.shift()!;
  if (kind === "refuse") {
    command.kind = CommandKind.RefuseOrder;
    kind = words.shift()!;
    command.refusedKind = KINDS[kind];
  } else {
    command.kind = KINDS[kind];
  }
  command.sessionId = Number(words.shift()!.slice(1));
  command.firmId = Math.ceil(command.sessionId / 2);
  command.instrumentId = 1;
  command.clOrdId.setText(words.shift()!);
  if (kind === "cancel" || kind === "replace") {
    const orig = words.shift()!;
    if (orig !== "-") command.origClOrdId.setText(orig);
  }
  const side = words.shift()!;
  command.side = side === "buy" ? Side.Buy : side === "sell" ? Side.Sell : Number(side);
  if (kind === "new" || kind === "replace") {
    const [qty, price] = words.shift()!.split("@");
    command.qtyLots = Number(qty);
    command.ordType = price === MARKET ? OrdType.Market : OrdType.Limit;
    command.priceTicks = price === MARKET ? 0 : Number(price);
  }
  for (const option of words) applyOption(command, option);
  return command;
}

function applyOption(command: Command, option: string): void {
  const [key, value] = option.split("=");
  if (option in TIMES) command.timeInForce = TIMES[option];
  else if (option === "resend") command.flags |= CommandFlag.PossResend;
  else if (option === "dup") command.flags |= CommandFlag.PossDup;
  else if (key === "id") command.orderId = orderIdOfText(value);
  else if (key === "req") command.origClOrdId.setText(value);
  else if (key === "reason") command.reason = Reason[value as keyof typeof Reason];
  else if (key === "text") command.text.setText(value);
  else if (key === "symbol") command.symbol.setText(value);
  else if (key === "type") command.ordType = Number(value);
  else if (key === "tif") command.timeInForce = Number(value);
  else if (key === "price") command.priceTicks = Number(value);
  else if (key === "kind") command.kind = Number(value);
  else if (/^i\d+$/.test(option)) command.instrumentId = Number(option.slice(1));
  else if (/^f\d+$/.test(option)) command.firmId = Number(option.slice(1));
  else if (/^m\d+$/.test(option)) command.msgSeqNum = Number(option.slice(1));
  else if (/^n\d+$/.test(option)) command.incarnation = Number(option.slice(1));
  else throw new Error(`Cannot read command option: expected a known one, got "${option}"`);
}

function orderIdOfText(text: string): number {
  const [sequence, index] = text.split(".");
  return Number(sequence) * 4096 + Number(index);
}

/** The line that says an event. */
export function formatEvent(event: Event): string {
  const side = event.side === Side.Buy ? "buy" : event.side === Side.Sell ? "sell" : `side ${event.side}`;
  const instrument = event.instrumentId === 1 ? "" : ` i${event.instrumentId}`;
  if (event.kind === EventKind.LevelChanged) {
    return `level${instrument} ${side} ${event.levelQtyLots}@${event.priceTicks} x${event.levelOrders}`;
  }
  const price = event.ordType === OrdType.Market ? MARKET : event.priceTicks;
  const time = Object.keys(TIMES).find((key) => TIMES[key] === event.timeInForce) ??
    `tif=${event.timeInForce}`;
  let line = `${EVENT_NAMES[event.kind]}${event.detail === 1 ? "(status)" : ""} s${event.sessionId}`;
  if (event.firmId !== Math.ceil(event.sessionId / 2)) line += ` f${event.firmId}`;
  line += ` ${event.clOrdId}`;
  if (event.origClOrdId.length > 0) line += `<${event.origClOrdId}`;
  if (event.orderId !== 0) line += ` #${Math.floor(event.orderId / 4096)}.${event.orderId % 4096}`;
  line += `${instrument} ${side}`;
  if (event.orderQtyLots !== 0) line += ` ${event.orderQtyLots}@${price} ${time}`;
  line += ` ${STATUS_NAMES[event.ordStatus]} ${event.cumQtyLots}+${event.leavesQtyLots}`;
  if (event.lastQtyLots !== 0) {
    line += ` last ${event.lastQtyLots}@${event.lastPxTicks} trade ${event.tradeIndex}`;
    line += event.liquidity === 1 ? " added" : event.liquidity === 2 ? " removed" : " none";
  }
  const notional = BigInt(event.notionalHigh) * 2n ** 32n + BigInt(event.notionalLow);
  if (notional !== 0n) line += ` notional ${notional}`;
  if (event.reason !== 0) line += ` ${Object.entries(Reason).find(([, code]) => code === event.reason)![0]}`;
  if (event.symbol.length > 0) line += ` symbol=${event.symbol}`;
  if (event.text.length > 0) line += ` text=${event.text}`;
  if (event.msgSeqNum !== 0) line += ` m${event.msgSeqNum}`;
  if (event.flags !== 0) line += ` flags=${event.flags}`;
  if (event.commandIndex !== 0) line += ` c${event.commandIndex}`;
  return line;
}

/** A sink that keeps every event as a line. */
export class RecordingSink implements EventSink {
  readonly lines: string[] = [];
  commandStarts(): void {}
  event(event: Event): void {
    this.lines.push(formatEvent(event));
  }
  /** What was recorded since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }
}
