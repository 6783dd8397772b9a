/** The state hash over the naive state; the order of fields is docs/matching.md's. Pure. */
import { codeOfChar, Side } from "../../../shared/protocol/mod.ts";
import { Digest } from "../engine/digest.ts";
import type { RefMarket } from "./market.ts";
import type { RefOrder } from "./order.ts";
import type { RefSessions } from "./sessions.ts";
import type { RefState } from "./state.ts";

/** 16 hexadecimal digits; `gateways` adds what was seen of gateways. */
export function referenceHash(
  shard: number,
  cmdSeq: number,
  state: RefState,
  sessions: RefSessions,
  gateways: (into: Digest) => void,
): string {
  const digest = new Digest();
  digest.word(shard);
  digest.integer(state.timestampUs);
  digest.integer(cmdSeq);
  for (const market of state.markets.values()) addMarket(digest, market);
  digest.word(state.names.past.size);
  for (const name of state.names.past) {
    addName(digest, name.session, name.text);
    addOrder(digest, name.order);
  }
  sessions.digest(digest);
  gateways(digest);
  return digest.hex();
}

function addMarket(digest: Digest, market: RefMarket): void {
  const { indicated, top } = market;
  digest.word(market.instrument.id);
  digest.word(market.phase);
  digest.word(codeOfChar(market.algorithm.charCodeAt(0)));
  digest.word(market.lastPx);
  digest.integer(market.lastScheduledUs);
  digest.word(indicated.price);
  digest.integer(indicated.executable);
  digest.integer(indicated.surplus);
  digest.integer(top[Side.Buy]?.orderId ?? 0);
  digest.integer(top[Side.Sell]?.orderId ?? 0);
  for (const side of [Side.Buy, Side.Sell]) addSide(digest, market, side);
  for (const waiting of [market.stops[Side.Buy], market.stops[Side.Sell], market.parked]) {
    digest.word(waiting.length);
    for (const order of waiting) addNamedOrder(digest, order);
  }
  const quotes = [...market.quotes].sort(([a], [b]) => a - b);
  digest.word(quotes.length);
  for (const [session, quote] of quotes) {
    digest.word(session);
    digest.integer(quote[Side.Buy]?.orderId ?? 0);
    digest.integer(quote[Side.Sell]?.orderId ?? 0);
  }
}

function addSide(digest: Digest, { book, instrument }: RefMarket, side: Side): void {
  if (book.side(side).length === 0) return;
  digest.word(instrument.id);
  digest.word(side);
  for (const price of book.prices(side)) {
    digest.word(price);
    for (const order of book.at(side, price)) addNamedOrder(digest, order);
    digest.word(0);
  }
}

function addNamedOrder(digest: Digest, order: RefOrder): void {
  addOrder(digest, order);
  addName(digest, order.session, order.clOrdId);
}

function addOrder(digest: Digest, order: RefOrder): void {
  digest.integer(order.orderId);
  digest.word(order.price);
  digest.word(order.qty);
  digest.word(order.cum);
  digest.word(Number(order.notional & 0xffffffffn));
  digest.word(Number(order.notional >> 32n));
  digest.word(order.session);
  digest.word(order.firm);
  digest.word(order.instrument | order.side << 16 | order.ordType << 18 | order.timeInForce << 24);
  digest.word(order.status);
  digest.word(order.shown);
  digest.word(order.maxFloor);
  digest.word(order.stopPx);
  digest.integer(order.expireUs);
  digest.word(order.smpId);
  digest.word(order.smpAction);
  digest.word(order.execInst);
  digest.word(order.account);
  digest.word(order.triggered ? 1 : 0);
  digest.word(order.isQuote ? 1 : 0);
}

function addName(digest: Digest, session: number, text: string): void {
  digest.word(session);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  digest.bytes(bytes, 0, bytes.length);
}
