/**
 * One gateway: FIX sessions, the way to the command streams and the way back. Owns the order in which its parts start
 * and stop. Decides nothing about orders or sessions. Does I/O.
 *
 * Sessions live in the streams: the keeper fetches one before its Logon and gives it back after its connection.
 *
 * Start: the event followers find their place before the first order can be taken, so that no report is missed, and
 * hand over only once there are sessions to hand to. Stop: new orders are refused, what is on its way is waited for,
 * then the sessions are logged out.
 */
import type { Logger } from "../../shared/cli/log.ts";
import type { Dictionary } from "../../shared/codec/fix/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { ensureSessionStreams, ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import type { OrderTracer } from "../../shared/otel/mod.ts";
import { type FixSession, MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import { listenToAdministrators } from "./admin/endpoint.ts";
import { NatsAudit } from "./admin/nats_audit.ts";
import {
  type NatsPorts,
  openNatsPorts,
  refuseLostCommands,
  SessionKeeper,
  storedBoot,
} from "./durable/mod.ts";
import { takeBootNumber } from "./link/boot_number.ts";
import { type CommandPath, openCommandPath } from "./link/command_path.ts";
import { EventFollower } from "./link/event_follower.ts";
import { isReported, writeReport } from "./link/event_report.ts";
import type { EventReceiver } from "./link/event_sequence.ts";
import { OrderApplication } from "./link/order_application.ts";
import { Router } from "./link/router.ts";
import { verdictOf } from "./link/taken_batches.ts";
import { MessageLogs } from "./message_log/message_log.ts";
import { type Acceptor, startAcceptor } from "./net/acceptor.ts";
import { systemClock } from "./net/clock.ts";
import { InstrumentLearner } from "./reference_data/instrument_learner.ts";
import { ReferenceDesk } from "./reference_data/reference_desk.ts";

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
  /** What the messages of a session are held to; FIX 4.4 and the venue's own fields when absent. */
  readonly dictionaryOf?: (session: FixSession) => Dictionary;
  /** Folder of the sessions' message logs; none are written when absent. */
  readonly fixLog?: string;
  /** The gateway cannot go on. */
  readonly onFatal: (error: Error) => void;
  /** Outgoing numbers that a session reserves at a time (default 65,536); small ones are for tests. */
  readonly numberBlock?: number;
  /** How long nothing may be acknowledged before commands are given up, ms (default 10 000); short ones are for tests. */
  readonly giveUpAfterMs?: number;
}

/** How long a drain waits for acknowledgements and reports, ms. */
const DRAIN_MS = 5000;
const DRAIN_LOOK_MS = 5;
/** How long a drain goes on reading before it looks at all, so that what had arrived is answered, ms. */
const DRAIN_LINGER_MS = 50;
/** How long a drain waits for sessions to be given back, ms. */
const GIVE_BACK_MS = 3000;
/** Half of it outlasts a write to the store at 100,000 reports a second even when that takes 0.3 s, as it may under load. */
const NUMBER_BLOCK = 65_536;
/** Longer than an orderly end of the session elsewhere takes. */
const PATIENCE_MS = 1000;
const ACK_WAIT_MS = 2000;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

interface GatewayParts {
  readonly acceptor: Acceptor;
  readonly application: OrderApplication;
  readonly publisher: CommandPath["publisher"];
  readonly followers: ReadonlyMap<number, EventFollower>;
  readonly keeper: SessionKeeper;
  readonly nats: NatsPorts;
  readonly messageLogs: MessageLogs | null;
  readonly learner: InstrumentLearner;
  /** Stops listening to administrators. */
  readonly stopListening: () => void;
  readonly log: Logger;
}

/** A running gateway. */
export class Gateway {
  readonly #parts: GatewayParts;

  private constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** Starts one; resolves when clients can log on and trade. Throws an Error with one sentence. */
  static async start(options: GatewayOptions): Promise<Gateway> {
    const { nc, venue, gatewayId, hostname, port, tracer, log } = options;
    const { limits } = venue;
    refuseSmallPayload(nc);
    const messageLogs = openMessageLogs(options);
    await ensureStreams(nc, venue);
    await ensureSessionStreams(nc, limits);
    const known = await storedBoot(nc, gatewayId, venue.sessions, log);
    const me = { gatewayId, bootId: await takeBootNumber(nc, gatewayId, venue.shards, log, known) };
    const followers = new Map<number, EventFollower>();
    const { nats, keeper } = await openKeeper(options, me, followers);
    await refuseLostCommands(venue.sessions, nats.ports, log);
    const path = openCommandPath({ ...options, ...me, keeper });
    const { publisher } = path;
    const desk = new ReferenceDesk(venue, `${me.gatewayId}-${me.bootId}`);
    const learner = new InstrumentLearner({ nc, onLearned: (states) => desk.learned(states), log });
    const application = new OrderApplication({
      venue,
      commands: publisher,
      reference: desk,
      tracer,
      log,
      incarnationOf: (id) => keeper.incarnationOf(id),
      onLoggedOn: (session) => keeper.begin(session),
    });
    await locateFollowers({ ...options, keeper, path, desk, learner, followers });
    const acceptor = await startAcceptor({
      hostname,
      port,
      venue,
      application,
      clock: systemClock,
      log,
      limits,
      storeOf: (session) => keeper.storeOf(session),
      dictionaryOf: options.dictionaryOf,
      tapOf: (session) => messageLogs?.tapOf(session),
      keeper,
    });
    const ports = { ...nats.ports, audit: await NatsAudit.open(nc), wallMs: systemClock.wallMs };
    const stopListening = listenToAdministrators({ nc, gatewayId, sessions: keeper, ports, log });
    for (const [shard, follower] of followers) {
      learner.ask(shard, follower.nextCmdSeq - 1);
      follower.follow();
    }
    log.info("gateway takes orders", { ...me, port: acceptor.port });
    return new Gateway({
      acceptor,
      application,
      publisher,
      followers,
      keeper,
      nats,
      messageLogs,
      learner,
      stopListening,
      log,
    });
  }

  /** The port that clients connect to. */
  get port(): number {
    return this.#parts.acceptor.port;
  }

  /**
   * Refuses new orders, waits (bounded) until those on their way are in the streams and their reports are sent, logs
   * the sessions out and stops.
   */
  async drain(): Promise<void> {
    const { application, publisher, acceptor, followers, keeper, nats, messageLogs, log } = this.#parts;
    this.#parts.stopListening();
    this.#parts.learner.stop();
    application.stop();
    const deadline = performance.now() + DRAIN_MS;
    await delay(DRAIN_LINGER_MS);
    while (!this.#quiet && performance.now() < deadline) await delay(DRAIN_LOOK_MS);
    if (!this.#quiet) {
      log.warn("stopped before every command was answered", { unacknowledged: publisher.waiting });
    }
    await acceptor.drain("The exchange is stopping");
    await messageLogs?.close();
    await keeper.drain(GIVE_BACK_MS);
    for (const follower of followers.values()) await follower.stop();
    publisher.close();
    await nats.close();
  }

  /** Whether every command taken is acknowledged and its events are handed over. */
  get #quiet(): boolean {
    const { publisher, followers } = this.#parts;
    if (publisher.waiting > 0) return false;
    for (const [shard, follower] of followers) {
      if (follower.nextCmdSeq <= publisher.lastCmdSeq(shard)) return false;
    }
    return true;
  }
}

function refuseSmallPayload(nc: NatsConnection): void {
  const most = nc.info?.max_payload ?? 0;
  if (most >= MAX_MESSAGE_BYTES) return;
  throw new Error(
    `Cannot use the NATS server: expected max_payload ${MAX_MESSAGE_BYTES} or more, got ${most}`,
  );
}

/** The keeper of sessions and its ports; `followers` will say where live events stand. */
async function openKeeper(
  options: GatewayOptions,
  me: { readonly gatewayId: number; readonly bootId: number },
  followers: ReadonlyMap<number, EventFollower>,
): Promise<{ nats: NatsPorts; keeper: SessionKeeper }> {
  const { nc, venue, log } = options;
  const nats = await openNatsPorts({
    nc,
    shards: venue.shards,
    me,
    positions: () => [...followers.values()].map((follower) => follower.position),
    isReported: (reader, acks) => isReported(reader, acks, venue),
    report: (shard, { event, cmdSeq, eventIndex, timestampUs }, writer, acks) =>
      writeReport(event, { shard, cmdSeq, eventIndex, timestampUs }, venue, acks, writer),
    onLapse: () => keeper.verify(),
    log,
  });
  const limits = {
    block: options.numberBlock ?? NUMBER_BLOCK,
    maxUnstoredBytes: venue.limits.maxUnsentBytes,
    maxWaitingBytes: MAX_WAITING_BYTES,
    patienceMs: PATIENCE_MS,
    ackWaitMs: ACK_WAIT_MS,
  };
  const keeper = new SessionKeeper(venue.sessions, { me, ports: nats.ports, limits, log });
  return { nats, keeper };
}

/** What stands behind the followers of events. */
interface FollowerParts extends GatewayOptions {
  readonly keeper: SessionKeeper;
  readonly path: CommandPath;
  readonly desk: ReferenceDesk;
  readonly learner: InstrumentLearner;
  /** Filled. */
  readonly followers: Map<number, EventFollower>;
}

/** Finds each shard's place in the events, from which on reports are routed once the follower follows. */
async function locateFollowers(parts: FollowerParts): Promise<void> {
  const { nc, venue, tracer, log, onFatal, keeper, path, desk, learner, followers } = parts;
  for (const shard of venue.shards) {
    const recipient = (id: number, cmdSeq: number, eventIndex: number) =>
      keeper.recipient(id, shard, cmdSeq, eventIndex);
    const onMarketEvent = desk.event.bind(desk);
    const router = new Router({ shard, venue, recipient, onMarketEvent, tracer, log });
    const batches = path.taken.get(shard)!;
    const receiver: EventReceiver = {
      group: (reader, fromIndex) => {
        if (!reader.continues) batches.group(reader.cmdSeq, verdictOf(reader));
        router.group(reader, fromIndex);
        path.publisher.matched();
      },
    };
    // What a matcher says after this includes what was lost.
    const onMissing = () => learner.ask(shard, followers.get(shard)!.nextCmdSeq - 1);
    const options = { nc, shard, receiver, onMissing, onFatal, log };
    followers.set(shard, await EventFollower.locate(options));
  }
}

function openMessageLogs({ fixLog, venue, gatewayId, log }: GatewayOptions): MessageLogs | null {
  if (fixLog === undefined) return null;
  const { targetCompId } = venue;
  return new MessageLogs({ folder: fixLog, targetCompId, gatewayId, wallMs: systemClock.wallMs, log });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
