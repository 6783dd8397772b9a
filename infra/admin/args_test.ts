import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { UsageError } from "../../shared/cli/flags.ts";
import { type AdminCommand, parseAdminArgs } from "./args.ts";

const USUAL = { store: null, config: null, nats: null, by: null, json: false };

describe("the command line of deno task admin", () => {
  const commands: [string, AdminCommand][] = [
    ["session list", { kind: "list" }],
    ["session show T", { kind: "show", session: "T" }],
    ["session show 0017", { kind: "show", session: "0017" }],
    ["session reset T", { kind: "change", session: "T", change: { kind: "reset", force: false } }],
    ["session reset T --force", { kind: "change", session: "T", change: { kind: "reset", force: true } }],
    [
      "session set-next T --out 5",
      { kind: "change", session: "T", change: { kind: "set", out: 5, in: null, force: false } },
    ],
    [
      "session set-next --in=7 --out 5 T --force",
      { kind: "change", session: "T", change: { kind: "set", out: 5, in: 7, force: true } },
    ],
    ["audit", { kind: "audit", last: 20 }],
    ["phases", { kind: "phases" }],
    ["phase ACME halt", { kind: "phase", symbol: "ACME", phase: "halt" }],
    ["phase 0017 open", { kind: "phase", symbol: "0017", phase: "continuous" }],
    ["phase --all open", { kind: "phase", symbol: null, phase: "continuous" }],
    ["phase pre-open --all", { kind: "phase", symbol: null, phase: "pre-open" }],
    ["algorithm TULIP-DEC F", { kind: "algorithm", symbol: "TULIP-DEC", algorithm: "F" }],
    ["mass-cancel", { kind: "mass-cancel", of: {} }],
    [
      "mass-cancel --firm A --session T --symbol X --side buy",
      { kind: "mass-cancel", of: { firm: "A", session: "T", symbol: "X", side: "buy" } },
    ],
    ["audit --last 3", { kind: "audit", last: 3 }],
    ["shard status", { kind: "shard", verb: "status", shard: null }],
    ["shard handover --shard 0", { kind: "shard", verb: "handover", shard: 0 }],
  ];
  for (const [line, command] of commands) {
    it(line, () => assert.deepEqual(parseAdminArgs(line.split(" ")), { ...USUAL, command }));
  }

  it("says where the venue is, who asks and how to print", () => {
    assert.deepEqual(parseAdminArgs(["session", "list", "--store", "/s", "--by", "Ann", "--json"]), {
      ...USUAL,
      command: { kind: "list" },
      store: "/s",
      by: "Ann",
      json: true,
    });
    assert.equal(parseAdminArgs(["--help"]), null);
  });

  const COMMANDS =
    "Cannot read the command: expected session, phases, phase, algorithm, mass-cancel, audit or shard, got ";
  const PHASES =
    "Cannot set a phase: expected closed, pre-open, no-cancel, opening-auction, continuous, halt, " +
    "volatility-auction, closing-auction or open, got ";
  const faults: [string, string][] = [
    ["", `${COMMANDS}nothing (see --help)`],
    ["session drop T", 'Cannot read "session drop T": there is no such command (see --help)'],
    ["phases ACME", 'Cannot read "phases ACME": there is no such command (see --help)'],
    ["phase ACME halt now", 'Cannot read "phase ACME halt now": there is no such command (see --help)'],
    ["phase --all ACME halt", 'Cannot set a phase: expected a symbol or --all, got both ("ACME")'],
    ["shard", 'Cannot read "shard": there is no such command (see --help)'],
    ["shard handover 0", 'Cannot read "shard handover 0": there is no such command (see --help)'],
    ["shard status --shard x", 'Cannot use --shard: expected a whole number from 0 to 999, got "x"'],
    ["mass-cancel ACME", 'Cannot read "mass-cancel ACME": there is no such command (see --help)'],
    ["algorithm ACME F C", 'Cannot read "algorithm ACME F C": there is no such command (see --help)'],
    ["phase", "Cannot set a phase: expected a symbol or --all, got neither"],
    ["phase ACME", `${PHASES}nothing`],
    ["phase --all", `${PHASES}nothing`],
    ["phase ACME shut", `${PHASES}"shut"`],
    ["algorithm", "Cannot set an algorithm: expected a symbol, got nothing"],
    ["algorithm ACME", "Cannot set an algorithm: expected F, C, A, O, Q, S, T or K, got nothing"],
    ["algorithm ACME f", 'Cannot set an algorithm: expected F, C, A, O, Q, S, T or K, got "f"'],
    ["mass-cancel --side both", 'Cannot use --side: expected one of buy, sell, got "both"'],
    ["phases --all", "Cannot use --all here (see --help)"],
    ["phase ACME halt --side buy", "Cannot use --side here (see --help)"],
    ["session show", "Cannot show a session: expected its CompID, got nothing (see --help)"],
    ["session set-next T", "Cannot set the next numbers: expected --out, --in or both, got neither"],
    [
      "session set-next T --out 0",
      'Cannot use --out: expected a whole number from 1 to 999999999, got "0"',
    ],
    ["session reset T --out 5", "Cannot use --out here (see --help)"],
    ["session list --last 5", "Cannot use --last here (see --help)"],
    ["session list --stroe x", 'Cannot read "--stroe": there is no such flag (see --help)'],
    ["session list --store=", "Cannot use --store: expected a value, got nothing (see --help)"],
    ["session list --store a --nats b", "Cannot use --store with --nats: expected one of them, got both"],
  ];
  for (const [line, message] of faults) {
    it(`refuses "${line}"`, () => {
      const words = line === "" ? [] : line.split(" ");
      assert.throws(
        () => parseAdminArgs(words),
        (error) => error instanceof UsageError && (assert.equal(error.message, message), true),
      );
    });
  }
});
