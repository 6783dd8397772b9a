/**
 * One gateway's hold on one FIX session, from taking it over to giving it back or losing it: what it sends is kept, its
 * numbers are reserved, its reports come in order. Owns how far the session is and what may be claimed of it. Reaches the
 * world through ports alone. docs/adr/0003-durable-sessions.md.
 * Rules that the order of steps keeps:
 *  1. A number is used only below what the record, written before, reserves.
 *  2. What a record of sent messages claims (places in the events, inbound watermark) holds once that record is stored:
 *     the messages that follow from it are in it or before it. The session record repeats only what is so stored.
 *  3. Live reports wait behind those that are made again, and none flows before the Logon is answered.
 */
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { Session, StoredPage } from "../session/mod.ts";
import { Backlog, WAITING_SHARE } from "./backlog.ts";
import { Checkpoints } from "./checkpoints.ts";
import { disconnect } from "./disconnect.ts";
import { Freeze } from "./freeze.ts";
import { InboundWatermark } from "./inbound_watermark.ts";
import { laneLog } from "./lane_log.ts";
import { type LaneHost, LaneSet, type ReportPort } from "./lanes.ts";
import { NumberBlock } from "./number_block.ts";
import { OutLog, type Progress } from "./out_log.ts";
import { OutPager } from "./out_pager.ts";
import type { Source } from "./out_record.ts";
import { OutWriter } from "./out_writer.ts";
import { OwnedRecord } from "./owned_record.ts";
import type { DurableHost } from "./ports.ts";
import { restart } from "./record.ts";
import type { Taken } from "./take.ts";

const ACK_LOOK_MS = 10;

/** What a holding is made from. */
export interface HoldingOptions {
  readonly config: FixSession;
  readonly session: Session;
  readonly taken: Taken;
  /** Whether the Logon that it was taken for starts the numbers again. */
  readonly reset: boolean;
  readonly host: DurableHost;
  /** There is something to store. */
  readonly dirty: () => void;
}

/** A session that is this gateway's. */
export class Holding {
  readonly #options: HoldingOptions;
  readonly #inbound = new InboundWatermark();
  readonly #record: OwnedRecord;
  readonly #log: OutLog;
  readonly #writer: OutWriter;
  readonly #pager: OutPager;
  readonly #lanes: LaneSet;
  readonly #numbers: NumberBlock;
  readonly #checkpoints: Checkpoints;
  readonly #backlog: Backlog;
  /** The Logon starts the numbers again: reports of before are given up. */
  #skipMissed: boolean;
  /** The incarnation that the next {@link clear} starts; null while none is written. */
  #prepared: number | null;
  /** The event of the report being sent. */
  #source: Source | null = null;
  /** While messages wait for numbers, and while giving back. */
  readonly #freeze = new Freeze();
  #state: "held" | "leaving" | "over" = "held";
  readonly #fields: { readonly session: string };

  constructor(options: HoldingOptions) {
    this.#options = options;
    const { config, session, taken, reset, host } = options;
    const { ports, limits, me } = host;
    const { record, revision, progress, streamSeq, through } = taken;
    this.#fields = { session: config.senderCompId };
    this.#skipMissed = reset;
    this.#prepared = reset || taken.renewed ? record.incarnation : null;
    this.#record = new OwnedRecord(config.id, ports.records, ports.delay, record, revision);
    this.#log = new OutLog(config.id, me, record.incarnation, progress, through);
    this.#writer = new OutWriter(config.id, this.#log, streamSeq, ports, {
      progress: () => this.#progress(),
      lost: (reason) => this.#lose(reason),
      refused: (reason) => host.log.warn("sent messages cannot be stored yet", { ...this.#fields, reason }),
      dirty: options.dirty,
    });
    this.#pager = new OutPager(config.id, this.#log, ports.out, this.#writer);
    const maxWaitingBytes = Math.min(limits.maxWaitingBytes, limits.maxUnstoredBytes * WAITING_SHARE);
    this.#lanes = new LaneSet(config.id, progress.positions, ports, maxWaitingBytes, this.#laneHost());
    this.#numbers = new NumberBlock(session, this.#record, limits.block, {
      wanted: () => this.#state === "held" && this.#prepared === null,
      progress: () => this.#settledProgress(),
      flowing: () => {
        this.#freeze.end();
        this.#lanes.pace();
      },
      lost: () => this.#lose("its record has another owner"),
    });
    this.#backlog = new Backlog(this.#log, session, limits.maxUnstoredBytes);
    this.#checkpoints = new Checkpoints(this.#record, this.#log, {
      inDurable: () => this.#inbound.of(session.state.expectedSeq - 1),
      settled: () => this.#settledProgress(),
      lost: () => this.#lose("its record has another owner"),
    });
    const { state } = session;
    state.expectedSeq = progress.inDurable + 1;
    state.outbound.nextSeq = record.nextOut;
    state.outbound.reserve.onLow = () => this.#numbers.ask();
    state.outbound.reserve.onHold = () => this.#hold();
    this.#numbers.apply();
  }

  /** The incarnation of the numbers in use. */
  get incarnation(): number {
    return this.#log.incarnation;
  }

  /** The session while messages may be sent in its name, else undefined. */
  get session(): Session | undefined {
    return this.#state === "held" ? this.#options.session : undefined;
  }

  /** When this run of numbers began, ms since 1970. */
  get sinceMs(): number {
    return this.#record.record.sinceMs;
  }

  /** Whether numbers that start again are written down, but the session has not started them. */
  get resetDue(): boolean {
    return this.#prepared !== null;
  }

  /** Whether ownership is given back or lost. */
  get over(): boolean {
    return this.#state === "over";
  }

  /** The Logon was answered: missed reports are made again, and live ones flow behind them. */
  begin(): void {
    if (this.#state !== "held") return;
    this.#lanes.begin(this.#skipMissed, this.#options.taken.doubtful);
    this.#skipMissed = false;
  }

  /** Null while the client's messages are welcome; else resolves when they are again. */
  get ready(): Promise<void> | null {
    return this.#state === "held" ? this.#backlog.ready : null;
  }

  /** Where a report of this event goes now; null when it is not for now, or not for this gateway. */
  recipient(shard: number, cmdSeq: number, eventIndex: number): ReportPort | null {
    return this.#state === "held" ? this.#lanes.port(shard, cmdSeq, eventIndex) : null;
  }

  /** A batch of the session's commands is on its way. */
  batchSent(firstSeq: number): void {
    this.#inbound.sent(firstSeq);
  }

  /** It is in the stream, or given up and answered. */
  batchSettled(firstSeq: number): void {
    this.#inbound.settled(firstSeq);
  }

  /** Stores what is not stored, unless that is happening. */
  store(): void {
    this.#writer.pump();
  }

  /** Time passed: paces missed reports, and disconnects a session that has too much unstored. */
  tick(): void {
    if (this.#state !== "held") return;
    this.#lanes.pace();
    this.#checkpoints.whenFar();
    this.#backlog.tick();
    if (!this.#backlog.over) return;
    this.#options.host.log.error("sent messages are not stored: the session is disconnected", this.#fields);
    disconnect(this.#options.session, "too much of what was sent could not be stored");
  }

  /** Writes down how far the session is, as far as that is stored; finds out whether it still is this gateway's. */
  async checkpoint(): Promise<void> {
    if (this.#state === "held") await this.#checkpoints.write();
  }

  /** This and the next: see SessionStore. */
  append(seq: number, msgType: string, sendingTimeMs: number, possResend: boolean, body: Uint8Array): void {
    if (this.#state === "over") return;
    this.#freeze.sent();
    this.#log.append(seq, msgType, sendingTimeMs, possResend, this.#source, body);
    this.#options.dirty();
  }

  read(from: number, to: number, maxBytes: number): StoredPage | Promise<StoredPage> {
    return this.#pager.read(from, to, maxBytes);
  }

  /** The session starts its numbers again, which was prepared. */
  clear(): void {
    const incarnation = this.#prepared;
    if (incarnation === null) return this.#lose("its numbers started again without being written down");
    this.#prepared = null;
    this.#freeze.end();
    this.#inbound.clear();
    if (incarnation !== this.#log.incarnation) {
      this.#log.restart(incarnation, { inDurable: 0, positions: this.#lanes.positions() });
      this.#options.dirty();
    }
    this.#numbers.apply();
  }

  /** A Logon within the session is to start the numbers again: that is written before it is answered. */
  async prepareReset(): Promise<string | null> {
    const sinceMs = this.#options.session.state.setup.clock.wallMs();
    const ours = await this.#record.update(({ incarnation }) => {
      this.#prepared = incarnation + 1;
      return restart(incarnation + 1, this.#lanes.positions(), this.#options.host.limits.block, sinceMs);
    });
    if (ours) return null;
    this.#lose("its record has another owner");
    return "the session is another gateway's";
  }

  /** The connection is gone: gives the session back. Resolves when that is done or cannot be done any more. */
  async giveBack(): Promise<void> {
    if (this.#state !== "held") return;
    const { session, taken, host: { ports, limits, log } } = this.#options;
    const clean = !this.#freeze.passed && (!taken.unclean || !this.#freeze.on && this.#lanes.level);
    // From here on nothing is sent: who has the session next finds its reports in the events.
    const { positions } = this.#progress();
    const nextOut = this.#prepared === null ? session.state.outbound.nextSeq : 1;
    this.#state = "leaving";
    this.#backlog.open();
    this.#lanes.stop();
    this.#freeze.stop(positions);
    const deadline = ports.nowMs() + limits.ackWaitMs;
    while (this.#inbound.open > 0 && !this.over && ports.nowMs() < deadline) await ports.delay(ACK_LOOK_MS);
    const inDurable = this.#prepared === null ? this.#progress().inDurable : 0;
    if (await this.#writer.drained()) {
      const stored = this.#prepared === null ? this.#writer.stored : null;
      const end = { owner: null, clean, nextOut, reservedOut: nextOut, inDurable, positions, stored };
      if (await this.#record.update(() => end)) log.info("session given back", { ...this.#fields, nextOut });
      else log.warn("session not given back in order", this.#fields);
    }
    this.#end();
  }

  #laneHost(): LaneHost {
    const { session, host: { log } } = this.#options;
    return {
      ...laneLog(session, log),
      compose: () => session.compose(),
      report: (msgType, possResend, source) => {
        this.#source = source;
        session.send(msgType, possResend);
        this.#source = null;
      },
      crowded: () => this.#numbers.scarce || this.#backlog.crowded,
      strained: () => this.#backlog.strained,
    };
  }

  #progress(): Progress {
    return this.#freeze.of(this.#now());
  }

  #now(): Progress {
    const { expectedSeq } = this.#options.session.state;
    return { inDurable: this.#inbound.of(expectedSeq - 1), positions: this.#lanes.positions() };
  }

  /** How far the session is, when everything that follows from it is stored; else null. */
  #settledProgress() {
    const isSettled = this.#log.idle && !this.#freeze.on && this.#prepared === null;
    return isSettled ? { ...this.#progress(), stored: this.#writer.stored } : null;
  }

  /** Numbers have run out: what comes next has none, and nothing may claim that it was sent. */
  #hold(): void {
    const first = !this.#freeze.on;
    this.#freeze.hold(() => this.#now(), this.#source);
    if (first) {
      this.#options.host.log.warn("messages wait for numbers: the reservation is used up", this.#fields);
    }
  }

  /** Ownership is gone. */
  #lose(reason: string): void {
    if (this.#state === "over") return;
    this.#end();
    const fields = { ...this.#fields, reason };
    this.#options.host.log.error("the session is not this gateway's any more: it can log on again", fields);
    disconnect(this.#options.session, `the session is given up: ${reason}`);
  }

  #end(): void {
    this.#state = "over";
    this.#options.session.state.outbound.reserve.release(); // What waited is made again from the events.
    this.#lanes.stop();
    this.#backlog.open();
    this.#writer.close();
    this.#record.close();
  }
}
