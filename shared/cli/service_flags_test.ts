import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { UsageError } from "./flags.ts";
import { serviceFlags } from "./service_flags.ts";

const NAMES = ["config", "nats"] as const;

describe("serviceFlags", () => {
  it("reads the flags that were given, the last of each", () => {
    assert.deepEqual(serviceFlags([], NAMES), {});
    assert.deepEqual(serviceFlags(["--config", "a", "--nats=b", "--config=c"], NAMES), {
      config: "c",
      nats: "b",
    });
  });

  it("reads a call for help, whatever else is there", () => {
    assert.equal(serviceFlags(["--help"], NAMES), null);
    assert.equal(serviceFlags(["--bogus", "--help"], NAMES), null);
  });

  const rows: [string, string[], string][] = [
    ["an unknown flag", ["--conf", "a"], 'Cannot start: unknown argument "--conf"; see --help'],
    [
      "a flag that is turned off",
      ["--no-config"],
      'Cannot start: unknown argument "--no-config"; see --help',
    ],
    ["an argument that is no flag", ["a"], 'Cannot start: unknown argument "a"; see --help'],
    ["a flag without its value", ["--nats"], "Cannot start: expected a value for --nats, got nothing"],
    [
      "a flag before another",
      ["--nats", "--config", "a"],
      "Cannot start: expected a value for --nats, got nothing",
    ],
  ];
  for (const [name, args, message] of rows) {
    it(`refuses ${name}`, () => {
      assert.throws(() => serviceFlags(args, NAMES), (error) => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, message);
        return true;
      });
    });
  }
});
