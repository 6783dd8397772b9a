/**
 * How far EV_s has come, as its last message tells, and the check that a replay makes the same bytes. Pure.
 */
import { EVENT_HEADER_BYTES, EventBatchReader } from "../../shared/codec/wire/mod.ts";

/** Every group up to `completeCmdSeq` is stored whole, and of the group after it the first `nextEventIndex` events. */
export interface StoredPosition {
  /** 0 when no group is. */
  readonly completeCmdSeq: number;
  readonly nextEventIndex: number;
}

/** Nothing is stored. */
export const NOTHING_STORED: StoredPosition = { completeCmdSeq: 0, nextEventIndex: 0 };

/** What an EV message says: who wrote it, and how far it brings the stream. */
export interface StoredBatch {
  readonly epoch: number;
  readonly isClaim: boolean;
  readonly position: StoredPosition;
}

/** Reads an EV message. Returns its fault as text when it is unreadable or another shard's. */
export function readStoredBatch(shard: number, bytes: Uint8Array): StoredBatch | string {
  const reader = new EventBatchReader();
  const fault = reader.open(bytes);
  if (fault !== null) return fault;
  if (reader.shard !== shard) return `shard ${reader.shard} instead of ${shard}`;
  if (reader.groupCount === 0) {
    const position = { completeCmdSeq: reader.lastCmdSeq, nextEventIndex: reader.nextEventIndex };
    return { epoch: reader.epoch, isClaim: true, position };
  }
  while (reader.nextGroup());
  const position = reader.continues
    ? { completeCmdSeq: reader.lastCmdSeq - 1, nextEventIndex: reader.firstEventIndex + reader.eventCount }
    : { completeCmdSeq: reader.lastCmdSeq, nextEventIndex: 0 };
  return { epoch: reader.epoch, isClaim: false, position };
}

/** Whether the part of group `cmdSeq` that starts with event `firstEventIndex` is stored. */
export function isStored(position: StoredPosition, cmdSeq: number, firstEventIndex: number): boolean {
  if (cmdSeq <= position.completeCmdSeq) return true;
  return cmdSeq === position.completeCmdSeq + 1 && firstEventIndex < position.nextEventIndex;
}

/** The last command message of which anything is stored. */
export function lastTouchedCmdSeq(position: StoredPosition): number {
  return position.completeCmdSeq + (position.nextEventIndex > 0 ? 1 : 0);
}

/**
 * Compares replayed parts with one stored message, byte for byte, whatever the epochs. Feed it every part in order;
 * parts that the message does not hold are skipped.
 */
export class ReplayCheck {
  readonly #bytes: Uint8Array;
  /** The command message of the first group. */
  readonly firstCmdSeq: number;
  readonly #firstEventIndex: number;
  /** The next stored byte to compare. */
  #at = EVENT_HEADER_BYTES;

  /** Takes a readable message that is no claim. */
  constructor(stored: Uint8Array) {
    this.#bytes = stored;
    const reader = new EventBatchReader();
    reader.open(stored);
    reader.nextGroup();
    this.firstCmdSeq = reader.cmdSeq;
    this.#firstEventIndex = reader.firstEventIndex;
  }

  /** Whether every byte of the message has been compared. */
  get complete(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** False when the part belongs into the message and differs from it. */
  agrees(cmdSeq: number, firstEventIndex: number, part: Uint8Array): boolean {
    if (this.complete || cmdSeq < this.firstCmdSeq) return true;
    if (cmdSeq === this.firstCmdSeq && firstEventIndex < this.#firstEventIndex) return true;
    for (let i = EVENT_HEADER_BYTES; i < part.length; i++) {
      if (part[i] !== this.#bytes[this.#at++]) return false;
    }
    return true;
  }
}
