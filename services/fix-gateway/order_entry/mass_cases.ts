/** Test support for messages about several orders or quotes: translation in short, and reports checked. */
import assert from "node:assert/strict";
import { FIX44, FixWriter, validate } from "../../../shared/codec/fix/mod.ts";
import {
  ByteSlice,
  Command,
  Event,
  QuoteEntry,
  quoteEntryCount,
  readQuoteEntry,
} from "../../../shared/codec/wire/mod.ts";
import type { SessionRole, SmpAction } from "../../../shared/protocol/mod.ts";
import { checkedBody, fillEvent, messageOf, pictureOf, session, venue } from "./fixture.ts";
import { type MassTranslation, translateMass } from "./mass_translate.ts";
import { QuoteEntries } from "./quote_entries.ts";
import { translateQuotes } from "./quote_translate.ts";

const VENUE = venue();
const entries = new QuoteEntries();

/** What a message became: the outcome, the command without what every one has, and its entries by shard. */
export interface Translated {
  readonly outcome: MassTranslation;
  readonly command: Record<string, unknown>;
  readonly entries: Record<number, unknown[]>;
}

/** Whose message it is, and what else it has. */
export interface TranslateOptions {
  readonly header?: string;
  readonly role?: SessionRole;
  /** Whether the session layer lets it through (the default). */
  readonly valid?: boolean;
  /** The firm's self-match prevention. */
  readonly smpAction?: SmpAction;
}

/** Translates a message that the session layer lets through, unless `valid` is false. */
export function translated(
  msgType: string,
  body: string,
  { header = "", role = "trading" as SessionRole, valid = true, smpAction }: TranslateOptions = {},
): Translated {
  const message = messageOf(msgType, body, header);
  const fault = validate(message, FIX44, { allowUserDefined: false });
  if (valid) assert.equal(fault, null, `${fault?.text}: ${body}`);
  const into = new Command();
  into.reason = 99;
  into.text.setText("left over");
  const sender = { ...session(role), firm: { ...session(role).firm, smpAction } };
  const outcome = "qAF".includes(msgType)
    ? translateMass(message, sender, VENUE, into)
    : translateQuotes(message, sender, VENUE, into, entries);
  const { sessionId, firmId, msgSeqNum, ...command } = pictureOf(into);
  if (outcome.kind !== "business-reject") assert.deepEqual([sessionId, firmId, msgSeqNum], [7, 9, 42]);
  const byShard: Record<number, unknown[]> = {};
  if (outcome.kind === "across" && msgType === "i") {
    for (const shard of outcome.shards) byShard[shard] = entriesOf(shard, outcome.shards[0]);
  }
  return { outcome, command, entries: byShard };
}

/** The entries of a shard as plain pictures. */
function entriesOf(shard: number, first: number): unknown[] {
  const records = new ByteSlice();
  entries.select(shard, first, records);
  return Array.from({ length: quoteEntryCount(records) }, (_, index) => {
    const entry = new QuoteEntry();
    readQuoteEntry(records, index, entry);
    const { instrumentId, bidPxTicks, bidQtyLots, offerPxTicks, offerQtyLots, reason } = entry;
    return [
      `${entry.quoteSetId}/${entry.quoteEntryId}`,
      instrumentId,
      [bidPxTicks, bidQtyLots],
      [offerPxTicks, offerQtyLots],
      reason,
    ];
  });
}

/** An event with these fields. */
export function eventOf(fields: Record<string, number | string>): Event {
  return fillEvent(new Event(), fields);
}

/** The place of all events of these tests, at 2026-11-30 12:34:56.789. */
export const POSITION = {
  shard: 3,
  cmdSeq: 1234,
  eventIndex: 2,
  timestampUs: Date.UTC(2026, 10, 30, 12, 34, 56, 789) * 1000 + 999,
};

const writer = new FixWriter();

/** The body that `put` writes, with `|` for SOH, checked against the dictionary as a message of `msgType`. */
export function bodyOf(msgType: string, put: (writer: FixWriter) => void): string {
  writer.begin();
  put(writer);
  return checkedBody(msgType, writer);
}
