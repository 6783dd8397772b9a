/**
 * The reports that a session has not had yet, made again from one shard's stored events, until they meet the live ones
 * that wait behind. Owns the place in the events and the waiting live reports (bounded: when they are too many they are
 * forgotten, since the stored events bring them too). Decides no numbering. Pure. docs/adr/0003-durable-sessions.md.
 */
import { EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import { EventKind } from "../../../shared/protocol/mod.ts";
import { isBefore, type Position } from "./position.ts";

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
  /** Bytes of live reports that may wait. */
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

  /** Whether stored events have reached those from which on live reports wait: {@link finish} it. */
  get joined(): boolean {
    return !isBefore(this.#at, this.#waitingFrom);
  }

  /**
   * The next stored message, `bytes` borrowed. `report` is called for each event that concerns the session, the reader
   * standing at it. Throws when the stream contradicts itself.
   */
  stored(evSeq: number, bytes: Uint8Array, report: (reader: EventBatchReader) => void): void {
    const reader = this.#reader;
    const fault = reader.open(bytes);
    const { shard } = this.#at;
    if (fault !== null || reader.shard !== shard) {
      throw new Error(
        `Cannot read message ${evSeq} of the events of shard ${shard}: ${fault ?? "wrong shard"}`,
      );
    }
    while (reader.nextGroup()) this.#group(reader, evSeq, report);
    // A group that was cut is read from its beginning again: what its events say together must not be lost.
    if (this.#at.eventIndex === 0) this.#at = { ...this.#at, evSeq };
  }

  /** Events that were wanted are no longer stored: the next stored message sets the place. */
  missing(): void {
    this.#jump = true;
  }

  /** Keeps a live report until its turn; copies nothing. */
  wait(report: WaitingReport): void {
    this.#waitingBytes += report.body.length;
    if (this.#waitingBytes <= this.#maxWaitingBytes) {
      this.#waiting.push(report);
      return;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#waitingFrom = { cmdSeq: report.cmdSeq, eventIndex: report.eventIndex + 1 };
  }

  /** The live reports whose turn has come: those that the stored events did not bring. Ends the catching up. */
  finish(): WaitingReport[] {
    const rest = this.#waiting.filter((report) => !isBefore(report, this.#at));
    this.#waiting = [];
    return rest;
  }

  #group(reader: EventBatchReader, evSeq: number, report: (reader: EventBatchReader) => void): void {
    const { cmdSeq, firstEventIndex, eventCount, continues } = reader;
    const { shard } = this.#at;
    if (cmdSeq < this.#at.cmdSeq) return;
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
      if (this.#isReported(reader) && reader.eventIndex >= from) report(reader);
    }
    const end = Math.max(from, firstEventIndex + eventCount);
    this.#at = { ...this.#at, cmdSeq: continues ? cmdSeq : cmdSeq + 1, eventIndex: continues ? end : 0 };
  }
}
