/**
 * One gateway: FIX sessions, the way to the command streams and the way back. Owns the order in which its parts start
 * and stop. Decides nothing about orders or sessions. Does I/O.
 *
 * Start: the event followers find their place before the first order can be taken, so that no report is missed, and
 * hand over only once there are sessions to hand to. Stop: new orders are refused, what is on its way is waited for,
 * then the sessions are logged out.
 */
import type { Logger } from "../../shared/cli/log.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import type { OrderTracer } from "../../shared/otel/mod.ts";
import { MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import type { SessionPort } from "./application.ts";
import { takeBootNumber } from "./link/boot_number.ts";
import { CommandPublisher } from "./link/command_publisher.ts";
import { EventFollower } from "./link/event_follower.ts";
import { OrderApplication } from "./link/order_application.ts";
import { Router } from "./link/router.ts";
import { answerUnavailable } from "./link/unavailable.ts";
import { type Acceptor, startAcceptor } from "./net/acceptor.ts";
import { systemClock } from "./net/clock.ts";

/** What a gateway needs. */
export interface GatewayOptions {
  /** The caller closes it, after {@link Gateway.drain}. */
  readonly nc: NatsConnection;
  readonly venue: Venue;
  /** 1 … 65535, different for every gateway of the venue. */
  readonly gatewayId: number;
  readonly hostname: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tracer: OrderTracer;
  readonly log: Logger;
  /** The gateway cannot go on. */
  readonly onFatal: (error: Error) => void;
}

/** How long a drain waits for acknowledgements and reports, ms. */
const DRAIN_MS = 5000;
const DRAIN_LOOK_MS = 5;
/** How long a drain goes on reading before it looks at all, so that what had arrived is answered, ms. */
const DRAIN_LINGER_MS = 50;

/** A running gateway. */
export class Gateway {
  readonly #acceptor: Acceptor;
  readonly #application: OrderApplication;
  readonly #publisher: CommandPublisher;
  readonly #followers: ReadonlyMap<number, EventFollower>;
  readonly #log: Logger;

  private constructor(
    acceptor: Acceptor,
    application: OrderApplication,
    publisher: CommandPublisher,
    followers: ReadonlyMap<number, EventFollower>,
    log: Logger,
  ) {
    this.#acceptor = acceptor;
    this.#application = application;
    this.#publisher = publisher;
    this.#followers = followers;
    this.#log = log;
  }

  /** Starts one; resolves when clients can log on and trade. Throws an Error with one sentence. */
  static async start(options: GatewayOptions): Promise<Gateway> {
    const { nc, venue, gatewayId, hostname, port, tracer, log, onFatal } = options;
    const maxPayload = nc.info?.max_payload ?? 0;
    if (maxPayload < MAX_MESSAGE_BYTES) {
      throw new Error(
        `Cannot use the NATS server: expected max_payload ${MAX_MESSAGE_BYTES} or more, got ${maxPayload}`,
      );
    }
    await ensureStreams(nc, venue);
    const bootId = await takeBootNumber(nc, gatewayId);
    let acceptor: Acceptor | null = null;
    const session = (id: number): SessionPort | undefined =>
      venue.sessionById.has(id) ? acceptor?.session(id) : undefined;
    const publisher = new CommandPublisher({
      nc,
      venue,
      gatewayId,
      bootId,
      onGivenUp: (batch, reason) => answerUnavailable(batch, reason, session),
      log,
    });
    const application = new OrderApplication({ venue, commands: publisher, tracer });
    const followers = new Map<number, EventFollower>();
    for (const shard of venue.shards) {
      const receiver = new Router({ shard, venue, session, tracer, log });
      followers.set(shard, await EventFollower.locate({ nc, shard, receiver, onFatal, log }));
    }
    const { limits } = venue;
    acceptor = await startAcceptor({ hostname, port, venue, application, clock: systemClock, log, limits });
    for (const follower of followers.values()) follower.follow();
    log.info("gateway takes orders", { gatewayId, bootId, port: acceptor.port });
    return new Gateway(acceptor, application, publisher, followers, log);
  }

  /** The port that clients connect to. */
  get port(): number {
    return this.#acceptor.port;
  }

  /**
   * Refuses new orders, waits (bounded) until those on their way are in the streams and their reports are sent, logs
   * the sessions out and stops.
   */
  async drain(): Promise<void> {
    this.#application.stop();
    const deadline = performance.now() + DRAIN_MS;
    await delay(DRAIN_LINGER_MS);
    while (!this.#quiet && performance.now() < deadline) await delay(DRAIN_LOOK_MS);
    if (!this.#quiet) {
      this.#log.warn("stopped before every command was answered", {
        unacknowledged: this.#publisher.waiting,
      });
    }
    await this.#acceptor.drain("The exchange is stopping");
    for (const follower of this.#followers.values()) await follower.stop();
    this.#publisher.close();
  }

  /** Whether every command taken is acknowledged and its events are handed over. */
  get #quiet(): boolean {
    if (this.#publisher.waiting > 0) return false;
    for (const [shard, follower] of this.#followers) {
      if (follower.nextCmdSeq <= this.#publisher.lastCmdSeq(shard)) return false;
    }
    return true;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
