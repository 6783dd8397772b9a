/** Ledgers of status requests; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

const RESTING = `
  > new s1 A buy 10@100
  accepted s1 A #1.0 buy 10@100 day New 0+10 m1
  level buy 10@100 x1`;

/** A rests with 10, 2 of them filled by s3. */
const PARTIAL = `${RESTING}
  > new s3 X sell 2@100
  accepted s3 X #2.0 sell 2@100 day New 0+2 m1
  executed s3 X #2.0 sell 2@100 day Filled 2+0 last 2@100 trade 2 removed notional 200 m1
  executed s1 A #1.0 buy 10@100 day Partial 2+8 last 2@100 trade 2 added notional 200
  level buy 8@100 x1`;

describe("a status request", () => {
  it("reports the order as it is, by any ClOrdID of its chain or by OrderID, to who asked", () => {
    ledger(`${PARTIAL}
      > status s1 A buy
      status s1 A #1.0 buy 10@100 day Partial 2+8 notional 200 m2
      > replace s1 A2 A buy 9@100
      replaced s1 A2<A #1.0 buy 9@100 day Partial 2+7 notional 200 m3
      level buy 7@100 x1
      > status s1 A buy
      status s1 A2 #1.0 buy 9@100 day Partial 2+7 notional 200 m4
      > status s2 Q buy id=1.0
      status s2 A2 #1.0 buy 9@100 day Partial 2+7 notional 200 m1
      > cancel s1 C A2 buy
      canceled s1 C<A2 #1.0 buy 9@100 day Canceled 2+0 notional 200 m5
      level buy 0@100 x0
      > status s1 C buy
      status s1 A2 #1.0 buy 9@100 day Canceled 2+0 notional 200 m6
    `);
  });

  it("gives back the request's own identifier, and no ClOrdID of the order instead", () => {
    ledger(`${PARTIAL}
      > status s1 A buy req=ask-1
      status s1 A<ask-1 #1.0 buy 10@100 day Partial 2+8 notional 200 m2
      > status s2 Q buy id=1.0 req=ask-2
      status s2 A<ask-2 #1.0 buy 10@100 day Partial 2+8 notional 200 m1
      > status s1 A buy
      status s1 A #1.0 buy 10@100 day Partial 2+8 notional 200 m3
      > status s1 NOPE buy req=ask-1
      rejected(status) s1 NOPE<ask-1 buy Rejected 0+0 UnknownOrder m4
    `);
  });

  it("of what is not there, or not the firm's, or another symbol's or side's, is rejected as a status", () => {
    ledger(`${RESTING}
      > status s1 NOPE buy
      rejected(status) s1 NOPE buy Rejected 0+0 UnknownOrder m2
      > status s3 A buy id=1.0
      rejected(status) s3 A buy Rejected 0+0 UnknownOrder m1
      > status s1 A buy i2
      rejected(status) s1 A i2 buy Rejected 0+0 SymbolChanged m3
      > status s1 A sell
      rejected(status) s1 A sell Rejected 0+0 SideChanged m4
      > new s1 B buy 1@99
      accepted s1 B #6.0 buy 1@99 day New 0+1 m5
      level buy 1@99 x1
      > status s1 A buy id=6.0
      rejected(status) s1 A buy Rejected 0+0 OrderIdContradicts m6
    `);
  });
});
