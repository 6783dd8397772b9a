/**
 * What `deno task admin` does with sessions: reads them from the streams, asks the gateway that holds one, and changes
 * numbers there, or itself when no gateway holds it. Owns the choice between the two. Does I/O.
 */
import {
  type ChangePorts,
  changeSession,
  readSession,
} from "../../services/fix-gateway/admin/change_session.ts";
import { type NumberChange, numbersOf } from "../../services/fix-gateway/admin/change.ts";
import type { AdminAnswer, AdminRequest } from "../../services/fix-gateway/admin/request.ts";
import type { Position } from "../../services/fix-gateway/durable/position.ts";
import type { Numbers } from "../../services/fix-gateway/durable/record.ts";
import { EventFollower } from "../../services/fix-gateway/link/event_follower.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { gatewayAdminSubject } from "../../shared/protocol/mod.ts";
import type { FixSession } from "../../shared/protocol/mod.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";

/** One session as an operator sees it. */
export interface SessionStatus {
  readonly session: string;
  readonly id: number;
  readonly role: string;
  /**
   * `connected`: a gateway holds it; `free`; `orphaned`: the gateway that held it is gone; `lost`: its numbers are gone, and
   * have to start again or be set; `unused`: never logged on.
   */
  readonly state: "connected" | "free" | "orphaned" | "lost" | "unused";
  /** The gateway that holds it, or held it when it died. */
  readonly gateway: number | null;
  readonly numbers: Numbers;
}

/** What came of a change. */
export type ChangeResult =
  | { readonly kind: "changed"; readonly session: string; readonly before: Numbers; readonly after: Numbers }
  | { readonly kind: "refused"; readonly session: string; readonly reason: string };

/** Longer than a gateway takes to log a client out and give its session back. */
const CHANGE_MS = 12_000;
const NUMBERS_MS = 2000;
const UNUSED: Numbers = { out: 1, in: 1, incarnation: 0, sinceMs: 0 };

/** Where the events of `shards` end. Rejects when that cannot be read. */
export async function eventPlaces(nc: NatsConnection, shards: readonly number[]): Promise<Position[]> {
  const options = { nc, receiver: { group: () => {} }, onFatal: () => {}, log: nullLogger };
  const places = [];
  for (const shard of shards) {
    const follower = await EventFollower.locate({ ...options, shard });
    places.push(follower.position);
    await follower.stop();
  }
  return places;
}

/** Sessions of a running venue. */
export class SessionAdmin {
  readonly #nc: NatsConnection;
  readonly #ports: ChangePorts;

  constructor(nc: NatsConnection, ports: ChangePorts) {
    this.#nc = nc;
    this.#ports = ports;
  }

  /** Where a session stands. Rejects when that cannot be found out. */
  async status({ id, senderCompId, role }: FixSession): Promise<SessionStatus> {
    const head = { session: senderCompId, id, role };
    const { session: found, holder } = await readSession(id, this.#ports);
    if (found === null) return { ...head, state: "unused", gateway: null, numbers: UNUSED };
    const { owner } = found.record;
    if (holder !== null) {
      const answer = await this.#ask(holder.gatewayId, { action: "numbers", session: id }, NUMBERS_MS);
      const numbers = answer.kind === "numbers" && answer.numbers !== null
        ? answer.numbers
        : numbersOf(found);
      return { ...head, state: "connected", gateway: holder.gatewayId, numbers };
    }
    const state = found.isLost ? "lost" : owner === null ? "free" : "orphaned";
    return { ...head, state, gateway: owner?.gatewayId ?? null, numbers: numbersOf(found) };
  }

  /** Changes a session's numbers; a client that is connected is logged out first. Rejects when nobody can say what came of it. */
  async change({ id, senderCompId }: FixSession, change: NumberChange, by: string): Promise<ChangeResult> {
    const { holder } = await readSession(id, this.#ports);
    const session = senderCompId;
    if (holder === null) {
      const request = { session: { id, senderCompId }, change, by, via: "admin" };
      return { session, ...await changeSession(request, this.#ports) };
    }
    const request = { action: "change", session: id, change, by } as const;
    const answer = await this.#ask(holder.gatewayId, request, CHANGE_MS);
    if (answer.kind === "numbers") throw new Error(`Cannot understand gateway ${holder.gatewayId}`);
    return { session, ...answer };
  }

  async #ask(gatewayId: number, request: AdminRequest, timeout: number): Promise<AdminAnswer> {
    try {
      const text = JSON.stringify(request);
      const answer = await this.#nc.request(gatewayAdminSubject(gatewayId), text, { timeout });
      return answer.json<AdminAnswer>();
    } catch (cause) {
      throw new Error(`Cannot reach gateway ${gatewayId}, which holds the session`, { cause });
    }
  }
}
