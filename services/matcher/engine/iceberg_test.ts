/** Ledgers of icebergs; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";
import { testInstrument } from "./test_ledger.ts";

describe("an iceberg", () => {
  it("shows MaxFloor, and goes behind the others with what it shows next", () => {
    ledger(`
      > new s1 A buy 10@100 floor=3
      accepted s1 A #1.0 buy 10@100 day floor=3 New 0+10 m1
      level buy 3@100 x1
      > new s2 B buy 4@100
      accepted s2 B #2.0 buy 4@100 day New 0+4 m1
      level buy 7@100 x2
      > new s3 X sell 5@100
      accepted s3 X #3.0 sell 5@100 day New 0+5 m1
      executed s3 X #3.0 sell 5@100 day Partial 3+2 last 3@100 trade 2 removed notional 300 m1
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 3+7 last 3@100 trade 2 added notional 300
      executed s3 X #3.0 sell 5@100 day Filled 5+0 last 2@100 trade 4 removed notional 500 m1
      executed s2 B #2.0 buy 4@100 day Partial 2+2 last 2@100 trade 4 added notional 200
      level buy 5@100 x2
      > new s3 Y sell 6@100
      accepted s3 Y #4.0 sell 6@100 day New 0+6 m2
      executed s3 Y #4.0 sell 6@100 day Partial 2+4 last 2@100 trade 2 removed notional 200 m2
      executed s2 B #2.0 buy 4@100 day Filled 4+0 last 2@100 trade 2 added notional 400
      executed s3 Y #4.0 sell 6@100 day Partial 5+1 last 3@100 trade 4 removed notional 500 m2
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 6+4 last 3@100 trade 4 added notional 600
      executed s3 Y #4.0 sell 6@100 day Filled 6+0 last 1@100 trade 6 removed notional 600 m2
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 7+3 last 1@100 trade 6 added notional 700
      level buy 2@100 x1
      > new s3 Z sell 20@100
      accepted s3 Z #5.0 sell 20@100 day New 0+20 m3
      executed s3 Z #5.0 sell 20@100 day Partial 2+18 last 2@100 trade 2 removed notional 200 m3
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 9+1 last 2@100 trade 2 added notional 900
      executed s3 Z #5.0 sell 20@100 day Partial 3+17 last 1@100 trade 4 removed notional 300 m3
      executed s1 A #1.0 buy 10@100 day floor=3 Filled 10+0 last 1@100 trade 4 added notional 1000
      level buy 0@100 x0
      level sell 17@100 x1
    `);
  });

  it("that is taken with its whole level goes in slices, oldest first, whatever the algorithm", () => {
    ledger(`
      > new s1 A buy 10@100 floor=3 i2
      accepted s1 A #1.0 i2 buy 10@100 day floor=3 New 0+10 m1
      level i2 buy 3@100 x1
      > new s2 B buy 4@100 i2
      accepted s2 B #2.0 i2 buy 4@100 day New 0+4 m1
      level i2 buy 7@100 x2
      > new s3 X sell 14@100 i2
      accepted s3 X #3.0 i2 sell 14@100 day New 0+14 m1
      executed s3 X #3.0 i2 sell 14@100 day Partial 3+11 last 3@100 trade 2 removed notional 300 m1
      executed s1 A #1.0 i2 buy 10@100 day floor=3 Partial 3+7 last 3@100 trade 2 added notional 300
      executed s3 X #3.0 i2 sell 14@100 day Partial 7+7 last 4@100 trade 4 removed notional 700 m1
      executed s2 B #2.0 i2 buy 4@100 day Filled 4+0 last 4@100 trade 4 added notional 400
      executed s3 X #3.0 i2 sell 14@100 day Partial 10+4 last 3@100 trade 6 removed notional 1000 m1
      executed s1 A #1.0 i2 buy 10@100 day floor=3 Partial 6+4 last 3@100 trade 6 added notional 600
      executed s3 X #3.0 i2 sell 14@100 day Partial 13+1 last 3@100 trade 8 removed notional 1300 m1
      executed s1 A #1.0 i2 buy 10@100 day floor=3 Partial 9+1 last 3@100 trade 8 added notional 900
      executed s3 X #3.0 i2 sell 14@100 day Filled 14+0 last 1@100 trade 10 removed notional 1400 m1
      executed s1 A #1.0 i2 buy 10@100 day floor=3 Filled 10+0 last 1@100 trade 10 added notional 1000
      level i2 buy 0@100 x0
    `);
  });

  it("takes part in shares with what it shows, round after round", () => {
    ledger(`
      > new s1 A buy 10@100 floor=2 i2
      accepted s1 A #1.0 i2 buy 10@100 day floor=2 New 0+10 m1
      level i2 buy 2@100 x1
      > new s2 B buy 4@100 i2
      accepted s2 B #2.0 i2 buy 4@100 day New 0+4 m1
      level i2 buy 6@100 x2
      > new s3 X sell 3@100 i2
      accepted s3 X #3.0 i2 sell 3@100 day New 0+3 m1
      executed s3 X #3.0 i2 sell 3@100 day Partial 1+2 last 1@100 trade 2 removed notional 100 m1
      executed s1 A #1.0 i2 buy 10@100 day floor=2 Partial 1+9 last 1@100 trade 2 added notional 100
      executed s3 X #3.0 i2 sell 3@100 day Filled 3+0 last 2@100 trade 4 removed notional 300 m1
      executed s2 B #2.0 i2 buy 4@100 day Partial 2+2 last 2@100 trade 4 added notional 200
      level i2 buy 3@100 x2
      > new s3 Y sell 7@100 i2
      accepted s3 Y #4.0 i2 sell 7@100 day New 0+7 m2
      executed s3 Y #4.0 i2 sell 7@100 day Partial 1+6 last 1@100 trade 2 removed notional 100 m2
      executed s1 A #1.0 i2 buy 10@100 day floor=2 Partial 2+8 last 1@100 trade 2 added notional 200
      executed s3 Y #4.0 i2 sell 7@100 day Partial 3+4 last 2@100 trade 4 removed notional 300 m2
      executed s2 B #2.0 i2 buy 4@100 day Filled 4+0 last 2@100 trade 4 added notional 400
      executed s3 Y #4.0 i2 sell 7@100 day Partial 5+2 last 2@100 trade 6 removed notional 500 m2
      executed s1 A #1.0 i2 buy 10@100 day floor=2 Partial 4+6 last 2@100 trade 6 added notional 400
      executed s3 Y #4.0 i2 sell 7@100 day Filled 7+0 last 2@100 trade 8 removed notional 700 m2
      executed s1 A #1.0 i2 buy 10@100 day floor=2 Partial 6+4 last 2@100 trade 8 added notional 600
      level i2 buy 2@100 x1
    `);
  });

  it("is there for fill or kill with all it has", () => {
    ledger(`
      > new s1 A buy 10@100 floor=3
      accepted s1 A #1.0 buy 10@100 day floor=3 New 0+10 m1
      level buy 3@100 x1
      > new s3 X sell 11@100 fok
      accepted s3 X #2.0 sell 11@100 fok New 0+11 m1
      expired s3 X #2.0 sell 11@100 fok Expired 0+0 m1
      > new s3 Y sell 10@100 fok
      accepted s3 Y #3.0 sell 10@100 fok New 0+10 m2
      executed s3 Y #3.0 sell 10@100 fok Partial 3+7 last 3@100 trade 2 removed notional 300 m2
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 3+7 last 3@100 trade 2 added notional 300
      executed s3 Y #3.0 sell 10@100 fok Partial 6+4 last 3@100 trade 4 removed notional 600 m2
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 6+4 last 3@100 trade 4 added notional 600
      executed s3 Y #3.0 sell 10@100 fok Partial 9+1 last 3@100 trade 6 removed notional 900 m2
      executed s1 A #1.0 buy 10@100 day floor=3 Partial 9+1 last 3@100 trade 6 added notional 900
      executed s3 Y #3.0 sell 10@100 fok Filled 10+0 last 1@100 trade 8 removed notional 1000 m2
      executed s1 A #1.0 buy 10@100 day floor=3 Filled 10+0 last 1@100 trade 8 added notional 1000
      level buy 0@100 x0
    `);
  });

  it("that has traded on arrival rests with at most MaxFloor shown", () => {
    ledger(`
      > new s1 A sell 4@100
      accepted s1 A #1.0 sell 4@100 day New 0+4 m1
      level sell 4@100 x1
      > new s3 X buy 10@100 floor=5
      accepted s3 X #2.0 buy 10@100 day floor=5 New 0+10 m1
      executed s3 X #2.0 buy 10@100 day floor=5 Partial 4+6 last 4@100 trade 2 removed notional 400 m1
      executed s1 A #1.0 sell 4@100 day Filled 4+0 last 4@100 trade 2 added notional 400
      level sell 0@100 x0
      level buy 5@100 x1
    `);
  });

  it("keeps its place for a smaller MaxFloor, loses it for a larger one", () => {
    ledger(`
      > new s1 A buy 10@100 floor=4
      accepted s1 A #1.0 buy 10@100 day floor=4 New 0+10 m1
      level buy 4@100 x1
      > new s2 B buy 1@100
      accepted s2 B #2.0 buy 1@100 day New 0+1 m1
      level buy 5@100 x2
      > replace s1 A2 A buy 9@100 floor=3
      replaced s1 A2<A #1.0 buy 9@100 day floor=3 New 0+9 m2
      level buy 4@100 x2
      > replace s1 A3 A2 buy 9@100 floor=4
      replaced s1 A3<A2 #1.0 buy 9@100 day floor=4 New 0+9 m3
      level buy 5@100 x2
      > new s3 X sell 2@100
      accepted s3 X #5.0 sell 2@100 day New 0+2 m1
      executed s3 X #5.0 sell 2@100 day Partial 1+1 last 1@100 trade 2 removed notional 100 m1
      executed s2 B #2.0 buy 1@100 day Filled 1+0 last 1@100 trade 2 added notional 100
      executed s3 X #5.0 sell 2@100 day Filled 2+0 last 1@100 trade 4 removed notional 200 m1
      executed s1 A3 #1.0 buy 9@100 day floor=4 Partial 1+8 last 1@100 trade 4 added notional 100
      level buy 3@100 x1
      > replace s1 A4 A3 buy 8@100 floor=4
      replaced s1 A4<A3 #1.0 buy 8@100 day floor=4 Partial 1+7 notional 100 m4
      > cancel s1 C A4 buy
      canceled s1 C<A4 #1.0 buy 8@100 day floor=4 Canceled 1+0 notional 100 m5
      level buy 0@100 x0
    `);
  });

  it("that has nothing hidden any more shows what is left", () => {
    ledger(`
      > new s1 A buy 5@100 floor=3
      accepted s1 A #1.0 buy 5@100 day floor=3 New 0+5 m1
      level buy 3@100 x1
      > new s3 X sell 3@100
      accepted s3 X #2.0 sell 3@100 day New 0+3 m1
      executed s3 X #2.0 sell 3@100 day Filled 3+0 last 3@100 trade 2 removed notional 300 m1
      executed s1 A #1.0 buy 5@100 day floor=3 Partial 3+2 last 3@100 trade 2 added notional 300
      level buy 2@100 x1
      > new s3 Y sell 1@100
      accepted s3 Y #3.0 sell 1@100 day New 0+1 m2
      executed s3 Y #3.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m2
      executed s1 A #1.0 buy 5@100 day floor=3 Partial 4+1 last 1@100 trade 2 added notional 400
      level buy 1@100 x1
      > replace s1 B A buy 5@100 floor=2
      replaced s1 B<A #1.0 buy 5@100 day floor=2 Partial 4+1 notional 400 m2
      > cancel s1 C B buy
      canceled s1 C<B #1.0 buy 5@100 day floor=2 Canceled 4+0 notional 400 m3
      level buy 0@100 x0
    `);
  });

  it("shows itself a hundred times at most, whether new or replaced", () => {
    ledger(
      `
      > new s1 A buy 100@100 floor=1
      accepted s1 A #1.0 buy 100@100 day floor=1 New 0+100 m1
      level buy 1@100 x1
      > new s1 B buy 101@100 floor=1
      rejected s1 B buy 101@100 day floor=1 Rejected 0+0 MaxFloorInvalid m2
      > new s1 C buy 201@100 floor=2
      rejected s1 C buy 201@100 day floor=2 Rejected 0+0 MaxFloorInvalid m3
      > replace s1 D A buy 101@100 floor=1
      replace-rejected s1 D<A #1.0 buy 100@100 day floor=1 New 0+100 MaxFloorInvalid m4
      > replace s1 E A buy 101@100 floor=2
      replaced s1 E<A #1.0 buy 101@100 day floor=2 New 0+101 m5
      level buy 2@100 x1
    `,
      { instruments: [testInstrument(1)] },
    );
  });
});
