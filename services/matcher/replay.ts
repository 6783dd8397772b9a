/**
 * What of CMD_s has to be applied again before a matcher can go on where EV_s ends, and the proof that it came out the same:
 * the parts made are compared with the last stored batch. Owns the end of EV_s as it was found. Does I/O, to find it.
 */
import { EVENT_HEADER_BYTES } from "../../shared/codec/wire/mod.ts";
import { type NatsConnection, streamExtent } from "../../shared/nats/mod.ts";
import { cmdStream, evStream } from "../../shared/protocol/mod.ts";
import { type EventTail, readEventTail } from "./event_tail.ts";
import { isStored, lastTouchedCmdSeq, ReplayCheck } from "./stored_position.ts";

const FIRST_EVENT_INDEX_AT = EVENT_HEADER_BYTES + 8;

/** One start's replay. */
export class Replay {
  readonly tail: EventTail;
  readonly #stream: string;
  /** The comparison with the last batch of EV_s; null when there is none to compare with. */
  readonly #check: ReplayCheck | null;
  /** Whether a part has been made that EV_s did not hold at the start. */
  #pastStored = false;

  private constructor(shard: number, tail: EventTail, applied: number) {
    this.tail = tail;
    this.#stream = evStream(shard);
    const check = tail.lastBatch === null ? null : new ReplayCheck(tail.lastBatch.bytes);
    this.#check = check === null || check.firstCmdSeq <= applied ? null : check;
  }

  /**
   * Reads where EV_s stands and what has to be replayed for it by an engine that has applied commands up to `applied`: a
   * last batch that begins before is not made again, and not compared. Throws one sentence when that cannot be.
   */
  static async locate(nc: NatsConnection, shard: number, applied: number): Promise<Replay> {
    const tail = await readEventTail(nc, shard);
    const needed = lastTouchedCmdSeq(tail.position);
    const { lastSeq } = await streamExtent(nc, cmdStream(shard));
    if (lastSeq >= needed) return new Replay(shard, tail, applied);
    const held = `${evStream(shard)} holds events of ${needed}`;
    throw new Error(`Cannot replay ${cmdStream(shard)}: it ends at ${lastSeq}, but ${held}`);
  }

  /** The command message up to which EV_s holds everything. */
  get target(): number {
    return this.tail.position.completeCmdSeq;
  }

  /** Whether EV_s held this part of command message `seq`. Throws when it held something else. */
  holds(seq: number, part: Uint8Array): boolean {
    if (this.#pastStored) return false;
    const firstEventIndex = u32At(part, FIRST_EVENT_INDEX_AT);
    const stored = isStored(this.tail.position, seq, firstEventIndex);
    const check = this.#check;
    if (check !== null && !(stored ? check.agrees(seq, firstEventIndex, part) : check.complete)) {
      throw new Error(`its events differ from ${this.#stream} sequence ${this.tail.lastBatch!.seq}`);
    }
    this.#pastStored = !stored;
    return stored;
  }
}

/** The little-endian number at `at`. */
function u32At(bytes: Uint8Array, at: number): number {
  return (bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24) >>> 0;
}
