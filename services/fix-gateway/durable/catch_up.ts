/**
 * The reports that a session has not had yet, made again from one shard's stored events, until they meet the live ones
 * that wait behind. Owns the place in the events and the waiting live reports (bounded: when they are too many they are
 * forgotten, since the stored events bring them too). Decides no numbering. Pure. docs/adr/0003-durable-sessions.md.
 */
import { EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import { EventKind } from "../../../shared/protocol/mod.ts";
import { WRAPPING_BYTES } from "../session/mod.ts";
import { isBefore, type Position } from "./position.ts";

/** What reports are made for. */
export interface ReportMaker {
  /** The session can take no report now: the rest waits for {@link CatchUp.goOn}. */
  full(): boolean;
  /** Makes the report of the event at which the reader stands. */
  make(reader: EventBatchReader): void;
}

/** A live report that waits. */
export interface WaitingReport {
  readonly cmdSeq: number;
  readonly eventIndex: number;
  readonly msgType: string;
  /** Owned. */
  readonly body: Uint8Array;
}

/** What a way through one shard's events begins with. */
export interface CatchUpOptions {
  readonly session: number;
  readonly from: Position;
  /** Live events have come up to here. */
  readonly live: Position;
  /** Bytes of live reports, as they will be sent, that may wait. */
  readonly maxWaitingBytes: number;
  /** Asked once for every event of the session, in order, those before `from` in its group included. */
  readonly isReported: (reader: EventBatchReader) => boolean;
}

/** One session's way through one shard's events. */
export class CatchUp {
  /** Whether wanted events were passed over because they are no longer stored. */
  jumped = false;
  readonly #session: number;
  readonly #maxWaitingBytes: number;
  readonly #isReported: CatchUpOptions["isReported"];
  readonly #reader = new EventBatchReader();
  #at: Position;
  /** All live reports from here on are waiting. */
  #waitingFrom: { cmdSeq: number; eventIndex: number };
  #waiting: WaitingReport[] = [];
  #waitingBytes = 0;
  #jump = false;
  /** A stored message of which the rest waits, owned. */
  #rest: { readonly evSeq: number; readonly bytes: Uint8Array } | null = null;
  /** Of the group at which that message was cut, how many events have been looked at. */
  #seen = 0;

  constructor({ session, from, live, maxWaitingBytes, isReported }: CatchUpOptions) {
    this.#session = session;
    this.#at = from;
    this.#waitingFrom = live;
    this.#maxWaitingBytes = maxWaitingBytes;
    this.#isReported = isReported;
  }

  /** Every report of an event before this place was handed over. */
  get at(): Position {
    return this.#at;
  }

  /** Whether a stored message was cut since the session could take no more: the next one is {@link goOn}'s to ask for. */
  get cut(): boolean {
    return this.#rest !== null;
  }

  /** Whether stored events have reached those from which on live reports wait: {@link finish} it. */
  get joined(): boolean {
    return !isBefore(this.#at, this.#waitingFrom);
  }

  /**
   * The next stored message, `bytes` borrowed, when none is {@link cut}. Makes a report of each event that concerns the
   * session. Throws when the stream contradicts itself.
   */
  stored(evSeq: number, bytes: Uint8Array, maker: ReportMaker): void {
    const reader = this.#reader;
    const fault = reader.open(bytes);
    const { shard } = this.#at;
    if (fault !== null || reader.shard !== shard) {
      throw new Error(
        `Cannot read message ${evSeq} of the events of shard ${shard}: ${fault ?? "wrong shard"}`,
      );
    }
    while (reader.nextGroup()) {
      if (this.#group(reader, evSeq, maker)) continue;
      if (this.#rest?.evSeq !== evSeq) this.#rest = { evSeq, bytes: new Uint8Array(bytes) };
      return;
    }
    this.#rest = null;
    // A group that was cut is read from its beginning again: what its events say together must not be lost.
    if (this.#at.eventIndex === 0) this.#at = { ...this.#at, evSeq };
  }

  /** Makes the reports of what was {@link cut}, as far as the session takes them. */
  goOn(maker: ReportMaker): void {
    if (this.#rest !== null) this.stored(this.#rest.evSeq, this.#rest.bytes, maker);
  }

  /** Events that were wanted are no longer stored: the next stored message sets the place. */
  missing(): void {
    this.#jump = true;
  }

  /** Keeps a live report until its turn; copies nothing. */
  wait(report: WaitingReport): void {
    this.#waitingBytes += WRAPPING_BYTES + report.body.length;
    if (this.#waitingBytes <= this.#maxWaitingBytes) {
      this.#waiting.push(report);
      return;
    }
    this.forget(report.cmdSeq, report.eventIndex);
  }

  /** The live report of this event and those that wait are left to the stored events. */
  forget(cmdSeq: number, eventIndex: number): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#waitingFrom = { cmdSeq, eventIndex: eventIndex + 1 };
  }

  /** The live reports whose turn has come: those that the stored events did not bring. Ends the catching up. */
  finish(): WaitingReport[] {
    const rest = this.#waiting.filter((report) => !isBefore(report, this.#at));
    this.#waiting = [];
    return rest;
  }

  /** False when the session took only some. */
  #group(reader: EventBatchReader, evSeq: number, maker: ReportMaker): boolean {
    const { cmdSeq, firstEventIndex, eventCount, continues } = reader;
    const { shard } = this.#at;
    if (cmdSeq < this.#at.cmdSeq) return true;
    if (isBefore(this.#at, { cmdSeq, eventIndex: firstEventIndex })) {
      if (!this.#jump) {
        throw new Error(
          `Cannot follow the events of shard ${shard}: message ${evSeq} starts at command ${cmdSeq} event ` +
            `${firstEventIndex}, expected ${this.#at.cmdSeq} event ${this.#at.eventIndex}`,
        );
      }
      this.jumped = true;
      this.#at = { ...this.#at, cmdSeq, eventIndex: firstEventIndex };
    }
    this.#jump = false;
    const from = this.#at.eventIndex;
    while (reader.nextEvent()) {
      const { kind, sessionId } = reader.event;
      if (kind >= EventKind.LevelChanged || sessionId !== this.#session) continue;
      const { eventIndex } = reader;
      if (eventIndex < this.#seen) continue;
      if (eventIndex >= from && maker.full()) {
        this.#at = { ...this.#at, cmdSeq, eventIndex };
        this.#seen = eventIndex;
        return false;
      }
      if (this.#isReported(reader) && eventIndex >= from) maker.make(reader);
    }
    this.#seen = 0;
    const end = Math.max(from, firstEventIndex + eventCount);
    this.#at = { ...this.#at, cmdSeq: continues ? cmdSeq : cmdSeq + 1, eventIndex: continues ? end : 0 };
    return true;
  }
}
