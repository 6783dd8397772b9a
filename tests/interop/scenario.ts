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

const VOLATILE = new Set([8, 9, 10, 34, 35, 49, 52, 56, 60]);
const NOW = "20260101-00:00:00";

/** Plays the session: `buyer` and `seller` are of different firms, and the book is empty. */
export async function tradeWithEachOther(
  buyer: ForeignClient,
  seller: ForeignClient,
  market: Market,
): Promise<void> {
  await buyer.next("on");
  await seller.next("on");
  const play = new Ledger(market);
  const { price, qty, symbol } = market;
  const head = `55=${symbol}|60=${NOW}|`;

  await buyer.send(`35=D|11=b1|54=1|${head}38=${qty(100)}|40=2|44=${price(1000)}|59=0|`);
  await play.report(buyer, "b1", "0", "0", { cum: 0, leaves: 100, ordered: 100, px: 1000, side: 1 });

  await seller.send(`35=D|11=s1|54=2|${head}38=${qty(30)}|40=2|44=${price(1000)}|59=0|`);
  await play.report(seller, "s1", "0", "0", { cum: 0, leaves: 30, ordered: 30, px: 1000, side: 2 });
  await play.trade(seller, "s1", "2", 30, 1000, {
    cum: 30,
    leaves: 0,
    ordered: 30,
    px: 1000,
    side: 2,
    avg: 1000,
  });
  await play.trade(buyer, "b1", "1", 30, 1000, {
    cum: 30,
    leaves: 70,
    ordered: 100,
    px: 1000,
    side: 1,
    avg: 1000,
  });

  await buyer.send(`35=G|11=b2|41=b1|54=1|${head}38=${qty(120)}|40=2|44=${price(1003)}|59=0|`);
  await play.report(buyer, "b2", "5", "1", {
    cum: 30,
    leaves: 90,
    ordered: 120,
    px: 1003,
    side: 1,
    avg: 1000,
    orig: "b1",
  });

  await seller.send(`35=D|11=s2|54=2|${head}38=${qty(200)}|40=2|44=${price(1001)}|59=3|`);
  const ioc = { ordered: 200, px: 1001, side: 2, tif: "3" };
  await play.report(seller, "s2", "0", "0", { ...ioc, cum: 0, leaves: 200 });
  await play.trade(seller, "s2", "1", 90, 1003, { ...ioc, cum: 90, leaves: 110, avg: 1003 });
  await play.report(seller, "s2", "C", "C", { ...ioc, cum: 90, leaves: 0, avg: 1003 });
  // 30 at 1000 and 90 at 1003 make (30 × 1000 + 90 × 1003) ÷ 120 = 1002.25 ticks.
  await play.trade(buyer, "b2", "2", 90, 1003, {
    cum: 120,
    leaves: 0,
    ordered: 120,
    px: 1003,
    side: 1,
    avg: 1002.25,
  });

  await buyer.send(`35=D|11=b3|54=1|${head}38=${qty(10)}|40=2|44=${price(999)}|59=0|`);
  await play.report(buyer, "b3", "0", "0", { cum: 0, leaves: 10, ordered: 10, px: 999, side: 1 });
  await seller.send(`35=F|11=s3|41=b3|54=1|${head}38=${qty(10)}|`);
  await play.cancelReject(seller, { 11: "s3", 41: "b3", 37: "NONE", 39: "8", 434: "1", 102: "1" });
  await buyer.send(`35=H|11=b3|54=1|55=${symbol}|`);
  await play.report(buyer, "b3", "I", "0", { cum: 0, leaves: 10, ordered: 10, px: 999, side: 1 });
  await buyer.send(`35=F|11=b4|41=b3|54=1|${head}38=${qty(10)}|`);
  await play.report(buyer, "b4", "4", "4", { cum: 0, leaves: 0, ordered: 10, px: 999, side: 1, orig: "b3" });
  await buyer.send(`35=F|11=b5|41=b4|54=1|${head}38=${qty(10)}|`);
  await play.cancelReject(buyer, { 11: "b5", 41: "b4", 37: play.orderId("b4"), 39: "4", 434: "1", 102: "0" });

  await buyer.send(`35=D|11=b6|54=1|${head}38=${qty(10)}|40=2|44=${market.offTickPrice}|59=0|`);
  await play.rejected(
    buyer,
    "b6",
    "99",
    new RegExp(`Price\\(44\\).*${market.offTickPrice.replace(".", "\\.")}`),
  );

  await buyer.logout();
  await seller.logout();
  await buyer.next("off");
  await seller.next("off");
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

/** Holds the identifiers that were told so far, and states what must come next. */
class Ledger {
  readonly #market: Market;
  readonly #orderIds = new Map<string, string>();
  readonly #execIds = new Set<string>();

  constructor(market: Market) {
    this.#market = market;
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
    assert.match(got.get(527) ?? "", /^\d+-\d+-\d+$/, "SecondaryExecID");
    expected.set(527, got.get(527)!);
    this.#compare(client, got, "8", expected);
  }

  async cancelReject(client: ForeignClient, fields: Record<number, string>) {
    const got = await client.message();
    const expected: Fields = new Map(Object.entries(fields).map(([tag, value]) => [Number(tag), value]));
    assert.ok((got.get(58) ?? "").includes(fields[41]), `Text names the order: ${got.get(58)}`);
    this.#compare(client, got, "9", expected.set(58, got.get(58)!));
  }

  async rejected(client: ForeignClient, clOrdId: string, reason: string, text: RegExp) {
    const got = await client.message();
    assert.match(got.get(58) ?? "", text);
    const picked = [11, 37, 39, 150, 103, 55, 54, 151, 14, 6].map((tag) => got.get(tag));
    assert.deepEqual(picked, [clOrdId, "NONE", "8", "8", reason, this.#market.symbol, "1", "0", "0", "0"]);
    this.#newExecId(got.get(17));
  }

  #expected(got: Fields, clOrdId: string, execType: string, status: string, figures: Figures): Fields {
    const { price, qty, symbol } = this.#market;
    const expected: Fields = new Map([[11, clOrdId], [150, execType], [39, status], [55, symbol], [40, "2"]]);
    expected.set(54, String(figures.side)).set(38, qty(figures.ordered)).set(44, price(figures.px));
    expected.set(14, qty(figures.cum)).set(151, qty(figures.leaves)).set(59, figures.tif ?? "0");
    expected.set(6, figures.avg === undefined ? "0" : price(figures.avg));
    if (figures.orig !== undefined) expected.set(41, figures.orig);
    const known = this.#orderIds.get(figures.orig ?? clOrdId);
    assert.match(got.get(37) ?? "", /^\d+-\d+-\d+$/, "OrderID");
    expected.set(37, known ?? got.get(37)!);
    this.#orderIds.set(clOrdId, expected.get(37)!);
    if (execType === "I") expected.set(17, "0");
    else expected.set(17, this.#newExecId(got.get(17)));
    return expected;
  }

  #newExecId(execId: string | undefined): string {
    assert.match(execId ?? "", /^\d+-\d+-\d+$/, "ExecID");
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
