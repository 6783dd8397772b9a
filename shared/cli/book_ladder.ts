/**
 * Draws a book as a ladder of text lines for people: asks above, bids below, the best prices in the middle, bars for
 * size; outside continuous trading the phase and what its auction would trade. Owns the picture and nothing else. Pure.
 */
import {
  BOOK_LEVELS,
  type BookLevel,
  type BookMessage,
  type PhaseMessage,
  type TradeMessage,
} from "../protocol/market_data.ts";
import { isCallPhase, phaseOfName } from "../protocol/mod.ts";

/** How to draw. */
export interface LadderOptions {
  /** Whether lines may hold ANSI colours. */
  readonly color: boolean;
  /** Shown at the head when market data is interrupted. */
  readonly notice?: string;
  /** What was last said of the phase. */
  readonly phase?: PhaseMessage | null;
  /** Rows to draw though there are fewer levels. */
  readonly rows?: LadderRows;
}

/** How many rows each side has, 1 to 10. */
export interface LadderRows {
  readonly asks: number;
  readonly bids: number;
}

/** Characters of a full bar. */
const BAR = 20;
const WIDTH = 66;
const GREEN = "32";
const RED = "31";
const DIM = "2";
const BOLD = "1";

/** Rows for the levels of a book, and for no fewer than those of `least`. */
export function rowsFor(book: BookMessage, least: LadderRows): LadderRows {
  const rows = (levels: readonly BookLevel[], atLeast: number) =>
    Math.min(BOOK_LEVELS, Math.max(1, levels.length, atLeast));
  return { asks: rows(book.asks, least.asks), bids: rows(book.bids, least.bids) };
}

/** Lines of a ladder: one for each level, one for an empty side, and what {@link LadderOptions.rows} adds. */
export function ladderLines(book: BookMessage, trade: TradeMessage | null, options: LadderOptions): string[] {
  const paint = (text: string, style: string) => options.color ? `\x1b[${style}m${text}\x1b[0m` : text;
  const decimals = decimalsOf([...book.bids, ...book.asks].map(({ price }) => price), trade);
  const all = [...book.bids, ...book.asks];
  const largest = Math.max(1, ...all.map(({ qty }) => Number(qty)));
  const priceWidth = Math.max(8, ...all.map(({ price }) => padPrice(price, decimals).length));
  const row = (level: BookLevel | undefined, style: string) => {
    if (level === undefined) return paint(`${" ".repeat(priceWidth + 12)}·`, DIM);
    const price = padPrice(level.price, decimals).padStart(priceWidth);
    const bar = barOf(Number(level.qty) / largest).padEnd(BAR);
    const orders = `${level.orders} ${level.orders === 1 ? "order" : "orders"}`;
    return `  ${paint(price, style)}  ${level.qty.padStart(11)}  ${paint(bar, style)}  ${paint(orders, DIM)}`;
  };
  const rows = rowsFor(book, options.rows ?? { asks: 1, bids: 1 });
  const asks = Array.from({ length: rows.asks }, (_, i) => row(book.asks[rows.asks - 1 - i], RED));
  const bids = Array.from({ length: rows.bids }, (_, i) => row(book.bids[i], GREEN));
  const time = options.notice ?? (book.time === null ? "no order yet" : `${book.time.slice(11, 23)} UTC`);
  const name = isContinuous(book) ? book.symbol : `${book.symbol}  ${book.phase}`;
  const head = `  ${name}`.padEnd(WIDTH - time.length - 2) + time;
  return [
    paint(head, BOLD),
    paint(`  ${"price".padStart(priceWidth)}  ${"quantity".padStart(11)}`, DIM),
    ...asks,
    middleLine(book, trade, options.phase ?? null, decimals, paint),
    ...bids,
  ];
}

/**
 * One line for output that is no terminal: time, best bid, best ask, last trade; outside continuous trading, where the
 * best prices cannot trade, the phase and what its auction would trade.
 */
export function bookLine(
  book: BookMessage,
  trade: TradeMessage | null,
  phase: PhaseMessage | null = null,
): string {
  const side = (level: BookLevel | undefined) => level === undefined ? "-" : `${level.qty} @ ${level.price}`;
  const last = trade === null ? "" : `  last ${trade.qty} @ ${trade.price} (${trade.aggressor ?? "auction"})`;
  const now = isContinuous(book)
    ? `bid ${side(book.bids[0])}  ask ${side(book.asks[0])}`
    : `${book.phase}  ${auctionText(book, phase, (price) => price)}`;
  return `${book.time ?? "-"}  ${book.symbol}  ${now}${last}`;
}

function isContinuous({ phase }: BookMessage): boolean {
  return phase === "continuous";
}

/** What the auction that forms would trade. */
function auctionText(book: BookMessage, said: PhaseMessage | null, price: (text: string) => string): string {
  if (!isCallPhase(phaseOfName(book.phase) ?? 0)) return "no trading";
  if (said?.phase !== book.phase || said.indicativePrice === undefined) return "auction: no trade";
  const left = said.surplusSide === undefined ? "" : `, some left to ${said.surplusSide}`;
  return `auction: ${said.indicativeQty} @ ${price(said.indicativePrice)}${left}`;
}

function middleLine(
  book: BookMessage,
  trade: TradeMessage | null,
  phase: PhaseMessage | null,
  decimals: number,
  paint: (text: string, style: string) => string,
): string {
  const now = isContinuous(book)
    ? spreadText(book, decimals)
    : auctionText(book, phase, (price) => padPrice(price, Math.max(decimals, decimalsOf([price], null))));
  const how = HOW[trade?.aggressor ?? "auction"];
  const last = trade === null
    ? "no trade yet"
    : `last ${padPrice(trade.price, decimals)} × ${trade.qty} ${how.word}`;
  const text = ` ${now} · ${last} `;
  const line = `  ──${text}${"─".repeat(Math.max(2, WIDTH - text.length - 6))}`;
  return paint(line, trade === null ? DIM : how.style);
}

/** How a trade came about, for people. */
const HOW = {
  buy: { word: "▲ bought", style: GREEN },
  sell: { word: "▼ sold", style: RED },
  auction: { word: "◆ auction", style: BOLD },
} as const;

/** Best ask minus best bid, exact: both are padded to the same decimals and subtracted as integers. */
function spreadText(book: BookMessage, decimals: number): string {
  const [bid, ask] = [book.bids[0], book.asks[0]];
  if (bid === undefined || ask === undefined) return "no spread";
  const units = (price: string) => BigInt(padPrice(price, decimals).replace(".", ""));
  const digits = String(units(ask.price) - units(bid.price)).padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  return `spread ${decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`}`;
}

function barOf(share: number): string {
  const halves = Math.max(1, Math.round(share * BAR * 2));
  return "█".repeat(halves >> 1) + (halves % 2 === 1 ? "▌" : "");
}

function decimalsOf(prices: readonly string[], trade: TradeMessage | null): number {
  const all = trade === null ? prices : [...prices, trade.price];
  return Math.max(0, ...all.map((price) => price.includes(".") ? price.length - price.indexOf(".") - 1 : 0));
}

/** Gives a price its trailing zeros back, so that columns line up. */
function padPrice(price: string, decimals: number): string {
  const point = price.indexOf(".");
  if (point < 0) return decimals === 0 ? price : `${price}.${"0".repeat(decimals)}`;
  return price + "0".repeat(decimals - (price.length - point - 1));
}
