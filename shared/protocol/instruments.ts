/** What the parts know of an instrument, a firm and a FIX session: the validated venue file's content. Pure. */
import type { MatchAlgorithm } from "./kinds.ts";

/**
 * A tradable instrument. Decimal text is read as an integer in units of 10^-scale; `tickUnits` and `lotUnits` say
 * how many such units make one tick or lot. Example: tick "0.05" is priceScale 2, tickUnits 5.
 */
export interface Instrument {
  /** 1 … 65535, stable for the life of a store. */
  readonly id: number;
  readonly symbol: string;
  readonly shard: number;
  /** Decimal digits of a price, 0 … 9. */
  readonly priceScale: number;
  readonly tickUnits: number;
  /** Decimal digits of a quantity, 0 … 9. */
  readonly qtyScale: number;
  readonly lotUnits: number;
  readonly algorithm: MatchAlgorithm;
  /** Smallest pro-rata share, lots; shares below it become 0. */
  readonly proRataMin: number;
  /** Largest OrderQty accepted, lots. */
  readonly maxOrderQtyLots: number;
  /** tick and lot as the venue file writes them, for people. */
  readonly tick: string;
  readonly lot: string;
}

/** A firm, owner of orders. */
export interface Firm {
  /** 1 … 65535, stable for the life of a store. */
  readonly id: number;
  readonly name: string;
}

/** What a FIX session may do. */
export type SessionRole = "trading" | "drop-copy" | "market-data";

/** A FIX session that a client may log on to. */
export interface FixSession {
  /** 1 … 65535, stable for the life of a store. */
  readonly id: number;
  /** The client's SenderCompID(49). */
  readonly senderCompId: string;
  readonly firm: Firm;
  readonly role: SessionRole;
  readonly username: string;
  readonly password: string;
}
