/** Limits that the encodings themselves impose; the venue file may only tighten them. Pure. */

/** ClOrdID(11) and OrigClOrdID(41), bytes. Holds a UUID with its hyphens. */
export const MAX_CL_ORD_ID_BYTES = 40;
/** Symbol(55), bytes. */
export const MAX_SYMBOL_BYTES = 24;
/** Text(58) that travels in a refused command or an event, bytes. */
export const MAX_TEXT_BYTES = 160;
/** Commands in one message of CMD_s: an OrderID has 12 bits for the index. */
export const MAX_BATCH_COMMANDS = 4096;
/** Bytes of one command or event message; below nats-server's default max_payload of 1 MiB. */
export const MAX_MESSAGE_BYTES = 512 * 1024;
/** Price in ticks: 1 … this. */
export const MAX_PRICE_TICKS = 2 ** 31 - 1;
/** OrderQty in lots: 1 … this. */
export const MAX_QTY_LOTS = 2 ** 31 - 1;
/** Stream sequences: 1 … this. An OrderID, sequence × 4096 + index (≤ 4095), then stays a safe integer. */
export const MAX_SEQUENCE = 2 ** 41 - 1;
/**
 * An iceberg shows itself at most so many times: MaxFloor × this is at least OrderQty. Each time is a trade of its own
 * for the order that takes it all, so that this bounds the events of one command. Markets commonly ask for 5 to 10 %.
 */
export const MAX_ICEBERG_SLICES = 100;
/** Entries of one MassQuote command. */
export const MAX_QUOTE_ENTRIES = 100;
/** QuoteSetID(302), bytes. */
export const MAX_QUOTE_SET_ID_BYTES = 16;
/** QuoteEntryID(299), bytes. */
export const MAX_QUOTE_ENTRY_ID_BYTES = 24;
/** Ids of FIX gateways: 1 … this. Those above are the venue's own (ids.ts). */
export const MAX_GATEWAY_ID = 63_999;
