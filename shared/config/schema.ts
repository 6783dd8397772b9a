/**
 * The venue file's shape, as zod sees it: types, ranges, characters. What needs more than one value at a time is
 * checked in build.ts. Every message completes the sentence "expected …".
 */
import { z } from "zod";
import { MatchAlgorithm } from "../protocol/kinds.ts";
import { MAX_PRICE_TICKS, MAX_SYMBOL_BYTES } from "../protocol/limits.ts";
import { NO_SYMBOL } from "../protocol/subjects.ts";
import { tradingScheduleSchema } from "./schedule_schema.ts";
import { SETTINGS, settingsSchema } from "./session_schema.ts";

const ID = "a whole number from 1 to 65535";
const id = z.int(ID).min(1, ID).max(65535, ID);

/** Names that become a NATS subject token or part of a file name. */
function token(what: string, maxLength: number) {
  const text = `${what} of 1 to ${maxLength} letters A-Z a-z, digits, _ or -`;
  return z.string(text).max(maxLength, text).regex(/^[A-Za-z0-9_-]+$/, text);
}

const SYMBOL = `a symbol of 1 to ${MAX_SYMBOL_BYTES} letters A-Z a-z, digits, _ - or / ` +
  "(no dot or space: a symbol is one token of a NATS subject)";
const symbol = z.string(SYMBOL).max(MAX_SYMBOL_BYTES, SYMBOL).regex(/^[A-Za-z0-9_/-]+$/, SYMBOL)
  .refine(
    (text) => !text.startsWith(NO_SYMBOL),
    `a symbol that does not begin with ${NO_SYMBOL}: such subject tokens are the venue's own`,
  );

const DECIMAL = 'a positive decimal in quotes, such as "0.05"';
const decimal = z.string(DECIMAL).regex(/^(?=.*[1-9])\d{1,15}(\.\d{1,9})?$/, DECIMAL);

const SCALE = "a whole number of decimals from 0 to 9";
const scale = z.int(SCALE).min(0, SCALE).max(9, SCALE);

const SHARD = "a shard number from 0 to 999";
const shard = z.int(SHARD).min(0, SHARD).max(999, SHARD);

const SECRET = "1 to 64 printable ASCII characters without spaces";
const secret = z.string(SECRET).max(64, SECRET).regex(/^[!-~]+$/, SECRET);

function count(least: number, most: number) {
  const text = `a whole number from ${least} to ${most}`;
  return z.int(text).min(least, text).max(most, text);
}

const ALGORITHM = "F (FIFO), C (pro rata), A, O, Q, S, T or K: docs/matching.md says what they do";
const algorithm = z.enum(Object.values(MatchAlgorithm), ALGORITHM);

const SWITCHABLE = "a list of algorithms out of F, C, A, O, Q, S, T, K, each once";
const POST_ONLY = "reject or reprice";
const MAKERS = "a list of lead market makers, each with firm and percent";

const leadMarketMaker = z.strictObject({
  firm: z.string("the name of a firm"),
  percent: count(1, 100),
}, "a lead market maker (firm, percent)");

const instrument = z.strictObject({
  id,
  symbol,
  shard: shard.default(0),
  algorithm,
  tick: decimal,
  lot: decimal,
  priceScale: scale,
  qtyScale: scale,
  maxOrderQty: decimal,
  proRataMin: count(1, 1_000_000).optional(),
  topMin: decimal.optional(),
  topMax: decimal.optional(),
  fifoPercent: count(0, 100).optional(),
  leadMarketMakers: z.array(leadMarketMaker, MAKERS).min(1, MAKERS).optional(),
  switchableTo: z.array(z.enum(Object.values(MatchAlgorithm), SWITCHABLE), SWITCHABLE)
    .refine((list) => new Set(list).size === list.length, SWITCHABLE).optional(),
  protectionTicks: count(1, MAX_PRICE_TICKS).optional(),
  bandTicks: count(1, MAX_PRICE_TICKS).optional(),
  volatilityAuctionSec: count(1, 86_400).optional(),
  referencePrice: decimal.optional(),
  postOnly: z.enum(["reject", "reprice"], POST_ONLY).optional(),
}, "an instrument");

const SMP = "none, cancel-resting, cancel-aggressor, cancel-both or decrement";
const firm = z.strictObject({
  id,
  name: token("a name", 32),
  selfMatchPrevention: z.enum(
    ["none", "cancel-resting", "cancel-aggressor", "cancel-both", "decrement"],
    SMP,
  ).optional(),
}, "a firm");

const session = z.strictObject({
  id,
  senderCompId: token("a CompID", 32),
  firm: z.string("the name of a firm"),
  role: z.enum(["trading", "drop-copy", "market-data"], "trading, drop-copy or market-data"),
  username: secret,
  password: secret,
  ...SETTINGS,
}, "a session");

/** How much nats-server makes sure of before it acknowledges a write (docs/operations.md, "Durability"). */
const DURABILITIES = ["default", "power-loss"] as const;

const MiB = 2 ** 20;

const limits = z.strictObject({
  maxMessageBytes: count(1024, MiB).default(16384),
  maxFieldsPerMessage: count(32, 4096).default(512),
  maxGroupEntries: count(1, 4096).default(256),
  heartBtIntMinSec: count(0, 3600).default(1),
  heartBtIntMaxSec: count(1, 86400).default(300),
  sendingTimeToleranceSec: count(1, 86400).default(120),
  logonTimeoutSec: count(1, 600).default(10),
  maxUnsentBytes: count(65536, 1024 * MiB).default(16 * MiB),
  unsentTimeoutSec: count(1, 3600).default(30),
  maxQueuedMessages: count(1, 1_000_000).default(10_000),
  maxConnections: count(1, 65535).default(1024),
  logonsPerMinutePerAddress: count(1, 1_000_000).default(6000),
  maxMessagesPerSecond: count(1, 10_000_000).default(100_000),
  overRateAnswer: z.enum(["reject", "business-reject", "logout"], "reject, business-reject or logout")
    .default("reject"),
  maxResendRepeats: count(1, 1_000_000).default(20),
  maxOpenOrders: count(16, 8_000_000).default(1_000_000),
  clOrdIdHistory: count(1, 8_000_000).default(100_000),
  snapshotEveryCommands: count(100, 1_000_000_000).default(500_000),
  cmdStreamBytes: count(MiB, 2 ** 40).default(1024 * MiB),
  evStreamBytes: count(MiB, 2 ** 40).default(2048 * MiB),
  fixOutStreamBytes: count(MiB, 2 ** 40).default(1024 * MiB),
  fixOutMaxAgeHours: count(1, 24 * 366).default(168),
  conflationMs: count(1, 60_000).default(50),
  maxInFlightCommands: count(1, 65536).default(4096),
}, "limits");

/** The venue file. Unknown keys are errors. */
export const venueSchema = z.strictObject({
  name: token("a name", 32),
  targetCompId: token("a CompID", 32),
  shards: z.array(shard, "a list of shard numbers").min(1, "at least one shard").default([0]),
  firms: z.array(firm, "a list of firms").min(1, "at least one firm"),
  instruments: z.array(instrument, "a list of instruments").min(1, "at least one instrument"),
  sessions: z.array(session, "a list of sessions").min(1, "at least one session"),
  sessionDefaults: settingsSchema.prefault({}),
  schedule: tradingScheduleSchema.optional(),
  durability: z.enum(DURABILITIES, DURABILITIES.join(" or ")).default("default"),
  limits: limits.prefault({}),
}, "a venue");

/** A venue file whose every value is sound by itself. */
export type VenueFile = z.infer<typeof venueSchema>;
/** One firm of it. */
export type FirmEntry = VenueFile["firms"][number];
/** One instrument of it. */
export type InstrumentEntry = VenueFile["instruments"][number];
