/** Ledgers of mass cancel and mass status; the language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import { ledger } from "./run_ledger.ts";

describe("a mass request", () => {
  it("cancels a session's orders: buys, sells, stops and parked orders of each instrument, ids ascending", () => {
    ledger(`
      > new s1 A buy 1@90
      accepted s1 A #1.0 buy 1@90 day New 0+1 m1
      level buy 1@90 x1
      > new s1 B sell 1@110 i2
      accepted s1 B #2.0 i2 sell 1@110 day New 0+1 m2
      level i2 sell 1@110 x1
      > new s1 C buy 1@stop120
      accepted s1 C #3.0 buy 1@stop120 day New 0+1 m3
      > new s1 D sell 1@130 cls
      accepted s1 D #4.0 sell 1@130 cls New 0+1 m4
      > new s2 E buy 1@91
      accepted s2 E #5.0 buy 1@91 day New 0+1 m1
      level buy 1@91 x1
      > new s3 F buy 1@92
      accepted s3 F #6.0 buy 1@92 day New 0+1 m1
      level buy 1@92 x1
      > mass-cancel s1 Q session both
      canceled s1 A #1.0 buy 1@90 day Canceled 0+0 MassCanceled m5
      canceled s1 C #3.0 buy 1@stop120 day Canceled 0+0 MassCanceled m5
      canceled s1 D #4.0 sell 1@130 cls Canceled 0+0 MassCanceled m5
      canceled s1 B #2.0 i2 sell 1@110 day Canceled 0+0 MassCanceled m5
      mass-canceled s1 Q i0 total 4 m5
      level buy 0@90 x0
      level i2 sell 0@110 x0
      > mass-cancel s1 Q session both
      mass-canceled s1 Q i0 total 0 m6
    `);
  });

  it("cancels those of a firm, one instrument, one side; its owners are told", () => {
    ledger(`
      > new s1 A buy 1@90
      accepted s1 A #1.0 buy 1@90 day New 0+1 m1
      level buy 1@90 x1
      > new s2 B buy 1@91
      accepted s2 B #2.0 buy 1@91 day New 0+1 m1
      level buy 1@91 x1
      > new s2 C sell 1@110
      accepted s2 C #3.0 sell 1@110 day New 0+1 m2
      level sell 1@110 x1
      > new s2 D buy 1@91 i2
      accepted s2 D #4.0 i2 buy 1@91 day New 0+1 m3
      level i2 buy 1@91 x1
      > quote s2 E 1:1@89/-
      quote-acknowledged s2 E<E1 index 1 total 1 text=S m4
      level buy 1@89 x1
      > mass-cancel s1 Q firm buy i1
      canceled s2 B #2.0 buy 1@91 day Canceled 0+0 MassCanceled
      canceled s1 A #1.0 buy 1@90 day Canceled 0+0 MassCanceled m2
      canceled s2 E #5.0 buy 1@89 day Canceled 0+0 MassCanceled
      mass-canceled s1 Q buy total 3 m2
      level buy 0@91 x0
      level buy 0@90 x0
      level buy 0@89 x0
    `);
  });

  it("cancels everybody's for the venue alone", () => {
    ledger(`
      > new s1 A buy 1@90
      accepted s1 A #1.0 buy 1@90 day New 0+1 m1
      level buy 1@90 x1
      > new s3 B buy 1@91
      accepted s3 B #2.0 buy 1@91 day New 0+1 m1
      level buy 1@91 x1
      > mass-cancel s1 Q all both
      mass-canceled s1 Q i0 total 0 NotPermitted m2
      > mass-cancel s0 ADMIN all both
      canceled s3 B #2.0 buy 1@91 day Canceled 0+0 MassCanceled
      canceled s1 A #1.0 buy 1@90 day Canceled 0+0 MassCanceled
      mass-canceled s0 ADMIN i0 total 2
      level buy 0@91 x0
      level buy 0@90 x0
    `);
  });

  it("leaves instruments that forbid cancels alone, and is refused when it names one", () => {
    ledger(`
      > new s1 A buy 1@90
      accepted s1 A #1.0 buy 1@90 day New 0+1 m1
      level buy 1@90 x1
      > new s1 B buy 1@91 i2
      accepted s1 B #2.0 i2 buy 1@91 day New 0+1 m2
      level i2 buy 1@91 x1
      > phase NoCancel i1
      phase NoCancel<Continuous
      > mass-cancel s1 Q session both i1
      mass-canceled s1 Q total 0 PhaseForbids m3
      > mass-cancel s1 Q session both
      canceled s1 B #2.0 i2 buy 1@91 day Canceled 0+0 MassCanceled m4
      mass-canceled s1 Q i0 total 1 m4
      level i2 buy 0@91 x0
    `);
  });

  it("is refused for what makes no sense", () => {
    ledger(`
      > mass-cancel s1 Q session both i9
      mass-canceled s1 Q i9 total 0 UnknownSymbol m1
      > mass-cancel s1 Q session 7
      mass-canceled s1 Q i0 side 7 total 0 FieldUnsupported m2
      > mass-cancel s1 Q session both scope=3
      mass-canceled s1 Q i0 total 0 FieldUnsupported m3
      > refuse mass-cancel s1 Q session buy i1 reason=FieldUnsupported text=why
      mass-canceled s1 Q buy total 0 FieldUnsupported text=why m4
    `);
  });

  it("for the status lists all orders of the scope, quotes left out, numbered", () => {
    ledger(`
      > new s1 A buy 3@90
      accepted s1 A #1.0 buy 3@90 day New 0+3 m1
      level buy 3@90 x1
      > new s3 X sell 1@90
      accepted s3 X #2.0 sell 1@90 day New 0+1 m1
      executed s3 X #2.0 sell 1@90 day Filled 1+0 last 1@90 trade 2 removed notional 90 m1
      executed s1 A #1.0 buy 3@90 day Partial 1+2 last 1@90 trade 2 added notional 90
      level buy 2@90 x1
      > new s2 B sell 1@stop80
      accepted s2 B #3.0 sell 1@stop80 day New 0+1 m1
      > quote s1 Q 1:1@89/1@130
      quote-acknowledged s1 Q<E1 index 1 total 1 text=S m2
      level buy 1@89 x1
      level sell 1@130 x1
      > mass-status s1 R session both
      status(mass) s1 A<R #1.0 buy 3@90 day Partial 1+2 index 1 total 1 notional 90 m3
      > mass-status s1 R firm sell i1
      status(mass) s1 B<R #3.0 sell 1@stop80 day New 0+1 index 1 total 1 m4
      > mass-status s3 R firm both
      rejected(mass) s3 <R i0 side 0 Rejected 0+0 total 0 UnknownOrder m2
      > mass-status s1 R session both i9
      rejected(mass) s1 <R i9 side 0 Rejected 0+0 total 0 UnknownSymbol m5
      > refuse mass-status s1 R session both reason=NotPermitted
      rejected(mass) s1 <R i0 side 0 Rejected 0+0 total 0 NotPermitted m6
    `);
  });
});
