/** Ledgers of what is refused, repeated, forgotten; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { ledger, ledgerEngine } from "./run_ledger.ts";
import { RecordingSink } from "./test_ledger.ts";

const RESTING = `
  > new s1 A buy 10@100
  accepted s1 A #1.0 buy 10@100 day New 0+10 m1
  level buy 10@100 x1`;

describe("a new order is rejected", () => {
  it("for each field that makes no sense, without touching the book", () => {
    const engine = ledger(`
      > new s1 A buy 10@100 i9
      rejected s1 A i9 buy 10@100 day Rejected 0+0 UnknownSymbol m1
      > new s1 A buy 10@100 i0
      rejected s1 A i0 buy 10@100 day Rejected 0+0 UnknownSymbol m2
      > new s1 A 7 10@100
      rejected s1 A side 7 10@100 day Rejected 0+0 FieldUnsupported m3
      > new s1 A buy 10@100 type=5
      rejected s1 A buy 10@100 day Rejected 0+0 OrdTypeUnsupported m4
      > new s1 A buy 10@100 tif=5
      rejected s1 A buy 10@100 tif=5 Rejected 0+0 TimeInForceUnsupported m5
      > new s1 A buy 10@0
      rejected s1 A buy 10@0 day Rejected 0+0 PriceNotPositive m6
      > new s1 A buy 10@-1
      rejected s1 A buy 10@-1 day Rejected 0+0 PriceNotPositive m7
      > new s1 A buy 10@NaN
      rejected s1 A buy 10@NaN day Rejected 0+0 PriceNotPositive m8
      > new s1 A buy 10@2147483648
      rejected s1 A buy 10@2147483648 day Rejected 0+0 PriceOverLimit m9
      > new s1 A buy 10@1.5
      rejected s1 A buy 10@1.5 day Rejected 0+0 PriceOffTick m10
      > new s1 A buy 10@mkt price=5
      rejected s1 A buy 10@mkt day Rejected 0+0 PriceForbidden m11
      > new s1 A buy -3@100
      rejected s1 A buy -3@100 day Rejected 0+0 QtyNotPositive m12
      > new s1 A buy 2147483648@100
      rejected s1 A buy 2147483648@100 day Rejected 0+0 QtyOverLimit m13
      > new s1 A buy 1001@100 i3
      rejected s1 A i3 buy 1001@100 day Rejected 0+0 QtyOverLimit m14
      > new s1 A buy 0.5@100
      rejected s1 A buy 0.5@100 day Rejected 0+0 QtyOffLot m15
      > new s1 ${"L".repeat(41)} buy 1@100
      rejected s1 ${"L".repeat(41)} buy 1@100 day Rejected 0+0 ClOrdIdTooLong m16
    `);
    assert.equal(engine.openOrders, 0);
    assert.equal(engine.knownOrders, 0);
  });

  it("without a ClOrdID, and so is any command of a kind that does not exist", () => {
    const engine = ledgerEngine();
    const sink = new RecordingSink();
    const command = new Command();
    command.sessionId = 1;
    command.firmId = 1;
    command.instrumentId = 1;
    command.side = 1;
    engine.apply(1, 0, 0, command, sink);
    command.kind = 77;
    engine.apply(2, 3, 0, command, sink);
    assert.deepEqual(sink.take(), [
      "rejected s1  buy Rejected 0+0 FieldUnsupported",
      "rejected s1  buy Rejected 0+0 FieldUnsupported c3",
    ]);
  });

  it("when as many orders rest as may; one that cannot rest is still taken, and room counts again", () => {
    ledger(
      `${RESTING}
      > new s1 B buy 1@99
      accepted s1 B #2.0 buy 1@99 day New 0+1 m2
      level buy 1@99 x1
      > new s1 C buy 1@98
      rejected s1 C buy 1@98 day Rejected 0+0 total 2 BookFull m3
      > new s3 D sell 10@100 ioc
      accepted s3 D #4.0 sell 10@100 ioc New 0+10 m1
      executed s3 D #4.0 sell 10@100 ioc Filled 10+0 last 10@100 trade 2 removed notional 1000 m1
      executed s1 A #1.0 buy 10@100 day Filled 10+0 last 10@100 trade 2 added notional 1000
      level buy 0@100 x0
      > new s1 C buy 1@98
      accepted s1 C #5.0 buy 1@98 day New 0+1 m4
      level buy 1@98 x1
    `,
      { maxOpenOrders: 2 },
    );
  });
});

describe("a ClOrdID", () => {
  it("is used once per session, by whatever request; a rejected request does not use it", () => {
    ledger(`${RESTING}
      > new s1 A buy 1@99
      rejected s1 A buy 1@99 day Rejected 0+0 DuplicateClOrdId m2
      > new s2 A buy 1@99
      accepted s2 A #3.0 buy 1@99 day New 0+1 m1
      level buy 1@99 x1
      > replace s1 A A buy 9@100
      replace-rejected s1 A<A #1.0 buy 10@100 day New 0+10 DuplicateClOrdId m3
      > cancel s1 R NOPE buy
      cancel-rejected s1 R<NOPE buy Rejected 0+0 UnknownOrder m4
      > replace s1 R A buy 9@100
      replaced s1 R<A #1.0 buy 9@100 day New 0+9 m5
      level buy 9@100 x1
      > cancel s1 A R buy
      cancel-rejected s1 A<R #1.0 buy 9@100 day New 0+9 DuplicateClOrdId m6
      > cancel s1 C R buy
      canceled s1 C<R #1.0 buy 9@100 day Canceled 0+0 m7
      level buy 0@100 x0
      > new s1 C buy 1@99
      rejected s1 C buy 1@99 day Rejected 0+0 DuplicateClOrdId m8
    `);
  });

  it("is forgotten oldest first beyond the history, and a done order with its last ClOrdID", () => {
    const engine = ledger(
      `${RESTING}
      > replace s1 B A buy 9@100
      replaced s1 B<A #1.0 buy 9@100 day New 0+9 m2
      level buy 9@100 x1
      > cancel s1 C B buy
      canceled s1 C<B #1.0 buy 9@100 day Canceled 0+0 m3
      level buy 0@100 x0
      > status s1 A buy
      rejected(status) s1 A buy Rejected 0+0 UnknownOrder m4
      > status s1 C buy
      status s1 B #1.0 buy 9@100 day Canceled 0+0 m5
      > new s1 A buy 1@1 ioc
      accepted s1 A #6.0 buy 1@1 ioc New 0+1 m6
      expired s1 A #6.0 buy 1@1 ioc Expired 0+0 m6
      > status s1 C buy
      rejected(status) s1 C buy Rejected 0+0 UnknownOrder m7
      > status s1 Z buy id=1.0
      status s1 B #1.0 buy 9@100 day Canceled 0+0 m8
      > new s1 D buy 1@1 ioc
      accepted s1 D #9.0 buy 1@1 ioc New 0+1 m9
      expired s1 D #9.0 buy 1@1 ioc Expired 0+0 m9
      > status s1 Z buy id=1.0
      rejected(status) s1 Z buy Rejected 0+0 UnknownOrder m10
    `,
      { clOrdIdHistory: 2 },
    );
    assert.equal(engine.knownOrders, 2);
  });

  it("differs in its last byte only, short and long, and is told apart", () => {
    const long = "0123456789ABCDEF0123456789abcdef-123456";
    ledger(`
      > new s1 ${long}X buy 1@10
      accepted s1 ${long}X #1.0 buy 1@10 day New 0+1 m1
      level buy 1@10 x1
      > new s1 ${long}Y buy 1@11
      accepted s1 ${long}Y #2.0 buy 1@11 day New 0+1 m2
      level buy 1@11 x1
      > new s1 ${long} buy 1@12
      accepted s1 ${long} #3.0 buy 1@12 day New 0+1 m3
      level buy 1@12 x1
      > cancel s1 C ${long}X buy
      canceled s1 C<${long}X #1.0 buy 1@10 day Canceled 0+0 m4
      level buy 0@10 x0
    `);
  });
});

describe("a repeat", () => {
  it("with PossResend is not executed twice and is told what the first became", () => {
    ledger(`${RESTING}
      > new s1 A buy 10@100 resend
      status s1 A #1.0 buy 10@100 day New 0+10 m2 flags=2
      > cancel s1 C A buy
      canceled s1 C<A #1.0 buy 10@100 day Canceled 0+0 m3
      level buy 0@100 x0
      > cancel s1 C A buy resend
      status s1 A #1.0 buy 10@100 day Canceled 0+0 m4 flags=2
      > replace s1 C A buy 9@100 resend
      status s1 A #1.0 buy 10@100 day Canceled 0+0 m5 flags=2
      > new s1 N buy 1@99 resend
      accepted s1 N #6.0 buy 1@99 day New 0+1 m6 flags=2
      level buy 1@99 x1
    `);
  });

  it("with PossDup causes nothing when it was seen, and is executed when it was not", () => {
    ledger(`${RESTING}
      > new s1 A buy 10@100 dup m1
      > replace s1 B A buy 9@100 dup
      replaced s1 B<A #1.0 buy 9@100 day New 0+9 m3 flags=1
      level buy 9@100 x1
      > replace s1 B A buy 9@100 dup resend
    `);
  });
});

describe("a refusal by the gateway", () => {
  it("becomes the event that answers the request, with its reason and texts", () => {
    ledger(`${RESTING}
      > refuse new s1 B buy 5@100 i0 reason=UnknownSymbol symbol=NONE text=why
      rejected s1 B i0 buy 5@100 day Rejected 0+0 UnknownSymbol symbol=NONE text=why m2
      > refuse cancel s1 B A buy reason=FieldUnsupported text=why
      cancel-rejected s1 B<A #1.0 buy 10@100 day New 0+10 FieldUnsupported text=why m3
      > refuse replace s1 B A buy 5@100 reason=PriceOffTick
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 PriceOffTick m4
      > refuse replace s3 B A buy 5@100 reason=PriceOffTick
      replace-rejected s3 B<A buy 5@100 day Rejected 0+0 PriceOffTick m1
      > refuse cancel s1 B A buy i0 reason=UnknownSymbol symbol=NONE
      cancel-rejected s1 B<A i0 buy Rejected 0+0 UnknownSymbol symbol=NONE m5
      > refuse status s1 A buy i0 reason=UnknownSymbol symbol=NONE
      rejected(status) s1 A i0 buy Rejected 0+0 UnknownSymbol symbol=NONE m6
    `);
  });
});
