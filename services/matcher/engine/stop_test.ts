/** Ledgers of stops; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("a stop", () => {
  it("waits unseen until the last price reaches it, then trades as a market order", () => {
    ledger(`
      > new s1 A buy 5@stop105
      accepted s1 A #1.0 buy 5@stop105 day New 0+5 m1
      > new s3 X sell 9@105
      accepted s3 X #2.0 sell 9@105 day New 0+9 m1
      level sell 9@105 x1
      > new s4 Y buy 2@105
      accepted s4 Y #3.0 buy 2@105 day New 0+2 m1
      executed s4 Y #3.0 buy 2@105 day Filled 2+0 last 2@105 trade 2 removed notional 210 m1
      executed s3 X #2.0 sell 9@105 day Partial 2+7 last 2@105 trade 2 added notional 210
      triggered s1 A #1.0 buy 5@mkt day stop=105 New 0+5
      executed s1 A #1.0 buy 5@mkt day stop=105 Filled 5+0 last 5@105 trade 5 removed notional 525
      executed s3 X #2.0 sell 9@105 day Partial 7+2 last 5@105 trade 5 added notional 735
      level sell 2@105 x1
    `);
  });

  it("that has a limit rests at its limit when nothing is left to take", () => {
    ledger(`
      > new s1 A sell 5@stop99/98
      accepted s1 A #1.0 sell 5@stop99/98 day New 0+5 m1
      > new s3 X buy 1@99
      accepted s3 X #2.0 buy 1@99 day New 0+1 m1
      level buy 1@99 x1
      > new s4 Y sell 1@99
      accepted s4 Y #3.0 sell 1@99 day New 0+1 m1
      executed s4 Y #3.0 sell 1@99 day Filled 1+0 last 1@99 trade 2 removed notional 99 m1
      executed s3 X #2.0 buy 1@99 day Filled 1+0 last 1@99 trade 2 added notional 99
      triggered s1 A #1.0 sell 5@98 day stop=99 New 0+5
      level buy 0@99 x0
      level sell 5@98 x1
    `);
  });

  it("that the last price has reached already is triggered at once", () => {
    ledger(`
      > new s3 X sell 5@100
      accepted s3 X #1.0 sell 5@100 day New 0+5 m1
      level sell 5@100 x1
      > new s4 Y buy 1@100
      accepted s4 Y #2.0 buy 1@100 day New 0+1 m1
      executed s4 Y #2.0 buy 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m1
      executed s3 X #1.0 sell 5@100 day Partial 1+4 last 1@100 trade 2 added notional 100
      level sell 4@100 x1
      > new s1 A buy 2@stop100
      accepted s1 A #3.0 buy 2@stop100 day New 0+2 m1
      triggered s1 A #3.0 buy 2@mkt day stop=100 New 0+2 m1
      executed s1 A #3.0 buy 2@mkt day stop=100 Filled 2+0 last 2@100 trade 3 removed notional 200 m1
      executed s3 X #1.0 sell 5@100 day Partial 3+2 last 2@100 trade 3 added notional 300
      level sell 2@100 x1
      > new s1 B sell 2@stop100/101
      accepted s1 B #4.0 sell 2@stop100/101 day New 0+2 m2
      triggered s1 B #4.0 sell 2@101 day stop=100 New 0+2 m2
      level sell 2@101 x1
    `);
  });

  it("follows others that were triggered: buys first, nearest first, oldest first, each by what the one before moved", () => {
    ledger(`
      > new s1 A buy 1@stop102
      accepted s1 A #1.0 buy 1@stop102 day New 0+1 m1
      > new s1 B buy 1@stop101
      accepted s1 B #2.0 buy 1@stop101 day New 0+1 m2
      > new s1 C buy 1@stop101
      accepted s1 C #3.0 buy 1@stop101 day New 0+1 m3
      > new s1 D sell 1@stop101
      accepted s1 D #4.0 sell 1@stop101 day New 0+1 m4
      > new s3 X sell 1@101
      accepted s3 X #5.0 sell 1@101 day New 0+1 m1
      level sell 1@101 x1
      > new s3 Y sell 1@102
      accepted s3 Y #6.0 sell 1@102 day New 0+1 m2
      level sell 1@102 x1
      > new s3 Z sell 5@103
      accepted s3 Z #7.0 sell 5@103 day New 0+5 m3
      level sell 5@103 x1
      > new s4 W buy 1@101
      accepted s4 W #8.0 buy 1@101 day New 0+1 m1
      executed s4 W #8.0 buy 1@101 day Filled 1+0 last 1@101 trade 2 removed notional 101 m1
      executed s3 X #5.0 sell 1@101 day Filled 1+0 last 1@101 trade 2 added notional 101
      triggered s1 B #2.0 buy 1@mkt day stop=101 New 0+1
      executed s1 B #2.0 buy 1@mkt day stop=101 Filled 1+0 last 1@102 trade 5 removed notional 102
      executed s3 Y #6.0 sell 1@102 day Filled 1+0 last 1@102 trade 5 added notional 102
      triggered s1 C #3.0 buy 1@mkt day stop=101 New 0+1
      executed s1 C #3.0 buy 1@mkt day stop=101 Filled 1+0 last 1@103 trade 8 removed notional 103
      executed s3 Z #7.0 sell 5@103 day Partial 1+4 last 1@103 trade 8 added notional 103
      triggered s1 A #1.0 buy 1@mkt day stop=102 New 0+1
      executed s1 A #1.0 buy 1@mkt day stop=102 Filled 1+0 last 1@103 trade 11 removed notional 103
      executed s3 Z #7.0 sell 5@103 day Partial 2+3 last 1@103 trade 11 added notional 206
      level sell 0@101 x0
      level sell 0@102 x0
      level sell 3@103 x1
    `);
  });

  it("that was not triggered can be replaced, cancelled and asked for", () => {
    ledger(`
      > new s1 A buy 5@stop105
      accepted s1 A #1.0 buy 5@stop105 day New 0+5 m1
      > replace s1 B A buy 4@stop105
      replaced s1 B<A #1.0 buy 4@stop105 day New 0+4 m2
      > replace s1 C B buy 4@stop106/107
      replaced s1 C<B #1.0 buy 4@stop106/107 day New 0+4 m3
      > status s1 C buy
      status s1 C #1.0 buy 4@stop106/107 day New 0+4 m4
      > cancel s1 D C buy
      canceled s1 D<C #1.0 buy 4@stop106/107 day Canceled 0+0 m5
    `);
  });

  it("becomes an ordinary order by a replace, and an ordinary order a stop", () => {
    ledger(`
      > new s1 A buy 5@stop105
      accepted s1 A #1.0 buy 5@stop105 day New 0+5 m1
      > replace s1 B A buy 5@100
      replaced s1 B<A #1.0 buy 5@100 day New 0+5 m2
      level buy 5@100 x1
      > replace s1 C B buy 5@stop110
      replaced s1 C<B #1.0 buy 5@stop110 day New 0+5 m3
      level buy 0@100 x0
      > cancel s1 D C buy
      canceled s1 D<C #1.0 buy 5@stop110 day Canceled 0+0 m4
    `);
  });

  it("once triggered keeps its StopPx and cannot become a stop again", () => {
    ledger(`
      > new s3 X sell 1@100
      accepted s3 X #1.0 sell 1@100 day New 0+1 m1
      level sell 1@100 x1
      > new s1 A buy 5@stop100/101
      accepted s1 A #2.0 buy 5@stop100/101 day New 0+5 m1
      > new s4 Y buy 1@100
      accepted s4 Y #3.0 buy 1@100 day New 0+1 m1
      executed s4 Y #3.0 buy 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m1
      executed s3 X #1.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 added notional 100
      triggered s1 A #2.0 buy 5@101 day stop=100 New 0+5
      level sell 0@100 x0
      level buy 5@101 x1
      > replace s1 B A buy 5@stop100/101
      replace-rejected s1 B<A #2.0 buy 5@101 day stop=100 New 0+5 total 52 StopTriggered m2
      > replace s1 C A buy 5@101 stop=100
      replace-rejected s1 C<A #2.0 buy 5@101 day stop=100 New 0+5 StopPxForbidden m3
      > replace s1 D A buy 4@101
      replaced s1 D<A #2.0 buy 4@101 day stop=100 New 0+4 m4
      level buy 4@101 x1
    `);
  });
});
