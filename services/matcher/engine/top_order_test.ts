/** Ledgers of top orders, lead market makers and the change of algorithms; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import type { Instrument } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "./engine.ts";
import { ledger } from "./run_ledger.ts";
import { testInstrument } from "./test_ledger.ts";

/** Two instruments that trade so. */
function trading(overrides: Partial<Instrument>): Partial<EngineOptions> {
  return { instruments: [testInstrument(1, overrides), testInstrument(2, overrides)] };
}

describe("an algorithm", () => {
  it("A: the order that bettered the market comes first", () => {
    ledger(
      `
      > new s1 A buy 10@100
      accepted s1 A #1.0 buy 10@100 day New 0+10 m1
      level buy 10@100 x1
      > new s2 B buy 10@101
      accepted s2 B #2.0 buy 10@101 day New 0+10 m1
      level buy 10@101 x1
      > new s3 C buy 10@101
      accepted s3 C #3.0 buy 10@101 day New 0+10 m1
      level buy 20@101 x2
      > new s4 X sell 12@101
      accepted s4 X #4.0 sell 12@101 day New 0+12 m1
      executed s4 X #4.0 sell 12@101 day Partial 10+2 last 10@101 trade 2 removed notional 1010 m1
      executed s2 B #2.0 buy 10@101 day Filled 10+0 last 10@101 trade 2 added notional 1010
      executed s4 X #4.0 sell 12@101 day Filled 12+0 last 2@101 trade 4 removed notional 1212 m1
      executed s3 C #3.0 buy 10@101 day Partial 2+8 last 2@101 trade 4 added notional 202
      level buy 8@101 x1
      > new s4 Y sell 4@101
      accepted s4 Y #5.0 sell 4@101 day New 0+4 m2
      executed s4 Y #5.0 sell 4@101 day Filled 4+0 last 4@101 trade 2 removed notional 404 m2
      executed s3 C #3.0 buy 10@101 day Partial 6+4 last 4@101 trade 2 added notional 606
      level buy 4@101 x1
    `,
      trading({ algorithm: "A" }),
    );
  });

  it("A: who lost priority or was bettered has no such right", () => {
    ledger(
      `
      > new s1 A buy 10@100
      accepted s1 A #1.0 buy 10@100 day New 0+10 m1
      level buy 10@100 x1
      > new s3 B buy 10@100
      accepted s3 B #2.0 buy 10@100 day New 0+10 m1
      level buy 20@100 x2
      > replace s1 A2 A buy 11@100
      replaced s1 A2<A #1.0 buy 11@100 day New 0+11 m2
      level buy 21@100 x2
      > new s4 X sell 4@100
      accepted s4 X #4.0 sell 4@100 day New 0+4 m1
      executed s4 X #4.0 sell 4@100 day Partial 2+2 last 2@100 trade 2 removed notional 200 m1
      executed s3 B #2.0 buy 10@100 day Partial 2+8 last 2@100 trade 2 added notional 200
      executed s4 X #4.0 sell 4@100 day Filled 4+0 last 2@100 trade 4 removed notional 400 m1
      executed s1 A2 #1.0 buy 11@100 day Partial 2+9 last 2@100 trade 4 added notional 200
      level buy 17@100 x2
      > new s2 C buy 1@101
      accepted s2 C #5.0 buy 1@101 day New 0+1 m1
      level buy 1@101 x1
      > cancel s2 D C buy
      canceled s2 D<C #5.0 buy 1@101 day Canceled 0+0 m2
      level buy 0@101 x0
      > new s4 Y sell 4@100
      accepted s4 Y #7.0 sell 4@100 day New 0+4 m2
      executed s4 Y #7.0 sell 4@100 day Partial 2+2 last 2@100 trade 2 removed notional 200 m2
      executed s3 B #2.0 buy 10@100 day Partial 4+6 last 2@100 trade 2 added notional 400
      executed s4 Y #7.0 sell 4@100 day Filled 4+0 last 2@100 trade 4 removed notional 400 m2
      executed s1 A2 #1.0 buy 11@100 day Partial 4+7 last 2@100 trade 4 added notional 400
      level buy 13@100 x2
    `,
      trading({ algorithm: "A" }),
    );
  });

  it("Q: lead market makers after the top order", () => {
    ledger(
      `
      > new s1 A buy 10@100
      accepted s1 A #1.0 buy 10@100 day New 0+10 m1
      level buy 10@100 x1
      > new s3 B buy 10@100
      accepted s3 B #2.0 buy 10@100 day New 0+10 m1
      level buy 20@100 x2
      > new s5 C buy 20@100
      accepted s5 C #3.0 buy 20@100 day New 0+20 m1
      level buy 40@100 x3
      > new s7 X sell 20@100
      accepted s7 X #4.0 sell 20@100 day New 0+20 m1
      executed s7 X #4.0 sell 20@100 day Partial 10+10 last 10@100 trade 2 removed notional 1000 m1
      executed s1 A #1.0 buy 10@100 day Filled 10+0 last 10@100 trade 2 added notional 1000
      executed s7 X #4.0 sell 20@100 day Partial 16+4 last 6@100 trade 4 removed notional 1600 m1
      executed s3 B #2.0 buy 10@100 day Partial 6+4 last 6@100 trade 4 added notional 600
      executed s7 X #4.0 sell 20@100 day Filled 20+0 last 4@100 trade 6 removed notional 2000 m1
      executed s5 C #3.0 buy 20@100 day Partial 4+16 last 4@100 trade 6 added notional 400
      level buy 20@100 x2
    `,
      trading({ algorithm: "Q", rules: { leadMarketMakers: [{ firmId: 2, percent: 50 }] } }),
    );
  });

  it("changes with a command", () => {
    ledger(`
      > algorithm F i1
      > algorithm C i1
      algorithm C
      > algorithm X i1
      > algorithm C i9
      > new s1 A buy 10@100
      accepted s1 A #5.0 buy 10@100 day New 0+10 m1
      level buy 10@100 x1
      > new s2 B buy 10@100
      accepted s2 B #6.0 buy 10@100 day New 0+10 m1
      level buy 20@100 x2
      > new s3 X sell 10@100
      accepted s3 X #7.0 sell 10@100 day New 0+10 m1
      executed s3 X #7.0 sell 10@100 day Partial 5+5 last 5@100 trade 2 removed notional 500 m1
      executed s1 A #5.0 buy 10@100 day Partial 5+5 last 5@100 trade 2 added notional 500
      executed s3 X #7.0 sell 10@100 day Filled 10+0 last 5@100 trade 4 removed notional 1000 m1
      executed s2 B #6.0 buy 10@100 day Partial 5+5 last 5@100 trade 4 added notional 500
      level buy 10@100 x2
      > algorithm F i1
      algorithm F
      > new s3 Y sell 4@100
      accepted s3 Y #9.0 sell 4@100 day New 0+4 m2
      executed s3 Y #9.0 sell 4@100 day Filled 4+0 last 4@100 trade 2 removed notional 400 m2
      executed s1 A #5.0 buy 10@100 day Partial 9+1 last 4@100 trade 2 added notional 900
      level buy 6@100 x2
    `);
  });
});
