/**
 * Owns the venue file of the gateway's acceptance run: one session per script, so that each starts at
 * number 1.
 */
import type { SettingsEntry } from "../../shared/config/session_schema.ts";

/** Our CompID there. */
export const GATEWAY_COMP_ID = "PITWIRE";
/** Every session's credentials. */
export const USERNAME = "script";
/** See {@link USERNAME}. */
export const PASSWORD = "script-test";

/** CompID of the session that script number `index` uses. */
export function gatewayPeerCompId(index: number): string {
  return `S${index + 1}`;
}

/** The venue file with a session for each of the settings, as YAML. */
export function gatewayVenue(settings: readonly SettingsEntry[]): string {
  const sessions = settings.map((own, index) => ({
    ...own,
    id: index + 1,
    senderCompId: gatewayPeerCompId(index),
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
    maxOrderQty: "1000",
  };
  return JSON.stringify({
    name: "pitwire-acceptance",
    targetCompId: GATEWAY_COMP_ID,
    shards: [0],
    instruments: [acme],
    firms: [{ id: 1, name: "ALPHA" }],
    sessions,
    limits: { heartBtIntMinSec: 0, logonsPerMinutePerAddress: 100_000 },
  });
}
