/** Ledgers of what a replace does to an order's place; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("a place in the queue", () => {
  it("is lost with another account, kept with another time in force, ClOrdID or self-match group", () => {
    ledger(`
      > new s1 A buy 5@100 acct=7
      accepted s1 A #1.0 buy 5@100 day New 0+5 m1
      level buy 5@100 x1
      > new s2 B buy 5@100
      accepted s2 B #2.0 buy 5@100 day New 0+5 m1
      level buy 10@100 x2
      > replace s1 C A buy 5@100 acct=7 gtc smp=resting group=3
      replaced s1 C<A #1.0 buy 5@100 gtc New 0+5 m2
      > new s3 X sell 1@100
      accepted s3 X #4.0 sell 1@100 day New 0+1 m1
      executed s3 X #4.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m1
      executed s1 C #1.0 buy 5@100 gtc Partial 1+4 last 1@100 trade 2 added notional 100
      level buy 9@100 x2
      > replace s1 D C buy 5@100 acct=8
      replaced s1 D<C #1.0 buy 5@100 day Partial 1+4 notional 100 m3
      > new s3 Y sell 1@100
      accepted s3 Y #6.0 sell 1@100 day New 0+1 m2
      executed s3 Y #6.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m2
      executed s2 B #2.0 buy 5@100 day Partial 1+4 last 1@100 trade 2 added notional 100
      level buy 8@100 x2
    `);
  });

  it("is lost with another order type, which acts at once", () => {
    ledger(`
      > new s1 A buy 5@100
      accepted s1 A #1.0 buy 5@100 day New 0+5 m1
      level buy 5@100 x1
      > new s3 X sell 5@101
      accepted s3 X #2.0 sell 5@101 day New 0+5 m1
      level sell 5@101 x1
      > replace s1 B A buy 6@mkt
      replaced s1 B<A #1.0 buy 6@mkt day New 0+6 m2
      executed s1 B #1.0 buy 6@mkt day Partial 5+1 last 5@101 trade 2 removed notional 505 m2
      executed s3 X #2.0 sell 5@101 day Filled 5+0 last 5@101 trade 2 added notional 505
      expired s1 B #1.0 buy 6@mkt day Expired 5+0 notional 505 m2
      level buy 0@100 x0
      level sell 0@101 x0
    `);
  });

  it("is kept and lost among stops and parked orders as in the book", () => {
    ledger(`
      > new s1 A buy 5@100 cls
      accepted s1 A #1.0 buy 5@100 cls New 0+5 m1
      > new s2 B buy 5@100 cls
      accepted s2 B #2.0 buy 5@100 cls New 0+5 m1
      > replace s1 C A buy 4@100 cls
      replaced s1 C<A #1.0 buy 4@100 cls New 0+4 m2
      > new s1 D buy 5@stop110
      accepted s1 D #4.0 buy 5@stop110 day New 0+5 m3
      > new s2 E buy 5@stop110
      accepted s2 E #5.0 buy 5@stop110 day New 0+5 m2
      > replace s1 F D buy 6@stop110
      replaced s1 F<D #4.0 buy 6@stop110 day New 0+6 m4
      > mass-status s1 R firm both
      status(mass) s1 E<R #5.0 buy 5@stop110 day New 0+5 index 1 total 4 m5
      status(mass) s1 F<R #4.0 buy 6@stop110 day New 0+6 index 2 total 4 m5
      status(mass) s1 C<R #1.0 buy 4@100 cls New 0+4 index 3 total 4 m5
      status(mass) s1 B<R #2.0 buy 5@100 cls New 0+5 index 4 total 4 m5
      > phase ClosingAuction i1
      phase ClosingAuction<Continuous
      triggered s1 C #1.0 buy 4@100 cls New 0+4
      triggered s2 B #2.0 buy 5@100 cls New 0+5
      level buy 9@100 x2
    `);
  });
});
