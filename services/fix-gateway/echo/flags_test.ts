import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { flagsOf, HELP } from "./flags.ts";

const NEEDED = ["--port", "0", "--sender", "ISLD", "--target", "TW44"];

describe("the echo's command line", () => {
  it("has a default for all but port and CompIDs", () => {
    assert.deepEqual(flagsOf(NEEDED), {
      host: "127.0.0.1",
      port: 0,
      sender: "ISLD",
      targets: ["TW44"],
      resetOnLogon: false,
      heartBtIntMinSec: 0,
      heartBtIntMaxSec: 86_400,
      logLevel: "info",
    });
  });

  it("takes every flag that the help names", () => {
    const more = ["--host", "0.0.0.0", "--session", "ISLD:A", "--session=ISLD:B", "--reset-on-logon"];
    const limits = ["--heartbeat-min", "2", "--heartbeat-max", "60", "--log-level", "debug"];
    assert.deepEqual(flagsOf([...NEEDED, ...more, ...limits]), {
      host: "0.0.0.0",
      port: 0,
      sender: "ISLD",
      targets: ["TW44", "A", "B"],
      resetOnLogon: true,
      heartBtIntMinSec: 2,
      heartBtIntMaxSec: 60,
      logLevel: "debug",
    });
    for (const flag of [...NEEDED, ...more, ...limits].filter((arg) => arg.startsWith("--"))) {
      assert.ok(HELP.includes(`\n  ${flag.split("=")[0]} `), flag);
    }
    assert.equal(flagsOf([...NEEDED, "--help"]), null);
  });

  const wrong: readonly [args: string[], text: string][] = [
    [[...NEEDED, "--bogus"], 'Cannot read "--bogus": there is no such flag (see --help)'],
    [[...NEEDED, "extra"], 'Cannot read "extra": expected flags only (see --help)'],
    [NEEDED.slice(2), "Cannot do without --port: expected a value, got nothing (see --help)"],
    [
      [...NEEDED.slice(2), "--port", "65536"],
      'Cannot use --port: expected a whole number from 0 to 65535, got "65536"',
    ],
    [NEEDED.slice(0, 4), "Cannot do without --target: expected a value, got nothing (see --help)"],
    [
      ["--port", "0", "--sender", "A B", "--target", "C"],
      'Cannot use --sender: expected a CompID of 1 to 64 characters, got "A B"',
    ],
    [[...NEEDED, "--session", "X:Y"], 'Cannot use --session: expected ISLD:TARGET, got "X:Y"'],
    [[...NEEDED, "--session", "ISLD"], 'Cannot use --session: expected ISLD:TARGET, got "ISLD"'],
    [
      [...NEEDED, "--session", "ISLD:TW44"],
      'Cannot use --session: TW44 is a session already, got "ISLD:TW44"',
    ],
    [
      [...NEEDED, "--heartbeat-min", "30", "--heartbeat-max", "10"],
      'Cannot use --heartbeat-max: expected a whole number from 30 to 86400, got "10"',
    ],
  ];
  for (const [args, text] of wrong) {
    it(`refuses ${args.join(" ")}`, () => assert.throws(() => flagsOf(args), { message: text }));
  }
});
