/** What `deno task up` prints once the venue trades: one table for people, or one JSON line for scripts. No I/O. */
import Table from "cli-table3";
import type { FixSession } from "../../shared/protocol/instruments.ts";
import type { Venue } from "../../shared/config/mod.ts";
import type { ShardRoles, VenueAddress } from "../venue_process.ts";

/** The JSON line's content. Credentials are there only for the shipped venue, whose are public. */
export interface ReadyReport {
  readonly fix: {
    readonly host: string;
    readonly port: number;
    readonly targetCompId: string;
    readonly sessions: readonly {
      readonly senderCompId: string;
      readonly role: string;
      readonly username?: string;
      readonly password?: string;
    }[];
  };
  readonly nats: { readonly url: string; readonly websocket: string };
  readonly symbols: readonly {
    readonly symbol: string;
    readonly algorithm: string;
    readonly tick: string;
    readonly lot: string;
  }[];
  /** Who leads each shard; only with standbys. */
  readonly matchers?: readonly ShardRoles[];
  readonly store: string;
}

/** The report of a running venue; `roles` is empty without standbys. */
export function readyReport(
  venue: Venue,
  address: VenueAddress,
  roles: readonly ShardRoles[],
  publicCredentials: boolean,
): ReadyReport {
  const session = ({ senderCompId, role, username, password }: FixSession) =>
    publicCredentials ? { senderCompId, role, username, password } : { senderCompId, role };
  return {
    fix: {
      host: address.fixHost,
      port: address.fixPort,
      targetCompId: venue.targetCompId,
      sessions: venue.sessions.map(session),
    },
    nats: { url: address.natsUrl, websocket: address.websocketUrl },
    symbols: venue.instruments.map(({ symbol, algorithm, tick, lot }) => ({ symbol, algorithm, tick, lot })),
    ...(roles.length === 0 ? {} : { matchers: roles }),
    store: address.store,
  };
}

const ALGORITHM_NAMES: Record<string, string> = { F: "FIFO", C: "pro rata" };

/** The table, lines ending in a newline. */
export function readyTable({ fix, nats, symbols, matchers = [], store }: ReadyReport): string {
  const table = new Table({ style: { head: [], border: [] }, wordWrap: true });
  const sessions = fix.sessions.map(({ senderCompId, role, username, password }) =>
    `${senderCompId.padEnd(10)} ${role.padEnd(12)}${
      username === undefined ? "" : ` ${username} / ${password}`
    }`
  );
  const instruments = symbols.map(({ symbol, algorithm, tick, lot }) =>
    `${symbol.padEnd(12)} ${(ALGORITHM_NAMES[algorithm] ?? algorithm).padEnd(9)} tick ${
      tick.padEnd(6)
    } lot ${lot}`
  );
  const roles = matchers.map(({ shard, leader, standby }) =>
    `shard ${shard}   ${leader} leads, ${standby} stands by`
  );
  table.push(
    { "FIX 4.4": `${fix.host}:${fix.port}   TargetCompID ${fix.targetCompId}` },
    { "SenderCompID": sessions.join("\n") },
    { "Symbol": instruments.join("\n") },
    { "NATS": `${nats.url}\n${nats.websocket} (WebSocket)` },
    ...(roles.length === 0 ? [] : [{ "Matcher": roles.join("\n") }]),
    { "State": store },
  );
  return `${table.toString()}\n`;
}
