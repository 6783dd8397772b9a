/** What the parts know of an instrument, a firm and a FIX session: the validated venue file's content. Pure. */
import { type MatchAlgorithm, Phase, type SmpAction } from "./kinds.ts";

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
  /** What an operator may switch the algorithm to, besides back to it; anything when absent. The engine does not ask. */
  readonly switchableTo?: readonly MatchAlgorithm[];
  /** What differs from {@link DEFAULT_TRADING_RULES}. */
  readonly rules?: Partial<TradingRules>;
}

/** How an instrument trades beyond its algorithm (docs/matching.md). Quantities in lots, prices and distances in ticks. */
export interface TradingRules {
  /** Smallest shown quantity with which an order has a top order's right; 0: any. */
  readonly topMinLots: number;
  /** Most that a top order gets as such; 0: no limit. */
  readonly topMaxLots: number;
  /** Share of the split step that goes by time, percent, 0 … 100. */
  readonly fifoPercent: number;
  /** Each with its share after the top order, percent; together at most 100. */
  readonly leadMarketMakers: readonly { readonly firmId: number; readonly percent: number }[];
  /** How far a market order may trade from the best price that it found; 0: no limit. */
  readonly protectionTicks: number;
  /** How far a trade may lie from the last one before an auction is called; 0: no limit. */
  readonly bandTicks: number;
  /** How long such an auction lasts, seconds. */
  readonly volatilityAuctionSec: number;
  /** Stands for the last trade's price until there is one; 0: none. */
  readonly referencePriceTicks: number;
  /** What becomes of a post-only order that would trade on arrival. */
  readonly postOnly: "reject" | "reprice";
  /** The phase before the first command. */
  readonly initialPhase: Phase;
}

/** What applies where an instrument says nothing. */
export const DEFAULT_TRADING_RULES: TradingRules = {
  topMinLots: 0,
  topMaxLots: 0,
  fifoPercent: 0,
  leadMarketMakers: [],
  protectionTicks: 0,
  bandTicks: 0,
  volatilityAuctionSec: 120,
  referencePriceTicks: 0,
  postOnly: "reject",
  initialPhase: Phase.Continuous,
};

/** An instrument's trading rules, complete. */
export function rulesOf(instrument: Instrument): TradingRules {
  return { ...DEFAULT_TRADING_RULES, ...instrument.rules };
}

/** A firm, owner of orders. */
export interface Firm {
  /** 1 … 65535, stable for the life of a store. */
  readonly id: number;
  readonly name: string;
  /** Self-match prevention of orders that ask for none themselves; none when absent. */
  readonly smpAction?: SmpAction;
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
  /** How its session protocol is spoken; {@link DEFAULT_FIX_SETTINGS} when absent. */
  readonly settings?: FixSettings;
}

/** What a venue can choose for each FIX session (docs/fix.md, "Settings of a session"). */
export interface FixSettings {
  /** Whether every message of ours carries LastMsgSeqNumProcessed(369). */
  readonly lastMsgSeqNumProcessed: boolean;
  /** Whether a Logon may carry NextExpectedMsgSeqNum(789), which ours then does too. */
  readonly nextExpectedMsgSeqNum: boolean;
  /** Whether tags 5000 to 9999 that the dictionary lacks are let pass unread; else they are refused. */
  readonly userDefinedFields: boolean;
  /** Whether both numbers start at 1 with every Logon, asked or not. */
  readonly resetOnLogon: boolean;
  /** Whether what we send may have fields that FIX 4.4 does not define (docs/fix.md, "Fields of the venue's own"). */
  readonly extensions: boolean;
  /** When the session may be logged on; null: always. */
  readonly schedule: SessionSchedule | null;
  /** Path of the QuickFIX-style XML dictionary that its messages are held to; null: FIX 4.4 and the venue's own fields. */
  readonly dictionary: string | null;
}

/** Hours of a FIX session, in local time of a time zone. */
export interface SessionSchedule {
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Time of day at which it opens, whole seconds since midnight, 0 … 86399. */
  readonly startSec: number;
  /** Time of day at which it closes; at or before `startSec`: on the next day. */
  readonly endSec: number;
  /** ISO week days on which it opens, 1 Monday … 7 Sunday; ascending, at least one. */
  readonly days: readonly number[];
  /** Whether both numbers start at 1 with the first Logon after each opening. */
  readonly resetAtStart: boolean;
}

/** What applies where a venue file says nothing. */
export const DEFAULT_FIX_SETTINGS: FixSettings = {
  lastMsgSeqNumProcessed: false,
  nextExpectedMsgSeqNum: true,
  userDefinedFields: false,
  resetOnLogon: false,
  extensions: true,
  schedule: null,
  dictionary: null,
};
