/** Commands as lines of text, the other way round than test_ledger.ts reads them. Test support only. Pure. */
import {
  charOfCode,
  CommandFlag,
  CommandKind,
  MassScope,
  OrdType,
  Phase,
  Reason,
  Side,
  SmpAction,
} from "../../../shared/protocol/mod.ts";
import { type Command, QuoteEntry, quoteEntryCount, readQuoteEntry } from "../../../shared/codec/wire/mod.ts";
import { TIMES } from "./event_lines.ts";

const KIND_WORDS: Readonly<Record<number, string>> = {
  [CommandKind.NewOrder]: "new",
  [CommandKind.CancelOrder]: "cancel",
  [CommandKind.ReplaceOrder]: "replace",
  [CommandKind.RequestStatus]: "status",
  [CommandKind.MassCancel]: "mass-cancel",
  [CommandKind.MassStatus]: "mass-status",
  [CommandKind.MassQuote]: "quote",
  [CommandKind.CancelQuotes]: "cancel-quotes",
};
const ACTION_WORDS = ["none", "resting", "aggressor", "both", "decrement"];
const MASS: readonly number[] = [CommandKind.MassCancel, CommandKind.MassStatus];

/** The line that says a command, as close as the language comes to it. */
export function formatCommand(command: Command): string {
  switch (command.kind) {
    case CommandKind.SetPhase:
      return venue(
        command,
        `phase ${nameOf(Phase, command.target)}`,
        `from=${nameOf(Phase, command.scope)}`,
        "due",
      );
    case CommandKind.SetAlgorithm:
      return venue(command, `algorithm ${String.fromCharCode(charOfCode(command.target))}`, "", "");
    case CommandKind.ExpireOrders:
      return `expire ${command.expireUs}`;
    case CommandKind.RefuseOrder:
      return `refuse ${request(command, command.refusedKind)} reason=${nameOf(Reason, command.reason)}`;
    default:
      return request(command, command.kind);
  }
}

function venue(command: Command, what: string, from: string, due: string): string {
  const words = [what];
  if (command.instrumentId !== 0) words.push(`i${command.instrumentId}`);
  if (command.scope !== 0) words.push(from);
  if (due !== "" && command.expireUs !== 0) words.push(`${due}=${command.expireUs}`);
  return words.join(" ");
}

function request(command: Command, kind: number): string {
  const words = [KIND_WORDS[kind] ?? `kind${kind}`, `s${command.sessionId}`, `${command.clOrdId}` || "-"];
  if (kind === CommandKind.MassQuote) words.push(...entries(command));
  if (MASS.includes(kind)) words.push(nameOf(MassScope, command.scope).toLowerCase());
  if (kind === CommandKind.CancelOrder || kind === CommandKind.ReplaceOrder) {
    words.push(`${command.origClOrdId}` || "-");
  }
  const hasSide = kind !== CommandKind.MassQuote && kind !== CommandKind.CancelQuotes;
  if (hasSide) {
    words.push(command.side === Side.Buy ? "buy" : command.side === Side.Sell ? "sell" : sideWord(command));
  }
  if (kind === CommandKind.NewOrder || kind === CommandKind.ReplaceOrder) words.push(...terms(command));
  return [...words, ...options(command, kind)].join(" ");
}

function sideWord({ side }: Command): string {
  return side === 0 ? "both" : `${side}`;
}

function terms(command: Command): string[] {
  const { ordType, qtyLots, priceTicks, stopPxTicks } = command;
  const times = Object.keys(TIMES).find((key) => TIMES[key] === command.timeInForce);
  const time = times ?? `tif=${command.timeInForce}`;
  if (ordType === OrdType.Stop) return [`${qtyLots}@stop${stopPxTicks}`, time];
  if (ordType === OrdType.StopLimit) return [`${qtyLots}@stop${stopPxTicks}/${priceTicks}`, time];
  const words = [
    `${qtyLots}@${
      ordType === OrdType.Market ? "mkt" : ordType === OrdType.MarketToLimit ? "mtl" : priceTicks
    }`,
    time,
  ];
  if (stopPxTicks !== 0) words.push(`stop=${stopPxTicks}`);
  if (!Object.values<number>(OrdType).includes(ordType)) words.push(`type=${ordType}`);
  return words;
}

function options(command: Command, kind: number): string[] {
  const words: string[] = [];
  const number = (word: string, value: number) => value !== 0 && words.push(`${word}=${value}`);
  if (command.instrumentId !== (MASS.includes(kind) || kind >= CommandKind.MassQuote ? 0 : 1)) {
    words.push(`i${command.instrumentId}`);
  }
  number("floor", command.maxFloorLots);
  number("min", command.minQtyLots);
  number("exec", command.execInst);
  number("until", command.expireUs);
  number("group", command.smpId);
  number("acct", command.account);
  if (command.smpAction !== SmpAction.None) {
    words.push(`smp=${ACTION_WORDS[command.smpAction] ?? command.smpAction}`);
  }
  if (kind === CommandKind.MassQuote) number("level", command.scope);
  if (command.firmId !== Math.ceil(command.sessionId / 2)) words.push(`f${command.firmId}`);
  if (command.orderId !== 0) words.push(`id=${Math.floor(command.orderId / 4096)}.${command.orderId % 4096}`);
  if ((command.flags & CommandFlag.PossResend) !== 0) words.push("resend");
  if ((command.flags & CommandFlag.PossDup) !== 0) words.push("dup");
  if (command.incarnation !== 0) words.push(`m${command.msgSeqNum}`, `n${command.incarnation}`);
  return words;
}

function entries(command: Command): string[] {
  const side = (lots: number, price: number) => lots === 0 && price === 0 ? "-" : `${lots}@${price}`;
  return Array.from({ length: quoteEntryCount(command.entries) }, (_, i) => {
    const entry = new QuoteEntry();
    readQuoteEntry(command.entries, i, entry);
    const { instrumentId, bidQtyLots, bidPxTicks, offerQtyLots, offerPxTicks, reason } = entry;
    const refused = reason === 0 ? "" : `!${nameOf(Reason, reason)}`;
    return `${instrumentId}:${side(bidQtyLots, bidPxTicks)}/${side(offerQtyLots, offerPxTicks)}${refused}`;
  });
}

function nameOf(words: Readonly<Record<string, number>>, code: number): string {
  return Object.keys(words).find((word) => words[word] === code) ?? `${code}`;
}
