/** The auction's price: the tie-break rules one by one, published examples, and a brute-force search over random books. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { AuctionCurve, uncrossIndex } from "./auction_price.ts";

/** A limit order; "market" for one without a limit. */
type Order = readonly [qty: number, price: number | "market"];

interface Case {
  readonly name: string;
  readonly buys: readonly Order[];
  readonly sells: readonly Order[];
  readonly reference?: number;
  /** Price, executable quantity, surplus. */
  readonly expect: readonly [number, number, number];
}

function find({ buys, sells, reference = 0 }: Case, curve = new AuctionCurve()): [number, number, number] {
  curve.begin();
  const levels = (orders: readonly Order[]) => {
    const byPrice = new Map<number, number>();
    for (const [qty, price] of orders) {
      if (price !== "market") byPrice.set(price, (byPrice.get(price) ?? 0) + qty);
    }
    return [...byPrice].sort(([a], [b]) => a - b);
  };
  const market = (orders: readonly Order[]) =>
    orders.reduce((sum, [qty, price]) => price === "market" ? sum + qty : sum, 0);
  curve.marketBuyLots = market(buys);
  curve.marketSellLots = market(sells);
  for (const [price, qty] of levels(buys).reverse()) curve.addBuy(price, qty);
  for (const [price, qty] of levels(sells)) curve.addSell(price, qty);
  curve.find(reference);
  return [curve.priceTicks, curve.qtyLots, curve.surplusLots];
}

/** The rules over every limit in the book, spelled out. */
function bruteForce({ buys, sells, reference = 0 }: Case): [number, number, number] {
  const wanted = (orders: readonly Order[], fits: (limit: number) => boolean) =>
    orders.reduce((sum, [qty, limit]) => limit === "market" || fits(limit) ? sum + qty : sum, 0);
  const at = (price: number) => {
    const buy = wanted(buys, (limit) => limit >= price);
    const sell = wanted(sells, (limit) => limit <= price);
    return { price, executable: Math.min(buy, sell), surplus: buy - sell };
  };
  const limits = [...buys, ...sells].map(([, price]) => price).filter((price) => price !== "market");
  let left = limits.map(at).filter(({ executable }) => executable > 0);
  if (left.length === 0 && reference > 0) left = [at(reference)].filter(({ executable }) => executable > 0);
  if (left.length === 0) return [0, 0, 0];
  const most = Math.max(...left.map(({ executable }) => executable));
  left = left.filter(({ executable }) => executable === most);
  const least = Math.min(...left.map(({ surplus }) => Math.abs(surplus)));
  left = left.filter(({ surplus }) => Math.abs(surplus) === least).sort((a, b) => a.price - b.price);
  let chosen = left[0];
  if (left.every(({ surplus }) => surplus > 0)) chosen = left.at(-1)!;
  else if (!left.every(({ surplus }) => surplus < 0) && reference > 0) {
    const near = Math.min(...left.map(({ price }) => Math.abs(price - reference)));
    chosen = left.filter(({ price }) => Math.abs(price - reference) === near).at(-1)!;
  }
  return [chosen.price, chosen.executable, chosen.surplus];
}

const RULES: readonly Case[] = [
  { name: "nothing without orders", buys: [], sells: [], reference: 100, expect: [0, 0, 0] },
  { name: "nothing with one side only", buys: [[5, 100], [5, "market"]], sells: [], expect: [0, 0, 0] },
  { name: "nothing when the best prices do not meet", buys: [[5, 99]], sells: [[5, 100]], expect: [0, 0, 0] },
  { name: "the price at which both sides meet", buys: [[5, 100]], sells: [[3, 100]], expect: [100, 3, 2] },
  {
    // At 10: 30 against 10; at 11: 30 against 25; at 12: 10 against 25.
    name: "the highest executable quantity",
    buys: [[10, 12], [20, 11]],
    sells: [[10, 10], [15, 11]],
    expect: [11, 25, 5],
  },
  {
    // 10 trade at each; the surplus is 20 at 10 and 5 at 12.
    name: "the smallest surplus, whatever the reference price",
    buys: [[15, 12], [15, 10]],
    sells: [[10, 10]],
    reference: 10,
    expect: [12, 10, 5],
  },
  {
    name: "the highest of those with a buy surplus, though the reference is the lowest",
    buys: [[15, 13]],
    sells: [[10, 10]],
    reference: 10,
    expect: [13, 10, 5],
  },
  {
    name: "the lowest of those with a sell surplus, though the reference is the highest",
    buys: [[10, 13]],
    sells: [[15, 10]],
    reference: 13,
    expect: [10, 10, -5],
  },
  {
    name: "the nearest to the reference without a surplus",
    buys: [[10, 14]],
    sells: [[10, 10]],
    reference: 13,
    expect: [14, 10, 0],
  },
  {
    name: "the higher of two equally near",
    buys: [[10, 14]],
    sells: [[10, 10]],
    reference: 12,
    expect: [14, 10, 0],
  },
  {
    name: "the lower when the reference is below all",
    buys: [[10, 14]],
    sells: [[10, 10]],
    reference: 3,
    expect: [10, 10, 0],
  },
  { name: "the lowest without a reference", buys: [[10, 14]], sells: [[10, 10]], expect: [10, 10, 0] },
  {
    // At 10: 15 against 10; at 12: 10 against 15: the same surplus on either side.
    name: "the nearest to the reference when surpluses lie on both sides",
    buys: [[10, 12], [5, 10]],
    sells: [[10, 10], [5, 12]],
    reference: 11,
    expect: [12, 10, -5],
  },
  {
    name: "the lowest without a reference when surpluses lie on both sides",
    buys: [[10, 12], [5, 10]],
    sells: [[10, 10], [5, 12]],
    expect: [10, 10, 5],
  },
  {
    name: "the sells' worst limit that market buys reach",
    buys: [[80, "market"]],
    sells: [[40, 1002], [40, 1004]],
    reference: 1000,
    expect: [1004, 80, 0],
  },
  {
    name: "the buys' worst limit that market sells reach",
    buys: [[40, 998], [40, 996]],
    sells: [[80, "market"]],
    reference: 1000,
    expect: [996, 80, 0],
  },
  {
    name: "the reference price when only market orders meet",
    buys: [[7, "market"]],
    sells: [[4, "market"]],
    reference: 1000,
    expect: [1000, 4, 3],
  },
  {
    name: "nothing when only market orders meet and there is no reference",
    buys: [[7, "market"]],
    sells: [[4, "market"]],
    expect: [0, 0, 0],
  },
  {
    // At 50: 110 against 100.
    name: "a limit rather than the reference price, also far away",
    buys: [[100, "market"], [10, 50]],
    sells: [[100, "market"]],
    reference: 1000,
    expect: [50, 100, 10],
  },
  {
    name: "sums beyond 2^32",
    buys: [[2 ** 31 - 1, 11], [2 ** 31 - 1, 11], [2 ** 31 - 1, 11]],
    sells: [[2 ** 31 - 1, 10], [2 ** 31 - 1, 10], [2 ** 31 - 1, 10], [1, 10]],
    expect: [10, 3 * (2 ** 31 - 1), -1],
  },
];

/** Deutsche Börse, Xetra Market Model Equities (release 7.1), examples of price determination in auctions. */
const XETRA: readonly Case[] = [
  {
    name: "example 1: one limit with the most and the least surplus",
    buys: [[300, 200], [200, 199], [300, 198], [100, 196]],
    sells: [[100, 200], [300, 198], [400, 197]],
    expect: [198, 700, 100],
  },
  {
    name: "example 2: several limits, all with a surplus of buys",
    buys: [[600, 200], [200, 197]],
    sells: [[400, 201], [100, 199], [100, 198], [300, 197]],
    expect: [200, 500, 100],
  },
  {
    name: "example 3: several limits, all with a surplus of sells",
    buys: [[300, 202], [100, 201], [100, 199], [400, 197]],
    sells: [[200, 201], [600, 198]],
    expect: [198, 500, -100],
  },
  {
    name: "example 5: the sides do not meet",
    buys: [[100, 200], [400, 199]],
    sells: [[300, 202], [200, 201]],
    expect: [0, 0, 0],
  },
];

describe("the price of an auction is", () => {
  for (const each of RULES) {
    it(each.name, () => {
      assert.deepEqual(find(each), each.expect);
      assert.deepEqual(bruteForce(each), each.expect, "the brute-force search");
    });
  }
});

describe("Xetra's published examples", () => {
  for (const each of XETRA) it(each.name, () => assert.deepEqual(find(each), each.expect));
});

describe("an auction's curve", () => {
  it("lists every candidate by rising price with what would be bought and sold", () => {
    const curve = new AuctionCurve();
    find({ ...XETRA[1] }, curve);
    const rows = Array.from({ length: curve.count }, (_, i) => [curve.price[i], curve.buy[i], curve.sell[i]]);
    assert.deepEqual(rows, [[197, 800, 300], [198, 600, 400], [199, 600, 500], [200, 600, 500]]);
  });

  it("grows over its first size and forgets the auction before", () => {
    const curve = new AuctionCurve();
    const buys = Array.from({ length: 200 }, (_, i): Order => [1, 1000 + i]);
    const sells = Array.from({ length: 200 }, (_, i): Order => [1, 900 + i]);
    const big: Case = { name: "", buys, sells, expect: [0, 0, 0] };
    assert.deepEqual(find(big, curve), bruteForce(big));
    for (const each of [...RULES, ...XETRA]) assert.deepEqual(find(each, curve), each.expect, each.name);
  });

  it("agrees with a search over every limit, in random books", () => {
    const price = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 95, max: 105 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 ** 31 - 1 }) },
      { weight: 2, arbitrary: fc.constant("market" as const) },
    );
    const qty = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));
    const side = fc.array(fc.tuple(qty, price), { maxLength: 10 });
    const reference = fc.oneof(fc.constant(0), fc.integer({ min: 90, max: 110 }));
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.error(`seed ${seed}`);
    const curve = new AuctionCurve();
    const property = fc.property(side, side, reference, (buys, sells, reference) => {
      const each: Case = { name: "", buys, sells, reference, expect: [0, 0, 0] };
      assert.deepEqual(find(each, curve), bruteForce(each));
    });
    fc.assert(property, { numRuns: 5000, seed });
  });
});

describe("the index of the price", () => {
  it("is none without candidates and without any executable quantity", () => {
    const none = new Float64Array(2);
    assert.equal(uncrossIndex(0, new Int32Array(0), none, none, 5), -1);
    assert.equal(uncrossIndex(2, Int32Array.of(1, 2), Float64Array.of(1, 0), Float64Array.of(0, 1), 5), -1);
  });
});
