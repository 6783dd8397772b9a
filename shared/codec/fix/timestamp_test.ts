import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { bars, soh } from "./testing.ts";
import { parseUtcDate, parseUtcTimeOnly, parseUtcTimestamp, TimestampWriter } from "./timestamp.ts";

function timestamp(text: string): number {
  const bytes = soh(`52=${text}|`);
  return parseUtcTimestamp(bytes, 3, bytes.length - 1);
}

describe("UTCTimestamp", () => {
  it("is read to the millisecond, finer fractions cut", () => {
    const second = Date.UTC(2025, 1, 28, 9, 5, 3);
    const good: [string, number][] = [
      ["20250228-09:05:03", second],
      ["20250228-09:05:03.042", second + 42],
      ["20250228-09:05:03.042999", second + 42],
      ["20250228-09:05:03.042999999", second + 42],
      ["20250228-09:05:03.042999999999", second + 42],
      ["20161231-23:59:60", Date.UTC(2017, 0, 1)],
      ["19700101-00:00:00.000", 0],
      ["19691231-23:59:59.999", -1],
      ["20000229-00:00:00", Date.UTC(2000, 1, 29)],
      ["99991231-23:59:59.999", Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ];
    for (const [text, ms] of good) assert.equal(timestamp(text), ms, text);
  });

  it("is refused in any other form", () => {
    const bad = [
      "",
      "20250228",
      "20250228-",
      "20250228 09:05:03",
      "20250228-9:05:03",
      "20250228-09:05",
      "20250228-24:00:00",
      "20250228-09:60:03",
      "20250228-09:05:61",
      "20250229-09:05:03",
      "19000229-00:00:00",
      "20251301-00:00:00",
      "20250001-00:00:00",
      "20250100-00:00:00",
      "20250431-00:00:00",
      "20250228-09:05:03.",
      "20250228-09:05:03.1",
      "20250228-09:05:03.12",
      "20250228-09:05:03.1234",
      "20250228-09:05:03.12a",
      "20250228-09:05:03,123",
      "2025022x-09:05:03",
      "20250228-09-05-03",
      "20250228-09:05:03.0429999999990",
      "20250228-09:05:03 ",
    ]; // deno-fmt-ignore
    for (const text of bad) assert.ok(Number.isNaN(timestamp(text)), `"${text}"`);
  });

  it("is refused when any one character is another kind of character", () => {
    const good = "20250228-09:05:03.042";
    for (let i = 0; i < good.length; i++) {
      for (const character of ["x", " ", "/", ";"]) {
        const text = good.slice(0, i) + character + good.slice(i + 1);
        assert.ok(Number.isNaN(timestamp(text)), text);
      }
    }
  });

  it("has dates and times of its own", () => {
    assert.equal(parseUtcDate(soh("20250301"), 0, 8), Date.UTC(2025, 2, 1));
    assert.ok(Number.isNaN(parseUtcDate(soh("2025030"), 0, 7)));
    assert.equal(parseUtcTimeOnly(soh("00:01:02.003"), 0, 12), 62_003);
    assert.ok(Number.isNaN(parseUtcTimeOnly(soh("0:01:02"), 0, 7)));
  });

  it("is written as Date has it, for times in any order", () => {
    const writer = new TimestampWriter();
    const into = new Uint8Array(23);
    const day = 86_400_000;
    const times = [0, 1, 999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, day - 1, day, day + 1, 0, -1, -day];
    for (let i = 0; i < 2000; i++) times.push((i * 7_919_777_333) % (day * 40_000));
    for (const ms of times) {
      writer.write(into, 1, ms);
      const iso = new Date(ms).toISOString();
      const expected = `${iso.slice(0, 10).replaceAll("-", "")}-${iso.slice(11, 23)}`;
      assert.equal(bars(into), `\0${expected}\0`);
    }
    assert.throws(() => writer.write(into, 1, 1e15), RangeError);
    assert.throws(() => writer.write(into, 1, NaN), RangeError);
  });
});
