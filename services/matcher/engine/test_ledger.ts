/**
 * The tests' little language: commands and events as lines of text, so that a test is a ledger (commands in, exact
 * event list out); event_lines.ts has the events. Test support only. Pure.
 *
 * Orders: `new s1 A buy 10@100`, `new s1 A buy 10@mkt ioc`, `cancel s1 C A buy`, `replace s1 B A buy 5@101`,
 * `status s1 A buy`, `refuse new s1 A buy 10@100 reason=UnknownSymbol text=why`. A price is `100`, `mkt`, `mtl` (market
 * to limit), `stop95` or `stop95/94` (stop limit). Options behind: `gtc` and the other times, `floor=3`, `min=4`, `post`,
 * `until=9000` (µs), `stop=95` (StopPx alone), `smp=resting|aggressor|both|decrement`, `group=2`, `acct=5`, `i2`
 * instrument, `id=1.0` OrderID, `req=R` OrdStatusReqID, `resend`, `dup`, `f9` firm, `m7` MsgSeqNum, `n2` incarnation.
 * `-` is an absent OrigClOrdID. Sessions 1-2 are firm 1, 3-4 firm 2, and so on.
 *
 * Many orders: `mass-cancel s1 Q firm buy i2`, `mass-status s1 Q session both` (all instruments without `iN`),
 * `quote s1 Q 1:10@99/5@101 2:-/7@50 level=1`, an entry's refusal as `1:-/-!UnknownSymbol`; QuoteSetID is S, the
 * QuoteEntryIDs E1, E2, …; `cancel-quotes s1 Q i1`.
 * The venue's: `phase Halt i2 from=Continuous due=5000` (all instruments without `iN`), `algorithm C i2`, `expire 9000`.
 */
import {
  codeOfChar,
  CommandFlag,
  CommandKind,
  MassScope,
  OrdType,
  Phase,
  Reason,
  Side,
  SmpAction,
} from "../../../shared/protocol/mod.ts";
import {
  Command,
  type Event,
  QUOTE_ENTRY_BYTES,
  QuoteEntry,
  writeQuoteEntry,
} from "../../../shared/codec/wire/mod.ts";
import type { EventSink } from "./event_sink.ts";
import { formatEvent, TIMES } from "./event_lines.ts";

export { testInstrument } from "../../../shared/testing/instrument.ts";
export { formatEvent } from "./event_lines.ts";

const KINDS: Readonly<Record<string, number>> = {
  new: CommandKind.NewOrder,
  cancel: CommandKind.CancelOrder,
  replace: CommandKind.ReplaceOrder,
  status: CommandKind.RequestStatus,
  "mass-cancel": CommandKind.MassCancel,
  "mass-status": CommandKind.MassStatus,
  quote: CommandKind.MassQuote,
  "cancel-quotes": CommandKind.CancelQuotes,
  phase: CommandKind.SetPhase,
  algorithm: CommandKind.SetAlgorithm,
  expire: CommandKind.ExpireOrders,
};
const SCOPES: Readonly<Record<string, number>> = {
  session: MassScope.Session,
  firm: MassScope.Firm,
  all: MassScope.All,
};
const ACTIONS: Readonly<Record<string, number>> = {
  none: SmpAction.None,
  resting: SmpAction.CancelResting,
  aggressor: SmpAction.CancelAggressor,
  both: SmpAction.CancelBoth,
  decrement: SmpAction.Decrement,
};
/** Options that are an integer of the command. */
const NUMBERS = {
  type: "ordType",
  tif: "timeInForce",
  price: "priceTicks",
  kind: "kind",
  stop: "stopPxTicks",
  floor: "maxFloorLots",
  min: "minQtyLots",
  exec: "execInst",
  until: "expireUs",
  due: "expireUs",
  group: "smpId",
  acct: "account",
  level: "scope",
  scope: "scope",
} as const;

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
  if (kind === "phase" || kind === "algorithm" || kind === "expire") parseVenue(command, kind, words);
  else parseRequest(command, kind, words);
  for (const option of words) applyOption(command, option);
  return command;
}

/** A command of the venue itself: no session's. */
function parseVenue(command: Command, kind: string, words: string[]): void {
  const what = words.shift()!;
  if (kind === "phase") command.target = Phase[what as keyof typeof Phase];
  else if (kind === "algorithm") command.target = codeOfChar(what.charCodeAt(0));
  else command.expireUs = Number(what);
}

function parseRequest(command: Command, kind: string, words: string[]): void {
  command.sessionId = Number(words.shift()!.slice(1));
  command.firmId = Math.ceil(command.sessionId / 2);
  command.clOrdId.setText(words.shift()!);
  if (kind === "cancel-quotes") return;
  if (kind === "quote") return parseEntries(command, words);
  if (kind === "mass-cancel" || kind === "mass-status") command.scope = SCOPES[words.shift()!];
  else command.instrumentId = 1;
  if (kind === "cancel" || kind === "replace") {
    const orig = words.shift()!;
    if (orig !== "-") command.origClOrdId.setText(orig);
  }
  const side = words.shift()!;
  command.side = side === "buy" ? Side.Buy : side === "sell" ? Side.Sell : side === "both" ? 0 : Number(side);
  if (kind === "new" || kind === "replace") parseTerms(command, words.shift()!);
}

function parseTerms(command: Command, text: string): void {
  const [qty, price] = text.split("@");
  const [stop, limit] = price.slice(4).split("/");
  command.qtyLots = Number(qty);
  if (price === "mkt") {
    command.ordType = OrdType.Market;
  } else if (price === "mtl") {
    command.ordType = OrdType.MarketToLimit;
  } else if (price.startsWith("stop")) {
    command.ordType = limit === undefined ? OrdType.Stop : OrdType.StopLimit;
    command.stopPxTicks = Number(stop);
    command.priceTicks = Number(limit ?? 0);
  } else {
    command.ordType = OrdType.Limit;
    command.priceTicks = Number(price);
  }
}

function parseEntries(command: Command, words: string[]): void {
  const entries: string[] = [];
  while (/^\d+:/.test(words[0] ?? "")) entries.push(words.shift()!);
  const bytes = new Uint8Array(entries.length * QUOTE_ENTRY_BYTES);
  for (const [index, text] of entries.entries()) {
    const entry = new QuoteEntry();
    const [, instrument, bid, offer, reason] = /^(\d+):([^/]+)\/([^!]+)!?(.*)$/.exec(text)!;
    entry.instrumentId = Number(instrument);
    [entry.bidQtyLots, entry.bidPxTicks] = quoteSide(bid);
    [entry.offerQtyLots, entry.offerPxTicks] = quoteSide(offer);
    entry.reason = reason === "" ? 0 : Reason[reason as keyof typeof Reason];
    entry.quoteSetId.setText("S");
    entry.quoteEntryId.setText(`E${index + 1}`);
    writeQuoteEntry(entry, bytes, index * QUOTE_ENTRY_BYTES);
  }
  command.entries.set(bytes, 0, bytes.length);
}

function quoteSide(text: string): [qty: number, price: number] {
  if (text === "-") return [0, 0];
  const [qty, price] = text.split("@").map(Number);
  return [qty, price];
}

function applyOption(command: Command, option: string): void {
  const [key, value] = option.split("=");
  if (option in TIMES) command.timeInForce = TIMES[option];
  else if (option === "resend") command.flags |= CommandFlag.PossResend;
  else if (option === "dup") command.flags |= CommandFlag.PossDup;
  else if (option === "post") command.execInst = 1;
  else if (key === "smp") command.smpAction = ACTIONS[value];
  else if (key === "from") command.scope = Phase[value as keyof typeof Phase];
  else if (key === "id") command.orderId = orderIdOfText(value);
  else if (key === "req") command.origClOrdId.setText(value);
  else if (key === "reason") command.reason = Reason[value as keyof typeof Reason];
  else if (key === "text") command.text.setText(value);
  else if (key === "symbol") command.symbol.setText(value);
  else if (key in NUMBERS) command[NUMBERS[key as keyof typeof NUMBERS]] = Number(value);
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
