import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import { Side } from "../../shared/protocol/mod.ts";
import { DepthBook } from "./book.ts";
import { ACME, TULIP } from "./test_events.ts";

const { Buy, Sell } = Side;
const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? Date.now() % 2 ** 31);

describe("DepthBook", () => {
  it("lists bids from the highest and asks from the lowest price, as decimal text", () => {
    const book = new DepthBook(TULIP);
    for (
      const [side, price, qty, orders] of [[Buy, 40, 3, 2], [Buy, 41, 1, 1], [Sell, 45, 7, 1], [
        Sell,
        43,
        2,
        1,
      ]]
    ) {
      assert.equal(book.set(side, price, qty, orders), true);
    }
    assert.deepEqual(book.top(Buy), [
      { price: "10.25", qty: "10", orders: 1 },
      { price: "10", qty: "30", orders: 2 },
    ]);
    assert.deepEqual(book.top(Sell), [
      { price: "10.75", qty: "20", orders: 1 },
      { price: "11.25", qty: "70", orders: 1 },
    ]);
  });

  it("replaces a level's quantity and removes a level without orders", () => {
    const book = new DepthBook(ACME);
    book.set(Buy, 100, 5, 1);
    book.set(Buy, 99, 5, 1);
    book.set(Buy, 100, 2, 1);
    assert.deepEqual(book.top(Buy, false, 1), [{ price: "1", qty: "2", orders: 1 }]);
    book.set(Buy, 100, 0, 0);
    assert.deepEqual(book.top(Buy), [{ price: "0.99", qty: "5", orders: 1 }]);
  });

  it("says whether one of the best ten levels changed", () => {
    const book = new DepthBook(ACME);
    const steps: [number, number, number, boolean][] = [];
    for (let i = 0; i < 10; i++) steps.push([100 - i, 1, 1, true]);
    steps.push(
      [90, 1, 1, false], // the eleventh
      [91, 2, 1, true], // the tenth
      [90, 0, 0, false], // the eleventh goes
      [50, 0, 0, false], // none there
      [101, 1, 1, true], // a new best: the old tenth is now the eleventh
      [91, 3, 1, false],
      [101, 0, 0, true],
      [91, 0, 0, true],
    );
    for (const [price, qty, orders, changed] of steps) {
      assert.equal(book.set(Buy, price, qty, orders), changed, `level ${price}: ${qty} in ${orders}`);
    }
  });

  it("forgets everything when cleared", () => {
    const book = new DepthBook(ACME);
    book.set(Buy, 100, 5, 1);
    book.set(Sell, 101, 5, 1);
    book.cmdSeq = 9;
    book.clear();
    assert.deepEqual([book.top(Buy), book.top(Sell), book.cmdSeq], [[], [], 0]);
  });

  it(`equals a book recomputed from the last word on each level (seed ${SEED})`, () => {
    const change = fc.record({
      side: fc.constantFrom(Buy, Sell),
      price: fc.integer({ min: 1, max: 40 }),
      qty: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      orders: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5 })),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const book = new DepthBook(ACME);
        const levels = {
          [Buy]: new Map<number, [number, number]>(),
          [Sell]: new Map<number, [number, number]>(),
        };
        const recomputed = (side: Side) =>
          [...levels[side]].filter(([, [, orders]]) => orders > 0)
            .sort(([a], [b]) => side === Buy ? b - a : a - b).slice(0, 10)
            .map(([price, [qty, orders]]) => ({
              price: priceText(price, ACME),
              qty: qtyText(qty, ACME),
              orders,
            }));
        for (const { side, price, qty, orders } of changes) {
          const before = recomputed(side);
          levels[side].set(price, [qty, orders]);
          const changed = book.set(side, price, qty, orders);
          const after = recomputed(side);
          assert.deepEqual(book.top(side), after);
          if (!changed) assert.deepEqual(after, before);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
