import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { neededFlag, oneOfFlag, oneWord, readFlags, UsageError, wholeFlag } from "./flags.ts";

const NAMES = {
  values: ["config", "qty"],
  switches: ["json", "no-save"],
  lists: ["tag"],
} as const;

/** A UsageError with just this text. */
function says(text: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof UsageError);
    assert.equal(error.message, text);
    return true;
  };
}

describe("readFlags", () => {
  it("reads what was given, and every one of a list", () => {
    assert.deepEqual(readFlags([], NAMES), {
      values: {},
      switches: { json: false, "no-save": false },
      lists: { tag: [] },
      words: [],
    });
    const args = ["--json", "--tag", "1", "--config=b=c", "--json", "--no-save", "--tag", "-2"];
    assert.deepEqual(readFlags(args, NAMES), {
      values: { config: "b=c" },
      switches: { json: true, "no-save": true },
      lists: { tag: ["1", "-2"] },
      words: [],
    });
  });

  it("takes negative numbers and a dash for values, and keeps text as it was typed", () => {
    assert.deepEqual(
      ["-5", "-.5", "-", "007", "1e5"].map((text) => readFlags(["--qty", text], NAMES)?.values.qty),
      ["-5", "-.5", "-", "007", "1e5"],
    );
  });

  it("takes words where they are wanted, also numbers, and everything behind --", () => {
    const args = ["0017", "--json", "b", "--", "--config", "--json=1"];
    const flags = readFlags(args, { ...NAMES, words: true });
    assert.deepEqual(flags?.words, ["0017", "b", "--config", "--json=1"]);
  });

  it("reads a call for help, whatever else is there", () => {
    for (const args of ["--help", "-h", "--bogus --help", "--qty --help", "--help=1 x"]) {
      assert.equal(readFlags(args.split(" "), NAMES), null);
    }
  });

  const rows: [name: string, args: string, text: string][] = [
    ["an unknown flag", "--conf a", 'Cannot read "--conf": there is no such flag (see --help)'],
    [
      "an unknown flag with a value",
      "--conf=a",
      'Cannot read "--conf=a": there is no such flag (see --help)',
    ],
    ["an unknown letter", "-x", 'Cannot read "-x": there is no such flag (see --help)'],
    ["a flag turned off", "--no-json", 'Cannot read "--no-json": there is no such flag (see --help)'],
    ["a number that is no value", "--json -1", 'Cannot read "-1": there is no such flag (see --help)'],
    ["a word", "--json a", 'Cannot read "a": expected flags only (see --help)'],
    ["a word behind --", "-- --json", 'Cannot read "--json": expected flags only (see --help)'],
    [
      "a last flag without its value",
      "--qty",
      "Cannot use --qty: expected a value, got nothing (see --help)",
    ],
    ["a flag with an empty value", "--qty=", "Cannot use --qty: expected a value, got nothing (see --help)"],
    [
      "a flag before another",
      "--qty --config a",
      "Cannot use --qty: expected a value, got nothing (see --help)",
    ],
    [
      "an empty one of a list",
      "--tag a --tag=",
      "Cannot use --tag: expected a value, got nothing (see --help)",
    ],
    [
      "a flag that is given twice",
      "--qty 1 --config a --qty=2",
      'Cannot use --qty: expected one value, got "1" and "2" (see --help)',
    ],
    [
      "a flag that is given twice with the same value",
      "--qty 1 --qty 1",
      'Cannot use --qty: expected one value, got "1" and "1" (see --help)',
    ],
    ["a switch with a value", "--json=no", 'Cannot use --json: expected no value, got "no"'],
    ["a negated switch with a value", "--no-save=1", 'Cannot use --no-save: expected no value, got "1"'],
  ];
  for (const [name, args, text] of rows) {
    it(`refuses ${name}`, () => {
      assert.throws(() => readFlags(args.split(" "), NAMES), says(text));
    });
  }
});

describe("wholeFlag", () => {
  it("takes the bounds and what lies between", () => {
    assert.deepEqual(["5", "007", "9"].map((text) => wholeFlag("--n", text, 5, 9)), [5, 7, 9]);
  });

  for (const text of ["", "4", "10", "-5", "+5", "5.0", "5e0", " 5", "0x5", "five", "1234567890"]) {
    it(`refuses "${text}" and says what it expected`, () => {
      const message = `Cannot use --n: expected a whole number from 5 to 9, got "${text}"`;
      assert.throws(() => wholeFlag("--n", text, 5, 9), says(message));
    });
  }
});

describe("neededFlag", () => {
  it("gives the value, and says that there is none", () => {
    assert.equal(neededFlag("--port", "0"), "0");
    const message = "Cannot do without --port: expected a value, got nothing (see --help)";
    assert.throws(() => neededFlag("--port", undefined), says(message));
  });
});

describe("oneOfFlag", () => {
  it("takes one of the names, and says which there are", () => {
    assert.equal(oneOfFlag("--side", "sell", ["buy", "sell"]), "sell");
    for (const text of ["", "SELL", "sel"]) {
      const message = `Cannot use --side: expected one of buy, sell, got "${text}"`;
      assert.throws(() => oneOfFlag("--side", text, ["buy", "sell"]), says(message));
    }
  });
});

describe("oneWord", () => {
  it("takes one word, and says what stands there instead", () => {
    assert.equal(oneWord("print a log", "FILE", ["a"]), "a");
    for (const [words, got] of [[[], "nothing"], [["a", "b"], '"a b"']] as const) {
      const message = `Cannot print a log: expected one FILE, got ${got} (see --help)`;
      assert.throws(() => oneWord("print a log", "FILE", words), says(message));
    }
  });
});
