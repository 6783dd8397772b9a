import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { orderIdOf } from "../../../shared/protocol/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { Memory } from "./memory.ts";
import { OrderIdIndex } from "./order_id_index.ts";
import { OrderStore } from "./order_store.ts";

const CAPACITY = 40_000;
const PER_MESSAGE = 7;

describe("the index of OrderIDs", () => {
  it("finds exactly what it holds at every size, also while its table grows", () => {
    const seed = 20_261_130;
    const random = new SeededRandom(seed);
    const memory = new Memory(null, OrderStore.words(CAPACITY), OrderIdIndex.words(CAPACITY));
    const store = new OrderStore(memory, CAPACITY);
    const index = new OrderIdIndex(memory, CAPACITY);
    const orders = new Map<number, number>();
    const idOf = (n: number) => orderIdOf(Math.floor(n / PER_MESSAGE) + 1, n % PER_MESSAGE);
    for (let n = 1; n <= CAPACITY; n++) {
      assert.equal(index.find(idOf(n)), 0);
      const order = store.take();
      memory.doubles[order >> 1] = idOf(n);
      index.add(order);
      orders.set(n, order);
      const some = 1 + random.below(n);
      assert.equal(index.find(idOf(some)), orders.get(some) ?? 0, `seed ${seed}, ${some} of ${n}`);
      if (n % 5 !== 0 || !orders.has(some)) continue;
      index.remove(orders.get(some)!);
      store.release(orders.get(some)!);
      orders.delete(some);
    }
    for (let n = 1; n <= CAPACITY; n++) {
      assert.equal(index.find(idOf(n)), orders.get(n) ?? 0, `seed ${seed}, ${n} at the end`);
    }
  });
});
