import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { InboundWatermark } from "./inbound_watermark.ts";

describe("the inbound watermark", () => {
  it("is what was processed while nothing is on its way", () => {
    const watermark = new InboundWatermark();
    assert.equal(watermark.of(0), 0);
    assert.equal(watermark.of(41), 41);
  });

  it("stays before the first batch on its way, whatever the order of sending and settling", () => {
    const watermark = new InboundWatermark();
    watermark.sent(7);
    watermark.sent(5);
    watermark.sent(9);
    assert.deepEqual([watermark.open, watermark.of(20)], [3, 4]);
    watermark.settled(7);
    assert.equal(watermark.of(20), 4);
    watermark.settled(5);
    assert.equal(watermark.of(20), 8);
    watermark.settled(6);
    assert.equal(watermark.of(20), 8, "an unknown batch settles nothing");
    watermark.settled(9);
    assert.equal(watermark.of(20), 20);
  });

  it("forgets what is on its way when the numbers start again", () => {
    const watermark = new InboundWatermark();
    watermark.sent(7);
    watermark.clear();
    assert.deepEqual([watermark.open, watermark.of(2)], [0, 2]);
  });

  it("stays below a message of which one shard's command is still on its way", () => {
    const inbound = new InboundWatermark();
    inbound.sent(7);
    inbound.sent(7);
    inbound.sent(8);
    inbound.settled(7);
    assert.equal(inbound.of(9), 6);
    inbound.settled(8);
    assert.equal(inbound.of(9), 6);
    inbound.settled(7);
    assert.equal(inbound.of(9), 9);
  });
});
