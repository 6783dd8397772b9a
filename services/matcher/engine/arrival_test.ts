/** Ledgers of what happens to orders on arrival: post-only, MinQty, market to limit, protection; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import type { Instrument } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "./engine.ts";
import { ledger } from "./run_ledger.ts";
import { testInstrument } from "./test_ledger.ts";

/** Two instruments that trade so. */
function trading(overrides: Partial<Instrument>): Partial<EngineOptions> {
  return { instruments: [testInstrument(1, overrides), testInstrument(2, overrides)] };
}

describe("an order", () => {
  it("that is post-only is rejected when it would trade, and its ClOrdID stays free", () => {
    ledger(`
      > new s1 A sell 5@100
      accepted s1 A #1.0 sell 5@100 day New 0+5 m1
      level sell 5@100 x1
      > new s3 X buy 5@100 post
      rejected s3 X buy 5@100 day post Rejected 0+0 PostOnlyWouldTrade m1
      > new s3 X buy 5@99 post
      accepted s3 X #3.0 buy 5@99 day post New 0+5 m2
      level buy 5@99 x1
      > replace s3 Y X buy 5@100 post
      replace-rejected s3 Y<X #3.0 buy 5@99 day post New 0+5 PostOnlyWouldTrade m3
      > replace s3 Z X buy 5@98 post
      replaced s3 Z<X #3.0 buy 5@98 day post New 0+5 m4
      level buy 0@99 x0
      level buy 5@98 x1
    `);
  });

  it("that is post-only rests one tick behind the best where the venue reprices", () => {
    ledger(
      `
      > new s1 A sell 5@100
      accepted s1 A #1.0 sell 5@100 day New 0+5 m1
      level sell 5@100 x1
      > new s3 X buy 5@105 post
      accepted s3 X #2.0 buy 5@105 day post New 0+5 m1
      restated s3 X #2.0 buy 5@99 day post New 0+5 PostOnlyRepriced m1
      level buy 5@99 x1
      > replace s3 Y X buy 4@103 post
      replaced s3 Y<X #2.0 buy 4@103 day post New 0+4 m2
      restated s3 Y #2.0 buy 4@99 day post New 0+4 PostOnlyRepriced m2
      level buy 4@99 x1
      > new s3 Z sell 5@1 post i2
      accepted s3 Z #4.0 i2 sell 5@1 day post New 0+5 m3
      level i2 sell 5@1 x1
      > new s1 B buy 5@2147483647 i2
      accepted s1 B #5.0 i2 buy 5@2147483647 day New 0+5 m2
      executed s1 B #5.0 i2 buy 5@2147483647 day Filled 5+0 last 5@1 trade 2 removed notional 5 m2
      executed s3 Z #4.0 i2 sell 5@1 day post Filled 5+0 last 5@1 trade 2 added notional 5
      level i2 sell 0@1 x0
      > new s3 W sell 5@9 post i2
      accepted s3 W #6.0 i2 sell 5@9 day post New 0+5 m4
      level i2 sell 5@9 x1
    `,
      trading({ rules: { postOnly: "reprice" } }),
    );
  });

  it("with MinQty trades at least that much or nothing", () => {
    ledger(`
      > new s1 A sell 5@100
      accepted s1 A #1.0 sell 5@100 day New 0+5 m1
      level sell 5@100 x1
      > new s3 X buy 9@100 min=6
      accepted s3 X #2.0 buy 9@100 day New 0+9 m1
      expired s3 X #2.0 buy 9@100 day Expired 0+0 m1
      > new s3 Y buy 9@100 min=5
      accepted s3 Y #3.0 buy 9@100 day New 0+9 m2
      executed s3 Y #3.0 buy 9@100 day Partial 5+4 last 5@100 trade 2 removed notional 500 m2
      executed s1 A #1.0 sell 5@100 day Filled 5+0 last 5@100 trade 2 added notional 500
      level sell 0@100 x0
      level buy 4@100 x1
    `);
  });

  it("at market with leftover as limit rests at the last price", () => {
    ledger(`
      > new s1 A sell 5@100
      accepted s1 A #1.0 sell 5@100 day New 0+5 m1
      level sell 5@100 x1
      > new s1 B sell 5@101
      accepted s1 B #2.0 sell 5@101 day New 0+5 m2
      level sell 5@101 x1
      > new s3 X buy 7@mtl
      accepted s3 X #3.0 buy 7@mtl day New 0+7 m1
      executed s3 X #3.0 buy 7@mtl day Partial 5+2 last 5@100 trade 2 removed notional 500 m1
      executed s1 A #1.0 sell 5@100 day Filled 5+0 last 5@100 trade 2 added notional 500
      executed s3 X #3.0 buy 7@mtl day Filled 7+0 last 2@101 trade 4 removed notional 702 m1
      executed s1 B #2.0 sell 5@101 day Partial 2+3 last 2@101 trade 4 added notional 202
      level sell 0@100 x0
      level sell 3@101 x1
      > new s3 Y buy 7@mtl gtc
      accepted s3 Y #4.0 buy 7@mtl gtc New 0+7 m2
      executed s3 Y #4.0 buy 7@mtl gtc Partial 3+4 last 3@101 trade 2 removed notional 303 m2
      executed s1 B #2.0 sell 5@101 day Filled 5+0 last 3@101 trade 2 added notional 505
      restated s3 Y #4.0 buy 7@101 gtc Partial 3+4 notional 303 LeftoverPriced m2
      level sell 0@101 x0
      level buy 4@101 x1
      > new s3 Z buy 7@mtl
      accepted s3 Z #5.0 buy 7@mtl day New 0+7 m3
      expired s3 Z #5.0 buy 7@mtl day Expired 0+0 m3
    `);
  });

  it("at market goes no further than protection lets it", () => {
    ledger(
      `
      > new s1 A sell 1@100
      accepted s1 A #1.0 sell 1@100 day New 0+1 m1
      level sell 1@100 x1
      > new s1 B sell 1@101
      accepted s1 B #2.0 sell 1@101 day New 0+1 m2
      level sell 1@101 x1
      > new s1 C sell 1@102
      accepted s1 C #3.0 sell 1@102 day New 0+1 m3
      level sell 1@102 x1
      > new s3 X buy 9@mkt
      accepted s3 X #4.0 buy 9@mkt day New 0+9 m1
      executed s3 X #4.0 buy 9@mkt day Partial 1+8 last 1@100 trade 2 removed notional 100 m1
      executed s1 A #1.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 added notional 100
      executed s3 X #4.0 buy 9@mkt day Partial 2+7 last 1@101 trade 4 removed notional 201 m1
      executed s1 B #2.0 sell 1@101 day Filled 1+0 last 1@101 trade 4 added notional 101
      expired s3 X #4.0 buy 9@mkt day Expired 2+0 notional 201 m1
      level sell 0@100 x0
      level sell 0@101 x0
      > new s3 Y buy 2@mkt fok
      accepted s3 Y #5.0 buy 2@mkt fok New 0+2 m2
      expired s3 Y #5.0 buy 2@mkt fok Expired 0+0 m2
      > new s3 Z buy 9@mtl
      accepted s3 Z #6.0 buy 9@mtl day New 0+9 m3
      executed s3 Z #6.0 buy 9@mtl day Partial 1+8 last 1@102 trade 2 removed notional 102 m3
      executed s1 C #3.0 sell 1@102 day Filled 1+0 last 1@102 trade 2 added notional 102
      restated s3 Z #6.0 buy 9@102 day Partial 1+8 notional 102 LeftoverPriced m3
      level sell 0@102 x0
      level buy 8@102 x1
      > new s3 W buy 1@103
      accepted s3 W #7.0 buy 1@103 day New 0+1 m4
      level buy 1@103 x1
    `,
      trading({ rules: { protectionTicks: 1 } }),
    );
  });
});
