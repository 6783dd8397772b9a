/**
 * Natural batching: the commands that one socket read brings, gathered into one batch per symbol. Owns the batch
 * writers; numbers nothing and sends nothing. Keeps the order of commands within a symbol; batches of several symbols
 * leave in the order in which their first command came. A command that concerns all symbols of a shard is a batch by
 * itself: what came before it for that shard leaves before, what comes after it leaves after. Pure.
 * docs/architecture.md, "The path of an order".
 */
import { type Command, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { cmdSubject, CommandFlag, type Instrument, NO_SYMBOL } from "../../../shared/protocol/mod.ts";

/**
 * Takes a finished batch of `commands` commands (≥ 1), to be numbered; `bytes` belongs to the taker. `repeats`: its client
 * says of one that it may have been sent before.
 */
export type BatchTaker = (
  shard: number,
  subject: string,
  bytes: Uint8Array,
  commands: number,
  repeats: boolean,
) => void;

/** Batches that are being filled at a time: each holds a buffer of the largest message. */
const MAX_OPEN_BATCHES = 16;

/** Where the commands of one symbol go. `writer` is set while a batch is being filled. */
interface Lane {
  readonly shard: number;
  readonly subject: string;
  writer: CommandBatchWriter | null;
  /** Whether a command in it has PossDupFlag(43)=Y. */
  repeats: boolean;
}

/** The batches of one gateway process. */
export class CommandBatcher {
  readonly #gatewayId: number;
  readonly #bootId: number;
  readonly #take: BatchTaker;
  /** By instrument id; 0 is the lane of commands that concern no listed symbol. */
  readonly #lanes: Lane[] = [];
  /** By shard: the lane of commands that concern all its symbols. */
  readonly #across = new Map<number, Lane>();
  /** Lanes with a writer, in the order in which they were opened. */
  readonly #open: Lane[] = [];
  readonly #idle: CommandBatchWriter[] = [];

  /** Commands that concern no listed symbol go to the lowest of `shards` (≥ 1 of them). */
  constructor(
    gatewayId: number,
    bootId: number,
    instruments: readonly Instrument[],
    shards: readonly number[],
    take: BatchTaker,
  ) {
    this.#gatewayId = gatewayId;
    this.#bootId = bootId;
    this.#take = take;
    for (const shard of shards) {
      this.#across.set(shard, { shard, subject: cmdSubject(shard, NO_SYMBOL), writer: null, repeats: false });
    }
    this.#lanes[0] = this.#across.get(Math.min(...shards))!;
    for (const { id, shard, symbol } of instruments) {
      this.#lanes[id] = { shard, subject: cmdSubject(shard, symbol), writer: null, repeats: false };
    }
  }

  /**
   * Appends a command for an instrument of the venue, 0 for none; a batch that is full leaves at once. Throws a
   * RangeError when the command cannot be encoded; nothing has become of it then.
   */
  add(instrumentId: number, command: Command): void {
    const lane = this.#lanes[instrumentId];
    if (lane.writer === null) this.#start(lane);
    const writer = lane.writer!;
    writer.append(command);
    lane.repeats ||= isRepeat(command);
    if (!writer.hasRoom) this.#finish(this.#open.indexOf(lane));
  }

  /**
   * Hands over a batch of this command alone, behind everything that came before it for the shard. Throws a RangeError
   * when the command cannot be encoded; nothing has become of it then.
   */
  addAcross(shard: number, command: Command): void {
    const lane = this.#across.get(shard)!;
    for (let index = 0; index < this.#open.length;) {
      if (this.#open[index].shard === shard) this.#finish(index);
      else index++;
    }
    this.#start(lane);
    try {
      lane.writer!.append(command);
      lane.repeats = isRepeat(command);
    } finally {
      this.#finish(this.#open.indexOf(lane));
    }
  }

  /** Hands over every batch: the socket read is complete. */
  flush(): void {
    while (this.#open.length > 0) this.#finish(0);
  }

  #start(lane: Lane): void {
    if (this.#open.length === MAX_OPEN_BATCHES) this.#finish(0);
    const writer = this.#idle.pop() ?? new CommandBatchWriter();
    writer.begin(this.#gatewayId, this.#bootId, 1);
    lane.writer = writer;
    lane.repeats = false;
    this.#open.push(lane);
  }

  #finish(index: number): void {
    const [lane] = this.#open.splice(index, 1);
    const writer = lane.writer!;
    lane.writer = null;
    this.#idle.push(writer);
    const commands = writer.count;
    // The only command of the lane could not be encoded.
    if (commands === 0) return;
    this.#take(lane.shard, lane.subject, writer.finish().slice(), commands, lane.repeats);
  }
}

function isRepeat({ flags }: Command): boolean {
  return (flags & CommandFlag.PossDup) !== 0;
}
