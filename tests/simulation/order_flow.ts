/** The random order flow of a simulated client, and the venue that it trades at. Decides what is said, not when. Pure. */
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";

/** One message without ClOrdID(11) and TransactTime(60), fields in order. */
export interface OrderMessage {
  readonly msgType: "D" | "F" | "G";
  readonly fields: readonly (readonly [tag: number, value: string])[];
}

/** Two books on one shard, one first come first served and one pro rata; three sessions of two firms. */
export const VENUE_TEXT = `
name: pitwire-simulation
targetCompId: PITWIRE
shards: [0]
instruments:
  - { id: 1, symbol: ACME, algorithm: F, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "1000" }
  - { id: 2, symbol: TULIP, algorithm: C, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "1000" }
limits: { maxOpenOrders: 3000, clOrdIdHistory: 3000, maxInFlightCommands: 32 }
firms:
  - { id: 1, name: ALPHA }
  - { id: 2, name: BETA }
sessions:
  - { id: 1, senderCompId: A1, firm: ALPHA, role: trading, username: a1, password: a1-simulated }
  - { id: 2, senderCompId: A2, firm: ALPHA, role: trading, username: a2, password: a2-simulated }
  - { id: 3, senderCompId: B1, firm: BETA, role: trading, username: b1, password: b1-simulated }
`;

/** The ClOrdID of a session's message number `count`. */
export function clOrdIdOf(senderCompId: string, count: number): string {
  return `${senderCompId}-${count}`;
}

/** Mostly orders that cross, some cancels and replacements of one of the twenty messages before, some that are refused. */
export function randomOrder(
  senderCompId: string,
  random: SeededRandom,
  count: number,
  nowMs: number,
): OrderMessage {
  const side: [number, string] = [54, String(1 + random.below(2))];
  const instrument: [number, string] = [55, random.pick(["ACME", "TULIP"])];
  const quantity: [number, string] = [38, String(1 + random.below(9))];
  const limit: [number, string][] = [[40, "2"], [44, String(100 + random.below(4))]];
  const earlier: [number, string] = [41, clOrdIdOf(senderCompId, Math.max(0, count - 1 - random.below(20)))];
  const what = random.below(24);
  if (what < 13) return { msgType: "D", fields: [instrument, side, quantity, ...limit] };
  if (what < 14) return { msgType: "D", fields: [instrument, side, quantity, ...limit, [59, "3"]] };
  if (what < 15) return { msgType: "D", fields: [instrument, side, quantity, [40, "1"]] };
  if (what < 17) {
    const expires = new Date(nowMs + 200 + random.below(3000)).toISOString().replaceAll("-", "")
      .replace("T", "-").slice(0, 21);
    return { msgType: "D", fields: [instrument, side, quantity, ...limit, [59, "6"], [126, expires]] };
  }
  if (what < 20) return { msgType: "F", fields: [earlier, instrument, side, quantity] };
  if (what < 22) return { msgType: "G", fields: [earlier, instrument, side, quantity, ...limit] };
  if (what < 23) return { msgType: "D", fields: [instrument, side, [38, "0"], ...limit] };
  return { msgType: "D", fields: [[55, "NOPE"], side, quantity, ...limit] };
}
