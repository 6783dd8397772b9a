/** What is held against the streams of one shard as they grow: its events and its snapshots. Owns all commands there were. */
import type { EngineOptions } from "../../services/matcher/engine/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { EventLine } from "./event_line.ts";
import type { Stored } from "./nats_stream.ts";
import { SnapshotWatch } from "./snapshot_watch.ts";

/** One shard. */
export class ShardWatch {
  readonly shard: number;
  /** What its engines are made for. */
  readonly engine: EngineOptions;
  readonly line: EventLine;
  readonly snapshots: SnapshotWatch;
  readonly #commands: Stored[] = [];

  constructor({ instruments, limits: { maxOpenOrders, clOrdIdHistory } }: Venue, shard: number) {
    this.shard = shard;
    const own = instruments.filter((each) => each.shard === shard);
    this.engine = { shard, instruments: own, maxOpenOrders, clOrdIdHistory };
    this.line = new EventLine(this.engine, this.#commands);
    this.snapshots = new SnapshotWatch(this.engine, this.#commands);
  }

  /** Command messages stored. */
  get cmdSeq(): number {
    return this.#commands.length;
  }

  /** Symbols traded here. */
  get symbols(): string[] {
    return this.engine.instruments.map(({ symbol }) => symbol);
  }

  /** A command message is stored. */
  command(message: Stored): void {
    this.#commands.push(message);
  }
}
