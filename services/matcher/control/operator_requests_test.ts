import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { nullLogger } from "../../../shared/cli/log.ts";
import { Command } from "../../../shared/codec/wire/mod.ts";
import {
  codeOfChar,
  CommandKind,
  type ControlAnswer,
  EventKind,
  MassScope,
  Phase,
  Reason,
  Side,
  type VenueAuditEntry,
} from "../../../shared/protocol/mod.ts";
import { testInstrument } from "../test_kit.ts";
import { carryOut } from "./operator_requests.ts";
import type { Applied, FillCommand, VenueEvent } from "./own_commands.ts";

const ALPHA = { id: 3, name: "ALPHA" };
const BETA = { id: 4, name: "BETA" };
const SESSION = { role: "trading", username: "u", password: "p" } as const;
const EVENT: VenueEvent = {
  kind: 0,
  instrumentId: 1,
  phase: 0,
  previousPhase: 0,
  algorithm: 0,
  total: 0,
  reason: 0,
};

/** An engine that answers with given events, and everything that was done, in order. */
class World {
  readonly done: string[] = [];
  readonly entries: VenueAuditEntry[] = [];
  readonly command = new Command();
  symbol: string | null | undefined;
  events: VenueEvent[] = [];
  phase: Phase = Phase.Continuous;
  auditFails = false;
  sent: ((symbol: string | null) => Promise<Applied>) | null = null;
  #timer: (() => void) | null = null;

  ask(request: Record<string, unknown> | string): Promise<ControlAnswer> {
    const text = typeof request === "string" ? request : JSON.stringify({ by: "Ann", ...request });
    return carryOut(text, {
      directory: {
        shard: 2,
        instruments: [testInstrument(1, "AAA"), {
          ...testInstrument(2, "BBB"),
          switchableTo: ["F", "C", "K"],
        }],
        firms: [ALPHA, BETA],
        sessions: [{ ...SESSION, id: 7, senderCompId: "TRADER1", firm: ALPHA }],
      },
      send: (symbol: string | null, [fill]: readonly FillCommand[]) => {
        this.done.push("sent");
        this.symbol = symbol;
        fill(this.command);
        return this.sent?.(symbol) ?? Promise.resolve({ cmdSeq: 9, events: this.events });
      },
      audit: (entry) => {
        if (this.auditFails) return Promise.reject(new Error("no audit"));
        this.done.push(entry.outcome);
        this.entries.push(entry);
        return Promise.resolve();
      },
      phaseOf: () => this.phase,
      algorithmOf: () => "F",
      wallMs: () => 5000,
      after: (_ms, action) => {
        this.#timer = action;
        return () => this.#timer = null;
      },
      log: nullLogger,
    });
  }

  get waits(): boolean {
    return this.#timer !== null;
  }

  /** Time is over. */
  pass(): void {
    this.#timer!();
  }
}

const changed = (instrumentId: number, previousPhase: Phase): VenueEvent => ({
  ...EVENT,
  kind: EventKind.PhaseChanged,
  instrumentId,
  previousPhase,
});

describe("an operator's request", () => {
  it("sets the phase of an instrument, and says what it was", async () => {
    const world = new World();
    world.events = [changed(1, Phase.Continuous)];
    const answer: ControlAnswer = {
      kind: "phase",
      shard: 2,
      cmdSeq: 9,
      phase: "halt",
      changed: [{ symbol: "AAA", previous: "continuous" }],
      unchanged: [],
    };
    assert.deepEqual(await world.ask({ do: "phase", symbol: "AAA", phase: "halt" }), answer);
    const { kind, instrumentId, target, scope, expireUs } = world.command;
    assert.deepEqual(
      [world.symbol, kind, instrumentId, target, scope, expireUs],
      ["AAA", CommandKind.SetPhase, 1, Phase.Halt, 0, 0],
    );
    const entry = {
      time: "1970-01-01T00:00:05.000Z",
      by: "Ann",
      via: "matcher 2",
      asked: { do: "phase", symbol: "AAA", phase: "halt" },
    };
    assert.deepEqual(world.entries, [
      { ...entry, outcome: "started", answer: undefined },
      { ...entry, outcome: "done", answer },
    ]);
    assert.deepEqual(world.done, ["started", "sent", "done"]);
    assert.equal(world.waits, false);
  });

  it("sets the phase of all, and says which were in it already", async () => {
    const world = new World();
    world.events = [changed(2, Phase.Halt)];
    assert.deepEqual(await world.ask({ do: "phase", all: true, phase: "continuous" }), {
      kind: "phase",
      shard: 2,
      cmdSeq: 9,
      phase: "continuous",
      changed: [{ symbol: "BBB", previous: "halt" }],
      unchanged: ["AAA"],
    });
    assert.deepEqual([world.symbol, world.command.instrumentId], [null, 0]);
  });

  it("sets an algorithm, and says what it was", async () => {
    const world = new World();
    const asked = { do: "algorithm", symbol: "BBB", algorithm: "C" };
    const answer = { kind: "algorithm", shard: 2, cmdSeq: 9, symbol: "BBB", algorithm: "C", previous: "C" };
    assert.deepEqual(await world.ask(asked), answer);
    const { kind, instrumentId, target } = world.command;
    assert.deepEqual([kind, instrumentId, target], [CommandKind.SetAlgorithm, 2, codeOfChar(67)]);
    world.events = [{ ...EVENT, kind: EventKind.AlgorithmChanged }];
    assert.deepEqual(await world.ask(asked), { ...answer, previous: "F" });
  });

  /** [request, scope, session, firm, instrument, side] */
  const cancels: [Record<string, string>, MassScope, number, number, number, number][] = [
    [{}, MassScope.All, 0, 0, 0, 0],
    [{ firm: "BETA" }, MassScope.Firm, 0, 4, 0, 0],
    [{ session: "TRADER1" }, MassScope.Session, 7, 3, 0, 0],
    [
      { session: "TRADER1", firm: "ALPHA", symbol: "BBB", side: "sell" },
      MassScope.Session,
      7,
      3,
      2,
      Side.Sell,
    ],
    [{ symbol: "AAA", side: "buy" }, MassScope.All, 0, 0, 1, Side.Buy],
  ];
  for (const [asked, ...expected] of cancels) {
    it(`cancels ${JSON.stringify(asked)}`, async () => {
      const world = new World();
      world.events = [{ ...EVENT, kind: EventKind.MassCancelReported, total: 12 }];
      assert.deepEqual(await world.ask({ do: "mass-cancel", ...asked }), {
        kind: "mass-cancel",
        shard: 2,
        cmdSeq: 9,
        canceled: 12,
        skipped: [],
      });
      const { scope, sessionId, firmId, instrumentId, side, clOrdId, msgSeqNum, incarnation } = world.command;
      assert.deepEqual([scope, sessionId, firmId, instrumentId, side], expected);
      assert.deepEqual([clOrdId.toString(), msgSeqNum, incarnation], ["ADMIN", 0, 0]);
    });
  }

  it("to cancel names what may not be cancelled now", async () => {
    const world = new World();
    world.phase = Phase.NoCancel;
    world.events = [{ ...EVENT, kind: EventKind.MassCancelReported, total: 0 }];
    const all = await world.ask({ do: "mass-cancel" });
    assert.deepEqual(all.kind === "mass-cancel" && all.skipped, ["AAA", "BBB"]);
    world.events = [{ ...EVENT, kind: EventKind.MassCancelReported, reason: Reason.PhaseForbids }];
    assert.deepEqual(await world.ask({ do: "mass-cancel", symbol: "AAA" }), {
      kind: "refused",
      shard: 2,
      reason: "AAA is in no-cancel: nothing was cancelled",
    });
    assert.deepEqual(world.done.slice(-3), ["started", "sent", "refused"]);
  });

  /** [what, request, reason] */
  const refusals: [string, Record<string, unknown>, string][] = [
    ["another shard's symbol", { do: "phase", symbol: "CCC", phase: "halt" }, "Shard 2 has no symbol CCC"],
    [
      "an algorithm that the venue file does not list",
      { do: "algorithm", symbol: "BBB", algorithm: "S" },
      "The venue file lets BBB be switched to F, C, K, not to S",
    ],
    ["no such session", { do: "mass-cancel", session: "X" }, "The venue file has no session X"],
    ["no such firm", { do: "mass-cancel", firm: "X" }, "The venue file has no firm X"],
    [
      "a session of another firm",
      { do: "mass-cancel", session: "TRADER1", firm: "BETA" },
      "Session TRADER1 belongs to firm ALPHA, not to BETA",
    ],
  ];
  for (const [what, asked, reason] of refusals) {
    it(`is refused for ${what}, and that is in the audit`, async () => {
      const world = new World();
      assert.deepEqual(await world.ask(asked), { kind: "refused", shard: 2, reason });
      assert.deepEqual(world.done, ["refused"]);
    });
  }

  /** [request, reason] */
  const faults: [Record<string, unknown> | string, string][] = [
    ["x", "expected JSON"],
    ["[]", "expected phase, algorithm or mass-cancel in do, got []"],
    [{ do: "open" }, 'expected phase, algorithm or mass-cancel in do, got "open"'],
    [
      { do: "phase", symbol: "AAA", phase: "open" },
      "expected one of closed, pre-open, no-cancel, opening-auction, " +
      'continuous, halt, volatility-auction, closing-auction, got "open"',
    ],
    [
      { do: "phase", symbol: "AAA" },
      "expected one of closed, pre-open, no-cancel, opening-auction, " +
      "continuous, halt, volatility-auction, closing-auction, got nothing",
    ],
    [{ do: "phase", phase: "halt" }, 'expected symbol or all, got {"by":"Ann","do":"phase","phase":"halt"}'],
    [
      { do: "phase", phase: "halt", symbol: "AAA", all: true },
      'expected symbol or all, got {"by":"Ann","do":"phase","phase":"halt","symbol":"AAA","all":true}',
    ],
    [{ do: "phase", phase: "halt", all: false }, "expected true, got false"],
    [{ do: "algorithm", symbol: "AAA", algorithm: "B" }, 'expected one of F, C, A, O, Q, S, T, K, got "B"'],
    [{ do: "algorithm", algorithm: "F" }, "expected a symbol, got nothing"],
    [{ do: "mass-cancel", side: "both" }, 'expected buy or sell, got "both"'],
    [{ do: "mass-cancel", side: "buy", by: "" }, 'expected a name of 1 to 128 characters, got ""'],
    [
      { do: "mass-cancel", sides: "buy" },
      'expected no sides, got {"by":"Ann","do":"mass-cancel","sides":"buy"}',
    ],
  ];
  for (const [asked, reason] of faults) {
    it(`that cannot be read is told why: ${JSON.stringify(asked)}`, async () => {
      const world = new World();
      const text = `Cannot read the request: ${reason}`;
      assert.deepEqual(await world.ask(asked), { kind: "refused", shard: 2, reason: text });
      assert.deepEqual(world.done, []);
    });
  }

  it("is not carried out when the audit cannot be written", async () => {
    const world = new World();
    world.auditFails = true;
    const answer = await world.ask({ do: "phase", symbol: "AAA", phase: "halt" });
    assert.deepEqual(answer, { kind: "refused", shard: 2, reason: "no audit" });
    assert.deepEqual(world.done, []);
  });

  it("whose end is not known in time, or not at all, says so", async () => {
    const world = new World();
    world.sent = () => new Promise(() => {});
    const waiting = world.ask({ do: "phase", symbol: "AAA", phase: "halt" });
    while (!world.waits) await Promise.resolve();
    world.pass();
    const reason = "It is not known whether it will be done: ";
    assert.deepEqual(await waiting, {
      kind: "unknown",
      shard: 2,
      reason: `${reason}the command waits for the command stream`,
    });
    world.sent = () => Promise.reject(new Error("the matcher leads no more"));
    assert.deepEqual(await world.ask({ do: "phase", symbol: "AAA", phase: "halt" }), {
      kind: "unknown",
      shard: 2,
      reason: `${reason}the matcher leads no more`,
    });
    assert.deepEqual(world.done, ["started", "sent", "unknown", "started", "sent", "unknown"]);
  });
});
