/**
 * All durable sessions of one gateway: which of them it holds, who hears of which event, when what was sent is stored.
 * Owns the timers of storing and checkpoints. What one session needs is its holding's. docs/adr/0003-durable-sessions.md.
 */
import { batchOrigin } from "../../../shared/codec/wire/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { SessionPort } from "../application.ts";
import type { Session, SessionStore } from "../session/mod.ts";
import { disconnect } from "./disconnect.ts";
import { DurableSession } from "./durable_session.ts";
import type { ReportPort } from "./lanes.ts";
import type { DurableHost } from "./ports.ts";
import type { Numbers } from "./record.ts";

/** How long a sent message may wait to be stored with others, ms: the cost of storing stays off the path of orders. */
const LINGER_MS = 20;
/** How often pace and bounds are looked at, ms. */
const TICK_MS = 20;
/** How often a session's progress is written to its record; also how long a superseded one may go unnoticed, ms. */
const CHECKPOINT_MS = 30_000;

/** The sessions of one gateway. */
export class SessionKeeper {
  readonly #host: DurableHost;
  /** By session id. */
  readonly #sessions: (DurableSession | undefined)[] = [];
  readonly #dirty = new Set<DurableSession>();
  /** Sessions that this gateway holds. */
  readonly #held = new Set<DurableSession>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #armed = false;
  readonly #ticks: ReturnType<typeof setInterval>;
  readonly #checkpoints: ReturnType<typeof setInterval>;

  constructor(sessions: readonly FixSession[], host: DurableHost) {
    this.#host = host;
    for (const config of sessions) {
      this.#sessions[config.id] = new DurableSession(config, host, (session) => this.#arm(session));
    }
    this.#ticks = setInterval(() => {
      for (const session of this.#held) session.holding?.tick();
    }, TICK_MS);
    this.#checkpoints = setInterval(() => this.verify(), CHECKPOINT_MS);
  }

  /** Where a session of the venue keeps what it sends. */
  storeOf(config: FixSession): SessionStore {
    return this.#of(config.id);
  }

  /** See {@link DurableSession.acquire}. */
  async acquire(session: Session, reset: boolean): Promise<string | null> {
    const durable = this.#of(session.config.id);
    const refusal = await durable.acquire(session, reset);
    if (refusal === null) this.#held.add(durable);
    return refusal;
  }

  /** The Logon that the session was made ready for has been given to it. */
  entered(session: Session): void {
    if (this.#of(session.config.id).holding?.resetDue !== true) return;
    disconnect(session, "the numbers could not start again");
  }

  /** Null while the session's messages are welcome; else resolves when they are again. */
  ready(session: Session): Promise<void> | null {
    return this.#of(session.config.id).holding?.ready ?? null;
  }

  /** The session's Logon was answered. */
  begin(session: SessionPort): void {
    this.#of(session.config.id).holding?.begin();
  }

  /** The session's connection is gone. */
  leave(session: Session): Promise<void> {
    const durable = this.#of(session.config.id);
    return durable.leave().then(() => {
      if (durable.holding === null || durable.holding.over) this.#held.delete(durable);
    });
  }

  /** Where a report of this event goes now; null when not from this gateway, undefined for an unknown session. */
  recipient(
    sessionId: number,
    shard: number,
    cmdSeq: number,
    eventIndex: number,
  ): ReportPort | null | undefined {
    return this.#sessions[sessionId]?.recipient(shard, cmdSeq, eventIndex);
  }

  /** CompID of a session of the venue; undefined for an id that it has not. */
  senderCompId(sessionId: number): string | undefined {
    return this.#sessions[sessionId]?.config.senderCompId;
  }

  /** Where the numbers of a session held here stand; null when it is not. */
  numbers(sessionId: number): Numbers | null {
    return this.#sessions[sessionId]?.numbers ?? null;
  }

  /** See {@link DurableSession.whileFree}. */
  whileFree<T>(sessionId: number, text: string, work: () => Promise<T>): Promise<T> {
    return this.#of(sessionId).whileFree(text, work);
  }

  /** The incarnation of a session's numbers; 0 when it is not held. */
  incarnationOf(sessionId: number): number {
    return this.#sessions[sessionId]?.holding?.incarnation ?? 0;
  }

  /** The session that may be sent an answer to a message of `incarnation`; undefined when there is none here any more. */
  answerPort(sessionId: number, incarnation: number): SessionPort | undefined {
    const holding = this.#sessions[sessionId]?.holding;
    return holding?.incarnation === incarnation ? holding.session : undefined;
  }

  /** A batch of commands, borrowed, is on its way. */
  batchSent(bytes: Uint8Array): void {
    const { sessionId, incarnation, msgSeqNum } = batchOrigin(bytes);
    const holding = this.#sessions[sessionId]?.holding;
    if (holding?.incarnation === incarnation) holding.batchSent(msgSeqNum);
  }

  /** It is in the stream, or its senders have been answered. */
  batchSettled(bytes: Uint8Array): void {
    const { sessionId, incarnation, msgSeqNum } = batchOrigin(bytes);
    const holding = this.#sessions[sessionId]?.holding;
    if (holding?.incarnation === incarnation) holding.batchSettled(msgSeqNum);
  }

  /** Writes every held session's progress, and so finds those that were taken over meanwhile. */
  verify(): void {
    for (const session of this.#held) session.holding?.checkpoint();
  }

  /** Gives every session back; waits at most `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    const left = Promise.all([...this.#held].map((session) => session.leave()));
    await Promise.race([left, this.#host.ports.delay(limitMs)]);
    clearInterval(this.#ticks);
    clearInterval(this.#checkpoints);
    clearTimeout(this.#timer);
  }

  #of(id: number): DurableSession {
    const session = this.#sessions[id];
    if (session === undefined) throw new RangeError(`Cannot find session ${id}: the venue has none`);
    return session;
  }

  #arm(session: DurableSession): void {
    this.#dirty.add(session);
    if (this.#armed) return;
    this.#armed = true;
    this.#timer = setTimeout(() => {
      this.#armed = false;
      const dirty = [...this.#dirty];
      this.#dirty.clear();
      for (const each of dirty) each.holding?.store();
    }, LINGER_MS);
  }
}
