import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { CommandKind, ExecInst, type Firm, Reason, SmpAction } from "../../../shared/protocol/mod.ts";
import { accountOf } from "./amounts.ts";
import { assertValid, NEW, REPLACE, run, withField } from "./cases.ts";
import { messageOf, session, venue } from "./fixture.ts";
import { translate } from "./translate.ts";

const LIMIT = { clOrdId: "c1", instrumentId: 1, side: 1, ordType: 2, priceTicks: 201, qtyLots: 10 };
const US = 1000;
const NO_PRICE = withField(NEW, 44, "");
const STOP = withField(NO_PRICE, 40, "3");

describe("translate: terms that few orders have", () => {
  const rows: [title: string, body: string, command: Record<string, unknown>][] = [
    ["good till cancel", `${NEW}59=1|`, { ...LIMIT, timeInForce: 1 }],
    ["at the opening", `${NEW}59=2|`, { ...LIMIT, timeInForce: 2 }],
    ["at the close", `${NEW}59=7|`, { ...LIMIT, timeInForce: 7 }],
    [
      "good till the end of a day",
      `${NEW}59=6|432=20261231|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2027, 0, 1) * US - 1 },
    ],
    [
      "good through a leap day",
      `${NEW}59=6|432=20280229|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2028, 2, 1) * US - 1 },
    ],
    [
      "good till a second",
      `${NEW}59=6|126=20261231-17:30:00|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2026, 11, 31, 17, 30) * US },
    ],
    [
      "good till a millisecond",
      `${NEW}59=6|126=20261231-17:30:00.001|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2026, 11, 31, 17, 30, 0, 1) * US },
    ],
    [
      "good till a microsecond, what is finer cut",
      `${NEW}59=6|126=20261231-17:30:00.001234999|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2026, 11, 31, 17, 30, 0, 1) * US + 234 },
    ],
    [
      "the first instant that there is",
      `${NEW}59=6|126=19700101-00:00:00.000001|`,
      { ...LIMIT, timeInForce: 6, expireUs: 1 },
    ],
    [
      "the last instant that there is",
      `${NEW}59=6|126=22550605-23:47:34.740991|`,
      { ...LIMIT, timeInForce: 6, expireUs: Number.MAX_SAFE_INTEGER },
    ],
    [
      "stop",
      `${STOP}99=10.1|`,
      { ...LIMIT, ordType: 3, priceTicks: undefined, stopPxTicks: 202 },
    ],
    ["stop limit", `${withField(NEW, 40, "4")}99=9.950|`, { ...LIMIT, ordType: 4, stopPxTicks: 199 }],
    ["market with leftover as limit", withField(NO_PRICE, 40, "K"), {
      ...LIMIT,
      ordType: 20,
      priceTicks: undefined,
    }],
    ["iceberg", `${NEW}111=30|`, { ...LIMIT, maxFloorLots: 3 }],
    ["iceberg that shows all", `${NEW}111=100.0|`, { ...LIMIT, maxFloorLots: 10 }],
    ["minimum quantity", `${NEW}59=3|110=0040|`, { ...LIMIT, timeInForce: 3, minQtyLots: 4 }],
    ["post-only", `${NEW}18=6|`, { ...LIMIT, execInst: ExecInst.PostOnly }],
    ["an account", `${NEW}1=HOUSE-7|`, { ...LIMIT, account: 894677007 }],
    ["a group of self-match prevention", `${NEW}7928=4294967295|`, { ...LIMIT, smpId: 2 ** 32 - 1 }],
    ["a group with zeros in front", `${NEW}7928=007|`, { ...LIMIT, smpId: 7 }],
    ["cancel the resting one", `${NEW}8000=O|`, { ...LIMIT, smpAction: SmpAction.CancelResting }],
    ["cancel the arriving one", `${NEW}8000=N|`, { ...LIMIT, smpAction: SmpAction.CancelAggressor }],
    ["cancel both", `${NEW}8000=B|`, { ...LIMIT, smpAction: SmpAction.CancelBoth }],
    ["reduce both", `${NEW}7928=1|8000=D|`, { ...LIMIT, smpId: 1, smpAction: SmpAction.Decrement }],
    ["let them trade", `${NEW}8000=X|`, LIMIT],
  ];
  for (const [title, body, expected] of rows) {
    it(title, () => {
      assertValid("D", body);
      const { command } = run("D", body);
      assert.deepEqual(command, JSON.parse(JSON.stringify(expected)));
    });
  }

  it("are taken in a replacement too", () => {
    const body = `${withField(REPLACE, 40, "4")}99=10|59=6|432=20261231|111=20|1=HOUSE-7|7928=5|8000=N|`;
    assertValid("G", body);
    assert.deepEqual(run("G", body).command, {
      ...LIMIT,
      kind: CommandKind.ReplaceOrder,
      clOrdId: "c2",
      origClOrdId: "c1",
      ordType: 4,
      stopPxTicks: 200,
      timeInForce: 6,
      expireUs: Date.UTC(2027, 0, 1) * US - 1,
      maxFloorLots: 2,
      account: 894677007,
      smpId: 5,
      smpAction: SmpAction.CancelAggressor,
    });
  });

  it("say nothing in cancels and status requests", () => {
    const { command } = run("F", `41=c1|11=c2|55=ACME|54=1|60=20261130-12:00:00.000|1=HOUSE-7|`);
    assert.deepEqual(command, {
      kind: CommandKind.CancelOrder,
      clOrdId: "c2",
      origClOrdId: "c1",
      instrumentId: 1,
      side: 1,
    });
  });
});

describe("self-match prevention where an order asks for none", () => {
  function actionOf(body: string, smpAction?: SmpAction): number {
    const into = new Command();
    const firm: Firm = { id: 9, name: "ALPHA", smpAction };
    translate(messageOf("D", body), { ...session(), firm }, venue(), into);
    return into.smpAction;
  }

  it("is the firm's, and none where the firm has none", () => {
    assert.equal(actionOf(NEW, SmpAction.CancelBoth), SmpAction.CancelBoth);
    assert.equal(actionOf(NEW), SmpAction.None);
  });

  it("gives way to the order's own, which may be that they trade", () => {
    assert.equal(actionOf(`${NEW}8000=X|`, SmpAction.CancelBoth), SmpAction.None);
    assert.equal(actionOf(`${NEW}8000=O|`, SmpAction.CancelBoth), SmpAction.CancelResting);
  });
});

describe("accountOf", () => {
  const of = (text: string) => accountOf(new TextEncoder().encode(text), 0, text.length);

  it("is FNV-1a of 32 bits", () => {
    // Test vectors of the FNV reference code.
    assert.deepEqual(["a", "b", "foobar"].map(of), [0xe40c292c, 0xe70c2de5, 0xbf9cf968]);
  });

  it("is never 0, which means no account", () => {
    // Two that the reference code's authors name as mapped to 0.
    assert.equal(of("3pjNqM"), 1);
    assert.equal(accountOf(Uint8Array.of(0xcc, 0x24, 0x31, 0xc4), 0, 4), 1);
  });
});

describe("translate: terms that are refused", () => {
  const { StopPxNotPositive, StopPxOffTick, StopPxMissing, StopPxForbidden } = Reason;
  const { MaxFloorInvalid, MaxFloorForbidden, MinQtyInvalid, MinQtyForbidden } = Reason;
  const { ExecInstForbidden, ExpireForbidden, ExpireMissing, ExpirePast, FieldUnsupported } = Reason;
  const { PriceMissing, PriceForbidden, TimeInForceUnsupported } = Reason;
  const most = "a value above 0, at most 107374182.35";
  const part = "a multiple of 10 above 0, at most OrderQty(38)";
  const group = "a whole number from 1 to 4294967295";
  const coming = "a time that is to come, at most 22550605";
  const rows: [body: string, reason: Reason, text: string][] = [
    [`${STOP}99=0|`, StopPxNotPositive, `StopPx(99): expected ${most}, got "0"`],
    [`${STOP}99=-9|`, StopPxNotPositive, `StopPx(99): expected ${most}, got "-9"`],
    [`${STOP}99=107374182.40|`, StopPxNotPositive, `StopPx(99): expected ${most}, got "107374182.40"`],
    [
      `${STOP}99=99999999999999999999|`,
      StopPxNotPositive,
      `StopPx(99): expected ${most}, got "99999999999999999999"`,
    ],
    [`${STOP}99=9.01|`, StopPxOffTick, 'StopPx(99): expected a multiple of 0.05, got "9.01"'],
    [`${STOP}99=9.0500001|`, StopPxOffTick, 'StopPx(99): expected a multiple of 0.05, got "9.0500001"'],
    [STOP, StopPxMissing, "StopPx(99): expected a value with OrdType(40) 3, got none"],
    [`${NEW}99=9|`, StopPxForbidden, 'StopPx(99): expected none with OrdType(40) 2, got "9"'],
    [`${NEW}99=0|`, StopPxForbidden, 'StopPx(99): expected none with OrdType(40) 2, got "0"'],
    [
      `${withField(NEW, 40, "3")}99=9|`,
      PriceForbidden,
      'Price(44): expected none with OrdType(40) 3, got "10.05"',
    ],
    [withField(NEW, 40, "K"), PriceForbidden, 'Price(44): expected none with OrdType(40) K, got "10.05"'],
    [
      `${withField(NO_PRICE, 40, "4")}99=9|`,
      PriceMissing,
      "Price(44): expected a value with OrdType(40) 4, got none",
    ],
    [`${NEW}111=0|`, MaxFloorInvalid, `MaxFloor(111): expected ${part}, got "0"`],
    [`${NEW}111=-10|`, MaxFloorInvalid, `MaxFloor(111): expected ${part}, got "-10"`],
    [`${NEW}111=15|`, MaxFloorInvalid, `MaxFloor(111): expected ${part}, got "15"`],
    [`${NEW}111=110|`, MaxFloorInvalid, `MaxFloor(111): expected ${part}, got "110"`],
    [
      `${NEW}111=99999999999999999999|`,
      MaxFloorInvalid,
      `MaxFloor(111): expected ${part}, got "99999999999999999999"`,
    ],
    [
      `${NEW}59=3|111=10|`,
      MaxFloorForbidden,
      'MaxFloor(111): expected none in an order of OrdType(40) 2 and TimeInForce(59) 3, got "10"',
    ],
    [`${NEW}110=0|`, MinQtyInvalid, `MinQty(110): expected ${part}, got "0"`],
    [`${NEW}110=0.5|`, MinQtyInvalid, `MinQty(110): expected ${part}, got "0.5"`],
    [`${NEW}110=110|`, MinQtyInvalid, `MinQty(110): expected ${part}, got "110"`],
    [
      `${NEW}59=4|110=10|`,
      MinQtyForbidden,
      'MinQty(110): expected none in an order of OrdType(40) 2 and TimeInForce(59) 4, got "10"',
    ],
    [`${NEW}18=G|`, ExecInstForbidden, 'ExecInst(18): expected 6 alone, and no MinQty(110), got "G"'],
    [`${NEW}18=6 G|`, ExecInstForbidden, 'ExecInst(18): expected 6 alone, and no MinQty(110), got "6 G"'],
    [`${NEW}18=6 6|`, ExecInstForbidden, 'ExecInst(18): expected 6 alone, and no MinQty(110), got "6 6"'],
    [`${NEW}110=10|18=6|`, ExecInstForbidden, 'ExecInst(18): expected 6 alone, and no MinQty(110), got "6"'],
    [
      `${NEW}59=4|18=6|`,
      ExecInstForbidden,
      'ExecInst(18): expected none in an order of OrdType(40) 2 and TimeInForce(59) 4, got "6"',
    ],
    [
      `${NEW}59=6|`,
      ExpireMissing,
      "ExpireTime(126): expected a time, or a day in ExpireDate(432), with TimeInForce(59) 6, got none",
    ],
    [
      `${NEW}59=6|432=20261231|126=20261231-12:00:00|`,
      ExpireForbidden,
      'ExpireTime(126): expected none beside ExpireDate(432), got "20261231-12:00:00"',
    ],
    [
      `${NEW}59=1|432=20261231|`,
      ExpireForbidden,
      'ExpireDate(432): expected none with TimeInForce(59) 1, got "20261231"',
    ],
    [
      `${NEW}126=20261231-12:00:00|`,
      ExpireForbidden,
      'ExpireTime(126): expected none with TimeInForce(59) 0, got "20261231-12:00:00"',
    ],
    [`${NEW}59=6|432=19691231|`, ExpirePast, `ExpireDate(432): expected ${coming}, got "19691231"`],
    [`${NEW}59=6|432=99991231|`, ExpirePast, `ExpireDate(432): expected ${coming}, got "99991231"`],
    [
      `${NEW}59=6|126=19700101-00:00:00|`,
      ExpirePast,
      `ExpireTime(126): expected ${coming}, got "19700101-00:00:00"`,
    ],
    [
      `${NEW}59=6|126=22550605-23:47:34.740992|`,
      ExpirePast,
      `ExpireTime(126): expected ${coming}, got "22550605-23:47:34.740992"`,
    ],
    [`${NEW}7928=0|`, FieldUnsupported, `SelfMatchPreventionID(7928): expected ${group}, got "0"`],
    [`${NEW}7928=-1|`, FieldUnsupported, `SelfMatchPreventionID(7928): expected ${group}, got "-1"`],
    [
      `${NEW}7928=4294967296|`,
      FieldUnsupported,
      `SelfMatchPreventionID(7928): expected ${group}, got "4294967296"`,
    ],
    [
      `${withField(NO_PRICE, 40, "K")}59=3|`,
      TimeInForceUnsupported,
      'TimeInForce(59): expected 0, 1 or 6 with OrdType(40) K, got "3"',
    ],
  ];
  for (const [body, reason, text] of rows) {
    it(text, () => {
      assertValid("D", body);
      const { command } = run("D", body);
      assert.deepEqual(
        [command.kind, command.refusedKind, command.reason, command.text],
        [CommandKind.RefuseOrder, CommandKind.NewOrder, reason, `Cannot accept ${text}`],
      );
    });
  }

  it("and formats that the session does not let pass, where its dictionary is another one", () => {
    const body = `${NEW}8000=R|7928=x|`;
    const instruction = run("D", `${NEW}8000=OO|`).command.text;
    assert.equal(
      instruction,
      'Cannot accept SelfMatchPreventionInstruction(8000): expected O, N, B, D or X, got "OO"',
    );
    assert.match(String(run("D", body).command.text), /^Cannot accept SelfMatchPreventionID\(7928\): /);
    assert.equal(run("D", `${NEW}59=6|126=soon|`).command.reason, ExpirePast);
    assert.equal(run("D", `${NEW}59=6|432=20261301|`).command.reason, ExpirePast);
    assert.equal(run("D", `${STOP}99=1e5|`).command.reason, StopPxNotPositive);
    assert.equal(run("D", `${NEW}111=1e1|`).command.reason, MaxFloorInvalid);
  });

  it("leave out of the refusal what was wrong, and repeat the rest", () => {
    const body = `${withField(NEW, 40, "4")}99=9.01|59=6|432=20261231|111=20|18=6|7928=9|8000=O|`;
    const { command } = run("D", body);
    assert.deepEqual(command, {
      ...LIMIT,
      kind: CommandKind.RefuseOrder,
      refusedKind: CommandKind.NewOrder,
      reason: StopPxOffTick,
      text: 'Cannot accept StopPx(99): expected a multiple of 0.05, got "9.01"',
      ordType: 4,
      timeInForce: 6,
      expireUs: Date.UTC(2027, 0, 1) * US - 1,
      maxFloorLots: 2,
      smpId: 9,
      smpAction: SmpAction.CancelResting,
    });
  });
});
