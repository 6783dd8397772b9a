/**
 * One trading session between two clients, as a ledger: every message that each of them must receive, in order and
 * with every field but the volatile ones (header, trailer, TransactTime). Identifiers are checked for form,
 * uniqueness and consistency.
 */
import assert from "node:assert/strict";
import type { Fields, ForeignClient } from "./driver.ts";

/** Decimal texts of an instrument's multiples. */
export interface Market {
  readonly symbol: string;
  /** `ticks` ticks as decimal text. */
  price(ticks: number): string;
  /** `lots` lots as decimal text. */
  qty(lots: number): string;
  /** A price that is no multiple of the tick. */
  readonly offTickPrice: string;
}

const ID = /^\d+-\d+-\d+$/;
const VOLATILE = new Set([8, 9, 10, 34, 35, 49, 52, 56, 60]);
const NOW = "60=20260101-00:00:00|";

/**
 * Plays the session: `buyer` and `seller` are of different firms, and the book is empty. A ClOrdID is unique in its
 * session for ever, so each play on one venue needs another `prefix`.
 */
export async function tradeWithEachOther(
  buyer: ForeignClient,
  seller: ForeignClient,
  market: Market,
  prefix: string,
): Promise<void> {
  await buyer.next("on");
  await seller.next("on");
  const play = { buyer, seller, market, prefix, ledger: new Ledger(market, prefix) };
  await fillInParts(play);
  await refuse(play);
  await buyer.logout();
  await seller.logout();
  await buyer.next("off");
  await seller.next("off");
}

interface Play {
  readonly buyer: ForeignClient;
  readonly seller: ForeignClient;
  readonly market: Market;
  readonly prefix: string;
  readonly ledger: Ledger;
}

/** b1 is filled in part, replaced by b2, and filled by an IOC order whose remainder expires. */
async function fillInParts(
  { buyer, seller, market: { symbol, price, qty }, prefix, ledger }: Play,
): Promise<void> {
  const b1 = { ordered: 100, px: 1000, side: 1 };
  await buyer.send(`35=D|11=${prefix}b1|54=1|55=${symbol}|${NOW}38=${qty(100)}|40=2|44=${price(1000)}|59=0|`);
  await ledger.report(buyer, "b1", "0", "0", { ...b1, cum: 0, leaves: 100 });

  const s1 = { ordered: 30, px: 1000, side: 2 };
  await seller.send(`35=D|11=${prefix}s1|54=2|55=${symbol}|${NOW}38=${qty(30)}|40=2|44=${price(1000)}|59=0|`);
  await ledger.report(seller, "s1", "0", "0", { ...s1, cum: 0, leaves: 30 });
  await ledger.trade(seller, "s1", "2", 30, 1000, { ...s1, cum: 30, leaves: 0, avg: 1000 });
  await ledger.trade(buyer, "b1", "1", 30, 1000, { ...b1, cum: 30, leaves: 70, avg: 1000 });

  const b2 = { ordered: 120, px: 1003, side: 1 };
  await buyer.send(
    `35=G|11=${prefix}b2|41=${prefix}b1|54=1|55=${symbol}|${NOW}38=${qty(120)}|40=2|44=${price(1003)}|59=0|`,
  );
  await ledger.report(buyer, "b2", "5", "1", { ...b2, cum: 30, leaves: 90, avg: 1000, orig: "b1" });

  const s2 = { ordered: 200, px: 1001, side: 2, tif: "3" };
  await seller.send(
    `35=D|11=${prefix}s2|54=2|55=${symbol}|${NOW}38=${qty(200)}|40=2|44=${price(1001)}|59=3|`,
  );
  await ledger.report(seller, "s2", "0", "0", { ...s2, cum: 0, leaves: 200 });
  await ledger.trade(seller, "s2", "1", 90, 1003, { ...s2, cum: 90, leaves: 110, avg: 1003 });
  await ledger.report(seller, "s2", "C", "C", { ...s2, cum: 90, leaves: 0, avg: 1003 });
  // (30 × 1000 + 90 × 1003) ÷ 120 = 1002.25 ticks
  await ledger.trade(buyer, "b2", "2", 90, 1003, { ...b2, cum: 120, leaves: 0, avg: 1002.25 });
}

/** b3 rests; the other firm cannot touch it; its owner asks for it, cancels it, and cannot cancel it again. */
async function refuse({ buyer, seller, market, prefix, ledger }: Play): Promise<void> {
  const { symbol, price, qty, offTickPrice } = market;
  const b3 = { ordered: 10, px: 999, side: 1, cum: 0 };
  const cancel = (own: string, orig: string) =>
    `35=F|11=${prefix}${own}|41=${prefix}${orig}|54=1|55=${symbol}|${NOW}38=${qty(10)}|`;
  await buyer.send(`35=D|11=${prefix}b3|54=1|55=${symbol}|${NOW}38=${qty(10)}|40=2|44=${price(999)}|59=0|`);
  await ledger.report(buyer, "b3", "0", "0", { ...b3, leaves: 10 });
  await seller.send(cancel("s3", "b3"));
  await ledger.cancelReject(seller, "s3", "b3", { 37: "NONE", 39: "8", 434: "1", 102: "1" });
  await buyer.send(`35=H|11=${prefix}b3|54=1|55=${symbol}|`);
  await ledger.report(buyer, "b3", "I", "0", { ...b3, leaves: 10 });
  await buyer.send(cancel("b4", "b3"));
  await ledger.report(buyer, "b4", "4", "4", { ...b3, leaves: 0, orig: "b3" });
  await buyer.send(cancel("b5", "b4"));
  await ledger.cancelReject(buyer, "b5", "b4", { 37: ledger.orderId("b4"), 39: "4", 434: "1", 102: "0" });
  await buyer.send(`35=D|11=${prefix}b6|54=1|55=${symbol}|${NOW}38=${qty(10)}|40=2|44=${offTickPrice}|59=0|`);
  await ledger.rejected(buyer, "b6", "99", `Price(44)`, offTickPrice);
}

interface Figures {
  readonly cum: number;
  readonly leaves: number;
  readonly ordered: number;
  readonly px: number;
  readonly side: number;
  readonly avg?: number;
  readonly orig?: string;
  readonly tif?: string;
}

/** Holds the identifiers that were told so far, and states what must come next. ClOrdIDs are given without prefix. */
class Ledger {
  readonly #market: Market;
  readonly #prefix: string;
  readonly #orderIds = new Map<string, string>();
  readonly #execIds = new Set<string>();

  constructor(market: Market, prefix: string) {
    this.#market = market;
    this.#prefix = prefix;
  }

  orderId(clOrdId: string): string {
    const id = this.#orderIds.get(clOrdId);
    assert.ok(id !== undefined, `no order ${clOrdId} yet`);
    return id;
  }

  async report(client: ForeignClient, clOrdId: string, execType: string, status: string, figures: Figures) {
    const got = await client.message();
    this.#compare(client, got, "8", this.#expected(got, clOrdId, execType, status, figures));
  }

  async trade(
    client: ForeignClient,
    clOrdId: string,
    status: string,
    lots: number,
    ticks: number,
    figures: Figures,
  ) {
    const got = await client.message();
    const expected = this.#expected(got, clOrdId, "F", status, figures);
    expected.set(32, this.#market.qty(lots)).set(31, this.#market.price(ticks));
    // Every buyer of the session rests (851=1), every seller takes (851=2).
    expected.set(851, String(figures.side));
    assert.match(got.get(527) ?? "", ID, "SecondaryExecID");
    expected.set(527, got.get(527)!);
    this.#compare(client, got, "8", expected);
  }

  async cancelReject(
    client: ForeignClient,
    clOrdId: string,
    origClOrdId: string,
    fields: Record<number, string>,
  ) {
    const got = await client.message();
    const expected: Fields = new Map(Object.entries(fields).map(([tag, value]) => [Number(tag), value]));
    expected.set(11, this.#prefix + clOrdId).set(41, this.#prefix + origClOrdId);
    assert.ok(
      (got.get(58) ?? "").includes(this.#prefix + origClOrdId),
      `Text names the order: ${got.get(58)}`,
    );
    this.#compare(client, got, "9", expected.set(58, got.get(58)!));
  }

  async rejected(client: ForeignClient, clOrdId: string, reason: string, ...named: string[]) {
    const got = await client.message();
    for (const name of named) {
      assert.ok((got.get(58) ?? "").includes(name), `Text names ${name}: ${got.get(58)}`);
    }
    const picked = [35, 11, 37, 39, 150, 103, 55, 54, 151, 14, 6].map((tag) => got.get(tag));
    const id = this.#prefix + clOrdId;
    assert.deepEqual(picked, ["8", id, "NONE", "8", "8", reason, this.#market.symbol, "1", "0", "0", "0"]);
    this.#newExecId(got.get(17));
  }

  #expected(got: Fields, clOrdId: string, execType: string, status: string, figures: Figures): Fields {
    const { price, qty, symbol } = this.#market;
    const expected: Fields = new Map([[11, this.#prefix + clOrdId], [150, execType], [39, status], [
      55,
      symbol,
    ]]);
    expected.set(54, String(figures.side)).set(38, qty(figures.ordered)).set(44, price(figures.px)).set(
      40,
      "2",
    );
    expected.set(14, qty(figures.cum)).set(151, qty(figures.leaves)).set(59, figures.tif ?? "0");
    expected.set(6, figures.avg === undefined ? "0" : price(figures.avg));
    if (figures.orig !== undefined) expected.set(41, this.#prefix + figures.orig);
    const known = this.#orderIds.get(figures.orig ?? clOrdId);
    assert.match(got.get(37) ?? "", ID, "OrderID");
    expected.set(37, known ?? got.get(37)!);
    this.#orderIds.set(clOrdId, expected.get(37)!);
    return expected.set(17, execType === "I" ? "0" : this.#newExecId(got.get(17)));
  }

  #newExecId(execId: string | undefined): string {
    assert.match(execId ?? "", ID, "ExecID");
    assert.ok(!this.#execIds.has(execId!), `ExecID ${execId} came twice`);
    this.#execIds.add(execId!);
    return execId!;
  }

  #compare(client: ForeignClient, got: Fields, msgType: string, expected: Fields): void {
    assert.equal(got.get(35), msgType, `${client.name}: ${[...got].map(([t, v]) => `${t}=${v}`).join("|")}`);
    const sorted = (fields: Fields) =>
      [...fields].filter(([tag]) => !VOLATILE.has(tag)).sort(([a], [b]) => a - b);
    assert.deepEqual(sorted(got), sorted(expected), client.name);
  }
}
