/** Faults that random flow has shown, each as small as it could be made. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { compareSteps } from "./compare.ts";
import { setupOf } from "./compare_setup.ts";
import { ledger } from "../engine/run_ledger.ts";
import { parseCommand } from "../engine/test_ledger.ts";

describe("found by random flow", () => {
  // Seed 1025: the way of plain levels was taken where nothing was hidden any more, and left what is shown behind.
  it("an iceberg's last slice, taken in part, shows what is left of it", () =>
    void ledger(`
      > new s1 A buy 25@102 floor=20
      accepted s1 A #1.0 buy 25@102 day floor=20 New 0+25 m1
      level buy 20@102 x1
      > new s3 X sell 21@102
      accepted s3 X #2.0 sell 21@102 day New 0+21 m1
      executed s3 X #2.0 sell 21@102 day Partial 20+1 last 20@102 trade 2 removed notional 2040 m1
      executed s1 A #1.0 buy 25@102 day floor=20 Partial 20+5 last 20@102 trade 2 added notional 2040
      executed s3 X #2.0 sell 21@102 day Filled 21+0 last 1@102 trade 4 removed notional 2142 m1
      executed s1 A #1.0 buy 25@102 day floor=20 Partial 21+4 last 1@102 trade 4 added notional 2142
      level buy 4@102 x1
      > new s3 Y sell 2@102
      accepted s3 Y #3.0 sell 2@102 day New 0+2 m2
      executed s3 Y #3.0 sell 2@102 day Filled 2+0 last 2@102 trade 2 removed notional 204 m2
      executed s1 A #1.0 buy 25@102 day floor=20 Partial 23+2 last 2@102 trade 2 added notional 2346
      level buy 2@102 x1
    `));

  // Seed 2: the reference answered with the order's ClOrdID.
  it("a cancel without a ClOrdID is refused without one", () => {
    const lines = ["new s1 A sell 2@101", "cancel s1 B A sell"];
    const steps = lines.map((line, i) => {
      const command = parseCommand(line);
      command.msgSeqNum = i + 1;
      return { sequence: i + 1, index: 0, timestampUs: i + 1, command };
    });
    steps[1].command.clOrdId.clear();
    const { options } = setupOf(1, []);
    assert.equal(compareSteps(options, steps), null);
  });

  // What an iceberg hides comes behind the order that must not be met: a fill or kill must not count on it.
  it("fill or kill counts no more than is shown ahead of an order that ends the aggressor", () =>
    void ledger(`
      > new s1 A sell 20@100 floor=5
      accepted s1 A #1.0 sell 20@100 day floor=5 New 0+20 m1
      level sell 5@100 x1
      > new s3 B sell 10@100
      accepted s3 B #2.0 sell 10@100 day New 0+10 m1
      level sell 15@100 x2
      > new s4 X buy 6@100 fok smp=aggressor
      accepted s4 X #3.0 buy 6@100 fok New 0+6 m1
      expired s4 X #3.0 buy 6@100 fok Expired 0+0 m1
      > new s4 Y buy 5@100 fok smp=aggressor
      accepted s4 Y #4.0 buy 5@100 fok New 0+5 m2
      executed s4 Y #4.0 buy 5@100 fok Filled 5+0 last 5@100 trade 2 removed notional 500 m2
      executed s1 A #1.0 sell 20@100 day floor=5 Partial 5+15 last 5@100 trade 2 added notional 500
    `));
});
