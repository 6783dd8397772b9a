/** The random order flow of the tests that kill. Decides what is said, not when. Pure. */
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";

/** An order or request without ClOrdID(11) and TransactTime(60), fields in order. */
export interface OrderMessage {
  readonly msgType: "D" | "F" | "G" | "q";
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
export function randomMessage(senderCompId: string, random: SeededRandom, count: number): OrderMessage {
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

/** The QuoteID of a session's message number `count`. */
export function quoteIdOf(senderCompId: string, count: number): string {
  return `Q-${senderCompId}-${count}`;
}

/** Whether an id is a QuoteID. */
export function isOfQuote(id: string): boolean {
  return id.startsWith("Q-");
}

/**
 * As {@link randomMessage}, with orders of every other kind: market, stop, iceberg, at once or not at all, least quantity,
 * post-only, and cancels of everything in an instrument.
 */
export function randomRichMessage(senderCompId: string, random: SeededRandom, count: number): OrderMessage {
  const gizmo = random.below(3) === 0;
  const lots = (most: number) => String((1 + random.below(most)) * (gizmo ? 10 : 1));
  const side: [number, string] = [54, String(1 + random.below(2))];
  const instrument: [number, string] = [55, gizmo ? "GIZMO" : random.below(2) === 0 ? "ACME" : "TULIP"];
  const price = (tag: number): [number, string] => [tag, String(100 + random.below(4))];
  const order = (...fields: [number, string][]): OrderMessage => ({
    msgType: "D",
    fields: [instrument, side, [38, lots(9)], ...fields],
  });
  switch (random.below(24)) {
    case 0:
      return order([40, "1"]);
    case 1:
      return order([40, "3"], price(99));
    case 2:
      return order([40, "4"], price(44), price(99));
    case 3:
      return order([40, "K"]);
    case 4:
      return order([40, "2"], price(44), [59, "3"]);
    case 5:
      return order([40, "2"], price(44), [59, "4"]);
    case 6:
      return order([40, "2"], price(44), [110, lots(1)]);
    case 7:
      return order([18, "6"], [40, "2"], price(44));
    case 8:
    case 9:
      return {
        msgType: "D",
        fields: [instrument, side, [38, lots(60)], [111, lots(1)], [40, "2"], price(44)],
      };
    case 10:
      if (random.below(8) > 0) return order([40, "2"], price(44));
      return { msgType: "q", fields: [[530, "1"], instrument] };
    default:
      return randomMessage(senderCompId, random, count);
  }
}

/** The fields of a MassQuote(i) for the two instruments of shard 0, behind QuoteID(117). */
export function randomQuote(random: SeededRandom): (readonly [tag: number, value: string])[] {
  const entry = (id: string, symbol: string): [number, string][] => {
    const bid = 98 + random.below(5);
    const offer = bid + 1 + random.below(3);
    const qty = () => String(1 + random.below(5));
    return [[299, id], [55, symbol], [132, String(bid)], [133, String(offer)], [134, qty()], [135, qty()]];
  };
  const head: [number, string][] = [[301, "2"], [296, "1"], [302, "s"], [304, "2"], [295, "2"]];
  return [...head, ...entry("1", "ACME"), ...entry("2", "TULIP")];
}
