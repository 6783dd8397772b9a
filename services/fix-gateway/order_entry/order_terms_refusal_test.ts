import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandKind, Reason, SmpAction } from "../../../shared/protocol/mod.ts";
import { assertValid, NEW, REPLACE, run, withField } from "./cases.ts";

const LIMIT = { clOrdId: "c1", instrumentId: 1, side: 1, ordType: 2, priceTicks: 201, qtyLots: 10 };
const NO_PRICE = withField(NEW, 44, "");
const STOP = withField(NO_PRICE, 40, "3");

describe("translate: terms that are refused", () => {
  const { StopPxNotPositive, StopPxOffTick, StopPxMissing, StopPxForbidden } = Reason;
  const { MaxFloorInvalid, MaxFloorForbidden, MinQtyInvalid, MinQtyForbidden } = Reason;
  const { ExecInstForbidden, ExpireForbidden, ExpireMissing, ExpirePast, FieldUnsupported } = Reason;
  const { PriceMissing, PriceForbidden, TimeInForceUnsupported } = Reason;
  const most = "a value above 0, at most 107374182.35";
  const part = "a multiple of 10 above 0, at most OrderQty(38)";
  const group = "a whole number from 1 to 4294967295";
  const coming = "a time that is to come, at most 22550605-23:47:34.740991";
  const day = "a day that is not over, at most 22550604";
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
    [`${NEW}59=6|432=19691231|`, ExpirePast, `ExpireDate(432): expected ${day}, got "19691231"`],
    [`${NEW}59=6|432=22550605|`, ExpirePast, `ExpireDate(432): expected ${day}, got "22550605"`],
    [`${NEW}59=6|432=99991231|`, ExpirePast, `ExpireDate(432): expected ${day}, got "99991231"`],
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
  it("MinQty(110) in a replacement", () => {
    const body = `${REPLACE}110=10|`;
    assertValid("G", body);
    const { command } = run("G", body);
    assert.deepEqual(
      [command.kind, command.refusedKind, command.reason, command.text],
      [
        CommandKind.RefuseOrder,
        CommandKind.ReplaceOrder,
        MinQtyForbidden,
        'Cannot replace MinQty(110): expected none in a replacement, got "10"',
      ],
    );
  });

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
    for (const tif of ["W", "X", "a", "00", "é"]) {
      assert.equal(run("D", `${NEW}59=${tif}|`).command.reason, TimeInForceUnsupported, tif);
    }
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
      expireUs: Date.UTC(2027, 0, 1) * 1000 - 1,
      maxFloorLots: 2,
      smpId: 9,
      smpAction: SmpAction.CancelResting,
    });
  });
});
