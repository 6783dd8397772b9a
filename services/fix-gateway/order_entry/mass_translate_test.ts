import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandFlag, CommandKind, MassScope, Reason, Side } from "../../../shared/protocol/mod.ts";
import { ACME, RATE } from "./fixture.ts";
import { translated } from "./mass_cases.ts";

const { MassCancel, MassStatus, RefuseOrder } = CommandKind;
const TIME = "60=20261130-12:00:00.000|";
const LONG = "x".repeat(41);

describe("OrderMassCancelRequest(q)", () => {
  const taken: readonly [body: string, instrument: typeof ACME | null, command: Record<string, unknown>][] = [
    [`11=m1|530=1|55=ACME|${TIME}`, ACME, { kind: MassCancel, instrumentId: 1, clOrdId: "m1" }],
    [
      `11=m1|530=1|55=RATE|54=2|${TIME}`,
      RATE,
      { kind: MassCancel, instrumentId: 2, side: Side.Sell, clOrdId: "m1" },
    ],
    [`11=m1|530=7|${TIME}`, null, { kind: MassCancel, clOrdId: "m1" }],
    [`11=m1|530=7|54=1|${TIME}`, null, { kind: MassCancel, side: Side.Buy, clOrdId: "m1" }],
    [`11=m1|530=7|${TIME}5530=S|`, null, { kind: MassCancel, clOrdId: "m1" }],
    [`11=m1|530=7|${TIME}5530=F|`, null, { kind: MassCancel, scope: MassScope.Firm, clOrdId: "m1" }],
    [
      `11=m1|526=mine|530=1|55=ACME|461=ESXXXX|${TIME}58=all out|5530=F|`,
      ACME,
      { kind: MassCancel, instrumentId: 1, scope: MassScope.Firm, clOrdId: "m1" },
    ],
  ];
  for (const [body, instrument, command] of taken) {
    it(`becomes a command: ${body}`, () => {
      const outcome = instrument === null
        ? { kind: "across", shards: [0, 3] }
        : { kind: "command", instrument };
      assert.deepEqual(translated("q", body), { outcome, command, entries: {} });
    });
  }

  it("keeps the header's flags", () => {
    const { command } = translated("q", `11=m1|530=7|${TIME}`, {
      header: "43=Y|97=Y|122=20261130-12:00:00.000|",
    });
    assert.equal(command.flags, CommandFlag.PossDup | CommandFlag.PossResend);
  });

  const refused: readonly [body: string, reason: Reason, text: string, rest: Record<string, unknown>][] = [
    [
      `11=m1|530=2|${TIME}`,
      Reason.FieldUnsupported,
      'Cannot cancel MassCancelRequestType(530): expected 1 or 7, got "2"',
      { ordType: 2 },
    ],
    [
      `11=m1|530=6|336=DAY|${TIME}`,
      Reason.FieldUnsupported,
      'Cannot cancel MassCancelRequestType(530): expected 1 or 7, got "6"',
      { ordType: 6 },
    ],
    [
      `11=m1|530=1|${TIME}`,
      Reason.UnknownSymbol,
      "Cannot cancel Symbol(55): expected a listed symbol, got none",
      { ordType: 1 },
    ],
    [
      `11=m1|530=1|55=NONE|${TIME}`,
      Reason.UnknownSymbol,
      'Cannot cancel Symbol(55): expected a listed symbol, got "NONE"',
      { ordType: 1, symbol: "NONE" },
    ],
    [
      `11=m1|530=7|55=ACME|${TIME}`,
      Reason.FieldUnsupported,
      'Cannot cancel Symbol(55): expected none with MassCancelRequestType(530) 7, got "ACME"',
      { ordType: 7, instrumentId: 1 },
    ],
    [
      `11=m1|530=7|54=5|${TIME}`,
      Reason.FieldUnsupported,
      'Cannot cancel Side(54): expected 1 or 2, got "5"',
      { ordType: 7, side: 5 },
    ],
    [
      `11=m1|530=7|336=DAY|${TIME}`,
      Reason.FieldUnsupported,
      'Cannot cancel TradingSessionID(336): expected no such field, got "DAY"',
      { ordType: 7 },
    ],
    [
      `11=m1|530=1|55=ACME|48=1|22=1|${TIME}`,
      Reason.FieldUnsupported,
      'Cannot cancel SecurityID(48): expected no such field, got "1"',
      { ordType: 1, instrumentId: 1 },
    ],
  ];
  for (const [body, reason, text, rest] of refused) {
    it(`is refused by tag: ${body}`, () => {
      const { outcome, command } = translated("q", body);
      assert.deepEqual(command, {
        kind: RefuseOrder,
        refusedKind: MassCancel,
        reason,
        text,
        clOrdId: "m1",
        ...rest,
      });
      const instrument = rest.instrumentId === 1 ? ACME : null;
      assert.deepEqual(outcome, { kind: "command", instrument });
    });
  }

  it("is refused for a scope that there is not, where the dictionary lets it pass", () => {
    const { command } = translated("q", `11=m1|530=7|${TIME}5530=X|`, { valid: false });
    assert.equal(command.text, 'Cannot cancel MassActionScope(5530): expected S or F, got "X"');
  });
});

describe("OrderMassStatusRequest(AF)", () => {
  it("becomes a command for a symbol, or one for every shard", () => {
    assert.deepEqual(translated("AF", "584=s1|585=1|55=RATE|54=1|5530=F|"), {
      outcome: { kind: "command", instrument: RATE },
      command: {
        kind: MassStatus,
        instrumentId: 2,
        side: Side.Buy,
        scope: MassScope.Firm,
        clOrdId: "s1",
      },
      entries: {},
    });
    assert.deepEqual(translated("AF", "584=s1|585=7|"), {
      outcome: { kind: "across", shards: [0, 3] },
      command: { kind: MassStatus, clOrdId: "s1" },
      entries: {},
    });
  });

  const refused: readonly [body: string, text: string][] = [
    ["584=s1|585=8|", 'Cannot report MassStatusReqType(585): expected 1 or 7, got "8"'],
    ["584=s1|585=1|55=NONE|", 'Cannot report Symbol(55): expected a listed symbol, got "NONE"'],
    [
      "584=s1|585=7|55=ACME|",
      'Cannot report Symbol(55): expected none with MassStatusReqType(585) 7, got "ACME"',
    ],
    ["584=s1|585=7|54=8|", 'Cannot report Side(54): expected 1 or 2, got "8"'],
    ["584=s1|585=7|1=house|", 'Cannot report Account(1): expected no such field, got "house"'],
    [
      "584=s1|585=7|453=1|448=me|447=D|452=1|",
      'Cannot report NoPartyIDs(453): expected no such field, got "1"',
    ],
  ];
  for (const [body, text] of refused) {
    it(`is refused by tag: ${body}`, () => {
      const { command } = translated("AF", body);
      assert.deepEqual([command.kind, command.refusedKind, command.clOrdId, command.text, command.ordType], [
        RefuseOrder,
        MassStatus,
        "s1",
        text,
        undefined,
      ]);
    });
  }
});

describe("what keeps a message about several orders out of the stream", () => {
  const all = `11=m1|530=7|${TIME}`;
  const cases: readonly [
    body: string,
    options: Parameters<typeof translated>[2],
    reason: number,
    text: string,
  ][] = [
    [
      all,
      { role: "market-data" },
      6,
      'Cannot accept MsgType(35): expected no such message on a market-data session, got "q"',
    ],
    [
      all,
      { header: "128=X|" },
      7,
      'Cannot accept DeliverToCompID(128): expected no third-party routing, got "X"',
    ],
    [
      all,
      { header: "115=X|" },
      6,
      'Cannot accept OnBehalfOfCompID(115): expected no third-party routing, got "X"',
    ],
    [all.replace("m1", LONG), {}, 0, `Cannot accept ClOrdID(11): expected at most 40 bytes, got "${LONG}"`],
    [
      `11=m1|530=1|55=${LONG}|${TIME}`,
      {},
      2,
      `Cannot accept Symbol(55): expected at most 24 bytes, got "${LONG}"`,
    ],
    [`530=7|${TIME}`, { valid: false }, 5, "Cannot accept ClOrdID(11): expected an identifier, got none"],
  ];
  for (const [body, options, reason, text] of cases) {
    it(`${text}`, () => {
      const { outcome } = translated("q", body, options);
      const refId = /(?:^|\|)11=([^|]*)/.exec(body)?.[1];
      assert.deepEqual(outcome, { kind: "business-reject", reason, refId, text });
    });
  }
});
