/**
 * Self-match prevention: which resting orders an aggressor must not meet, and what happens instead. Owns no state.
 * Pure. docs/matching.md, "Self-match prevention".
 */
import { EventKind, OrdStatus, Reason, SmpAction } from "../../../shared/protocol/mod.ts";
import { LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import type { Memory } from "./memory.ts";
import { floorOf, shownOf, smpIdOf } from "./order_extra.ts";
import { leavesOf, ORDER_LAYOUT, setStatus } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";
import type { Reporter } from "./reporter.ts";

const { ORDER_QTY, ORDER_NEXT, ORDER_OWNER } = ORDER_LAYOUT;
const { LEVEL_HEAD } = LEVEL_LAYOUT;
const { OrderCanceled, OrderRestated } = EventKind;
const { Canceled } = OrdStatus;
const { SelfMatchPrevented } = Reason;
const { CancelAggressor, CancelBoth, CancelResting } = SmpAction;

/** Whether two orders must not trade with each other, if the aggressor cares. */
export function conflicts(words: Int32Array, aggressor: number, resting: number): boolean {
  return words[aggressor + ORDER_OWNER | 0] >>> 16 === words[resting + ORDER_OWNER | 0] >>> 16 &&
    smpIdOf(words, aggressor) === smpIdOf(words, resting);
}

/** Does what the aggressor's SmpAction says. */
export class SelfMatch {
  readonly #words: Int32Array;
  readonly #levels: LevelStore;
  readonly #registry: OrderRegistry;
  readonly #reporter: Reporter;

  constructor(memory: Memory, levels: LevelStore, registry: OrderRegistry, reporter: Reporter) {
    this.#words = memory.words;
    this.#levels = levels;
    this.#registry = registry;
    this.#reporter = reporter;
  }

  /** Keeps an aggressor from one resting order; false when the aggressor is done, which has been said. */
  prevent(aggressor: number, resting: number, action: number): boolean {
    if (action === CancelAggressor || action === CancelBoth) {
      this.#cancel(aggressor);
      if (action === CancelBoth) this.#cancelResting(resting);
      return false;
    }
    if (action === CancelResting) {
      this.#cancelResting(resting);
      return true;
    }
    return this.#decrement(aggressor, resting);
  }

  /** Keeps an aggressor from every order of a level that it must not meet; false when the aggressor is done. */
  preventAll(aggressor: number, level: number, action: number): boolean {
    const words = this.#words;
    let goesOn = true;
    let resting = words[level + LEVEL_HEAD | 0];
    // Read before it may be gone.
    const owner = words[aggressor + ORDER_OWNER | 0] >>> 16;
    const group = smpIdOf(words, aggressor);
    while (resting !== 0) {
      const next = words[resting + ORDER_NEXT | 0];
      if (words[resting + ORDER_OWNER | 0] >>> 16 === owner && smpIdOf(words, resting) === group) {
        if (goesOn) goesOn = this.prevent(aggressor, resting, action);
        else this.#cancelResting(resting);
        if (!goesOn && action !== CancelBoth) return false;
      }
      resting = next;
    }
    return goesOn;
  }

  #cancel(order: number): void {
    setStatus(this.#words, order, Canceled);
    this.#reporter.order(OrderCanceled, order, SelfMatchPrevented);
    this.#registry.retire(order);
  }

  #cancelResting(resting: number): void {
    this.#levels.remove(resting);
    this.#cancel(resting);
  }

  /** Both lose the smaller of their quantities; who has nothing left keeps the OrderQty that it had while open. */
  #decrement(aggressor: number, resting: number): boolean {
    const words = this.#words;
    const ours = leavesOf(words, aggressor);
    const theirs = leavesOf(words, resting);
    const lost = ours < theirs ? ours : theirs;
    if (lost === ours) {
      this.#cancel(aggressor);
    } else {
      words[aggressor + ORDER_QTY | 0] -= lost;
      this.#reporter.order(OrderRestated, aggressor, SelfMatchPrevented);
    }
    if (lost === theirs) {
      this.#cancelResting(resting);
    } else {
      const shown = shownOf(words, resting);
      words[resting + ORDER_QTY | 0] -= lost;
      this.#levels.reshow(resting, floorOf(words, resting), shown, theirs);
      this.#reporter.order(OrderRestated, resting, SelfMatchPrevented);
    }
    return lost !== ours;
  }
}
