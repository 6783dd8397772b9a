/**
 * The order in which a gateway takes the events of one shard: each group exactly once and in command order, from two
 * sources that carry the same groups. Live messages come straight from the matcher and may be lost, repeated or come
 * from a matcher that has been replaced; stored messages come from EV_s in stream order, later, and are complete.
 * Owns the position (command sequence, event index), the buffer of live messages during a backfill, and the decision
 * whether a backfill is wanted. Does no I/O: the follower reads the stream while {@link EventSequence.reading}. Pure.
 * docs/architecture.md, "Events".
 *
 * A claim in EV_s (a message without groups) brings a new epoch and says where EV_s stands; it is checked, not handed
 * over. Epochs: a live message of an older epoch than the newest seen is ignored. Stored messages are not judged by epoch:
 * whatever EV_s holds passed the fence, and history begins with older epochs.
 */
import { EventBatchReader, type WireFault } from "../../../shared/codec/wire/mod.ts";

/** Takes what is new. Called in the middle of the sequence's own methods; must not call back, nor throw. */
export interface EventReceiver {
  /**
   * A group, or the part of it that this message holds. `reader` stands before the part's first event; events with
   * an index below `fromIndex` were taken before and are to be skipped. Borrowed for the call.
   */
  group(reader: EventBatchReader, fromIndex: number): void;
}

/** What a live message turned out to be. `faulty` also means that nothing of it was taken. */
export type LiveOutcome = "taken" | "repeated" | "ahead" | "buffered" | "dropped" | "superseded" | "faulty";

/** The sequence of one shard. */
export class EventSequence {
  /** Why the last faulty live message was faulty. */
  fault: WireFault | "wrong shard" | "contradicts what was taken" | null = null;
  readonly #shard: number;
  readonly #maxBufferedBytes: number;
  readonly #receiver: EventReceiver;
  readonly #reader = new EventBatchReader();
  /** The next event is event {@link #nextEventIndex} of command {@link #nextCmdSeq}. */
  #nextCmdSeq = 1;
  #nextEventIndex = 0;
  #epoch = 0;
  #evSeq = 0;
  /** What {@link #evSeq} was before the first part of the group that is being taken. */
  #evSeqBeforeGroup = 0;
  #reading = false;
  /** Some of what is wanted is no longer stored: the next stored message sets the position. */
  #jump = false;
  /** Live messages that came during a backfill, in order; owned. */
  #buffer: Uint8Array[] = [];
  #bufferedBytes = 0;

  /** Starts at the first command of the shard. Holds at most `maxBufferedBytes` of live messages in a backfill. */
  constructor(shard: number, maxBufferedBytes: number, receiver: EventReceiver) {
    this.#shard = shard;
    this.#maxBufferedBytes = maxBufferedBytes;
    this.#receiver = receiver;
  }

  /** Every group of a command below this has been taken whole. */
  get nextCmdSeq(): number {
    return this.#nextCmdSeq;
  }

  /** Of command {@link nextCmdSeq}, how many events have been taken. */
  get nextEventIndex(): number {
    return this.#nextEventIndex;
  }

  /** Everything in EV_s up to this stream sequence has been taken; a backfill reads from the next one. */
  get evSeq(): number {
    return this.#evSeq;
  }

  /** As {@link evSeq}, but nothing of a group that was taken in part lies up to it. */
  get wholeEvSeq(): number {
    return this.#nextEventIndex === 0 ? this.#evSeq : this.#evSeqBeforeGroup;
  }

  /** Whether stored messages behind {@link evSeq} are wanted now. */
  get reading(): boolean {
    return this.#reading;
  }

  /**
   * Starts behind the stored message `bytes` at `evSeq` instead of at the first command. False, and nothing has changed,
   * when that is within a group, whose events belong together. Throws when unreadable.
   */
  startBehind(evSeq: number, bytes: Uint8Array): boolean {
    this.#openStored(evSeq, bytes);
    const end = this.#lastPosition();
    if (end.eventIndex > 0) return false;
    this.#nextCmdSeq = end.cmdSeq;
    this.#epoch = this.#reader.epoch;
    this.#evSeq = evSeq;
    return true;
  }

  /** A message from the matcher; `bytes` is borrowed for the call. */
  live(bytes: Uint8Array): LiveOutcome {
    this.fault = this.#reader.open(bytes);
    if (this.fault === null && this.#reader.shard !== this.#shard) this.fault = "wrong shard";
    if (this.fault !== null) return "faulty";
    if (this.#reader.epoch < this.#epoch) return "superseded";
    if (this.#reading) return this.#keep(bytes);
    const outcome = this.#take();
    if (outcome !== "ahead") return outcome;
    this.#reading = true;
    this.#keep(bytes);
    return "ahead";
  }

  /** The next stored message of a backfill, `bytes` borrowed. Throws when EV_s contradicts itself: an alarm. */
  stored(evSeq: number, bytes: Uint8Array): void {
    if (!this.#reading) return;
    this.#openStored(evSeq, bytes);
    if (this.#jump && this.#reader.firstCmdSeq > this.#nextCmdSeq) {
      this.#nextCmdSeq = this.#reader.firstCmdSeq;
      this.#nextEventIndex = this.#firstEventIndex();
      this.#reader.open(bytes);
    }
    this.#jump = false;
    const outcome = this.#take();
    if (outcome === "ahead" || outcome === "faulty") {
      throw new Error(
        `Cannot follow the events of shard ${this.#shard}: message ${evSeq} starts at command ` +
          `${this.#reader.firstCmdSeq}, expected ${this.#nextCmdSeq} event ${this.#nextEventIndex}`,
      );
    }
    this.#evSeq = evSeq;
    if (this.#drain() && this.#buffer.length === 0) this.#reading = false;
  }

  /** Everything that EV_s held at some moment of this backfill has been given to {@link stored}. */
  caughtUp(): void {
    if (!this.#reading) return;
    this.#drain();
    if (this.#buffer.length === 0) this.#reading = false;
  }

  /** EV_s no longer holds messages that the backfill wanted: reports are lost, the next stored message goes on. */
  missing(): void {
    this.#jump = true;
  }

  /** Live messages may have been lost: a backfill is wanted. */
  interrupted(): void {
    this.#reading = true;
  }

  /** The newest message of EV_s, seen by a check at any time: wants a backfill when it holds something new. */
  newestStored(evSeq: number, bytes: Uint8Array): void {
    if (this.#reading || evSeq <= this.#evSeq) return;
    this.#openStored(evSeq, bytes);
    const end = this.#lastPosition();
    if (this.#isAhead(end.cmdSeq, end.eventIndex)) {
      this.#reading = true;
      return;
    }
    this.#evSeq = evSeq;
    this.#epoch = Math.max(this.#epoch, this.#reader.epoch);
  }

  #openStored(evSeq: number, bytes: Uint8Array): void {
    const fault = this.#reader.open(bytes) ?? (this.#reader.shard === this.#shard ? null : "wrong shard");
    if (fault === null) return;
    throw new Error(`Cannot read message ${evSeq} of the events of shard ${this.#shard}: ${fault}`);
  }

  #isAhead(cmdSeq: number, eventIndex: number): boolean {
    return cmdSeq > this.#nextCmdSeq || cmdSeq === this.#nextCmdSeq && eventIndex > this.#nextEventIndex;
  }

  /** The event with which the open message goes on in its first group. Moves the reader. */
  #firstEventIndex(): number {
    const reader = this.#reader;
    return reader.nextGroup() ? reader.firstEventIndex : reader.nextEventIndex;
  }

  /** The position behind the open message. Moves the reader. */
  #lastPosition(): { cmdSeq: number; eventIndex: number } {
    const reader = this.#reader;
    if (reader.groupCount === 0) return { cmdSeq: reader.firstCmdSeq, eventIndex: reader.nextEventIndex };
    while (reader.nextGroup());
    if (!reader.continues) return { cmdSeq: reader.cmdSeq + 1, eventIndex: 0 };
    return { cmdSeq: reader.cmdSeq, eventIndex: reader.firstEventIndex + reader.eventCount };
  }

  /** Hands over what is new of the open message and moves the position. */
  #take(): "taken" | "repeated" | "ahead" | "faulty" {
    const reader = this.#reader;
    this.#epoch = Math.max(this.#epoch, reader.epoch);
    if (reader.groupCount === 0) {
      return this.#isAhead(reader.firstCmdSeq, reader.nextEventIndex) ? "ahead" : "repeated";
    }
    let taken = false;
    let outcome: "repeated" | "ahead" | "faulty" = "repeated";
    while (reader.nextGroup()) {
      if (reader.cmdSeq < this.#nextCmdSeq) continue;
      if (this.#isAhead(reader.cmdSeq, reader.firstEventIndex)) {
        outcome = "ahead";
        break;
      }
      const end = reader.firstEventIndex + reader.eventCount;
      if (reader.continues && end <= this.#nextEventIndex) continue;
      if (end < this.#nextEventIndex) {
        outcome = "faulty";
        this.fault = "contradicts what was taken";
        break;
      }
      if (reader.firstEventIndex === 0) this.#evSeqBeforeGroup = this.#evSeq;
      this.#receiver.group(reader, this.#nextEventIndex);
      taken = true;
      this.#nextEventIndex = reader.continues ? end : 0;
      if (!reader.continues) this.#nextCmdSeq++;
    }
    return taken ? "taken" : outcome;
  }

  #keep(bytes: Uint8Array): LiveOutcome {
    if (this.#bufferedBytes + bytes.length > this.#maxBufferedBytes) return "dropped";
    // NATS hands out Buffers: their slice() is no copy.
    this.#buffer.push(new Uint8Array(bytes));
    this.#bufferedBytes += bytes.length;
    return "buffered";
  }

  /** Takes buffered messages up to the first that is ahead. Returns whether any left the buffer. */
  #drain(): boolean {
    let done = 0;
    while (done < this.#buffer.length) {
      const bytes = this.#buffer[done];
      this.#reader.open(bytes);
      if (this.#reader.epoch >= this.#epoch && this.#take() === "ahead") break;
      this.#bufferedBytes -= bytes.length;
      done++;
    }
    if (done > 0) this.#buffer.splice(0, done);
    return done > 0;
  }
}
