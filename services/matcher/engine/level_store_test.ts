/** Price levels wherever prices lie: the trie against a sorted array, and what far prices cost. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ledgerEngine } from "./run_ledger.ts";
import { parseCommand, RecordingSink } from "./test_ledger.ts";
import { LEVEL_LAYOUT } from "./level_layout.ts";
import { Memory } from "./memory.ts";
import { PriceTrie } from "./price_trie.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";

describe("the price trie", () => {
  it("finds what is there, and a true neighbour for what is new, in two books at random keys", () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.error(`seed ${seed}`);
    const random = new SeededRandom(seed);
    const { LEVEL_WORDS } = LEVEL_LAYOUT;
    const memory = new Memory(null, 400 * LEVEL_WORDS, ...PriceTrie.words(2, 400));
    const records = memory.take(400 * LEVEL_WORDS);
    const trie = new PriceTrie(memory, 2, 400);
    const books: Map<number, number>[] = [new Map(), new Map()];
    const free = Array.from({ length: 400 }, (_, i) => records + i * LEVEL_WORDS);
    for (let i = 0; i < 20_000; i++) {
      const book = random.below(2);
      const levels = books[book];
      const key = random.pick([
        random.below(64),
        2 ** 30 + random.below(3000),
        random.next() >>> 1,
        2 ** 31 - 1,
      ]);
      const level = levels.get(key);
      assert.equal(trie.find(book, key), level ?? 0);
      if (level !== undefined) {
        trie.remove(book, level);
        levels.delete(key);
        free.push(level);
      } else if (free.length > 0) {
        const added = free.pop()!;
        const neighbour = trie.insert(key, added);
        const next = expectedNeighbour(levels, key, trie.neighbourIsBefore);
        assert.equal(neighbour, next, `seed ${seed}, step ${i}: key ${key}`);
        levels.set(key, added);
      }
      assert.ok(trie.nodeCount <= Math.max(0, books[0].size - 1) + Math.max(0, books[1].size - 1));
    }
  });
});

/** The level whose key comes before or after `key`; 0 when there is no level at all. */
function expectedNeighbour(levels: ReadonlyMap<number, number>, key: number, before: boolean): number {
  if (levels.size === 0) return 0;
  const keys = [...levels.keys()].filter((each) => before ? each < key : each > key);
  return levels.get(before ? Math.max(...keys) : Math.min(...keys)) ?? -1;
}

describe("levels", () => {
  it("are visited best first, whatever the order of their making, at the ends of the price range too", () => {
    const engine = ledgerEngine();
    const sink = new RecordingSink();
    const prices = [5, 1, 2147483646, 70000, 3, 2147483645, 4, 1000000];
    prices.forEach((price, i) => {
      engine.apply(i + 1, 0, i, parseCommand(`new s1 B${price} buy 2@${price}`), sink);
    });
    engine.apply(20, 0, 20, parseCommand("new s1 S sell 1@2147483647"), sink);
    const seen: string[] = [];
    engine.levels(1, 1, (price, qty, orders) => seen.push(`${qty}@${price} x${orders}`));
    engine.levels(1, 2, (price, qty, orders) => seen.push(`sell ${qty}@${price} x${orders}`));
    engine.levels(4711, 1, () => seen.push("no such instrument"));
    const want = prices.toSorted((a, b) => b - a).map((price) => `2@${price} x1`);
    assert.deepEqual(seen, [...want, "sell 1@2147483647 x1"]);
    assert.equal(engine.levelCount, 9);
  });
});
