/**
 * Text(58) of what order entry refuses: action, field, what was expected, and the value as sent. Slow path. Pure.
 */
import { FIX44, type FixMessage } from "../../../shared/codec/fix/mod.ts";
import { decimalText, qtyText } from "../../../shared/protocol/execution.ts";
import {
  CommandKind,
  type Instrument,
  MAX_PRICE_TICKS,
  MAX_TEXT_BYTES,
  Reason,
} from "../../../shared/protocol/mod.ts";
import { CHECKED_VALUES, EMPTY_GROUP_TAGS } from "./field_rules.ts";

/** Longest part of a client's value that a text repeats, bytes. */
const MAX_QUOTED_BYTES = 48;

/** `Price(44)`, or `99999` for a tag that FIX 4.4 does not define. */
export function fieldName(tag: number): string {
  const field = FIX44.fields.get(tag);
  return field === undefined ? String(tag) : `${field.name}(${tag})`;
}

/**
 * One sentence about field `index` of `message` (-1: the field `tag` is absent), at most {@link MAX_TEXT_BYTES} bytes
 * of printable ASCII.
 */
export function sentence(
  verb: string,
  message: FixMessage,
  index: number,
  tag: number,
  expected: string,
): string {
  const field = fieldName(index < 0 ? tag : message.tags[index]);
  const got = index < 0 ? "none" : `"${quoted(message, index)}"`;
  return `Cannot ${verb} ${field}: expected ${expected}, got ${got}`.slice(0, MAX_TEXT_BYTES);
}

/** What a command of this kind asks the venue to do, as a verb. */
export function verbOf(kind: CommandKind): string {
  switch (kind) {
    case CommandKind.NewOrder:
    case CommandKind.RefuseOrder:
      return "accept";
    case CommandKind.CancelOrder:
      return "cancel";
    case CommandKind.ReplaceOrder:
      return "replace";
    case CommandKind.RequestStatus:
    case CommandKind.MassStatus:
      return "report";
    case CommandKind.MassCancel:
    case CommandKind.CancelQuotes:
      return "cancel";
    case CommandKind.MassQuote:
      return "quote";
    case CommandKind.SetPhase:
    case CommandKind.SetAlgorithm:
    case CommandKind.ExpireOrders:
      return "apply";
  }
}

/** What would have been accepted instead. `instrument` is null only for UnknownSymbol. */
export function expectationOf(
  reason: Reason,
  kind: CommandKind,
  tag: number,
  instrument: Instrument | null,
): string {
  switch (reason) {
    case Reason.UnknownSymbol:
      return "a listed symbol";
    case Reason.UnknownOrder:
      return "an order of this venue";
    case Reason.OrdTypeUnsupported:
      return "1 or 2";
    case Reason.TimeInForceUnsupported:
      return kind === CommandKind.ReplaceOrder ? "0" : "0, 3 or 4";
    case Reason.FieldUnsupported:
      return expectationOfField(tag);
    case Reason.PriceMissing:
      return "a value with OrdType(40) 2";
    case Reason.PriceForbidden:
      return "none with OrdType(40) 1";
    case Reason.PriceOffTick:
      return `a multiple of ${instrument?.tick ?? "the tick"}`;
    case Reason.QtyOffLot:
      return `a multiple of ${instrument?.lot ?? "the lot"}`;
    case Reason.QtyOverLimit:
      return instrument === null ? "less" : `at most ${qtyText(instrument.maxOrderQtyLots, instrument)}`;
    case Reason.PriceOverLimit:
      return instrument === null ? "less" : `at most ${maxPriceText(instrument)}`;
    default:
      return "a value above 0";
  }
}

/** The largest price that ticks and units both hold. */
function maxPriceText(instrument: Instrument): string {
  const { tickUnits, priceScale } = instrument;
  const ticks = Math.min(MAX_PRICE_TICKS, Math.floor(Number.MAX_SAFE_INTEGER / tickUnits));
  return decimalText(ticks * tickUnits, priceScale);
}

function expectationOfField(tag: number): string {
  if (tag === 54) return "1 or 2";
  if (EMPTY_GROUP_TAGS.includes(tag)) return "no entries";
  return CHECKED_VALUES.get(tag)?.join(" or ") ?? "no such field";
}

/** A field's value with everything but printable ASCII as `?`, cut at {@link MAX_QUOTED_BYTES}. */
function quoted(message: FixMessage, index: number): string {
  const start = message.valueStart[index];
  const end = message.valueEnd[index];
  let text = "";
  for (let i = start; i < Math.min(end, start + MAX_QUOTED_BYTES); i++) {
    const byte = message.buffer[i];
    text += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "?";
  }
  return end - start > MAX_QUOTED_BYTES ? `${text}...` : text;
}
