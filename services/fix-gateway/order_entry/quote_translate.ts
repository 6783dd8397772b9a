/**
 * MassQuote(i) and QuoteCancel(Z) → commands. Owns which of their fields there are, the limits of a mass quote, and to
 * which shards it goes: one command for the entries of each. What cannot enter the stream comes back as a business
 * reject, everything else, refused or not, as a command. Pure.
 * Source: FIX 4.4 Vol. 3, messages i and Z; docs/fix.md, "Quotes".
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import {
  CommandKind,
  type FixSession,
  MAX_QUOTE_ENTRIES,
  MAX_QUOTE_ENTRY_ID_BYTES,
  MAX_QUOTE_SET_ID_BYTES,
  Reason,
  SmpAction,
} from "../../../shared/protocol/mod.ts";
import {
  DESCRIPTION_TAGS,
  faultOfEnvelope,
  FieldPlan,
  INSTRUMENT_TAGS,
  lengthAt,
  PARTY_TAGS,
  textAt,
} from "./mass_fields.ts";
import { type MassTranslation, putRequest, refuse, TRADERS, unsupportedField } from "./mass_translate.ts";
import type { EntryFields, QuoteEntries } from "./quote_entries.ts";

/** How MassQuote(i) is read. */
export const MASS_QUOTE_PLAN: FieldPlan = new FieldPlan(
  117,
  [55, 117, 132, 133, 134, 135, 295, 296, 299, 301, 302],
  [60, 304, ...DESCRIPTION_TAGS, ...INSTRUMENT_TAGS, ...PARTY_TAGS],
  [[537, ["1", "2"]], [893, ["Y"]]],
);
/** How QuoteCancel(Z) is read. */
export const QUOTE_CANCEL_PLAN: FieldPlan = new FieldPlan(117, [55, 117, 295, 298], INSTRUMENT_TAGS, [
  [301, ["2"]],
]);

type Fault = Parameters<typeof refuse>[2];

/**
 * Translates one i or Z that the session layer has validated. `into` is overwritten whole; its slices borrow from the
 * message's buffer. For an `across` of a MassQuote the caller selects each shard's entries from `entries`, which is
 * overwritten too. A message that breaks a rule of its own becomes a RefuseOrder; an entry that does carries a reason.
 */
export function translateQuotes(
  message: FixMessage,
  session: FixSession,
  venue: Venue,
  into: Command,
  entries: QuoteEntries,
): MassTranslation {
  const isQuote = message.msgType === "i";
  const plan = isQuote ? MASS_QUOTE_PLAN : QUOTE_CANCEL_PLAN;
  const faults = plan.faultsOf(message);
  const reject = faultOfEnvelope(message, session, plan, faults, TRADERS);
  if (reject !== null) return reject;
  const unsupported = unsupportedField(plan, message, faults.unsupported);
  return isQuote
    ? translateMassQuote(message, session, venue, into, entries, unsupported)
    : translateCancel(message, session, venue, into, unsupported);
}

function translateMassQuote(
  message: FixMessage,
  session: FixSession,
  venue: Venue,
  into: Command,
  entries: QuoteEntries,
  unsupported: Fault | null,
): MassTranslation {
  putRequest(message, session, CommandKind.MassQuote, null, into);
  into.symbol.clear();
  message.slice(117, into.clOrdId);
  const level = message.find(301);
  into.scope = level < 0 ? 0 : message.int(301);
  let fault = unsupported;
  if (level >= 0 && ![0, 1, 2].includes(into.scope)) {
    into.scope = 2;
    fault = [Reason.FieldUnsupported, level, 301, "0, 1 or 2"];
  }
  fault ??= readEntries(message, venue, entries);
  if (fault === null) {
    into.smpAction = session.firm.smpAction ?? SmpAction.None;
    return { kind: "across", shards: entries.shards(venue.shards[0]) };
  }
  refuse(message, CommandKind.MassQuote, fault, into);
  return { kind: "command", instrument: null };
}

/** Fills `entries`; the fault of the message as a whole, if there is one. */
function readEntries(message: FixMessage, venue: Venue, entries: QuoteEntries): Fault | null {
  entries.clear();
  const fields: EntryFields = {
    setId: -1,
    entryId: -1,
    bidPx: -1,
    offerPx: -1,
    bidSize: -1,
    offerSize: -1,
  };
  let symbol = -1;
  const finish = (): Fault | null => {
    if (fields.entryId < 0) return null;
    if (entries.count === MAX_QUOTE_ENTRIES) {
      const expected = `at most ${MAX_QUOTE_ENTRIES} entries in one message`;
      return [Reason.QtyOverLimit, message.find(295), 295, expected];
    }
    const text = symbol < 0 ? "" : textAt(message, symbol);
    entries.add(message, fields, venue.instrumentBySymbol.get(text) ?? null);
    fields.entryId = symbol = -1;
    fields.bidPx =
      fields.offerPx =
      fields.bidSize =
      fields.offerSize =
        -1;
    return null;
  };
  for (let i = 0; i < message.fieldCount; i++) {
    const tag = message.tags[i];
    let fault: Fault | null = null;
    if (tag === 302) {
      fault = finish() ?? tooLong(message, i, MAX_QUOTE_SET_ID_BYTES);
      fields.setId = i;
    } else if (tag === 299) {
      fault = finish() ?? tooLong(message, i, MAX_QUOTE_ENTRY_ID_BYTES);
      fields.entryId = i;
    } else if (tag === 55) symbol = i;
    else if (tag === 132) fields.bidPx = i;
    else if (tag === 133) fields.offerPx = i;
    else if (tag === 134) fields.bidSize = i;
    else if (tag === 135) fields.offerSize = i;
    if (fault !== null) return fault;
  }
  const fault = finish();
  if (fault !== null || entries.count > 0) return fault;
  const [index, tag] = message.find(295) < 0 ? [message.find(296), 296] : [message.find(295), 295];
  return [Reason.QuoteInvalid, index, tag, "at least one entry"];
}

function tooLong(message: FixMessage, index: number, limit: number): Fault | null {
  if (lengthAt(message, index) <= limit) return null;
  return [Reason.ClOrdIdTooLong, index, message.tags[index], `at most ${limit} bytes`];
}

/** Type 1 names one listed symbol, type 4 none. */
function translateCancel(
  message: FixMessage,
  session: FixSession,
  venue: Venue,
  into: Command,
  unsupported: Fault | null,
): MassTranslation {
  const symbol = message.find(55);
  const instrument = symbol < 0 ? null : venue.instrumentBySymbol.get(textAt(message, symbol)) ?? null;
  putRequest(message, session, CommandKind.CancelQuotes, instrument, into);
  message.slice(117, into.clOrdId);
  const type = message.int(298);
  const count = message.find(295);
  const isOne = type === 1;
  let fault: Fault | null = null;
  if (!isOne && type !== 4) fault = [Reason.FieldUnsupported, message.find(298), 298, "1 or 4"];
  else if (isOne && (count < 0 || message.int(295) !== 1)) {
    fault = [Reason.FieldUnsupported, count, 295, "1 with QuoteCancelType(298) 1"];
  } else if (isOne && instrument === null) fault = [Reason.UnknownSymbol, symbol, 55, "a listed symbol"];
  else if (!isOne && count >= 0 && message.int(295) !== 0) {
    fault = [Reason.FieldUnsupported, count, 295, "no entries with QuoteCancelType(298) 4"];
  }
  fault ??= unsupported;
  if (fault === null) {
    return instrument === null ? { kind: "across", shards: venue.shards } : { kind: "command", instrument };
  }
  refuse(message, CommandKind.CancelQuotes, fault, into);
  return { kind: "command", instrument };
}
