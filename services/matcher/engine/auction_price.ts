/**
 * The one price of an auction: the highest executable quantity, then the smallest surplus, then the side of the surplus,
 * then the reference price. Knows prices and quantities only, not orders. Pure. Rules: docs/allocation.md, "The price of an auction".
 */

const FIRST_CAPACITY = 64;

/**
 * What both sides would trade at each price. Reused from auction to auction: {@link begin}, the levels of both sides,
 * {@link find}. Quantities are whole leaves, hidden included, in lots; their sums stay safe integers.
 */
export class AuctionCurve {
  /** Results of {@link find}: the price, what trades at it, and buys less sells at it; zeros when nothing trades. */
  priceTicks = 0;
  qtyLots = 0;
  surplusLots = 0;
  /** What {@link find} was given. */
  referenceTicks = 0;
  /** Market orders, which trade at any price; set behind {@link begin}. */
  marketBuyLots = 0;
  marketSellLots = 0;
  /** Candidates after {@link find}, by rising price, with what would be bought and sold at each. */
  count = 0;
  price: Int32Array = new Int32Array(FIRST_CAPACITY);
  buy: Float64Array = new Float64Array(FIRST_CAPACITY);
  sell: Float64Array = new Float64Array(FIRST_CAPACITY);
  #buys = new LimitSide();
  #sells = new LimitSide();

  /** Starts over without any order. */
  begin(): void {
    this.marketBuyLots = this.marketSellLots = 0;
    this.#buys.clear();
    this.#sells.clear();
  }

  /** Adds the limit orders of the next lower buy price; `qtyLots` > 0. */
  addBuy(priceTicks: number, qtyLots: number): void {
    this.#buys.add(priceTicks, qtyLots);
  }

  /** Adds the limit orders of the next higher sell price; `qtyLots` > 0. */
  addSell(priceTicks: number, qtyLots: number): void {
    this.#sells.add(priceTicks, qtyLots);
  }

  /** Finds the price. `referenceTicks`: the last trade's price or what stands for it, 0 for none. */
  find(referenceTicks: number): void {
    this.referenceTicks = referenceTicks;
    this.#merge();
    const { marketBuyLots, marketSellLots } = this;
    const onlyMarket = this.count === 0 && marketBuyLots > 0 && marketSellLots > 0;
    if (onlyMarket && referenceTicks > 0) this.#put(referenceTicks, marketBuyLots, marketSellLots);
    const index = uncrossIndex(this.count, this.price, this.buy, this.sell, referenceTicks);
    if (index < 0) {
      this.priceTicks = this.qtyLots = this.surplusLots = 0;
      return;
    }
    this.priceTicks = this.price[index];
    this.qtyLots = Math.min(this.buy[index], this.sell[index]);
    this.surplusLots = this.buy[index] - this.sell[index];
  }

  /** Every limit at which both sides would trade, by rising price. */
  #merge(): void {
    const buys = this.#buys;
    const sells = this.#sells;
    let buyLots = this.marketBuyLots + buys.total;
    let sellLots = this.marketSellLots;
    let b = buys.count - 1;
    let s = 0;
    this.count = 0;
    while (b >= 0 || s < sells.count) {
      const buyPrice = b >= 0 ? buys.price[b] : Infinity;
      const sellPrice = s < sells.count ? sells.price[s] : Infinity;
      const price = buyPrice < sellPrice ? buyPrice : sellPrice;
      if (sellPrice === price) sellLots += sells.qty[s++];
      if (buyLots > 0 && sellLots > 0) this.#put(price, buyLots, sellLots);
      if (buyPrice === price) buyLots -= buys.qty[b--];
    }
  }

  #put(priceTicks: number, buyLots: number, sellLots: number): void {
    if (this.count === this.price.length) {
      this.price = grown(this.price, new Int32Array(this.count * 2));
      this.buy = grown(this.buy, new Float64Array(this.count * 2));
      this.sell = grown(this.sell, new Float64Array(this.count * 2));
    }
    this.price[this.count] = priceTicks;
    this.buy[this.count] = buyLots;
    this.sell[this.count++] = sellLots;
  }
}

/**
 * Which of `count` candidates is the auction's price, -1 when nothing trades at any. `price` rises; `buy` and `sell` are
 * what would be bought and sold at each. `referenceTicks` 0: there is none.
 */
export function uncrossIndex(
  count: number,
  price: Int32Array,
  buy: Float64Array,
  sell: Float64Array,
  referenceTicks: number,
): number {
  let most = 0;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const executable = Math.min(buy[i], sell[i]);
    const surplus = Math.abs(buy[i] - sell[i]);
    if (executable < most || executable === most && surplus >= least) continue;
    most = executable;
    least = surplus;
  }
  if (most === 0) return -1;
  let first = -1;
  let last = -1;
  let nearest = -1;
  let allBuy = true;
  let allSell = true;
  for (let i = 0; i < count; i++) {
    if (Math.min(buy[i], sell[i]) !== most || Math.abs(buy[i] - sell[i]) !== least) continue;
    if (first < 0) first = nearest = i;
    last = i;
    if (buy[i] <= sell[i]) allBuy = false;
    if (sell[i] <= buy[i]) allSell = false;
    if (Math.abs(price[i] - referenceTicks) <= Math.abs(price[nearest] - referenceTicks)) nearest = i;
  }
  if (allBuy) return last;
  if (allSell || referenceTicks === 0) return first;
  return nearest;
}

/** Limit orders of one side, best price first. */
class LimitSide {
  count = 0;
  total = 0;
  price = new Int32Array(FIRST_CAPACITY);
  qty = new Float64Array(FIRST_CAPACITY);

  clear(): void {
    this.count = this.total = 0;
  }

  add(priceTicks: number, qtyLots: number): void {
    if (this.count === this.price.length) {
      this.price = grown(this.price, new Int32Array(this.count * 2));
      this.qty = grown(this.qty, new Float64Array(this.count * 2));
    }
    this.price[this.count] = priceTicks;
    this.qty[this.count++] = qtyLots;
    this.total += qtyLots;
  }
}

function grown<T extends Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
