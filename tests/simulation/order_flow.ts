/**
 * The random flow of a simulated client, the venues that it trades at, and what an operator asks for meanwhile. Decides what
 * is said, not when. Pure.
 */
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { controlSubject, handoverSubject } from "../../shared/protocol/mod.ts";
import { quoteIdOf, randomQuote, randomRichMessage } from "../recovery/random_orders.ts";

/** One message but for TransactTime(60), fields in order behind its identifier. */
export interface OrderMessage {
  readonly msgType: string;
  /** ClOrdID(11), QuoteID(117) or MassStatusReqID(584), and its value. */
  readonly id: readonly [tag: number, value: string];
  readonly fields: readonly (readonly [tag: number, value: string])[];
  /** In how many shards it is answered; once in each. */
  readonly shards: number;
}

/** What differs between venues. */
export interface VenueChoice {
  /** One shard, or another one for GIZMO. */
  readonly shards: 1 | 2;
  /** Whether a schedule of phases goes on while the run does. */
  readonly schedule: boolean;
}

/** Three books, one of them pro rata; three sessions of two firms. */
export function venueText({ shards, schedule }: VenueChoice): string {
  return `
name: pitwire-simulation
targetCompId: PITWIRE
shards: [${shards === 1 ? "0" : "0, 1"}]
instruments:
  - { id: 1, symbol: ACME, algorithm: F, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "1000" }
  - { id: 2, symbol: GIZMO, shard: ${
    shards - 1
  }, algorithm: F, tick: "1", priceScale: 0, lot: "10", qtyScale: 0, maxOrderQty: "9000" }
  - { id: 3, symbol: TULIP, algorithm: C, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "1000" }
limits: { maxOpenOrders: 3000, clOrdIdHistory: 3000, maxInFlightCommands: 32 }
firms:
  - { id: 1, name: ALPHA }
  - { id: 2, name: BETA }
sessions:
  - { id: 1, senderCompId: A1, firm: ALPHA, role: trading, username: a1, password: a1-simulated }
  - { id: 2, senderCompId: A2, firm: ALPHA, role: trading, username: a2, password: a2-simulated }
  - { id: 3, senderCompId: B1, firm: BETA, role: trading, username: b1, password: b1-simulated }
${schedule ? SCHEDULE : ""}`;
}

/** A day in four seconds; runs begin at eight o'clock. */
const SCHEDULE = `
schedule:
  timeZone: UTC
  phases:
    - { at: "07:00", phase: pre-open }
    - { at: "08:00:01", phase: opening-auction }
    - { at: "08:00:02", phase: continuous }
    - { at: "08:00:03", phase: closing-auction }
    - { at: "08:00:04", phase: closed }
    - { at: "08:00:05", phase: continuous }
`;

/** Orders of every kind, cancels and replacements, quotes and mass actions; some that are refused. */
export function randomOrder(
  senderCompId: string,
  random: SeededRandom,
  count: number,
  nowMs: number,
  shards: number,
): OrderMessage {
  const clOrdId = [11, `${senderCompId}-${count}`] as const;
  const what = random.below(60);
  const symbol = () => [55, random.pick(["ACME", "GIZMO", "TULIP"])] as const;
  if (what < 4) {
    const quoteId = [117, quoteIdOf(senderCompId, count)] as const;
    if (what < 3) return { msgType: "i", id: quoteId, fields: randomQuote(random), shards: 1 };
    const one = random.chance(0.5);
    const fields = one ? [[298, "1"], [295, "1"], symbol()] as const : [[298, "4"]] as const;
    return { msgType: "Z", id: quoteId, fields, shards: one ? 1 : shards };
  }
  if (what < 6) {
    const isCancel = random.chance(0.4);
    const all = random.chance(0.5);
    const type = [isCancel ? 530 : 585, all ? "7" : "1"] as const;
    const fields = all ? [type] : [type, symbol()];
    const id = isCancel ? clOrdId : [584, clOrdId[1]] as const;
    return { msgType: isCancel ? "q" : "AF", id, fields, shards: all ? shards : 1 };
  }
  if (what < 12) {
    const side = [54, String(1 + random.below(2))] as const;
    const terms = [[38, "10"], [40, "2"], [44, String(100 + random.below(4))]] as const;
    const more = random.chance(0.4) ? selfMatch(random) : timeInForce(random, nowMs);
    return { msgType: "D", id: clOrdId, fields: [symbol(), side, ...terms, ...more], shards: 1 };
  }
  const { msgType, fields } = randomRichMessage(senderCompId, random, count);
  return { msgType, id: clOrdId, fields, shards: 1 };
}

type Field = readonly [tag: number, value: string];

/** SelfMatchPreventionID(7928), and mostly SelfMatchPreventionInstruction(8000). */
function selfMatch(random: SeededRandom): readonly Field[] {
  const instruction = random.pick(["O", "N", "B", "D", "X", null]);
  return [
    [7928, String(1 + random.below(2))],
    ...(instruction === null ? [] : [[8000, instruction] as const]),
  ];
}

/** Good till cancel, at the opening, at the close, or till soon. */
function timeInForce(random: SeededRandom, nowMs: number): readonly Field[] {
  const value = random.pick(["1", "2", "7", "6", "6", "6"]);
  if (value !== "6") return [[59, value]];
  const expires = new Date(nowMs + 200 + random.below(3000)).toISOString().replaceAll("-", "");
  return [[59, "6"], [126, expires.replace("T", "-").slice(0, 21)]];
}

/** A request of an operator's to the matcher of a shard: subject and text. */
export function randomRequest(
  shard: number,
  symbols: readonly string[],
  random: SeededRandom,
): readonly [subject: string, text: string] {
  const symbol = random.pick(symbols);
  const by = "operator";
  const what = random.below(10);
  if (what < 3) return [handoverSubject(shard), ""];
  if (what < 7) {
    const phase = random.chance(0.5) ? "continuous" : random.pick(PHASES);
    const where = random.chance(0.3) ? { all: true } : { symbol };
    return [controlSubject(shard), JSON.stringify({ do: "phase", by, phase, ...where })];
  }
  if (what < 9) {
    const algorithm = random.pick(ALGORITHMS);
    return [controlSubject(shard), JSON.stringify({ do: "algorithm", by, symbol, algorithm })];
  }
  return [controlSubject(shard), JSON.stringify({ do: "mass-cancel", by, symbol })];
}

const PHASES = [
  "pre-open",
  "no-cancel",
  "opening-auction",
  "halt",
  "volatility-auction",
  "closing-auction",
  "closed",
];
const ALGORITHMS = ["F", "C", "A", "O", "Q", "S", "T", "K"];
