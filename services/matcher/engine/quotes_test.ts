/** Ledgers of quotes; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("a quote", () => {
  it("stands on both sides, is acknowledged before it trades, and is found by no name", () => {
    ledger(`
      > new s3 X sell 2@99
      accepted s3 X #1.0 sell 2@99 day New 0+2 m1
      level sell 2@99 x1
      > quote s1 Q1 1:5@99/4@101 level=2
      quote-acknowledged s1 Q1<E1 index 1 total 1 level=2 text=S m1
      executed s1 Q1 #2.0 buy 5@99 day Partial 2+3 last 2@99 trade 2 removed notional 198 m1
      executed s3 X #1.0 sell 2@99 day Filled 2+0 last 2@99 trade 2 added notional 198
      level sell 0@99 x0
      level buy 3@99 x1
      level sell 4@101 x1
      > new s4 Y buy 1@101
      accepted s4 Y #3.0 buy 1@101 day New 0+1 m1
      executed s4 Y #3.0 buy 1@101 day Filled 1+0 last 1@101 trade 2 removed notional 101 m1
      executed s1 Q1 #2.1 sell 4@101 day Partial 1+3 last 1@101 trade 2 added notional 101
      level sell 3@101 x1
      > cancel s1 C Q1 sell id=2.1
      cancel-rejected s1 C<Q1 sell Rejected 0+0 UnknownOrder m2
      > status s1 Q1 sell
      rejected(status) s1 Q1 sell Rejected 0+0 UnknownOrder m3
    `);
  });

  it("keeps its place for less, loses it for more or another price, and ends without a word when withdrawn", () => {
    ledger(`
      > quote s1 Q1 1:5@99/4@101
      quote-acknowledged s1 Q1<E1 index 1 total 1 text=S m1
      level buy 5@99 x1
      level sell 4@101 x1
      > new s3 X buy 5@99
      accepted s3 X #2.0 buy 5@99 day New 0+5 m1
      level buy 10@99 x2
      > quote s1 Q2 1:4@99/5@101
      quote-acknowledged s1 Q2<E1 index 1 total 1 text=S m2
      level buy 9@99 x2
      level sell 5@101 x1
      > new s4 Y sell 1@99
      accepted s4 Y #4.0 sell 1@99 day New 0+1 m1
      executed s4 Y #4.0 sell 1@99 day Filled 1+0 last 1@99 trade 2 removed notional 99 m1
      executed s1 Q2 #1.0 buy 4@99 day Partial 1+3 last 1@99 trade 2 added notional 99
      level buy 8@99 x2
      > quote s1 Q3 1:-/5@100
      quote-acknowledged s1 Q3<E1 index 1 total 1 text=S m3
      level buy 5@99 x1
      level sell 0@101 x0
      level sell 5@100 x1
      > new s4 Z sell 1@99
      accepted s4 Z #6.0 sell 1@99 day New 0+1 m2
      executed s4 Z #6.0 sell 1@99 day Filled 1+0 last 1@99 trade 2 removed notional 99 m2
      executed s3 X #2.0 buy 5@99 day Partial 1+4 last 1@99 trade 2 added notional 99
      level buy 4@99 x1
      > cancel-quotes s1 C
      quotes-canceled s1 C i0 total 1 m4
      level sell 0@100 x0
    `);
  });

  it("is judged entry by entry: a refused one leaves what stood", () => {
    ledger(`
      > quote s1 Q1 1:5@99/5@101 2:1@10/-
      quote-acknowledged s1 Q1<E1 index 1 total 2 text=S m1
      quote-acknowledged s1 Q1<E2 i2 index 2 total 2 text=S m1
      level buy 5@99 x1
      level sell 5@101 x1
      level i2 buy 1@10 x1
      > quote s1 Q2 1:5@101/5@101 2:1@0/- 9:1@1/- 2:1@11/- 0:-/-!SymbolChanged 3:1001@10/-
      quote-acknowledged s1 Q2<E1 index 1 total 6 QuoteCrossed text=S m2
      quote-acknowledged s1 Q2<E2 i2 index 2 total 6 QuoteInvalid text=S m2
      quote-acknowledged s1 Q2<E3 i9 index 3 total 6 UnknownSymbol text=S m2
      quote-acknowledged s1 Q2<E4 i2 index 4 total 6 text=S m2
      quote-acknowledged s1 Q2<E5 i0 index 5 total 6 SymbolChanged text=S m2
      quote-acknowledged s1 Q2<E6 i3 index 6 total 6 QtyOverLimit text=S m2
      level i2 buy 0@10 x0
      level i2 buy 1@11 x1
      > new s3 X sell 1@99
      accepted s3 X #3.0 sell 1@99 day New 0+1 m1
      executed s3 X #3.0 sell 1@99 day Filled 1+0 last 1@99 trade 2 removed notional 99 m1
      executed s1 Q1 #1.0 buy 5@99 day Partial 1+4 last 1@99 trade 2 added notional 99
      level buy 4@99 x1
    `);
  });

  it("is bound to what phases take", () => {
    ledger(`
      > quote s1 Q1 1:5@99/5@101
      quote-acknowledged s1 Q1<E1 index 1 total 1 text=S m1
      level buy 5@99 x1
      level sell 5@101 x1
      > phase NoCancel i1
      phase NoCancel<Continuous
      > quote s1 Q2 1:4@99/4@101
      quote-acknowledged s1 Q2<E1 index 1 total 1 PhaseForbids text=S m2
      > quote s3 Q2 1:4@99/4@101
      quote-acknowledged s3 Q2<E1 index 1 total 1 text=S m1
      level buy 9@99 x2
      level sell 9@101 x2
      > cancel-quotes s1 C i1
      quotes-canceled s1 C total 0 PhaseForbids m3
      > cancel-quotes s1 C
      quotes-canceled s1 C i0 total 0 m4
      > phase Halt i1
      phase Halt<NoCancel
      > quote s1 Q3 1:-/-
      quote-acknowledged s1 Q3<E1 index 1 total 1 PhaseForbids text=S m5
      > cancel-quotes s1 C i1
      quotes-canceled s1 C total 2 m6
      level buy 4@99 x1
      level sell 4@101 x1
    `);
  });

  it("is ended by self-match prevention, and cancelled as a whole", () => {
    ledger(`
      > quote s1 Q1 1:5@99/5@101
      quote-acknowledged s1 Q1<E1 index 1 total 1 text=S m1
      level buy 5@99 x1
      level sell 5@101 x1
      > quote s2 Q2 1:5@101/5@103 smp=resting
      quote-acknowledged s2 Q2<E1 index 1 total 1 text=S m1
      canceled s1 Q1 #1.1 sell 5@101 day Canceled 0+0 SelfMatchPrevented
      level sell 0@101 x0
      level buy 5@101 x1
      level sell 5@103 x1
      > cancel-quotes s2 C i1
      quotes-canceled s2 C total 2 m2
      level buy 0@101 x0
      level sell 0@103 x0
      > cancel-quotes s2 C i9
      quotes-canceled s2 C i9 total 0 UnknownSymbol m3
      > refuse quote s1 Q reason=NotPermitted level=1
      quote-acknowledged s1 Q i0 total 0 level=1 NotPermitted m2
      > refuse cancel-quotes s1 Q reason=NotPermitted
      quotes-canceled s1 Q i0 total 0 NotPermitted m3
      > new s3 X sell 9@1
      accepted s3 X #7.0 sell 9@1 day New 0+9 m1
      executed s3 X #7.0 sell 9@1 day Partial 5+4 last 5@99 trade 2 removed notional 495 m1
      executed s1 Q1 #1.0 buy 5@99 day Filled 5+0 last 5@99 trade 2 added notional 495
      level buy 0@99 x0
      level sell 4@1 x1
    `);
  });

  it("that is sent again as it is keeps its place", () => {
    ledger(`
      > quote s1 Q1 1:5@99/-
      quote-acknowledged s1 Q1<E1 index 1 total 1 text=S m1
      level buy 5@99 x1
      > new s3 X buy 5@99
      accepted s3 X #2.0 buy 5@99 day New 0+5 m1
      level buy 10@99 x2
      > quote s1 Q2 1:5@99/-
      quote-acknowledged s1 Q2<E1 index 1 total 1 text=S m2
      > new s4 Y sell 1@99
      accepted s4 Y #4.0 sell 1@99 day New 0+1 m1
      executed s4 Y #4.0 sell 1@99 day Filled 1+0 last 1@99 trade 2 removed notional 99 m1
      executed s1 Q2 #1.0 buy 5@99 day Partial 1+4 last 1@99 trade 2 added notional 99
      level buy 9@99 x2
    `);
  });
});
