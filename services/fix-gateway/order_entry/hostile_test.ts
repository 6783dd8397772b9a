/** Whatever a client sends, the command made of it is one that the matcher can read, and reads as it was. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { FIX44, validate } from "../../../shared/codec/fix/mod.ts";
import { Command, CommandBatchReader, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { CommandFlag, CommandKind, MAX_SEQUENCE } from "../../../shared/protocol/mod.ts";
import { TIME } from "./cases.ts";
import { messageOf, pictureOf, session, venue } from "./fixture.ts";
import { translate } from "./translate.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const VENUE = venue();

const writer = new CommandBatchWriter();
const reader = new CommandBatchReader();

/** Through the writer and the reader; returns the command's picture. Fails unless it is the same on both sides. */
function survives(command: Command): Record<string, unknown> {
  writer.begin(1, 1, 1);
  writer.append(command);
  assert.equal(reader.open(writer.finish()), null);
  assert.ok(reader.next());
  const picture = pictureOf(command);
  // The writer says by a flag that the command has terms beyond price and quantity.
  reader.command.flags &= ~CommandFlag.Extended;
  assert.deepEqual(pictureOf(reader.command), picture);
  return picture;
}

/** 1 to `longest` bytes of any value but SOH and the `|` that stands for it here. */
function bytes(longest: number): fc.Arbitrary<string> {
  const byte = fc.integer({ min: 2, max: 255 }).filter((value) => value !== 124);
  const long = { minLength: longest, maxLength: longest };
  return fc.oneof(fc.array(byte, { minLength: 1, maxLength: longest }), fc.array(byte, long))
    .map((values) => String.fromCharCode(...values));
}

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 24 })
  .map((values) => values.join(""));
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("100", "10000") },
  fc.constantFrom("0", "-0", "-1", "10", "100", "10.05", "00000.05", ".05", "5.", "0.000001", "0.0000001"),
  fc.constantFrom("107374182.35", "107374182.4", "2147483647", "2147483648", "53687091175", "53687091200"),
  fc.constantFrom("2147.483647", "2147.483648", "10737418.235", "9007199254740991", "9007199254740992"),
  digits,
  fc.tuple(digits, digits).map(([whole, part]) => `${whole}.${part}`),
);
const edge = (...values: number[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.maxSafeNat() });
const orderId = fc.oneof(
  fc.tuple(
    fc.constantFrom(0, 0, 0, 3, 1),
    edge(0, 1, MAX_SEQUENCE - 1, MAX_SEQUENCE, MAX_SEQUENCE + 1, 9_999_999_999_999),
    edge(0, 1, 4094, 4095, 4096),
  ).map((parts) => parts.join("-")),
  fc.constantFrom("NONE", "0--1", "0-1"),
  bytes(30),
);
const code = (...values: string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: bytes(1) });
const symbol = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("ACME", "RATE", "COIN") },
  { weight: 1, arbitrary: bytes(24) },
);
const flag = fc.constantFrom("", "43=Y|122=20261130-12:00:00.000|", "97=Y|", "97=N|");

/** A field, or nothing now and then. */
function field(tag: number, value: fc.Arbitrary<string>, present = 20): fc.Arbitrary<string> {
  const given = { weight: present, arbitrary: value.map((text) => `${tag}=${text}|`) };
  return fc.oneof(given, { weight: 1, arbitrary: fc.constant("") });
}

const day = fc.constantFrom("19691231", "20261231", "20240229", "22550604", "22550605", "99991231");
const time = fc.tuple(day, fc.constantFrom("-00:00:00", "-23:59:60", "-23:47:34.740", "-12:00:00.123456789"))
  .map((parts) => parts.join(""));
const smpId = fc.oneof(
  fc.constantFrom("0", "1", "-1", "007", "4294967295", "4294967296", "9007199254740993"),
  digits,
);
/** Fields that few orders have; most of the time none of them. */
const conditions = fc.tuple(
  rarely(99, amount),
  rarely(111, amount),
  rarely(110, amount),
  rarely(18, fc.constantFrom("6", "6", "6 6", "6 G", "G"), 5),
  rarely(126, time, 7),
  rarely(432, day, 7),
  rarely(1, bytes(40)),
  rarely(7928, smpId),
  rarely(8000, code("O", "N", "B", "D", "X")),
).map((texts) => texts.join(""));

function rarely(tag: number, value: fc.Arbitrary<string>, absent = 14): fc.Arbitrary<string> {
  const given = { weight: 1, arbitrary: value.map((text) => `${tag}=${text}|`) };
  return fc.oneof({ weight: absent, arbitrary: fc.constant("") }, given);
}

const fields = fc.tuple(
  field(41, bytes(40)),
  field(37, orderId, 2),
  field(11, bytes(40), 1000),
  field(790, bytes(40), 1),
  field(55, symbol, 1000),
  field(54, code("1", "2"), 1000),
  fc.constant(TIME),
  field(38, amount),
  field(40, code("1", "2", "2", "2", "3", "4", "K")),
  field(44, amount),
  field(59, code("0", "1", "2", "3", "4", "6", "7"), 1),
  field(58, bytes(300), 1),
  conditions,
);

/** Fields of a command that enough of the messages must fill. */
const NAMES = [
  ...["orderId", "stopPxTicks", "maxFloorLots", "minQtyLots", "execInst", "expireUs"],
  ...["account", "smpId", "smpAction"],
];

/** Tags of {@link fields} that each message type may not have. */
const FOREIGN: Record<string, readonly number[]> = {
  D: [41, 37, 790],
  F: [790, 40, 44, 59],
  G: [790],
  H: [41, 60, 38, 40, 44, 59, 58],
};

describe("translate, whatever the values", () => {
  it(`makes commands that the matcher reads as they were (seed ${SEED})`, () => {
    const command = new Command();
    const seen = new Map<string, number>();
    const msgSeqNums = fc.constantFrom(1, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1);
    fc.assert(
      fc.property(
        fc.constantFrom("D", "F", "G", "H"),
        fields,
        flag,
        msgSeqNums,
        (msgType, all, header, seq) => {
          const ordered = msgType === "D" || msgType === "G" ? all : all.slice(0, -1);
          const body = ordered.filter((text) => !FOREIGN[msgType].includes(parseInt(text))).join("");
          const message = messageOf(msgType, body, header, seq);
          if (validate(message, FIX44, { allowUserDefined: false }) !== null) return;
          if (translate(message, session(), VENUE, command).kind !== "command") return;
          const picture = survives(command);
          assert.equal(picture.msgSeqNum, seq);
          const kind = picture.kind === CommandKind.RefuseOrder ? "refused" : "taken";
          const keys = [`${msgType} ${kind}`, ...NAMES.filter((name) => picture[name] !== undefined)];
          for (const key of keys) seen.set(key, (seen.get(key) ?? 0) + 1);
        },
      ),
      { seed: SEED, numRuns: 16_000 },
    );
    for (const key of ["D", "F", "G", "H"].flatMap((type) => [`${type} refused`, `${type} taken`])) {
      assert.ok((seen.get(key) ?? 0) > 20, `${key}: ${seen.get(key)} commands`);
    }
    for (const name of NAMES) assert.ok((seen.get(name) ?? 0) > 20, `${name}: ${seen.get(name)} commands`);
  });

  it("leaves a MsgSeqNum that no session lets through to the writer, which refuses it", () => {
    const command = new Command();
    const body = `11=c1|55=ACME|54=1|${TIME}38=100|40=1|`;
    translate(messageOf("D", body, "", 2 ** 32), session(), VENUE, command);
    assert.throws(
      () => survives(command),
      new RangeError("Cannot encode a command's msgSeqNum: expected 0 to 4294967295, got 4294967296"),
    );
  });
});
