/** What the engine needs of each instrument, by its id, in typed arrays. Pure. */
import {
  charOfCode,
  codeOfChar,
  type Instrument,
  MatchAlgorithm,
  rulesOf,
} from "../../../shared/protocol/mod.ts";
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
  /** The code of MatchAlgorithm's character. */
  readonly algorithm: Uint8Array;
  /** Steps that allocate an aggressor over a level. */
  readonly steps: (readonly AllocationStep[])[] = [];
  /** What the steps need to know. */
  readonly rules: AllocationRules[] = [];
  /** 1 when the steps amount to time priority alone. */
  readonly fifoOnly: Uint8Array;
  /** TradingRules of the same names; 0 for no limit and for no price. */
  readonly protectionTicks: Int32Array;
  readonly bandTicks: Int32Array;
  readonly referencePx: Int32Array;
  /** 1 when a post-only order that would trade gets another price, 0 when it is rejected. */
  readonly reprices: Uint8Array;
  readonly initialPhase: Uint8Array;

  /** Keeps the instruments of `shard`; throws on an id out of range or used twice, which configuration excludes. */
  constructor(shard: number, instruments: readonly Instrument[]) {
    const mine = instruments.filter((instrument) => instrument.shard === shard);
    this.ids = Int32Array.from(mine.map((instrument) => instrument.id)).sort();
    this.maxId = this.ids.length === 0 ? 0 : this.ids[this.ids.length - 1];
    const size = this.maxId + 1;
    this.maxOrderQty = new Int32Array(size);
    this.algorithm = new Uint8Array(size);
    this.fifoOnly = new Uint8Array(size);
    this.protectionTicks = new Int32Array(size);
    this.bandTicks = new Int32Array(size);
    this.referencePx = new Int32Array(size);
    this.reprices = new Uint8Array(size);
    this.initialPhase = new Uint8Array(size);
    for (let id = 0; id < size; id++) {
      this.steps.push(ALLOCATION_STEPS[MatchAlgorithm.Fifo]);
      this.rules.push(PLAIN_RULES);
    }
    for (const instrument of mine) this.#list(instrument);
  }

  /** Whether the shard lists an instrument with this id. */
  has(id: number): boolean {
    return id > 0 && id <= this.maxId && this.maxOrderQty[id] > 0;
  }

  /** Switches a listed instrument to the algorithm of a code; false when there is none or it is that one already. */
  setAlgorithm(id: number, code: number): boolean {
    const steps = code >= 0 && code < 62
      ? ALLOCATION_STEPS[String.fromCharCode(charOfCode(code)) as MatchAlgorithm]
      : undefined;
    if (steps === undefined || this.algorithm[id] === code) return false;
    this.algorithm[id] = code;
    this.steps[id] = steps;
    this.fifoOnly[id] = steps === ALLOCATION_STEPS[MatchAlgorithm.Fifo] ? 1 : 0;
    return true;
  }

  #list(instrument: Instrument): void {
    const { id } = instrument;
    if (!Number.isInteger(id) || id < 1 || id > 65535 || this.maxOrderQty[id] !== 0) {
      throw new RangeError(
        `Cannot list instrument ${instrument.symbol}: expected a new id in 1-65535, got ${id}`,
      );
    }
    const rules = rulesOf(instrument);
    this.maxOrderQty[id] = instrument.maxOrderQtyLots;
    this.rules[id] = allocationRulesOf(instrument);
    this.protectionTicks[id] = rules.protectionTicks;
    this.bandTicks[id] = rules.bandTicks;
    this.referencePx[id] = rules.referencePriceTicks;
    this.reprices[id] = rules.postOnly === "reprice" ? 1 : 0;
    this.initialPhase[id] = rules.initialPhase;
    this.setAlgorithm(id, codeOfChar(instrument.algorithm.charCodeAt(0)));
  }
}
