/** Ledgers of good-till-date orders; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("an expiry", () => {
  it("ends good-till-date orders by time, then OrderID, up to the engine's time", () => {
    ledger(`
      > new s1 A buy 1@90 gtd until=9000
      accepted s1 A #1.0 buy 1@90 gtd until=9000 New 0+1 m1
      level buy 1@90 x1
      > new s1 B buy 1@stop120 gtd until=8000
      accepted s1 B #2.0 buy 1@stop120 gtd until=8000 New 0+1 m2
      > new s1 C buy 1@92 gtd until=8000
      accepted s1 C #3.0 buy 1@92 gtd until=8000 New 0+1 m3
      level buy 1@92 x1
      > new s1 D buy 1@93 gtd until=60000
      accepted s1 D #4.0 buy 1@93 gtd until=60000 New 0+1 m4
      level buy 1@93 x1
      > expire 8000
      > replace s1 E D buy 1@93 gtd until=6500
      replaced s1 E<D #4.0 buy 1@93 gtd until=6500 New 0+1 m5
      > replace s1 E D buy 1@93 gtd until=8500
      replace-rejected s1 E<D buy 1@93 gtd until=8500 Rejected 0+0 DuplicateClOrdId m6
      > expire 9999999
      expired s1 E #4.0 buy 1@93 gtd until=6500 Expired 0+0
      expired s1 B #2.0 buy 1@stop120 gtd until=8000 Expired 0+0
      expired s1 C #3.0 buy 1@92 gtd until=8000 Expired 0+0
      level buy 0@93 x0
      level buy 0@92 x0
      > expire 9999999
      expired s1 A #1.0 buy 1@90 gtd until=9000 Expired 0+0
      level buy 0@90 x0
      > expire 9999999
    `);
  });

  it("must lie ahead, and belongs to GTD alone", () => {
    ledger(`
      > new s1 A buy 1@90 gtd until=1000
      rejected s1 A buy 1@90 gtd until=1000 Rejected 0+0 ExpirePast m1
      > new s1 A buy 1@90 gtd
      rejected s1 A buy 1@90 gtd Rejected 0+0 ExpireMissing m2
      > new s1 A buy 1@90 until=99999
      rejected s1 A buy 1@90 day until=99999 Rejected 0+0 ExpireForbidden m3
      > new s1 A buy 1@90 gtd until=4001
      accepted s1 A #4.0 buy 1@90 gtd until=4001 New 0+1 m4
      level buy 1@90 x1
      > replace s1 B A buy 1@90 gtc
      replaced s1 B<A #4.0 buy 1@90 gtc New 0+1 m5
      > replace s1 C B buy 1@90
      replaced s1 C<B #4.0 buy 1@90 day New 0+1 m6
      > replace s1 D C buy 1@90 ioc
      replace-rejected s1 D<C #4.0 buy 1@90 day New 0+1 total 51 TimeInForceUnsupported m7
      > replace s1 E C buy 1@90 gtd until=7
      replace-rejected s1 E<C #4.0 buy 1@90 day until=7 New 0+1 ExpirePast m8
    `);
  });

  it("takes the smaller OrderID first at one time, whatever came there first", () => {
    ledger(`
      > new s1 A buy 1@90 gtd until=90000
      accepted s1 A #1.0 buy 1@90 gtd until=90000 New 0+1 m1
      level buy 1@90 x1
      > new s1 B buy 1@91 gtd until=6000
      accepted s1 B #2.0 buy 1@91 gtd until=6000 New 0+1 m2
      level buy 1@91 x1
      > new s1 C buy 1@92 gtd until=6000
      accepted s1 C #3.0 buy 1@92 gtd until=6000 New 0+1 m3
      level buy 1@92 x1
      > replace s1 D A buy 1@90 gtd until=6000
      replaced s1 D<A #1.0 buy 1@90 gtd until=6000 New 0+1 m4
      > status s1 D buy
      status s1 D #1.0 buy 1@90 gtd until=6000 New 0+1 m5
      > expire 9999999
      expired s1 D #1.0 buy 1@90 gtd until=6000 Expired 0+0
      expired s1 B #2.0 buy 1@91 gtd until=6000 Expired 0+0
      expired s1 C #3.0 buy 1@92 gtd until=6000 Expired 0+0
      level buy 0@90 x0
      level buy 0@91 x0
      level buy 0@92 x0
    `);
  });
});
