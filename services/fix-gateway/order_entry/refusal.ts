/**
 * Text(58) of what order entry refuses: action, field, what was expected, and the value as sent. Slow path. Pure.
 */
import { FIX44, type FixMessage } from "../../../shared/codec/fix/mod.ts";
import { CommandKind, MAX_TEXT_BYTES } from "../../../shared/protocol/mod.ts";

/** Longest part of a client's value that a text repeats, bytes. */
const MAX_QUOTED_BYTES = 48;

/** `Price(44)`, or `99999` for a tag that neither FIX 4.4 nor the venue defines. */
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
