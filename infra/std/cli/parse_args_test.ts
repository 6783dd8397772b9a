import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseArgs } from "@std/cli/parse-args";

describe("parseArgs adapter", () => {
  it("reads text, switches, collected values, defaults, aliases and positionals", () => {
    const args = parseArgs(["--price", "10.50", "--raw", "-t", "a", "--tag=b", "ACME", "7", "--no-color"], {
      boolean: ["raw", "quiet", "color"],
      string: ["price", "host"],
      collect: ["tag"],
      negatable: ["color"],
      alias: { tag: "t" },
      default: { host: "127.0.0.1" },
    });
    assert.deepEqual({ ...args }, {
      _: ["ACME", 7],
      price: "10.50",
      raw: true,
      quiet: false,
      color: false,
      tag: ["a", "b"],
      t: ["a", "b"],
      host: "127.0.0.1",
    });
  });

  it("keeps text as text, so that a price or an identifier never becomes a number", () => {
    assert.equal(parseArgs(["--id", "007"], { string: ["id"] }).id, "007");
    assert.equal(parseArgs(["--price=1e5"], { string: ["price"] }).price, "1e5");
  });

  it("takes the last value of a flag that is not collected", () => {
    assert.equal(parseArgs(["--host", "a", "--host", "b"], { string: ["host"] }).host, "b");
  });

  it("returns an empty list for an absent collected flag", () => {
    assert.deepEqual(parseArgs([], { string: ["tag"], collect: ["tag"] }).tag, []);
  });

  it("hands every flag that is not declared to unknown", () => {
    const seen: unknown[][] = [];
    const args = parseArgs(["--up", "--bogus=1", "--no-demo", "--demo", "file", "-x"], {
      boolean: ["up", "demo"],
      unknown: (arg, key, value) => {
        seen.push([arg, key, value]);
        return false;
      },
    });
    assert.deepEqual(seen, [
      ["--bogus=1", "bogus", "1"],
      ["--no-demo", "no-demo", undefined],
      ["file", undefined, undefined],
      ["-x", "x", undefined],
    ]);
    assert.deepEqual({ ...args }, { _: [], up: true, demo: true });
  });

  it("puts what follows -- into its own list when asked", () => {
    const args = parseArgs(["--raw", "--", "--price", "1"], { boolean: ["raw"], "--": true });
    assert.deepEqual({ ...args }, { _: [], raw: true, "--": ["--price", "1"] });
  });

  it("stops at the first positional argument when asked", () => {
    const args = parseArgs(["--raw", "new", "--price", "1"], { boolean: ["raw"], stopEarly: true });
    assert.deepEqual({ ...args }, { _: ["new", "--price", "1"], raw: true });
  });
});
