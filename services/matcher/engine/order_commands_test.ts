/** Ledgers of cancel and replace; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

const RESTING = `
  > new s1 A buy 10@100
  accepted s1 A #1.0 buy 10@100 day New 0+10 m1
  level buy 10@100 x1`;

/** A rests with 10, 2 of them filled by s3. */
const PARTIAL = `${RESTING}
  > new s3 X sell 2@100
  accepted s3 X #2.0 sell 2@100 day New 0+2 m1
  executed s3 X #2.0 sell 2@100 day Filled 2+0 last 2@100 trade 2 removed notional 200 m1
  executed s1 A #1.0 buy 10@100 day Partial 2+8 last 2@100 trade 2 added notional 200
  level buy 8@100 x1`;

describe("a cancel", () => {
  it("ends the order, keeping what was filled", () => {
    ledger(`${PARTIAL}
      > cancel s1 C A buy
      canceled s1 C<A #1.0 buy 10@100 day Canceled 2+0 notional 200 m2
      level buy 0@100 x0
    `);
  });

  it("of an unknown order, of another firm's, of another session's ClOrdID is an unknown order", () => {
    ledger(`${RESTING}
      > cancel s1 C NOPE buy
      cancel-rejected s1 C<NOPE buy Rejected 0+0 UnknownOrder m2
      > cancel s2 C A buy
      cancel-rejected s2 C<A buy Rejected 0+0 UnknownOrder m1
      > cancel s3 C A buy id=1.0
      cancel-rejected s3 C<A buy Rejected 0+0 UnknownOrder m1
      > cancel s1 D - buy
      cancel-rejected s1 D buy Rejected 0+0 UnknownOrder m3
    `);
  });

  it("with another symbol is an unknown order, with another side is refused", () => {
    ledger(`${RESTING}
      > cancel s1 C A buy i2
      cancel-rejected s1 C<A i2 buy Rejected 0+0 SymbolChanged m2
      > cancel s1 C A sell
      cancel-rejected s1 C<A #1.0 buy 10@100 day New 0+10 SideChanged m3
    `);
  });

  it("of a done order is too late, and says what the order became", () => {
    ledger(`${RESTING}
      > new s3 X sell 10@100
      accepted s3 X #2.0 sell 10@100 day New 0+10 m1
      executed s3 X #2.0 sell 10@100 day Filled 10+0 last 10@100 trade 2 removed notional 1000 m1
      executed s1 A #1.0 buy 10@100 day Filled 10+0 last 10@100 trade 2 added notional 1000
      level buy 0@100 x0
      > cancel s1 C A buy
      cancel-rejected s1 C<A #1.0 buy 10@100 day Filled 10+0 notional 1000 TooLateToCancel m2
      > cancel s1 D - buy id=1.0
      cancel-rejected s1 D #1.0 buy 10@100 day Filled 10+0 notional 1000 TooLateToCancel m3
    `);
  });

  it("twice is too late; the ClOrdID of the first cancel names the order too", () => {
    ledger(`${RESTING}
      > cancel s1 C A buy
      canceled s1 C<A #1.0 buy 10@100 day Canceled 0+0 m2
      level buy 0@100 x0
      > cancel s1 D A buy
      cancel-rejected s1 D<A #1.0 buy 10@100 day Canceled 0+0 TooLateToCancel m3
      > cancel s1 E C buy
      cancel-rejected s1 E<C #1.0 buy 10@100 day Canceled 0+0 TooLateToCancel m4
    `);
  });

  it("by another session of the firm, by OrderID, is told to both", () => {
    ledger(`${RESTING}
      > cancel s2 C - buy id=1.0
      canceled s2 C #1.0 buy 10@100 day Canceled 0+0 m1
      canceled s1 A #1.0 buy 10@100 day Canceled 0+0
      level buy 0@100 x0
    `);
  });

  it("whose OrigClOrdID and OrderID name different orders is an unknown order", () => {
    ledger(`${RESTING}
      > new s1 B buy 1@99
      accepted s1 B #2.0 buy 1@99 day New 0+1 m2
      level buy 1@99 x1
      > cancel s1 C A buy id=2.0
      cancel-rejected s1 C<A buy Rejected 0+0 OrderIdContradicts m3
      > cancel s1 C A buy id=1.0
      canceled s1 C<A #1.0 buy 10@100 day Canceled 0+0 m4
      level buy 0@100 x0
    `);
  });
});

describe("a replace", () => {
  it("to less keeps its place in the queue", () => {
    ledger(`${RESTING}
      > new s2 B buy 5@100
      accepted s2 B #2.0 buy 5@100 day New 0+5 m1
      level buy 15@100 x2
      > replace s1 A2 A buy 4@100
      replaced s1 A2<A #1.0 buy 4@100 day New 0+4 m2
      level buy 9@100 x2
      > new s3 X sell 5@100
      accepted s3 X #4.0 sell 5@100 day New 0+5 m1
      executed s3 X #4.0 sell 5@100 day Partial 4+1 last 4@100 trade 2 removed notional 400 m1
      executed s1 A2 #1.0 buy 4@100 day Filled 4+0 last 4@100 trade 2 added notional 400
      executed s3 X #4.0 sell 5@100 day Filled 5+0 last 1@100 trade 4 removed notional 500 m1
      executed s2 B #2.0 buy 5@100 day Partial 1+4 last 1@100 trade 4 added notional 100
      level buy 4@100 x1
    `);
  });

  it("to the same keeps its place; to more loses it; a level is reported once, with its last figures", () => {
    ledger(`${RESTING}
      > new s2 B buy 5@100
      accepted s2 B #2.0 buy 5@100 day New 0+5 m1
      level buy 15@100 x2
      > replace s1 A2 A buy 10@100
      replaced s1 A2<A #1.0 buy 10@100 day New 0+10 m2
      > replace s2 B2 B buy 6@100
      replaced s2 B2<B #2.0 buy 6@100 day New 0+6 m2
      level buy 16@100 x2
      > replace s1 A3 A2 buy 11@100
      replaced s1 A3<A2 #1.0 buy 11@100 day New 0+11 m3
      level buy 17@100 x2
      > new s3 X sell 1@100
      accepted s3 X #6.0 sell 1@100 day New 0+1 m1
      executed s3 X #6.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m1
      executed s2 B2 #2.0 buy 6@100 day Partial 1+5 last 1@100 trade 2 added notional 100
      level buy 16@100 x2
    `);
  });

  it("to another price loses its place and reports the old level, then the new", () => {
    ledger(`${RESTING}
      > replace s1 A2 A buy 10@99
      replaced s1 A2<A #1.0 buy 10@99 day New 0+10 m2
      level buy 0@100 x0
      level buy 10@99 x1
      > replace s1 A3 A2 buy 10@100
      replaced s1 A3<A2 #1.0 buy 10@100 day New 0+10 m3
      level buy 0@99 x0
      level buy 10@100 x1
    `);
  });

  it("counts fills: 10 ordered, 2 filled, replaced to 5 leaves 3", () => {
    ledger(`${PARTIAL}
      > replace s1 A2 A buy 5@100
      replaced s1 A2<A #1.0 buy 5@100 day Partial 2+3 notional 200 m2
      level buy 3@100 x1
    `);
  });

  it("counts fills: 5 ordered, 4 filled, replaced to 10 leaves 6", () => {
    ledger(`
      > new s1 A buy 5@100
      accepted s1 A #1.0 buy 5@100 day New 0+5 m1
      level buy 5@100 x1
      > new s3 X sell 4@100
      accepted s3 X #2.0 sell 4@100 day New 0+4 m1
      executed s3 X #2.0 sell 4@100 day Filled 4+0 last 4@100 trade 2 removed notional 400 m1
      executed s1 A #1.0 buy 5@100 day Partial 4+1 last 4@100 trade 2 added notional 400
      level buy 1@100 x1
      > replace s1 A2 A buy 10@100
      replaced s1 A2<A #1.0 buy 10@100 day Partial 4+6 notional 400 m2
      level buy 6@100 x1
    `);
  });

  it("to CumQty or below fills the order at CumQty (FIX 4.4 Vol. 7, C.3.b and C.3.c)", () => {
    for (const qty of [1, 2]) {
      ledger(`${PARTIAL}
        > replace s1 A2 A buy ${qty}@101
        replaced s1 A2<A #1.0 buy 2@101 day Filled 2+0 notional 200 m2
        level buy 0@100 x0
        > cancel s1 C A2 buy
        cancel-rejected s1 C<A2 #1.0 buy 2@101 day Filled 2+0 notional 200 TooLateToCancel m3
      `);
    }
  });

  it("that crosses trades, after it is reported", () => {
    ledger(`${PARTIAL}
      > new s3 Y sell 3@105
      accepted s3 Y #3.0 sell 3@105 day New 0+3 m2
      level sell 3@105 x1
      > replace s1 A2 A buy 10@105
      replaced s1 A2<A #1.0 buy 10@105 day Partial 2+8 notional 200 m2
      executed s1 A2 #1.0 buy 10@105 day Partial 5+5 last 3@105 trade 2 removed notional 515 m2
      executed s3 Y #3.0 sell 3@105 day Filled 3+0 last 3@105 trade 2 added notional 315
      level buy 0@100 x0
      level sell 0@105 x0
      level buy 5@105 x1
    `);
  });

  it("that crosses may fill the order", () => {
    ledger(`${RESTING}
      > new s3 Y sell 30@105
      accepted s3 Y #2.0 sell 30@105 day New 0+30 m1
      level sell 30@105 x1
      > replace s1 A2 A buy 10@110
      replaced s1 A2<A #1.0 buy 10@110 day New 0+10 m2
      executed s1 A2 #1.0 buy 10@110 day Filled 10+0 last 10@105 trade 2 removed notional 1050 m2
      executed s3 Y #2.0 sell 30@105 day Partial 10+20 last 10@105 trade 2 added notional 1050
      level buy 0@100 x0
      level sell 20@105 x1
    `);
  });

  it("is refused for another side, for terms that do not go together, and for figures that a new order could not have", () => {
    ledger(
      `${RESTING}
      > replace s1 B A sell 10@100
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 SideChanged m2
      > replace s1 B A buy 10@mkt gtc
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 total 49 TimeInForceUnsupported m3
      > replace s1 B A buy 10@100 ioc
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 total 51 TimeInForceUnsupported m4
      > replace s1 B A buy 10@0
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 PriceNotPositive m5
      > replace s1 B A buy 0@100
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 QtyNotPositive m6
      > replace s1 B A buy 2147483648@100
      replace-rejected s1 B<A #1.0 buy 10@100 day New 0+10 QtyOverLimit m7
      > replace s1 B A buy 10@100 i2
      replace-rejected s1 B<A i2 buy 10@100 day Rejected 0+0 SymbolChanged m8
      > replace s1 B NOPE buy 10@100
      replace-rejected s1 B<NOPE buy 10@100 day Rejected 0+0 UnknownOrder m9
      > replace s1 B A buy 9@100
      replaced s1 B<A #1.0 buy 9@100 day New 0+9 m10
      level buy 9@100 x1
    `,
    );
  });

  it("must name the last ClOrdID of the chain while the order is open", () => {
    ledger(`${RESTING}
      > replace s1 A2 A buy 9@100
      replaced s1 A2<A #1.0 buy 9@100 day New 0+9 m2
      level buy 9@100 x1
      > replace s1 A3 A buy 8@100
      replace-rejected s1 A3<A buy 8@100 day Rejected 0+0 ClOrdIdSuperseded m3
      > cancel s1 C A buy
      cancel-rejected s1 C<A buy Rejected 0+0 ClOrdIdSuperseded m4
      > cancel s1 C A buy id=1.0
      canceled s1 C<A2 #1.0 buy 9@100 day Canceled 0+0 m5
      level buy 0@100 x0
      > cancel s1 D A buy
      cancel-rejected s1 D<A #1.0 buy 9@100 day Canceled 0+0 TooLateToCancel m6
    `);
  });

  it("by another session of the firm is told to both; the order keeps its owner and its owner's ClOrdID", () => {
    ledger(`${RESTING}
      > replace s2 B - buy 9@100 id=1.0
      replaced s2 B #1.0 buy 9@100 day New 0+9 m1
      replaced s1 A #1.0 buy 9@100 day New 0+9
      level buy 9@100 x1
      > cancel s2 C B buy
      cancel-rejected s2 C<B buy Rejected 0+0 ClOrdIdSuperseded m2
      > cancel s1 C A buy
      canceled s1 C<A #1.0 buy 9@100 day Canceled 0+0 m2
      level buy 0@100 x0
    `);
  });
});
