/** The random order flow of the tests that kill. Decides what is said, not when. Pure. */

/** A seeded generator of whole numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = Math.imul(this.#state, 1664525) + 1013904223 >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }
}

/** An order or request without ClOrdID(11) and TransactTime(60), fields in order. */
export interface OrderMessage {
  readonly msgType: "D" | "F" | "G";
  readonly fields: readonly (readonly [tag: number, value: string])[];
}

/** The ClOrdID of a session's message number `count`. */
export function clOrdIdOf(senderCompId: string, count: number): string {
  return `${senderCompId}-${count}`;
}

/**
 * A random message for tests/integration/venue.yaml: mostly orders that cross, some cancels and replacements of one of
 * the twenty messages before number `count`, some orders that are refused.
 */
export function randomMessage(senderCompId: string, random: Random, count: number): OrderMessage {
  const gizmo = random.below(3) === 0;
  const side: [number, string] = [54, String(1 + random.below(2))];
  const instrument: [number, string] = [55, gizmo ? "GIZMO" : random.below(2) === 0 ? "ACME" : "TULIP"];
  const quantity: [number, string] = [38, String((1 + random.below(9)) * (gizmo ? 10 : 1))];
  const limit: [number, string][] = [[40, "2"], [44, String(100 + random.below(4))]];
  const earlier: [number, string] = [41, clOrdIdOf(senderCompId, Math.max(0, count - 1 - random.below(20)))];
  const what = random.below(20);
  if (what < 14) return { msgType: "D", fields: [instrument, side, quantity, ...limit] };
  if (what < 16) return { msgType: "F", fields: [earlier, instrument, side, quantity] };
  if (what < 18) return { msgType: "G", fields: [earlier, instrument, side, quantity, ...limit] };
  if (what < 19) return { msgType: "D", fields: [instrument, side, [38, "0"], ...limit] };
  return { msgType: "D", fields: [[55, "NOPE"], side, quantity, ...limit] };
}
