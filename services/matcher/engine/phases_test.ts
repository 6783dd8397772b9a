/** Ledgers of phases; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import type { Instrument } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "./engine.ts";
import { ledger } from "./run_ledger.ts";
import { testInstrument } from "./test_ledger.ts";

/** Two instruments that trade so. */
function trading(overrides: Partial<Instrument>): Partial<EngineOptions> {
  return { instruments: [testInstrument(1, overrides), testInstrument(2, overrides)] };
}

describe("an instrument", () => {
  it("takes what its phase takes", () => {
    ledger(`
      > phase PreOpen i1
      phase PreOpen<Continuous
      > new s1 A buy 5@100
      accepted s1 A #2.0 buy 5@100 day New 0+5 m1
      level buy 5@100 x1
      > new s1 B buy 5@100 ioc
      rejected s1 B buy 5@100 ioc Rejected 0+0 PhaseForbids m2
      > new s1 B buy 5@mtl
      rejected s1 B buy 5@mtl day Rejected 0+0 PhaseForbids m3
      > new s1 B buy 5@100 min=1
      rejected s1 B buy 5@100 day Rejected 0+0 total 1 PhaseForbids m4
      > phase NoCancel i1
      phase NoCancel<PreOpen
      > new s1 B buy 5@100
      accepted s1 B #7.0 buy 5@100 day New 0+5 m5
      level buy 10@100 x2
      > replace s1 C A buy 4@100
      replace-rejected s1 C<A #2.0 buy 5@100 day New 0+5 PhaseForbids m6
      > cancel s1 C A buy
      cancel-rejected s1 C<A #2.0 buy 5@100 day New 0+5 PhaseForbids m7
      > phase Halt i1
      phase Halt<NoCancel
      > new s1 D buy 5@100
      rejected s1 D buy 5@100 day Rejected 0+0 PhaseForbids m8
      > replace s1 D A buy 4@100
      replace-rejected s1 D<A #2.0 buy 5@100 day New 0+5 PhaseForbids m9
      > replace s1 D A buy 4@mtl
      replace-rejected s1 D<A #2.0 buy 5@100 day New 0+5 total 75 PhaseForbids m10
      > cancel s1 D A buy
      canceled s1 D<A #2.0 buy 5@100 day Canceled 0+0 m11
      level buy 5@100 x1
      > phase Closed i1
      phase Closed<Halt
      expired s1 B #7.0 buy 5@100 day Expired 0+0
      level buy 0@100 x0
      > new s1 E buy 5@100 opg
      rejected s1 E buy 5@100 opg Rejected 0+0 PhaseForbids m12
    `);
  });

  it("changes only from the phase that must be, once per schedule time, and not to itself", () => {
    ledger(`
      > phase Halt i1 from=PreOpen
      > phase Halt i1 due=5
      phase Halt<Continuous
      > phase Continuous i1 due=5
      > phase Continuous i1 due=6
      phase Continuous<Halt
      > phase Continuous i1
      > phase Halt i9
      > phase Halt
      phase Halt<Continuous
      phase i2 Halt<Continuous
      phase i3 Halt<Continuous
    `);
  });

  it("takes orders for the opening before it only, and keeps those for the close until its auction", () => {
    ledger(`
      > new s1 A buy 5@100 opg
      rejected s1 A buy 5@100 opg Rejected 0+0 PhaseForbids m1
      > phase ClosingAuction i1
      phase ClosingAuction<Continuous
      > new s1 A buy 5@100 opg
      rejected s1 A buy 5@100 opg Rejected 0+0 PhaseForbids m2
      > new s1 B buy 5@100 cls
      accepted s1 B #4.0 buy 5@100 cls New 0+5 m3
      level buy 5@100 x1
      > phase Continuous i1
      phase Continuous<ClosingAuction
      expired s1 B #4.0 buy 5@100 cls Expired 0+0
      level buy 0@100 x0
      > new s1 C buy 5@mkt cls
      accepted s1 C #6.0 buy 5@mkt cls New 0+5 m4
      > new s1 D buy 5@101 cls
      accepted s1 D #7.0 buy 5@101 cls New 0+5 m5
      > replace s1 E C buy 4@mkt cls
      replaced s1 E<C #6.0 buy 4@mkt cls New 0+4 m6
      > replace s1 F E buy 4@mkt
      replace-rejected s1 F<E #6.0 buy 4@mkt cls New 0+4 total 48 TimeInForceUnsupported m7
      > phase ClosingAuction i1
      phase ClosingAuction<Continuous
      triggered s1 E #6.0 buy 4@mkt cls New 0+4
      triggered s1 D #7.0 buy 5@101 cls New 0+5
      level buy 4@2147483647 x1
      level buy 5@101 x1
      > new s3 X sell 6@101
      accepted s3 X #11.0 sell 6@101 day New 0+6 m1
      level sell 6@101 x1
      indicated 6@101 surplus 3
      > phase Closed i1
      phase Closed<ClosingAuction
      executed s1 E #6.0 buy 4@mkt cls Filled 4+0 last 4@101 trade 2 none notional 404
      executed s3 X #11.0 sell 6@101 day Partial 4+2 last 4@101 trade 2 none notional 404
      executed s1 D #7.0 buy 5@101 cls Partial 2+3 last 2@101 trade 4 none notional 202
      executed s3 X #11.0 sell 6@101 day Filled 6+0 last 2@101 trade 4 none notional 606
      expired s1 D #7.0 buy 5@101 cls Expired 2+0 notional 202
      level buy 0@2147483647 x0
      level sell 0@101 x0
      level buy 0@101 x0
    `);
  });

  it("calls an auction rather than trade too far from the last price", () => {
    ledger(
      `
      > new s1 A sell 5@105
      accepted s1 A #1.0 sell 5@105 day New 0+5 m1
      level sell 5@105 x1
      > new s1 B sell 5@106
      accepted s1 B #2.0 sell 5@106 day New 0+5 m2
      level sell 5@106 x1
      > new s3 S buy 1@stop105
      accepted s3 S #3.0 buy 1@stop105 day New 0+1 m1
      > new s4 X buy 8@110
      accepted s4 X #4.0 buy 8@110 day New 0+8 m1
      executed s4 X #4.0 buy 8@110 day Partial 5+3 last 5@105 trade 2 removed notional 525 m1
      executed s1 A #1.0 sell 5@105 day Filled 5+0 last 5@105 trade 2 added notional 525
      phase VolatilityAuction<Continuous Volatility @106
      level sell 0@105 x0
      level buy 3@110 x1
      indicated 3@106 surplus -2
      > new s4 Y buy 1@107
      accepted s4 Y #5.0 buy 1@107 day New 0+1 m2
      level buy 1@107 x1
      indicated 4@106 surplus -1
      > phase Continuous i1
      phase Continuous<VolatilityAuction
      executed s4 X #4.0 buy 8@110 day Filled 8+0 last 3@106 trade 2 none notional 843
      executed s1 B #2.0 sell 5@106 day Partial 3+2 last 3@106 trade 2 none notional 318
      executed s4 Y #5.0 buy 1@107 day Filled 1+0 last 1@106 trade 4 none notional 106
      executed s1 B #2.0 sell 5@106 day Partial 4+1 last 1@106 trade 4 none notional 424
      triggered s3 S #3.0 buy 1@mkt day stop=105 New 0+1
      executed s3 S #3.0 buy 1@mkt day stop=105 Filled 1+0 last 1@106 trade 7 removed notional 106
      executed s1 B #2.0 sell 5@106 day Filled 5+0 last 1@106 trade 7 added notional 530
      level buy 0@110 x0
      level sell 0@106 x0
      level buy 0@107 x0
    `,
      trading({ rules: { bandTicks: 5, referencePriceTicks: 100 } }),
    );
  });

  it("then lets rest what may, and ends the rest", () => {
    ledger(
      `
      > new s1 A sell 5@105
      accepted s1 A #1.0 sell 5@105 day New 0+5 m1
      level sell 5@105 x1
      > new s1 B sell 5@106
      accepted s1 B #2.0 sell 5@106 day New 0+5 m2
      level sell 5@106 x1
      > new s4 X buy 8@mkt
      accepted s4 X #3.0 buy 8@mkt day New 0+8 m1
      executed s4 X #3.0 buy 8@mkt day Partial 5+3 last 5@105 trade 2 removed notional 525 m1
      executed s1 A #1.0 sell 5@105 day Filled 5+0 last 5@105 trade 2 added notional 525
      phase VolatilityAuction<Continuous Volatility @106
      expired s4 X #3.0 buy 8@mkt day Expired 5+0 notional 525 m1
      level sell 0@105 x0
      > phase Continuous i1
      phase Continuous<VolatilityAuction
      > new s1 C sell 5@111
      accepted s1 C #5.0 sell 5@111 day New 0+5 m3
      level sell 5@111 x1
      > new s4 Y buy 8@mtl
      accepted s4 Y #6.0 buy 8@mtl day New 0+8 m2
      executed s4 Y #6.0 buy 8@mtl day Partial 5+3 last 5@106 trade 2 removed notional 530 m2
      executed s1 B #2.0 sell 5@106 day Filled 5+0 last 5@106 trade 2 added notional 530
      phase VolatilityAuction<Continuous Volatility @111
      restated s4 Y #6.0 buy 8@106 day Partial 5+3 notional 530 LeftoverPriced m2
      level sell 0@106 x0
      level buy 3@106 x1
      > phase Continuous i1
      phase Continuous<VolatilityAuction
      > new s4 Z buy 20@120 fok
      accepted s4 Z #8.0 buy 20@120 fok New 0+20 m3
      expired s4 Z #8.0 buy 20@120 fok Expired 0+0 m3
    `,
      trading({ rules: { bandTicks: 5, referencePriceTicks: 100 } }),
    );
  });
});
