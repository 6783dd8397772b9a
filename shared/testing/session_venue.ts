/**
 * The venue file of tests and benches that need many sessions: one instrument, one firm, sessions S1, S2, … Test code only.
 * Pure.
 */
import type { SettingsEntry } from "../config/session_schema.ts";

/** Credentials of every session. */
export const USERNAME = "tester";
/** See {@link USERNAME}. */
export const PASSWORD = "tester-dev";
/** The venue's CompID. */
export const VENUE_COMP_ID = "PITWIRE";

/** CompID of session `number`, from 1. */
export function compIdOf(number: number): string {
  return `S${number}`;
}

/** The file with a trading session for each of the settings, and `limits`; JSON, which is YAML. */
export function sessionVenue(settings: readonly SettingsEntry[], limits: Record<string, number>): string {
  const sessions = settings.map((own, index) => ({
    ...own,
    id: index + 1,
    senderCompId: compIdOf(index + 1),
    firm: "ALPHA",
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
    name: "pitwire-sessions",
    targetCompId: VENUE_COMP_ID,
    instruments: [acme],
    firms: [{ id: 1, name: "ALPHA" }],
    sessions,
    limits,
  });
}
