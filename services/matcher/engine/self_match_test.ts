/** Ledgers of self-match prevention; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("self-match prevention", () => {
  it("cancels resting orders by time as they would trade", () => {
    ledger(`
      > new s1 A buy 3@100
      accepted s1 A #1.0 buy 3@100 day New 0+3 m1
      level buy 3@100 x1
      > new s3 B buy 4@100
      accepted s3 B #2.0 buy 4@100 day New 0+4 m1
      level buy 7@100 x2
      > new s2 X sell 5@100 smp=resting
      accepted s2 X #3.0 sell 5@100 day New 0+5 m1
      canceled s1 A #1.0 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      executed s2 X #3.0 sell 5@100 day Partial 4+1 last 4@100 trade 3 removed notional 400 m1
      executed s3 B #2.0 buy 4@100 day Filled 4+0 last 4@100 trade 3 added notional 400
      level buy 0@100 x0
      level sell 1@100 x1
    `);
  });

  it("cancels the aggressor by time when it would trade with itself next", () => {
    ledger(`
      > new s3 B buy 2@100
      accepted s3 B #1.0 buy 2@100 day New 0+2 m1
      level buy 2@100 x1
      > new s1 A buy 3@100
      accepted s1 A #2.0 buy 3@100 day New 0+3 m1
      level buy 5@100 x2
      > new s2 X sell 5@100 smp=aggressor
      accepted s2 X #3.0 sell 5@100 day New 0+5 m1
      executed s2 X #3.0 sell 5@100 day Partial 2+3 last 2@100 trade 2 removed notional 200 m1
      executed s3 B #1.0 buy 2@100 day Filled 2+0 last 2@100 trade 2 added notional 200
      canceled s2 X #3.0 sell 5@100 day Canceled 2+0 notional 200 SelfMatchPrevented m1
      level buy 3@100 x1
    `);
  });

  it("cancels both by time", () => {
    ledger(`
      > new s3 B buy 2@100
      accepted s3 B #1.0 buy 2@100 day New 0+2 m1
      level buy 2@100 x1
      > new s1 A buy 3@100
      accepted s1 A #2.0 buy 3@100 day New 0+3 m1
      level buy 5@100 x2
      > new s1 C buy 3@100
      accepted s1 C #3.0 buy 3@100 day New 0+3 m2
      level buy 8@100 x3
      > new s2 X sell 5@100 smp=both
      accepted s2 X #4.0 sell 5@100 day New 0+5 m1
      executed s2 X #4.0 sell 5@100 day Partial 2+3 last 2@100 trade 2 removed notional 200 m1
      executed s3 B #1.0 buy 2@100 day Filled 2+0 last 2@100 trade 2 added notional 200
      canceled s2 X #4.0 sell 5@100 day Canceled 2+0 notional 200 SelfMatchPrevented m1
      canceled s1 A #2.0 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      level buy 3@100 x1
    `);
  });

  it("takes the smaller quantity from both by time", () => {
    ledger(`
      > new s1 A buy 3@100
      accepted s1 A #1.0 buy 3@100 day New 0+3 m1
      level buy 3@100 x1
      > new s3 B buy 4@100
      accepted s3 B #2.0 buy 4@100 day New 0+4 m1
      level buy 7@100 x2
      > new s2 X sell 5@100 smp=decrement
      accepted s2 X #3.0 sell 5@100 day New 0+5 m1
      restated s2 X #3.0 sell 2@100 day New 0+2 SelfMatchPrevented m1
      canceled s1 A #1.0 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      executed s2 X #3.0 sell 2@100 day Filled 2+0 last 2@100 trade 4 removed notional 200 m1
      executed s3 B #2.0 buy 4@100 day Partial 2+2 last 2@100 trade 4 added notional 200
      level buy 2@100 x1
      > new s1 D sell 9@100 ioc smp=decrement group=7
      accepted s1 D #4.0 sell 9@100 ioc New 0+9 m2
      executed s1 D #4.0 sell 9@100 ioc Partial 2+7 last 2@100 trade 2 removed notional 200 m2
      executed s3 B #2.0 buy 4@100 day Filled 4+0 last 2@100 trade 2 added notional 400
      expired s1 D #4.0 sell 9@100 ioc Expired 2+0 notional 200 m2
      level buy 0@100 x0
    `);
  });

  it("takes it from what an iceberg hides first", () => {
    ledger(`
      > new s1 A buy 9@100 floor=4
      accepted s1 A #1.0 buy 9@100 day floor=4 New 0+9 m1
      level buy 4@100 x1
      > new s2 X sell 6@100 smp=decrement
      accepted s2 X #2.0 sell 6@100 day New 0+6 m1
      canceled s2 X #2.0 sell 6@100 day Canceled 0+0 SelfMatchPrevented m1
      restated s1 A #1.0 buy 3@100 day floor=4 New 0+3 SelfMatchPrevented
      level buy 3@100 x1
    `);
  });

  it("leaves who has nothing left the OrderQty that it had last, fills included", () => {
    ledger(`
      > new s1 A buy 7@100
      accepted s1 A #1.0 buy 7@100 day New 0+7 m1
      level buy 7@100 x1
      > new s3 B sell 2@100
      accepted s3 B #2.0 sell 2@100 day New 0+2 m1
      executed s3 B #2.0 sell 2@100 day Filled 2+0 last 2@100 trade 2 removed notional 200 m1
      executed s1 A #1.0 buy 7@100 day Partial 2+5 last 2@100 trade 2 added notional 200
      level buy 5@100 x1
      > new s1 C buy 3@99
      accepted s1 C #3.0 buy 3@99 day New 0+3 m2
      level buy 3@99 x1
      > new s2 X sell 8@99 smp=decrement
      accepted s2 X #4.0 sell 8@99 day New 0+8 m1
      restated s2 X #4.0 sell 3@99 day New 0+3 SelfMatchPrevented m1
      canceled s1 A #1.0 buy 7@100 day Canceled 2+0 notional 200 SelfMatchPrevented
      canceled s2 X #4.0 sell 3@99 day Canceled 0+0 SelfMatchPrevented m1
      canceled s1 C #3.0 buy 3@99 day Canceled 0+0 SelfMatchPrevented
      level buy 0@100 x0
      level buy 0@99 x0
      > status s1 A buy
      status s1 A #1.0 buy 7@100 day Canceled 2+0 notional 200 m3
    `);
  });

  it("concerns one firm and one group, when the aggressor asks for it", () => {
    ledger(`
      > new s1 A buy 3@100 group=1
      accepted s1 A #1.0 buy 3@100 day New 0+3 m1
      level buy 3@100 x1
      > new s2 X sell 1@100 smp=resting
      accepted s2 X #2.0 sell 1@100 day New 0+1 m1
      executed s2 X #2.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m1
      executed s1 A #1.0 buy 3@100 day Partial 1+2 last 1@100 trade 2 added notional 100
      level buy 2@100 x1
      > new s2 Y sell 1@100 smp=resting group=2
      accepted s2 Y #3.0 sell 1@100 day New 0+1 m2
      executed s2 Y #3.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m2
      executed s1 A #1.0 buy 3@100 day Partial 2+1 last 1@100 trade 2 added notional 200
      level buy 1@100 x1
      > new s3 Z sell 1@100 smp=resting group=1
      accepted s3 Z #4.0 sell 1@100 day New 0+1 m1
      executed s3 Z #4.0 sell 1@100 day Filled 1+0 last 1@100 trade 2 removed notional 100 m1
      executed s1 A #1.0 buy 3@100 day Filled 3+0 last 1@100 trade 2 added notional 300
      level buy 0@100 x0
      > new s2 W sell 1@100 group=1
      accepted s2 W #5.0 sell 1@100 day New 0+1 m3
      level sell 1@100 x1
      > new s2 V sell 1@100 smp=resting group=1
      accepted s2 V #6.0 sell 1@100 day New 0+1 m4
      level sell 2@100 x2
    `);
  });

  it("cancels every resting order of a level before shares", () => {
    ledger(`
      > new s3 B buy 4@100 i2
      accepted s3 B #1.0 i2 buy 4@100 day New 0+4 m1
      level i2 buy 4@100 x1
      > new s1 A buy 3@100 i2
      accepted s1 A #2.0 i2 buy 3@100 day New 0+3 m1
      level i2 buy 7@100 x2
      > new s3 C buy 4@100 i2
      accepted s3 C #3.0 i2 buy 4@100 day New 0+4 m2
      level i2 buy 11@100 x3
      > new s2 X sell 4@100 smp=resting i2
      accepted s2 X #4.0 i2 sell 4@100 day New 0+4 m1
      canceled s1 A #2.0 i2 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      executed s2 X #4.0 i2 sell 4@100 day Partial 2+2 last 2@100 trade 3 removed notional 200 m1
      executed s3 B #1.0 i2 buy 4@100 day Partial 2+2 last 2@100 trade 3 added notional 200
      executed s2 X #4.0 i2 sell 4@100 day Filled 4+0 last 2@100 trade 5 removed notional 400 m1
      executed s3 C #3.0 i2 buy 4@100 day Partial 2+2 last 2@100 trade 5 added notional 200
      level i2 buy 4@100 x2
    `);
  });

  it("cancels the aggressor before shares wherever at the level the other order stands", () => {
    ledger(`
      > new s3 B buy 9@100 i2
      accepted s3 B #1.0 i2 buy 9@100 day New 0+9 m1
      level i2 buy 9@100 x1
      > new s1 A buy 3@100 i2
      accepted s1 A #2.0 i2 buy 3@100 day New 0+3 m1
      level i2 buy 12@100 x2
      > new s2 X sell 2@100 smp=aggressor i2
      accepted s2 X #3.0 i2 sell 2@100 day New 0+2 m1
      canceled s2 X #3.0 i2 sell 2@100 day Canceled 0+0 SelfMatchPrevented m1
    `);
  });

  it("cancels the aggressor and every resting order of a level before shares", () => {
    ledger(`
      > new s3 B buy 9@100 i2
      accepted s3 B #1.0 i2 buy 9@100 day New 0+9 m1
      level i2 buy 9@100 x1
      > new s1 A buy 3@100 i2
      accepted s1 A #2.0 i2 buy 3@100 day New 0+3 m1
      level i2 buy 12@100 x2
      > new s1 C buy 3@100 i2
      accepted s1 C #3.0 i2 buy 3@100 day New 0+3 m2
      level i2 buy 15@100 x3
      > new s2 X sell 2@100 smp=both i2
      accepted s2 X #4.0 i2 sell 2@100 day New 0+2 m1
      canceled s2 X #4.0 i2 sell 2@100 day Canceled 0+0 SelfMatchPrevented m1
      canceled s1 A #2.0 i2 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      canceled s1 C #3.0 i2 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      level i2 buy 9@100 x1
    `);
  });

  it("takes quantities away before shares, oldest first", () => {
    ledger(`
      > new s1 A buy 3@100 i2
      accepted s1 A #1.0 i2 buy 3@100 day New 0+3 m1
      level i2 buy 3@100 x1
      > new s3 B buy 4@100 i2
      accepted s3 B #2.0 i2 buy 4@100 day New 0+4 m1
      level i2 buy 7@100 x2
      > new s1 C buy 3@100 i2
      accepted s1 C #3.0 i2 buy 3@100 day New 0+3 m2
      level i2 buy 10@100 x3
      > new s2 X sell 8@100 smp=decrement i2
      accepted s2 X #4.0 i2 sell 8@100 day New 0+8 m1
      restated s2 X #4.0 i2 sell 5@100 day New 0+5 SelfMatchPrevented m1
      canceled s1 A #1.0 i2 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      restated s2 X #4.0 i2 sell 2@100 day New 0+2 SelfMatchPrevented m1
      canceled s1 C #3.0 i2 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      executed s2 X #4.0 i2 sell 2@100 day Filled 2+0 last 2@100 trade 6 removed notional 200 m1
      executed s3 B #2.0 i2 buy 4@100 day Partial 2+2 last 2@100 trade 6 added notional 200
      level i2 buy 2@100 x1
    `);
  });

  it("is foreseen: fill or kill does not count what it must not meet", () => {
    ledger(`
      > new s1 A buy 3@100
      accepted s1 A #1.0 buy 3@100 day New 0+3 m1
      level buy 3@100 x1
      > new s3 B buy 4@100
      accepted s3 B #2.0 buy 4@100 day New 0+4 m1
      level buy 7@100 x2
      > new s2 X sell 5@100 fok smp=resting
      accepted s2 X #3.0 sell 5@100 fok New 0+5 m1
      expired s2 X #3.0 sell 5@100 fok Expired 0+0 m1
      > new s2 Y sell 4@100 fok smp=aggressor
      accepted s2 Y #4.0 sell 4@100 fok New 0+4 m2
      expired s2 Y #4.0 sell 4@100 fok Expired 0+0 m2
      > new s2 Z sell 4@100 fok smp=resting
      accepted s2 Z #5.0 sell 4@100 fok New 0+4 m3
      canceled s1 A #1.0 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      executed s2 Z #5.0 sell 4@100 fok Filled 4+0 last 4@100 trade 3 removed notional 400 m3
      executed s3 B #2.0 buy 4@100 day Filled 4+0 last 4@100 trade 3 added notional 400
      level buy 0@100 x0
    `);
  });

  it("is foreseen: what is taken from both does not count as filled, and what stands behind does", () => {
    ledger(`
      > new s1 A buy 3@100
      accepted s1 A #1.0 buy 3@100 day New 0+3 m1
      level buy 3@100 x1
      > new s3 B buy 4@99
      accepted s3 B #2.0 buy 4@99 day New 0+4 m1
      level buy 4@99 x1
      > new s2 X sell 5@99 ioc smp=decrement min=3
      accepted s2 X #3.0 sell 5@99 ioc New 0+5 m1
      expired s2 X #3.0 sell 5@99 ioc Expired 0+0 m1
      > new s2 Y sell 5@99 fok smp=decrement
      accepted s2 Y #4.0 sell 5@99 fok New 0+5 m2
      expired s2 Y #4.0 sell 5@99 fok Expired 0+0 m2
      > new s2 Z sell 5@99 ioc smp=decrement min=2
      accepted s2 Z #5.0 sell 5@99 ioc New 0+5 m3
      restated s2 Z #5.0 sell 2@99 ioc New 0+2 SelfMatchPrevented m3
      canceled s1 A #1.0 buy 3@100 day Canceled 0+0 SelfMatchPrevented
      executed s2 Z #5.0 sell 2@99 ioc Filled 2+0 last 2@99 trade 4 removed notional 198 m3
      executed s3 B #2.0 buy 4@99 day Partial 2+2 last 2@99 trade 4 added notional 198
      level buy 0@100 x0
      level buy 2@99 x1
    `);
  });
});
