/**
 * The world of durable sessions for tests: records, sent messages, leases and events in memory, virtual time, and a gateway
 * process that can die or pause at any single operation, that operation done or not. Test support only.
 */
import { FixWriter } from "../../../shared/codec/fix/mod.ts";
import { Event, EventBatchReader, EventBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { nullLogger } from "../../../shared/cli/log.ts";
import { EventKind, type FixSession } from "../../../shared/protocol/mod.ts";
import { Session, type SessionStore, type StoredPage } from "../session/mod.ts";
import { DurableSession } from "./durable_session.ts";
import { type OutRecord, readOutRecord } from "./out_record.ts";
import type { AppliedCommands, DurablePorts, HistoryReceiver, LastRecord, PublishOutcome } from "./ports.ts";
import type { Position } from "./position.ts";
import { formatRecord, parseRecord, type SessionRecord } from "./record.ts";

/** The session of all tests. */
export const CONFIG: FixSession = {
  id: 7,
  senderCompId: "TW",
  firm: { id: 1, name: "F" },
  role: "trading",
  username: "u",
  password: "p",
};

const UNKNOWN: PublishOutcome = { kind: "unknown" };
const NEVER = new Promise<never>(() => {});

/** What survives processes. */
export class FakeWorld {
  record: { text: string; revision: number } | null = null;
  readonly out: LastRecord[] = [];
  /** Stored event messages of shard 0; message i + 1 is that of command i + 1. */
  readonly events: Uint8Array[] = [];
  /** Those of the commands behind, which matchers have told of but not stored yet. */
  readonly unstored: Uint8Array[] = [];
  /** Resolves when there are more. */
  more: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly leases = new Map<number, number>();
  /** The first sequence that the stream of sent messages holds. */
  firstOutSeq = 1;
  /** What matchers remember of the session, or why they do not say. */
  applied: Awaited<ReturnType<AppliedCommands["of"]>> = { incarnation: 0, highest: 0 };
  nowMs = 0;
  /** While it is pending, what is written is there, but nobody is told. */
  answers: Promise<void> | null = null;
  #revision = 0;

  /** Command `cmdSeq` causes one event for every session named. */
  addEvents(...sessions: number[]): void {
    const writer = new EventBatchWriter(4096 + 256 * sessions.length);
    writer.begin(0, 1, this.events.length + 1, 1_000_000);
    const event = new Event();
    event.kind = EventKind.OrderAccepted;
    for (const session of sessions) {
      event.sessionId = session;
      writer.append(event);
    }
    this.events.push(writer.end()[0]);
    this.more.resolve();
    this.more = Promise.withResolvers();
  }

  read(): { record: SessionRecord; revision: number } | null {
    return this.record === null
      ? null
      : { record: parseRecord(this.record.text), revision: this.record.revision };
  }

  write(record: SessionRecord, revision: number): number | null {
    if ((this.record?.revision ?? 0) !== revision) return null;
    this.record = { text: formatRecord(record), revision: ++this.#revision };
    return this.#revision;
  }

  publish(bytes: Uint8Array, expectedSeq: number): PublishOutcome {
    if ((this.out.at(-1)?.seq ?? 0) !== expectedSeq) return { kind: "conflict" };
    // Other sessions' records lie in between.
    const seq = expectedSeq + 3;
    this.out.push({ seq, bytes: bytes.slice(), storedMs: this.nowMs });
    return { kind: "stored", seq };
  }

  /** What can be resent: body texts by number, of the newest incarnation. */
  stored(): Map<number, string> {
    const records: OutRecord[] = this.out.map(({ bytes }) => readOutRecord(bytes));
    const incarnation = Math.max(0, ...records.map((each) => each.incarnation));
    const found: Parameters<OutRecord["collect"]>[2] = [];
    for (const each of records) if (each.incarnation === incarnation) each.collect(1, 2 ** 31, found);
    return new Map(found.map(({ seq, body }) => [seq, new TextDecoder().decode(body)]));
  }
}

/** A message as the process sent it. */
export interface Sent {
  readonly seq: number;
  readonly possResend: boolean;
  readonly body: string;
}

/** One gateway process with the one session. */
export class FakeProcess {
  /** Everything that left for the client. */
  readonly sent: Sent[] = [];
  readonly durable: DurableSession;
  readonly session: Session;
  readonly world: FakeWorld;
  /** What was logged as an error. */
  readonly errors: string[] = [];
  /** What was logged as a warning. */
  readonly warnings: string[] = [];
  /** Operations on the world so far. */
  operations = 0;
  /** At this operation the process stops: nothing of it happens any more. */
  stopAt = Infinity;
  /** Whether the operation at which it stops is still done. */
  stopAfter = false;
  stopped = false;
  /** Writes whose answer is lost with the connection, by operation: whether they are done all the same. */
  readonly troubled = new Map<number, boolean>();
  /** Those of them that happened. */
  troubles = 0;
  /** Operations that answer "unknown" though they are done. */
  readonly unanswered = new Set<number>();
  #live: Position = { shard: 0, cmdSeq: 1, eventIndex: 0, evSeq: 0 };

  constructor(world: FakeWorld, gatewayId: number, bootId: number, block = 4, maxUnstoredBytes = 1 << 20) {
    this.world = world;
    world.leases.set(gatewayId, bootId);
    this.#live = { shard: 0, cmdSeq: world.events.length + 1, eventIndex: 0, evSeq: world.events.length };
    const host = {
      me: { gatewayId, bootId },
      ports: this.ports,
      limits: { block, maxUnstoredBytes, maxWaitingBytes: 1 << 16, patienceMs: 100, ackWaitMs: 50 },
      log: {
        ...nullLogger,
        error: (message: string, fields?: unknown) =>
          this.errors.push(`${message} ${JSON.stringify(fields)}`),
        warn: (message: string, fields?: unknown) =>
          this.warnings.push(`${message} ${JSON.stringify(fields)}`),
      },
    };
    this.durable = new DurableSession(CONFIG, host, () => {});
    this.session = new Session({
      config: CONFIG,
      venueCompId: "EX",
      role: "acceptor",
      limits: {
        heartBtIntMinSec: 1,
        heartBtIntMaxSec: 60,
        sendingTimeToleranceSec: 120,
        logonTimeoutSec: 10,
        maxQueuedMessages: 100,
        maxUnsentBytes: 1 << 20,
        maxResendRepeats: 20,
        maxMessagesPerSecond: Infinity,
        overRateAnswer: "reject",
      },
      clock: { wallMs: () => world.nowMs, monotonicMs: () => world.nowMs },
      log: nullLogger,
      store: this.#store(),
      validate: () => null,
      adminWriter: new FixWriter(),
    });
  }

  /** Takes the session over and lets reports flow, as after an answered Logon. */
  async logon(reset = false): Promise<string | null> {
    const refusal = await this.durable.acquire(this.session, reset);
    if (refusal !== null) return refusal;
    if (reset) this.session.state.reset();
    this.durable.holding!.begin();
    await settle();
    return null;
  }

  /** The matcher's live message of command `cmdSeq` arrives. */
  async live(cmdSeq: number): Promise<void> {
    const reader = new EventBatchReader();
    reader.open(this.world.events[cmdSeq - 1]);
    reader.nextGroup();
    while (reader.nextEvent()) {
      if (reader.event.sessionId !== CONFIG.id || this.stopped) continue;
      const port = this.durable.recipient(0, reader.cmdSeq, reader.eventIndex);
      if (port === null) continue;
      port.compose().text(17, `${reader.cmdSeq}-${reader.eventIndex}`);
      port.send("8");
    }
    this.#live = { shard: 0, cmdSeq: cmdSeq + 1, eventIndex: 0, evSeq: Math.max(0, cmdSeq - 2) };
    await settle();
  }

  /** What gathered is stored. */
  async store(): Promise<void> {
    if (!this.stopped) this.durable.holding?.store();
    await settle();
  }

  /** The session's store, and what left through it. */
  #store(): SessionStore {
    return {
      append: (seq, msgType, sendingTimeMs, possResend, body) => {
        if (this.stopped) return;
        this.sent.push({ seq, possResend, body: new TextDecoder().decode(body) });
        this.durable.append(seq, msgType, sendingTimeMs, possResend, body);
      },
      read: (from, to, maxBytes): StoredPage | Promise<StoredPage> => this.durable.read(from, to, maxBytes),
      clear: () => this.durable.clear(),
    };
  }

  /** One operation: done, unless the process has stopped before it; its answer comes unless it stopped there. */
  async #operate<T>(act: () => T, unanswered?: T): Promise<T> {
    const number = ++this.operations;
    if (this.stopped) return await NEVER;
    if (number >= this.stopAt) {
      this.stopped = true;
      if (this.stopAfter) act();
      return await NEVER;
    }
    const answer = act();
    await (this.world.answers ?? Promise.resolve());
    return unanswered !== undefined && this.unanswered.has(number) ? unanswered : answer;
  }

  /** An operation whose answer may be lost: `lost` then stands for it, whether it is done or not. */
  async #troubled<T>(act: () => T, lost: () => T, unanswered?: T): Promise<T> {
    const done = this.troubled.get(this.operations + 1);
    if (done === undefined) return await this.#operate(act, unanswered);
    this.troubles++;
    await this.#operate(() => done ? void act() : undefined);
    return lost();
  }

  /** How the process reaches the world. */
  get ports(): DurablePorts {
    const { world } = this;
    return {
      records: {
        read: () => this.#operate(() => world.read()),
        write: (_session, record, revision) =>
          this.#troubled(() => world.write(record, revision), () => {
            throw new Error("the connection was lost");
          }),
      },
      out: {
        last: () => this.#operate(() => world.out.at(-1) ?? null),
        firstSeq: () => this.#operate(() => world.firstOutSeq),
        publish: (_session, bytes, expected) =>
          this.#troubled<PublishOutcome>(() => world.publish(bytes, expected), () => UNKNOWN, UNKNOWN),
        page: (_session, fromSeq, count) =>
          this.#operate(() => world.out.filter(({ seq }) => seq >= fromSeq).slice(0, count)),
        forget: () => {},
      },
      leases: { bootOf: (id) => this.#operate(() => world.leases.get(id) ?? null) },
      applied: { of: () => this.#operate(() => world.applied) },
      history: { read: (_shard, evSeq, receiver) => this.#history(evSeq, receiver) },
      positions: () => [this.#live],
      newestCommands: () => this.#operate(() => new Map([[0, world.events.length + world.unstored.length]])),
      isReported: () => true,
      report: (_shard, reader, writer) => {
        writer.text(17, `${reader.cmdSeq}-${reader.eventIndex}`);
        return "8";
      },
      nowMs: () => world.nowMs,
      delay: (ms) => {
        world.nowMs += ms;
        return this.stopped ? NEVER : Promise.resolve();
      },
    };
  }

  #history(evSeq: number, receiver: HistoryReceiver) {
    let stopped = false;
    let going = Promise.resolve();
    let goOn = () => {};
    (async () => {
      for (let seq = evSeq + 1;; seq++) {
        await (seq <= this.world.events.length ? going : this.world.more.promise);
        await going;
        if (stopped || this.stopped) return;
        receiver.stored(seq, this.world.events[seq - 1]);
      }
    })();
    return {
      pause: () => void (going = new Promise((resolve) => goOn = resolve)),
      resume: () => goOn(),
      stop: () => stopped = true,
    };
  }
}

/** Lets everything happen that needs no more than promises. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await Promise.resolve();
}
