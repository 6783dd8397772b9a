/** The state hash over the naive state; the order of fields is docs/matching.md's. Pure. */
import { Side } from "../../../shared/protocol/mod.ts";
import { Digest } from "../engine/digest.ts";
import type { RefBook, RefOrder } from "./book.ts";
import type { RefNames } from "./names.ts";
import type { RefSessions } from "./sessions.ts";

/** 16 hexadecimal digits. */
export function referenceHash(
  shard: number,
  timestampUs: number,
  cmdSeq: number,
  books: ReadonlyMap<number, RefBook>,
  names: RefNames,
  sessions: RefSessions,
): string {
  const digest = new Digest();
  digest.word(shard);
  digest.integer(timestampUs);
  digest.integer(cmdSeq);
  for (const [instrument, book] of [...books].sort(([a], [b]) => a - b)) {
    for (const side of [Side.Buy, Side.Sell]) {
      if (book.side(side).length === 0) continue;
      digest.word(instrument);
      digest.word(side);
      for (const price of book.prices(side)) {
        digest.word(price);
        for (const order of book.at(side, price)) {
          addOrder(digest, order);
          addName(digest, order.session, order.clOrdId);
        }
        digest.word(0);
      }
    }
  }
  digest.word(names.past.length);
  for (const name of names.past) {
    addName(digest, name.session, name.text);
    addOrder(digest, name.order);
  }
  sessions.digest(digest);
  return digest.hex();
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
}

function addName(digest: Digest, session: number, text: string): void {
  digest.word(session);
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  digest.bytes(bytes, 0, bytes.length);
}
