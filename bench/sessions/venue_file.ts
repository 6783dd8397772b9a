/** Owns the venue file of benches that need many sessions: one instrument, one firm, sessions S1, S2, … Pure. */

/** Credentials of every session. */
export const USERNAME = "bench";
/** See {@link USERNAME}. */
export const PASSWORD = "bench-dev";
/** The venue's CompID. */
export const VENUE_COMP_ID = "PITWIRE";

/** CompID of session `number`, from 1. */
export function compIdOf(number: number): string {
  return `S${number}`;
}

/** The file with `count` trading sessions and `limits`; JSON, which is YAML. */
export function venueFile(count: number, limits: Record<string, unknown> = {}): string {
  const sessions = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    senderCompId: compIdOf(index + 1),
    firm: "BENCH",
    role: "trading",
    username: USERNAME,
    password: PASSWORD,
  }));
  const acme = {
    id: 1,
    symbol: "ACME",
    algorithm: "F",
    tick: "0.01",
    priceScale: 2,
    lot: "1",
    qtyScale: 0,
    maxOrderQty: "1000000",
  };
  return JSON.stringify({
    name: "pitwire-bench",
    targetCompId: VENUE_COMP_ID,
    instruments: [acme],
    firms: [{ id: 1, name: "BENCH" }],
    sessions,
    limits: { maxConnections: count + 16, ...limits },
  });
}
