import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice } from "../wire/byte_slice.ts";
import { DATA_FIELD_PAIRS } from "./data_fields.ts";
import { FixMessage, MALFORMED_TAG, ParseFault } from "./message.ts";
import { bars, framed, parsed, soh } from "./testing.ts";

/** Every field as "tag=value", with "?" for a malformed tag. */
function fields(message: FixMessage): string[] {
  return Array.from({ length: message.fieldCount }, (_, i) => {
    const value = bars(message.buffer.subarray(message.valueStart[i], message.valueEnd[i]));
    return `${message.tags[i] === MALFORMED_TAG ? "?" : message.tags[i]}=${value}`;
  });
}

const HEAD = "35=0|34=1|";

describe("FixMessage", () => {
  it("indexes every field in order, at any place in a buffer", () => {
    const text = framed("35=D|34=12|11=abc|55=ACME|5001=user|100000001=far|");
    const message = new FixMessage();
    for (const offset of [0, 1, 17]) {
      const bytes = soh("#".repeat(offset) + text + "8=FIX");
      assert.equal(message.parse(bytes, offset, offset + text.length), ParseFault.None);
      assert.deepEqual(fields(message), text.slice(0, -1).split("|"));
      assert.equal(message.msgType, "D");
    }
  });

  it("finds the first of equal tags, from an index on, and nothing of the message before", () => {
    const message = parsed("35=D|58=one|58=two|5001=a|5001=b|44=1|");
    assert.equal(message.text(58), "one");
    assert.equal(message.find(58, 4), 4);
    assert.equal(message.find(58, 5), -1);
    assert.equal(message.text(5001), "a");
    assert.equal(message.find(5001, 6), 6);
    const other = soh(framed("35=0|112=x|"));
    message.parse(other, 0, other.length);
    for (const tag of [44, 58, 5001, 0, -1, 1_000_000]) assert.equal(message.find(tag), -1, `tag ${tag}`);
    assert.equal(message.text(112), "x");
  });

  it("reads values by type, and says what is absent or malformed", () => {
    const message = parsed(
      `${HEAD}38=0042|44=-7|58=\xe9|52=20240229-23:59:60.123|60=20250230-00:00:00|108=1x|112=|`,
    );
    assert.equal(message.int(38), 42);
    assert.equal(message.int(44), -7);
    for (const tag of [58, 108, 112, 999]) assert.ok(Number.isNaN(message.int(tag)), `tag ${tag}`);
    assert.equal(message.text(58), "\xe9");
    assert.equal(message.text(999), undefined);
    assert.equal(message.charCode(44), 0x2d);
    assert.equal(message.charCode(112), 0);
    assert.equal(message.charCode(999), 0);
    assert.equal(message.utcTimestampMs(52), Date.UTC(2024, 2, 1, 0, 0, 0, 123));
    assert.ok(Number.isNaN(message.utcTimestampMs(60)));
    assert.ok(Number.isNaN(message.utcTimestampMs(999)));
    const slice = new ByteSlice();
    assert.equal(message.slice(38, slice), true);
    assert.equal(slice.toString(), "0042");
    assert.equal(message.slice(999, slice), false);
    assert.equal(slice.length, 0);
  });

  it("names message types of any length", () => {
    for (const type of ["0", "AE", "U99", "\xff", "n", "BH"]) {
      assert.equal(parsed(`35=${type}|34=1|`).msgType, type);
    }
    assert.equal(parsed("34=1|35=0|").msgType, "");
  });

  it("keeps fields with unusual or malformed tags, so that they can be answered", () => {
    const body =
      `${HEAD}0=z|-5=m|058=lead|=none|abc=x|5 8=x|bare|-0=x|-123456789=low|-1234567890=x|1234567890=big|999999999=max|5=`;
    assert.deepEqual(fields(parsed(`${body}|`)).slice(4, -1), [
      "0=z",
      "-5=m",
      "?=058=lead",
      "?==none",
      "?=abc=x",
      "?=5 8=x",
      "?=bare",
      "?=-0=x",
      "-123456789=low",
      "?=-1234567890=x",
      "?=1234567890=big",
      "999999999=max",
      "5=",
    ]);
    assert.deepEqual(fields(parsed(`${HEAD}|58=x|`)).slice(4, -1), ["?=", "58=x"]);
  });

  it("takes data fields with SOH in them, for every pair of length and data", () => {
    for (const [lengthTag, dataTag] of DATA_FIELD_PAIRS) {
      const message = parsed(`${HEAD}${lengthTag}=9|${dataTag}=a|10=0||b|58=x|`);
      assert.deepEqual(fields(message).slice(4, -1), [`${lengthTag}=9`, `${dataTag}=a|10=0||b`, "58=x"]);
    }
  });

  it("reads a data field like any other when its length does not lead to a SOH within the message", () => {
    for (const length of ["4", "2", "0", "-1", "x", "", "99999", "12345678901234567890"]) {
      const message = parsed(`${HEAD}95=${length}|96=abc|58=x|`);
      assert.deepEqual(fields(message).slice(4, -1), [`95=${length}`, "96=abc", "58=x"], `length ${length}`);
    }
    assert.deepEqual(fields(parsed(`${HEAD}95=5|58=y|96=a|b|`)).slice(4, -1), [
      "95=5",
      "58=y",
      "96=a",
      "?=b",
    ]);
  });

  it("indexes what fits and says so when there are too many fields", () => {
    const message = new FixMessage(5);
    const bytes = soh(framed(`${HEAD}1=a|2=b|3=c|`));
    assert.equal(message.parse(bytes, 0, bytes.length), ParseFault.TooManyFields);
    assert.deepEqual(fields(message).slice(2), ["35=0", "34=1", "1=a"]);
    assert.equal(message.int(34), 1);
    const fits = soh(framed(HEAD));
    assert.equal(message.parse(fits, 0, fits.length), ParseFault.None);
    assert.equal(message.fieldCount, 5);
  });

  it("stays within the bytes at every truncation and every change of one byte", () => {
    const good = soh(framed(`${HEAD}95=3|96=a|b|58=x|`));
    const message = new FixMessage();
    for (let length = 0; length < good.length; length++) {
      const fault = message.parse(good, 0, length);
      assert.equal(fault, length > 0 && good[length - 1] === 1 ? ParseFault.None : ParseFault.NotFramed);
      if (fault === ParseFault.None) checkBounds(message, good, length);
    }
    for (let position = 0; position < good.length - 1; position++) {
      for (let value = 0; value < 256; value++) {
        const bytes = good.slice();
        bytes[position] = value;
        assert.equal(message.parse(bytes, 0, bytes.length), ParseFault.None);
        checkBounds(message, bytes, bytes.length);
      }
    }
  });
});

/** Fields follow each other without gap or overlap, from the message's start to its end. */
function checkBounds(message: FixMessage, bytes: Uint8Array, end: number): void {
  let at = message.start;
  for (let i = 0; i < message.fieldCount; i++) {
    const tagBytes = message.tags[i] === MALFORMED_TAG ? 0 : String(message.tags[i]).length + 1;
    assert.equal(message.valueStart[i], at + tagBytes);
    assert.ok(message.valueEnd[i] >= message.valueStart[i]);
    assert.equal(bytes[message.valueEnd[i]], 1);
    at = message.valueEnd[i] + 1;
  }
  assert.equal(at, end);
}
