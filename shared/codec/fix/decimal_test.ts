import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { DECIMAL_INEXACT, DECIMAL_TOO_LARGE, parseDecimal } from "./decimal.ts";
import { soh } from "./testing.ts";

const SEED = Date.now() & 0x7fffffff;

function parse(text: string, scale: number): number {
  const bytes = soh(`44=${text}|`);
  return parseDecimal(bytes, 3, bytes.length - 1, scale);
}

describe("parseDecimal", () => {
  const good: [text: string, scale: number, units: number][] = [
    ["0", 0, 0],
    ["-0", 2, 0],
    ["10.05", 2, 1005],
    ["10.05", 4, 100500],
    ["10", 2, 1000],
    ["00023.23", 2, 2323],
    ["23.0000", 0, 23],
    ["23.", 2, 2300],
    [".23", 2, 23],
    ["-.5", 1, -5],
    ["-10.05", 2, -1005],
    ["10.0500000000000000000000000", 2, 1005],
    ["0000000000000000000000000001", 0, 1],
    ["9007199254740991", 0, Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", 0, Number.MIN_SAFE_INTEGER],
    ["90071992547409.91", 2, Number.MAX_SAFE_INTEGER],
    ["0.000000000000001", 15, 1],
  ];
  it("reads digits, an optional sign and an optional point", () => {
    for (const [text, scale, units] of good) {
      assert.equal(parse(text, scale), units, `${text} at scale ${scale}`);
    }
    assert.ok(Object.is(parse("-0", 2), 0));
  });

  it("calls everything else malformed", () => {
    const malformed = [
      "",
      "-",
      ".",
      "-.",
      "+1",
      "1e5",
      "1E5",
      " 1",
      "1 ",
      "1,5",
      "1.2.3",
      "--1",
      "1-",
      "0x10",
      "NaN",
      "1.5x",
      "１",
    ];
    for (const text of malformed) assert.ok(Number.isNaN(parse(text, 2)), `"${text}"`);
  });

  it("tells too many decimals from too large and malformed", () => {
    assert.equal(parse("10.051", 2), DECIMAL_INEXACT);
    assert.equal(parse("0.5", 0), DECIMAL_INEXACT);
    assert.equal(parse("9007199254740992", 0), DECIMAL_TOO_LARGE);
    assert.equal(parse("90071992547409.92", 2), DECIMAL_TOO_LARGE);
    assert.equal(parse("-99999999999999999999999999", 0), DECIMAL_TOO_LARGE);
    assert.equal(parse("9".repeat(400), 0), DECIMAL_TOO_LARGE);
    assert.equal(parse(`${"9".repeat(400)}.001`, 2), DECIMAL_INEXACT);
    assert.ok(Number.isNaN(parse("99999999999999999999999999.x", 0)));
  });

  it(`agrees with exact integer arithmetic on random text (seed ${SEED})`, () => {
    const digits = fc.stringMatching(/^[0-9]{0,20}$/);
    const property = fc.property(
      fc.boolean(),
      digits,
      fc.option(digits),
      fc.nat(15),
      (minus, whole, fraction, scale) => {
        const text = `${minus ? "-" : ""}${whole}${fraction === null ? "" : `.${fraction}`}`;
        const got = parse(text, scale);
        if (whole === "" && (fraction ?? "") === "") return assert.ok(Number.isNaN(got));
        const decimals = (fraction ?? "").replace(/0+$/, "");
        if (decimals.length > scale) return assert.equal(got, DECIMAL_INEXACT);
        const units = BigInt(whole + decimals.padEnd(scale, "0"));
        if (units > BigInt(Number.MAX_SAFE_INTEGER)) return assert.equal(got, DECIMAL_TOO_LARGE);
        assert.equal(got, Number(minus ? -units : units));
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 2000 });
  });
});
