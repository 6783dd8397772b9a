/**
 * SecurityListRequest(x) → SecurityList(y), SecurityDefinitionRequest(c) → SecurityDefinition(d). Owns which requests
 * there are and how a long list is cut. Answers through the session; what no answer can say comes back as a business
 * reject. Slow path. Pure. Source: FIX 4.4 Vol. 3, messages x, y, c and d; docs/fix.md, "Reference data".
 */
import { type FixMessage, FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import { DEFAULT_FIX_SETTINGS, type Instrument } from "../../../shared/protocol/mod.ts";
import type { SessionPort } from "../application.ts";
import { DESCRIPTION_TAGS, FieldPlan, INSTRUMENT_TAGS, textAt } from "../order_entry/mass_fields.ts";
import type { MarketState } from "./market_state.ts";
import { describe, putExtensions, putLot } from "./security_fields.ts";

/** How SecurityListRequest(x) is read. */
export const SECURITY_LIST_PLAN: FieldPlan = new FieldPlan(
  320,
  [55, 320, 559],
  [...DESCRIPTION_TAGS, ...INSTRUMENT_TAGS],
  [[263, ["0"]]],
);
/** How SecurityDefinitionRequest(c) is read. */
export const SECURITY_DEFINITION_PLAN: FieldPlan = new FieldPlan(
  320,
  [55, 320, 321],
  [...DESCRIPTION_TAGS, ...INSTRUMENT_TAGS],
  [[263, ["0"]]],
);

/** SecurityRequestResult(560). */
const Result = { Valid: 0, Invalid: 1, NotFound: 2, Unavailable: 4 } as const;
/** SecurityResponseType(323). */
const Response = { AsIs: 1, List: 4, Rejected: 5, NotFound: 6 } as const;

/** Room for the header, the trailer and the fields in front of the list, bytes. */
const FRAME_BYTES = 512;

/** What both answers are made from. */
export interface SecuritySource {
  readonly venue: Venue;
  readonly state: MarketState;
  /** A SecurityResponseID(322) that no other answer has. */
  readonly nextResponseId: () => string;
}

/** Answers a sound x: one symbol, or all, in as many messages as `maxMessageBytes` asks for. */
export function answerList(message: FixMessage, session: SessionPort, source: SecuritySource): void {
  const type = message.int(559);
  const symbol = message.find(55);
  if (type !== 0 && type !== 4 || type === 0 && symbol < 0 || type === 4 && symbol >= 0) {
    return sendList(message, session, source, Result.Invalid, []);
  }
  const { venue, state } = source;
  const listed = type === 4 ? venue.instruments : named(message, symbol, venue);
  if (listed.length === 0) return sendList(message, session, source, Result.NotFound, []);
  if (listed.some((each) => state.algorithmOf(each) === "")) {
    return sendList(message, session, source, Result.Unavailable, []);
  }
  const extended = hasExtensions(session);
  const entries = listed.map((each) => entryOf(each, state.algorithmOf(each), extended));
  sendList(message, session, source, Result.Valid, entries);
}

/** Answers a sound c: one symbol, or all, each in a message of its own. */
export function answerDefinition(message: FixMessage, session: SessionPort, source: SecuritySource): void {
  const type = message.int(321);
  const symbol = message.find(55);
  const refuse = (response: number, text: string) => {
    const writer = session.compose();
    putIds(message, source, writer);
    writer.int(323, response);
    if (symbol >= 0) writer.text(55, textAt(message, symbol));
    writer.text(58, text);
    session.send("d");
  };
  const cannot = "Cannot define";
  if (type !== 0 && type !== 1 && type !== 3) {
    const got = message.text(321) ?? "";
    return refuse(Response.Rejected, `${cannot} SecurityRequestType(321): expected 0, 1 or 3, got "${got}"`);
  }
  if (type === 3 && symbol >= 0) {
    const got = textAt(message, symbol);
    const expected = "none with SecurityRequestType(321) 3";
    return refuse(Response.Rejected, `${cannot} Symbol(55): expected ${expected}, got "${got}"`);
  }
  if (type !== 3 && symbol < 0) {
    return refuse(Response.Rejected, `${cannot} Symbol(55): expected a listed symbol, got none`);
  }
  const { venue, state } = source;
  const listed = type === 3 ? venue.instruments : named(message, symbol, venue);
  if (listed.length === 0) {
    const got = textAt(message, symbol);
    return refuse(Response.NotFound, `${cannot} Symbol(55): expected a listed symbol, got "${got}"`);
  }
  if (listed.some((each) => state.algorithmOf(each) === "")) {
    return refuse(Response.Rejected, `${cannot} now: the matcher has not told yet how it matches`);
  }
  for (const instrument of listed) {
    const algorithm = state.algorithmOf(instrument);
    const writer = session.compose();
    putIds(message, source, writer);
    writer.int(323, type === 3 ? Response.List : Response.AsIs);
    writer.text(55, instrument.symbol);
    writer.text(58, describe(instrument, algorithm));
    putLot(instrument, writer);
    if (hasExtensions(session)) putExtensions(instrument, algorithm, writer);
    session.send("d");
  }
}

function named(message: FixMessage, symbol: number, venue: Venue): readonly Instrument[] {
  const instrument = venue.instrumentBySymbol.get(textAt(message, symbol));
  return instrument === undefined ? [] : [instrument];
}

function hasExtensions(session: SessionPort): boolean {
  return (session.config.settings ?? DEFAULT_FIX_SETTINGS).extensions;
}

function putIds(message: FixMessage, { nextResponseId }: SecuritySource, writer: FixWriter): void {
  writer.text(320, message.text(320) ?? "");
  writer.text(322, nextResponseId());
}

/** One entry of NoRelatedSym(146). */
function entryOf(instrument: Instrument, algorithm: string, extended: boolean): Uint8Array {
  scratch.begin();
  scratch.text(55, instrument.symbol);
  putLot(instrument, scratch);
  scratch.text(58, describe(instrument, algorithm));
  if (extended) putExtensions(instrument, algorithm, scratch);
  return scratch.body.slice();
}

const scratch = new FixWriter();

function sendList(
  message: FixMessage,
  session: SessionPort,
  source: SecuritySource,
  result: number,
  entries: readonly Uint8Array[],
): void {
  const room = source.venue.limits.maxMessageBytes - FRAME_BYTES;
  const parts = partsOf(entries, room);
  parts.forEach((part, index) => {
    const writer = session.compose();
    putIds(message, source, writer);
    writer.int(560, result);
    if (entries.length > 0) {
      writer.int(393, entries.length);
      writer.text(893, index === parts.length - 1 ? "Y" : "N");
      writer.int(146, part.length);
      for (const entry of part) writer.rawBody(entry);
    }
    session.send("y");
  });
}

/** Runs of entries of at most `room` bytes each, but at least one entry; one empty run for none. */
function partsOf(entries: readonly Uint8Array[], room: number): Uint8Array[][] {
  const parts: Uint8Array[][] = [[]];
  let bytes = 0;
  for (const entry of entries) {
    if (bytes > 0 && bytes + entry.length > room) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(entry);
    bytes += entry.length;
  }
  return parts;
}
