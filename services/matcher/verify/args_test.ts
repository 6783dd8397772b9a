import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { UsageError } from "../../../shared/cli/flags.ts";
import { parseVerifyArgs } from "./args.ts";

const NOTHING = { store: null, config: null, nats: null, shard: null, json: false };

describe("the command line of deno task verify", () => {
  it("may be empty, and reads every flag", () => {
    assert.deepEqual(parseVerifyArgs([]), NOTHING);
    assert.deepEqual(parseVerifyArgs(["--store", "s", "--config", "c", "--shard", "3", "--json"]), {
      ...NOTHING,
      store: "s",
      config: "c",
      shard: 3,
      json: true,
    });
    assert.deepEqual(parseVerifyArgs(["--nats", "nats://h:1"]), { ...NOTHING, nats: "nats://h:1" });
    assert.equal(parseVerifyArgs(["--help"]), null);
  });

  const WRONG: readonly (readonly [string[], string])[] = [
    [["--fast"], 'Cannot read "--fast": there is no such flag (see --help)'],
    [["0"], 'Cannot read "0": expected flags only (see --help)'],
    [["--store"], "Cannot use --store: expected a value, got nothing (see --help)"],
    [["--shard", "x"], 'Cannot use --shard: expected a whole number from 0 to 999, got "x"'],
    [
      ["--shard", "0", "--shard", "1"],
      'Cannot use --shard: expected one value, got "0" and "1" (see --help)',
    ],
    [["--store", "s", "--nats", "n"], "Cannot use --store with --nats: expected one of them, got both"],
  ];
  for (const [args, message] of WRONG) {
    it(`refuses ${args.join(" ")}`, () => {
      assert.throws(() => parseVerifyArgs(args), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, message);
        return true;
      });
    });
  }
});
