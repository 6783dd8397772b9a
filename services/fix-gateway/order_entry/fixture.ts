/** Test support for order entry: a small venue, FIX messages from text, and plain pictures of commands. Pure. */
import assert from "node:assert/strict";
import { FIX44, FixMessage, FixWriter, validate } from "../../../shared/codec/fix/mod.ts";
import { ByteSlice, Command, type Event } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import type { FixSession, Instrument, SessionRole } from "../../../shared/protocol/mod.ts";
import { testInstrument } from "../../../shared/testing/instrument.ts";

/** Tick 0.05, lot 10, at most 10,000,000. */
export const ACME: Instrument = testInstrument(1, {
  symbol: "ACME",
  tickUnits: 5,
  lotUnits: 10,
  proRataMin: 0,
  tick: "0.05",
  lot: "10",
});
/** Tick 25, lot 1, on shard 3. */
export const RATE: Instrument = {
  ...ACME,
  id: 2,
  symbol: "RATE",
  shard: 3,
  priceScale: 0,
  tickUnits: 25,
  lotUnits: 1,
  algorithm: "C",
  tick: "25",
  lot: "1",
};
/** Tick 0.000001, lot 0.005, no quantity limit but the encoding's. */
export const COIN: Instrument = {
  ...ACME,
  id: 3,
  symbol: "COIN",
  priceScale: 6,
  tickUnits: 1,
  qtyScale: 3,
  lotUnits: 5,
  maxOrderQtyLots: 2 ** 31 - 1,
  tick: "0.000001",
  lot: "0.005",
};

const FIRM = { id: 9, name: "ALPHA" };

/** A session of firm 9 with id 7. */
export function session(role: SessionRole = "trading"): FixSession {
  return { id: 7, senderCompId: "TRADER1", firm: FIRM, role, username: "u", password: "p" };
}

/** The venue of {@link ACME}, {@link RATE} and {@link COIN}. */
export function venue(): Venue {
  const instruments = [ACME, RATE, COIN];
  const sessions = [session()];
  return {
    name: "test",
    targetCompId: "PITWIRE",
    shards: [0, 3],
    instruments,
    firms: [FIRM],
    sessions,
    limits: {} as Venue["limits"],
    schedule: null,
    durability: "default",
    instrumentBySymbol: new Map(instruments.map((each) => [each.symbol, each])),
    instrumentById: new Map(instruments.map((each) => [each.id, each])),
    firmById: new Map([[FIRM.id, FIRM]]),
    sessionById: new Map(sessions.map((each) => [each.id, each])),
    sessionByCompId: new Map(sessions.map((each) => [each.senderCompId, each])),
  };
}

/** A whole message, right in BodyLength and CheckSum, from body text with `|` for SOH, one byte per character. */
export function messageOf(msgType: string, body: string, header = "", msgSeqNum = 42): FixMessage {
  const bytes = encodeLatin1(body.replaceAll("|", "\x01"));
  const writer = new FixWriter();
  writer.begin();
  writer.rawBody(bytes);
  const encoded = writer.finish({
    beginString: "FIX.4.4",
    msgType,
    senderCompId: "TRADER1",
    targetCompId: "PITWIRE",
    msgSeqNum,
    sendingTimeMs: Date.UTC(2026, 10, 30, 12),
    extra: encodeLatin1(header.replaceAll("|", "\x01")),
  }).slice();
  const message = new FixMessage();
  message.parse(encoded, 0, encoded.length);
  return message;
}

/** A command's fields that differ from a new command's, strings as text. */
export function pictureOf(command: Command): Record<string, unknown> {
  const picture: Record<string, unknown> = {};
  const blank = new Command() as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(command)) {
    const plain = value instanceof ByteSlice ? value.toString() : value;
    const usual = blank[name] instanceof ByteSlice ? "" : blank[name];
    if (plain !== usual) picture[name] = plain;
  }
  return picture;
}

/** Sets fields of an event; text becomes bytes. */
export function fillEvent(event: Event, fields: Record<string, number | string>): Event {
  const target = event as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") (target[name] as ByteSlice).setText(value);
    else target[name] = value;
  }
  return event;
}

function encodeLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The body that stands in `writer`, with `|` for SOH, checked against the dictionary as a message of `msgType`. */
export function checkedBody(msgType: string, writer: FixWriter): string {
  const body = new TextDecoder("latin1").decode(writer.body).replaceAll("\x01", "|");
  const bytes = writer.finish({
    beginString: "FIX.4.4",
    msgType,
    senderCompId: "PITWIRE",
    targetCompId: "TRADER1",
    msgSeqNum: 5,
    sendingTimeMs: 0,
  });
  const message = new FixMessage();
  message.parse(bytes, 0, bytes.length);
  assert.equal(validate(message, FIX44, { allowUserDefined: false })?.text, undefined, body);
  return body;
}
