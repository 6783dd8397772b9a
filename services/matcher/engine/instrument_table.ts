/** What the engine needs of each instrument, by its id, in typed arrays. Pure. */
import { type Instrument, MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import {
  ALLOCATION_STEPS,
  type AllocationRules,
  allocationRulesOf,
  type AllocationStep,
  PLAIN_RULES,
} from "./allocation.ts";

/** The shard's instruments; index 0 and ids of no instrument have `maxOrderQty` 0. */
export class InstrumentTable {
  readonly maxId: number;
  /** Ids in ascending order. */
  readonly ids: Int32Array;
  /** Largest OrderQty, lots; 0 when there is no such instrument. */
  readonly maxOrderQty: Int32Array;
  /** Steps that allocate an aggressor over a level. */
  readonly steps: (readonly AllocationStep[])[] = [];
  /** What the steps need to know. */
  readonly rules: AllocationRules[] = [];
  /** 1 when the steps amount to time priority alone. */
  readonly fifoOnly: Uint8Array;

  /** Keeps the instruments of `shard`; throws on an id out of range or used twice, which configuration excludes. */
  constructor(shard: number, instruments: readonly Instrument[]) {
    const mine = instruments.filter((instrument) => instrument.shard === shard);
    this.ids = Int32Array.from(mine.map((instrument) => instrument.id)).sort();
    this.maxId = this.ids.length === 0 ? 0 : this.ids[this.ids.length - 1];
    this.maxOrderQty = new Int32Array(this.maxId + 1);
    this.fifoOnly = new Uint8Array(this.maxId + 1);
    for (let id = 0; id <= this.maxId; id++) {
      this.steps.push(ALLOCATION_STEPS[MatchAlgorithm.Fifo]);
      this.rules.push(PLAIN_RULES);
    }
    for (const instrument of mine) {
      const { id } = instrument;
      if (!Number.isInteger(id) || id < 1 || id > 65535 || this.maxOrderQty[id] !== 0) {
        throw new RangeError(
          `Cannot list instrument ${instrument.symbol}: expected a new id in 1-65535, got ${id}`,
        );
      }
      this.maxOrderQty[id] = instrument.maxOrderQtyLots;
      this.rules[id] = allocationRulesOf(instrument);
      this.steps[id] = ALLOCATION_STEPS[instrument.algorithm];
      this.fifoOnly[id] = instrument.algorithm === MatchAlgorithm.Fifo ? 1 : 0;
    }
  }

  /** Whether the shard lists an instrument with this id. */
  has(id: number): boolean {
    return id > 0 && id <= this.maxId && this.maxOrderQty[id] > 0;
  }
}
