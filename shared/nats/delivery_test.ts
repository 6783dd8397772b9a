import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Delivery } from "./delivery.ts";

function parsed(reply: string): number[] | null {
  const delivery = new Delivery();
  if (!delivery.parse(reply)) return null;
  return [delivery.streamSeq, delivery.consumerSeq, delivery.timestampUs, delivery.pending];
}

describe("a delivery's reply subject", () => {
  it("gives sequences, time in microseconds and what is pending", () => {
    assert.deepEqual(
      parsed("$JS.ACK.CMD_0.k7.1.1234567.42.1796051192833974123.9"),
      [1234567, 42, 1796051192833974, 9],
    );
  });

  it("gives the same with domain and account hash, and with a token behind", () => {
    const numbers = [77, 5, 1796051192833974, 0];
    assert.deepEqual(parsed("$JS.ACK._.ACC123.EV_0.k7.1.77.5.1796051192833974999.0"), numbers);
    assert.deepEqual(parsed("$JS.ACK.hub.ACC123.EV_0.k7.1.77.5.1796051192833974999.0.tok"), numbers);
  });

  it("is exact up to the largest time a safe integer of microseconds holds", () => {
    assert.deepEqual(parsed("$JS.ACK.S.c.1.9007199254740991.1.9007199254740991000.0"), [
      9007199254740991,
      1,
      9007199254740991,
      0,
    ]);
  });

  it("is nothing else", () => {
    for (
      const reply of [
        "",
        "$JS.FC.CMD_0.k7.abc",
        "$JS.ACK",
        "$JS.ACK.",
        "$JS.ACK.S.c.1.2.3.4000",
        "$JS.ACK.S.c.1.2.3.4000.5.6",
        "$JS.ACK.S.c.1.x.3.4000.5",
        "$JS.ACK.S.c.1..3.4000.5",
        "$JS.ACK.S.c.1.2.-3.4000.5",
        "$JS.ACK.S.c.1.0.3.4000.5",
        "$JS.ACK.S.c.1.2.3.4000.",
        "$JS.ACK.S.c.1.2.3.400.5",
        "_INBOX.abc.def",
      ]
    ) assert.equal(parsed(reply), null, reply);
  });

  it("leaves the last numbers alone when it is something else", () => {
    const delivery = new Delivery();
    delivery.parse("$JS.ACK.S.c.1.2.3.4000.5");
    assert.equal(delivery.parse("$JS.ACK.S.c.1.8.9.x.5"), false);
    assert.deepEqual([delivery.streamSeq, delivery.consumerSeq, delivery.pending], [2, 3, 5]);
  });
});
