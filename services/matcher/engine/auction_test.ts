/** Ledgers of auctions; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import type { Instrument } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "./engine.ts";
import { ledger } from "./run_ledger.ts";
import { testInstrument } from "./test_ledger.ts";

/** Two instruments that trade so. */
function trading(overrides: Partial<Instrument>): Partial<EngineOptions> {
  return { instruments: [testInstrument(1, overrides), testInstrument(2, overrides)] };
}

describe("an auction", () => {
  it("forms while orders come, and trades at one price", () => {
    ledger(`
      > phase OpeningAuction i1
      phase OpeningAuction<Continuous
      > new s1 A buy 10@102
      accepted s1 A #2.0 buy 10@102 day New 0+10 m1
      level buy 10@102 x1
      > new s1 B buy 5@mkt opg
      accepted s1 B #3.0 buy 5@mkt opg New 0+5 m2
      level buy 5@2147483647 x1
      > new s3 X sell 8@100
      accepted s3 X #4.0 sell 8@100 day New 0+8 m1
      level sell 8@100 x1
      indicated 8@102 surplus 7
      > new s3 Y sell 4@101
      accepted s3 Y #5.0 sell 4@101 day New 0+4 m2
      level sell 4@101 x1
      indicated 12@102 surplus 3
      > new s3 Z sell 9@103 opg
      accepted s3 Z #6.0 sell 9@103 opg New 0+9 m3
      level sell 9@103 x1
      > new s1 C buy 2@99 opg
      accepted s1 C #7.0 buy 2@99 opg New 0+2 m3
      level buy 2@99 x1
      > phase Continuous i1
      phase Continuous<OpeningAuction
      executed s1 B #3.0 buy 5@mkt opg Filled 5+0 last 5@102 trade 2 none notional 510
      executed s3 X #4.0 sell 8@100 day Partial 5+3 last 5@102 trade 2 none notional 510
      executed s1 A #2.0 buy 10@102 day Partial 3+7 last 3@102 trade 4 none notional 306
      executed s3 X #4.0 sell 8@100 day Filled 8+0 last 3@102 trade 4 none notional 816
      executed s1 A #2.0 buy 10@102 day Partial 7+3 last 4@102 trade 6 none notional 714
      executed s3 Y #5.0 sell 4@101 day Filled 4+0 last 4@102 trade 6 none notional 408
      expired s1 C #7.0 buy 2@99 opg Expired 0+0
      expired s3 Z #6.0 sell 9@103 opg Expired 0+0
      level buy 0@2147483647 x0
      level sell 0@100 x0
      level buy 3@102 x1
      level sell 0@101 x0
      level buy 0@99 x0
      level sell 0@103 x0
    `);
  });

  it("lets icebergs trade whole and shows them anew behind the others", () => {
    ledger(`
      > phase PreOpen i1
      phase PreOpen<Continuous
      > new s1 A buy 10@100 floor=3
      accepted s1 A #2.0 buy 10@100 day floor=3 New 0+10 m1
      level buy 3@100 x1
      > new s2 B buy 4@100
      accepted s2 B #3.0 buy 4@100 day New 0+4 m1
      level buy 7@100 x2
      > new s3 X sell 5@100
      accepted s3 X #4.0 sell 5@100 day New 0+5 m1
      level sell 5@100 x1
      indicated 5@100 surplus 9
      > phase Continuous i1
      phase Continuous<PreOpen
      executed s1 A #2.0 buy 10@100 day floor=3 Partial 5+5 last 5@100 trade 2 none notional 500
      executed s3 X #4.0 sell 5@100 day Filled 5+0 last 5@100 trade 2 none notional 500
      level sell 0@100 x0
      > new s3 Y sell 5@100
      accepted s3 Y #6.0 sell 5@100 day New 0+5 m2
      executed s3 Y #6.0 sell 5@100 day Partial 4+1 last 4@100 trade 2 removed notional 400 m2
      executed s2 B #3.0 buy 4@100 day Filled 4+0 last 4@100 trade 2 added notional 400
      executed s3 Y #6.0 sell 5@100 day Filled 5+0 last 1@100 trade 4 removed notional 500 m2
      executed s1 A #2.0 buy 10@100 day floor=3 Partial 6+4 last 1@100 trade 4 added notional 600
      level buy 2@100 x1
    `);
  });

  it("with nothing but market orders needs a reference price", () => {
    ledger(`
      > phase PreOpen i1
      phase PreOpen<Continuous
      > new s1 A buy 10@mkt
      accepted s1 A #2.0 buy 10@mkt day New 0+10 m1
      level buy 10@2147483647 x1
      > new s3 X sell 5@mkt
      accepted s3 X #3.0 sell 5@mkt day New 0+5 m1
      level sell 5@1 x1
      > phase Continuous i1
      phase Continuous<PreOpen
      expired s1 A #2.0 buy 10@mkt day Expired 0+0
      expired s3 X #3.0 sell 5@mkt day Expired 0+0
      level buy 0@2147483647 x0
      level sell 0@1 x0
    `);
  });

  it("trades at the reference price when only market orders meet", () => {
    ledger(
      `
      > phase PreOpen i1
      phase PreOpen<Continuous
      > new s1 A buy 10@mkt
      accepted s1 A #2.0 buy 10@mkt day New 0+10 m1
      level buy 10@2147483647 x1
      > new s3 X sell 5@mkt
      accepted s3 X #3.0 sell 5@mkt day New 0+5 m1
      level sell 5@1 x1
      indicated 5@77 surplus 5
      > phase Continuous i1
      phase Continuous<PreOpen
      executed s1 A #2.0 buy 10@mkt day Partial 5+5 last 5@77 trade 2 none notional 385
      executed s3 X #3.0 sell 5@mkt day Filled 5+0 last 5@77 trade 2 none notional 385
      expired s1 A #2.0 buy 10@mkt day Expired 5+0 notional 385
      level buy 0@2147483647 x0
      level sell 0@1 x0
    `,
      trading({ rules: { referencePriceTicks: 77 } }),
    );
  });

  it("ignores self-match prevention, and stops follow it", () => {
    ledger(`
      > new s1 S sell 1@stop100
      accepted s1 S #1.0 sell 1@stop100 day New 0+1 m1
      > phase PreOpen i1
      phase PreOpen<Continuous
      > new s1 A buy 2@100
      accepted s1 A #3.0 buy 2@100 day New 0+2 m2
      level buy 2@100 x1
      > new s1 B sell 1@100 smp=resting
      accepted s1 B #4.0 sell 1@100 day New 0+1 m3
      level sell 1@100 x1
      indicated 1@100 surplus 1
      > phase Continuous i1
      phase Continuous<PreOpen
      executed s1 A #3.0 buy 2@100 day Partial 1+1 last 1@100 trade 2 none notional 100
      executed s1 B #4.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 none notional 100
      triggered s1 S #1.0 sell 1@mkt day stop=100 New 0+1
      executed s1 S #1.0 sell 1@mkt day stop=100 Filled 1+0 last 1@100 trade 5 removed notional 100
      executed s1 A #3.0 buy 2@100 day Filled 2+0 last 1@100 trade 5 added notional 200
      level buy 0@100 x0
      level sell 0@100 x0
    `);
  });

  it("is told anew when an order is replaced or cancelled", () => {
    ledger(`
      > phase PreOpen i1
      phase PreOpen<Continuous
      > new s1 A buy 2@100
      accepted s1 A #2.0 buy 2@100 day New 0+2 m1
      level buy 2@100 x1
      > new s3 X sell 2@100
      accepted s3 X #3.0 sell 2@100 day New 0+2 m1
      level sell 2@100 x1
      indicated 2@100 surplus 0
      > replace s1 B A buy 1@100
      replaced s1 B<A #2.0 buy 1@100 day New 0+1 m2
      level buy 1@100 x1
      indicated 1@100 surplus -1
      > cancel s3 Y X sell
      canceled s3 Y<X #3.0 sell 2@100 day Canceled 0+0 m2
      level sell 0@100 x0
      indicated 0@0 surplus 0
    `);
  });

  it("leaves only GTC and GTD orders behind when the instrument closes", () => {
    ledger(`
      > new s1 A buy 1@90 gtc
      accepted s1 A #1.0 buy 1@90 gtc New 0+1 m1
      level buy 1@90 x1
      > new s1 B buy 1@91 gtd until=9000000
      accepted s1 B #2.0 buy 1@91 gtd until=9000000 New 0+1 m2
      level buy 1@91 x1
      > new s1 C buy 1@92
      accepted s1 C #3.0 buy 1@92 day New 0+1 m3
      level buy 1@92 x1
      > new s1 D buy 1@stop120
      accepted s1 D #4.0 buy 1@stop120 day New 0+1 m4
      > new s1 E buy 1@stop121 gtc
      accepted s1 E #5.0 buy 1@stop121 gtc New 0+1 m5
      > new s1 F buy 1@93 cls
      accepted s1 F #6.0 buy 1@93 cls New 0+1 m6
      > quote s2 Q 1:1@89/1@130
      quote-acknowledged s2 Q<E1 index 1 total 1 text=S m1
      level buy 1@89 x1
      level sell 1@130 x1
      > phase Closed i1
      phase Closed<Continuous
      expired s1 C #3.0 buy 1@92 day Expired 0+0
      expired s2 Q #7.0 buy 1@89 day Expired 0+0
      expired s2 Q #7.1 sell 1@130 day Expired 0+0
      expired s1 D #4.0 buy 1@stop120 day Expired 0+0
      expired s1 F #6.0 buy 1@93 cls Expired 0+0
      level buy 0@92 x0
      level buy 0@89 x0
      level sell 0@130 x0
    `);
  });
});
