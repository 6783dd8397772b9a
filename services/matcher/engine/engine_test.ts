/** Ledgers of new orders and matching; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("a new order", () => {
  it("rests when nothing crosses it", () => {
    ledger(`
      > new s1 A buy 10@100
      accepted s1 A #1.0 buy 10@100 day New 0+10 m1
      level buy 10@100 x1
      > new s3 B sell 5@101
      accepted s3 B #2.0 sell 5@101 day New 0+5 m1
      level sell 5@101 x1
      > new s1 C buy 7@100
      accepted s1 C #3.0 buy 7@100 day New 0+7 m2
      level buy 17@100 x2
    `);
  });

  it("trades at the resting price, aggressor reported first, and rests with what is left", () => {
    ledger(`
      > new s1 A sell 4@99
      accepted s1 A #1.0 sell 4@99 day New 0+4 m1
      level sell 4@99 x1
      > new s3 B buy 10@100
      accepted s3 B #2.0 buy 10@100 day New 0+10 m1
      executed s3 B #2.0 buy 10@100 day Partial 4+6 last 4@99 trade 2 removed notional 396 m1
      executed s1 A #1.0 sell 4@99 day Filled 4+0 last 4@99 trade 2 added notional 396
      level sell 0@99 x0
      level buy 6@100 x1
    `);
  });

  it("takes the oldest first at a price and the best price first, and leaves what it does not reach", () => {
    ledger(`
      > new s1 A sell 4@101
      accepted s1 A #1.0 sell 4@101 day New 0+4 m1
      level sell 4@101 x1
      > new s1 B sell 5@100
      accepted s1 B #2.0 sell 5@100 day New 0+5 m2
      level sell 5@100 x1
      > new s2 C sell 6@100
      accepted s2 C #3.0 sell 6@100 day New 0+6 m1
      level sell 11@100 x2
      > new s2 D sell 7@102
      accepted s2 D #4.0 sell 7@102 day New 0+7 m2
      level sell 7@102 x1
      > new s3 E buy 13@101
      accepted s3 E #5.0 buy 13@101 day New 0+13 m1
      executed s3 E #5.0 buy 13@101 day Partial 5+8 last 5@100 trade 2 removed notional 500 m1
      executed s1 B #2.0 sell 5@100 day Filled 5+0 last 5@100 trade 2 added notional 500
      executed s3 E #5.0 buy 13@101 day Partial 11+2 last 6@100 trade 4 removed notional 1100 m1
      executed s2 C #3.0 sell 6@100 day Filled 6+0 last 6@100 trade 4 added notional 600
      executed s3 E #5.0 buy 13@101 day Filled 13+0 last 2@101 trade 6 removed notional 1302 m1
      executed s1 A #1.0 sell 4@101 day Partial 2+2 last 2@101 trade 6 added notional 202
      level sell 0@100 x0
      level sell 2@101 x1
    `);
  });

  it("that trades with its own session names that session's message on both reports", () => {
    ledger(`
      > new s1 A sell 1@100
      accepted s1 A #1.0 sell 1@100 day New 0+1 m1
      level sell 1@100 x1
      > new s1 B buy 1@100
      accepted s1 B #2.0 buy 1@100 day New 0+1 m2
      executed s1 B #2.0 buy 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m2
      executed s1 A #1.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 added notional 100 m2
      level sell 0@100 x0
    `);
  });

  it("sums the notional exactly beyond 2^32 and 2^53", () => {
    ledger(`
      > new s1 A sell 2000000000@2147483647
      accepted s1 A #1.0 sell 2000000000@2147483647 day New 0+2000000000 m1
      level sell 2000000000@2147483647 x1
      > new s3 B buy 1999999999@2147483647
      accepted s3 B #2.0 buy 1999999999@2147483647 day New 0+1999999999 m1
      executed s3 B #2.0 buy 1999999999@2147483647 day Filled 1999999999+0 last 1999999999@2147483647 trade 2 removed notional ${
      1999999999n * 2147483647n
    } m1
      executed s1 A #1.0 sell 2000000000@2147483647 day Partial 1999999999+1 last 1999999999@2147483647 trade 2 added notional ${
      1999999999n * 2147483647n
    }
      level sell 1@2147483647 x1
      > new s3 C buy 1@2147483647
      accepted s3 C #3.0 buy 1@2147483647 day New 0+1 m2
      executed s3 C #3.0 buy 1@2147483647 day Filled 1+0 last 1@2147483647 trade 2 removed notional 2147483647 m2
      executed s1 A #1.0 sell 2000000000@2147483647 day Filled 2000000000+0 last 1@2147483647 trade 2 added notional ${
      2000000000n * 2147483647n
    }
      level sell 0@2147483647 x0
    `);
  });
});

describe("an order that may not rest", () => {
  it("immediate or cancel: what is left expires", () => {
    ledger(`
      > new s1 A sell 4@100
      accepted s1 A #1.0 sell 4@100 day New 0+4 m1
      level sell 4@100 x1
      > new s3 B buy 10@100 ioc
      accepted s3 B #2.0 buy 10@100 ioc New 0+10 m1
      executed s3 B #2.0 buy 10@100 ioc Partial 4+6 last 4@100 trade 2 removed notional 400 m1
      executed s1 A #1.0 sell 4@100 day Filled 4+0 last 4@100 trade 2 added notional 400
      expired s3 B #2.0 buy 10@100 ioc Expired 4+0 notional 400 m1
      level sell 0@100 x0
      > new s3 C buy 1@100 ioc
      accepted s3 C #3.0 buy 1@100 ioc New 0+1 m2
      expired s3 C #3.0 buy 1@100 ioc Expired 0+0 m2
    `);
  });

  it("fill or kill: all, over several prices, or nothing", () => {
    ledger(`
      > new s1 A sell 4@100
      accepted s1 A #1.0 sell 4@100 day New 0+4 m1
      level sell 4@100 x1
      > new s1 B sell 4@101
      accepted s1 B #2.0 sell 4@101 day New 0+4 m2
      level sell 4@101 x1
      > new s3 C buy 5@100 fok
      accepted s3 C #3.0 buy 5@100 fok New 0+5 m1
      expired s3 C #3.0 buy 5@100 fok Expired 0+0 m1
      > new s3 D buy 9@mkt fok
      accepted s3 D #4.0 buy 9@mkt fok New 0+9 m2
      expired s3 D #4.0 buy 9@mkt fok Expired 0+0 m2
      > new s3 E buy 8@101 fok
      accepted s3 E #5.0 buy 8@101 fok New 0+8 m3
      executed s3 E #5.0 buy 8@101 fok Partial 4+4 last 4@100 trade 2 removed notional 400 m3
      executed s1 A #1.0 sell 4@100 day Filled 4+0 last 4@100 trade 2 added notional 400
      executed s3 E #5.0 buy 8@101 fok Filled 8+0 last 4@101 trade 4 removed notional 804 m3
      executed s1 B #2.0 sell 4@101 day Filled 4+0 last 4@101 trade 4 added notional 404
      level sell 0@100 x0
      level sell 0@101 x0
    `);
  });

  it("market: takes any price, and what is left expires, Day included", () => {
    ledger(`
      > new s1 A buy 4@1
      accepted s1 A #1.0 buy 4@1 day New 0+4 m1
      level buy 4@1 x1
      > new s3 B sell 6@mkt
      accepted s3 B #2.0 sell 6@mkt day New 0+6 m1
      executed s3 B #2.0 sell 6@mkt day Partial 4+2 last 4@1 trade 2 removed notional 4 m1
      executed s1 A #1.0 buy 4@1 day Filled 4+0 last 4@1 trade 2 added notional 4
      expired s3 B #2.0 sell 6@mkt day Expired 4+0 notional 4 m1
      level buy 0@1 x0
      > new s3 C buy 1@mkt
      accepted s3 C #3.0 buy 1@mkt day New 0+1 m2
      expired s3 C #3.0 buy 1@mkt day Expired 0+0 m2
    `);
  });
});

describe("a pro rata instrument", () => {
  it("shares in proportion, the rounding residue to the oldest, trades in time priority", () => {
    ledger(`
      > new s1 A sell 100@50 i2
      accepted s1 A #1.0 i2 sell 100@50 day New 0+100 m1
      level i2 sell 100@50 x1
      > new s1 B sell 200@50 i2
      accepted s1 B #2.0 i2 sell 200@50 day New 0+200 m2
      level i2 sell 300@50 x2
      > new s1 C sell 300@50 i2
      accepted s1 C #3.0 i2 sell 300@50 day New 0+300 m3
      level i2 sell 600@50 x3
      > new s3 D buy 500@50 i2
      accepted s3 D #4.0 i2 buy 500@50 day New 0+500 m1
      executed s3 D #4.0 i2 buy 500@50 day Partial 84+416 last 84@50 trade 2 removed notional 4200 m1
      executed s1 A #1.0 i2 sell 100@50 day Partial 84+16 last 84@50 trade 2 added notional 4200
      executed s3 D #4.0 i2 buy 500@50 day Partial 250+250 last 166@50 trade 4 removed notional 12500 m1
      executed s1 B #2.0 i2 sell 200@50 day Partial 166+34 last 166@50 trade 4 added notional 8300
      executed s3 D #4.0 i2 buy 500@50 day Filled 500+0 last 250@50 trade 6 removed notional 25000 m1
      executed s1 C #3.0 i2 sell 300@50 day Partial 250+50 last 250@50 trade 6 added notional 12500
      level i2 sell 100@50 x3
    `);
  });

  it("passes over an order whose share is below the minimum and that FIFO does not reach", () => {
    ledger(`
      > new s1 A sell 10@50 i3
      accepted s1 A #1.0 i3 sell 10@50 day New 0+10 m1
      level i3 sell 10@50 x1
      > new s1 B sell 4@50 i3
      accepted s1 B #2.0 i3 sell 4@50 day New 0+4 m2
      level i3 sell 14@50 x2
      > new s3 C buy 5@50 i3
      accepted s3 C #3.0 i3 buy 5@50 day New 0+5 m1
      executed s3 C #3.0 i3 buy 5@50 day Filled 5+0 last 5@50 trade 2 removed notional 250 m1
      executed s1 A #1.0 i3 sell 10@50 day Partial 5+5 last 5@50 trade 2 added notional 250
      level i3 sell 9@50 x2
    `);
  });
});
