/**
 * Walks through EV_s message by message and part by part: whether claims, epochs and the line of groups hold together.
 * Knows nothing of commands. Pure.
 */
import { EVENT_HEADER_BYTES, EventBatchReader, GROUP_HEADER_BYTES } from "../../../shared/codec/wire/mod.ts";

/** A part of a group as it is stored. Valid until the next message. */
export interface StoredPart {
  /** Sequence in EV_s. */
  readonly evSeq: number;
  readonly cmdSeq: number;
  readonly timestampUs: number;
  readonly firstEventIndex: number;
  readonly eventCount: number;
  /** Whether the group goes on in another part. */
  readonly continues: boolean;
  readonly refused: boolean;
  readonly repeated: boolean;
  readonly bytes: Uint8Array;
  /** Where its first event begins in `bytes`; the others follow, each beginning with its length. */
  readonly eventsAt: number;
}

/** Reads one shard's EV_s from some message on. */
export class StoredEvents {
  /** The newest epoch; 0 before the first message. */
  epoch = 0;
  claims = 0;
  /** The group and the event that must come next; 0 while nothing is known, since EV_s does not begin at 1. */
  nextCmdSeq: number;
  nextEventIndex = 0;
  readonly #shard: number;
  readonly #reader = new EventBatchReader();

  /** `fromStart`: whether the first message is the stream's first ever. */
  constructor(shard: number, fromStart: boolean) {
    this.#shard = shard;
    this.nextCmdSeq = fromStart ? 1 : 0;
  }

  /** Takes the message at `evSeq`. Returns its parts, none for a claim, or what is wrong with it. */
  take(evSeq: number, bytes: Uint8Array): StoredPart[] | string {
    const reader = this.#reader;
    const fault = reader.open(bytes);
    if (fault !== null) return `it is unreadable: ${fault}`;
    if (reader.shard !== this.#shard) return `it is of shard ${reader.shard}`;
    if (reader.groupCount === 0) return this.#takeClaim() ?? [];
    if (this.nextCmdSeq === 0) this.#startAt(reader.firstCmdSeq, bytes);
    if (this.epoch === 0) this.epoch = reader.epoch;
    if (reader.epoch !== this.epoch) {
      return `it is of epoch ${reader.epoch}, but epoch ${this.epoch} has claimed the stream`;
    }
    return this.#takeGroups(evSeq, bytes);
  }

  #takeGroups(evSeq: number, bytes: Uint8Array): StoredPart[] | string {
    const reader = this.#reader;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const parts: StoredPart[] = [];
    let at = EVENT_HEADER_BYTES;
    while (reader.nextGroup()) {
      const { cmdSeq, timestampUs, firstEventIndex, eventCount, continues, refused, repeated } = reader;
      if (cmdSeq !== this.nextCmdSeq || firstEventIndex !== this.nextEventIndex) {
        return `it goes on with event ${firstEventIndex} of command ${cmdSeq}, but event ${this.nextEventIndex} of ` +
          `command ${this.nextCmdSeq} comes next`;
      }
      const eventsAt = at + GROUP_HEADER_BYTES;
      parts.push({
        evSeq,
        cmdSeq,
        timestampUs,
        firstEventIndex,
        eventCount,
        continues,
        refused,
        repeated,
        bytes,
        eventsAt,
      });
      this.nextCmdSeq = continues ? cmdSeq : cmdSeq + 1;
      this.nextEventIndex = continues ? firstEventIndex + eventCount : 0;
      at += view.getUint32(at, true);
    }
    return parts;
  }

  #takeClaim(): string | null {
    const { epoch, firstCmdSeq, nextEventIndex } = this.#reader;
    if (epoch <= this.epoch) return `it claims the stream for epoch ${epoch} after epoch ${this.epoch}`;
    this.epoch = epoch;
    this.claims++;
    if (this.nextCmdSeq === 0) {
      this.nextCmdSeq = firstCmdSeq;
      this.nextEventIndex = nextEventIndex;
    }
    if (firstCmdSeq === this.nextCmdSeq && nextEventIndex === this.nextEventIndex) return null;
    return `it claims the stream from event ${nextEventIndex} of command ${firstCmdSeq} on, but event ` +
      `${this.nextEventIndex} of command ${this.nextCmdSeq} comes next`;
  }

  #startAt(cmdSeq: number, bytes: Uint8Array): void {
    this.nextCmdSeq = cmdSeq;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.nextEventIndex = view.getUint32(EVENT_HEADER_BYTES + 8, true);
  }
}
