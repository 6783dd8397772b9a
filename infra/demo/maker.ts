/**
 * A simulated market maker: keeps a ladder of limit orders on both sides of each instrument's fair price, moves them
 * by replace, or by cancel and new, as the price wanders. Pure.
 */
import { Side, TimeInForce } from "../../shared/protocol/mod.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";
import type { RandomWalk } from "./random_walk.ts";
import type { DemoReply, DemoRequest, DemoTrader } from "./requests.ts";

const LEVELS = 8;
/** An answer that has not come for this long is asked for. */
const ANSWER_LIMIT_MS = 5000;

/** One order's place in the ladder. */
interface Slot {
  readonly walk: RandomWalk;
  readonly side: Side;
  /** 0 next to the fair price. */
  readonly level: number;
  /** Empty: no order. */
  clOrdId: string;
  priceTicks: number;
  /** The request under way; empty when the order is as we know it. */
  pendingClOrdId: string;
  pendingPriceTicks: number;
  askedMs: number;
}

/** Quotes every instrument that it is given a walk for. */
export class Maker implements DemoTrader {
  readonly #walks: readonly RandomWalk[];
  readonly #random: SeededRandom;
  readonly #slots: Slot[] = [];
  readonly #bySlotId = new Map<string, Slot>();
  readonly #tag: string;
  #count = 0;
  #turn = 0;

  /** `tag` begins every ClOrdID and must differ from run to run. */
  constructor(walks: readonly RandomWalk[], random: SeededRandom, tag: string) {
    this.#walks = walks;
    this.#random = random;
    this.#tag = tag;
    for (let level = 0; level < LEVELS; level++) {
      for (const walk of walks) {
        for (const side of [Side.Buy, Side.Sell]) {
          this.#slots.push({
            walk,
            side,
            level,
            clOrdId: "",
            priceTicks: 0,
            pendingClOrdId: "",
            pendingPriceTicks: 0,
            askedMs: 0,
          });
        }
      }
    }
  }

  next(nowMs: number): DemoRequest | null {
    this.#random.pick(this.#walks).step();
    for (let i = 0; i < this.#slots.length; i++) {
      const slot = this.#slots[this.#turn++ % this.#slots.length];
      const request = this.#requestFor(slot, nowMs);
      if (request !== null) return request;
    }
    return null;
  }

  heard(reply: DemoReply): void {
    const slot = this.#bySlotId.get(reply.clOrdId) ?? this.#bySlotId.get(reply.origClOrdId);
    if (slot === undefined) return;
    const done = ["2", "4", "8", "C"].includes(reply.ordStatus);
    const isPending = reply.clOrdId === slot.pendingClOrdId;
    if (isPending && reply.execType !== "" && !done) {
      this.#forget(slot.clOrdId);
      slot.clOrdId = slot.pendingClOrdId;
      slot.priceTicks = slot.pendingPriceTicks;
    }
    if (isPending && reply.execType === "") this.#forget(slot.pendingClOrdId);
    if (isPending || reply.execType === "I") slot.pendingClOrdId = "";
    // A new order that was refused is done; a refused cancel says how the order stands.
    if (done) {
      this.#forget(slot.clOrdId);
      this.#forget(slot.pendingClOrdId);
      slot.clOrdId = slot.pendingClOrdId = "";
    }
  }

  recall(): DemoRequest[] {
    return this.#known().map((slot) => this.#statusOf(slot));
  }

  leave(): DemoRequest[] {
    return this.#known().map((slot) => this.#cancelOf(slot));
  }

  #known(): Slot[] {
    return this.#slots.filter(({ clOrdId, pendingClOrdId }) => clOrdId !== "" || pendingClOrdId !== "");
  }

  #requestFor(slot: Slot, nowMs: number): DemoRequest | null {
    if (slot.pendingClOrdId !== "") {
      if (nowMs - slot.askedMs < ANSWER_LIMIT_MS) return null;
      slot.askedMs = nowMs;
      return this.#statusOf(slot);
    }
    const { walk, side, level } = slot;
    const distance = 1 + level + (level > 2 ? level - 2 : 0);
    const wanted = walk.midTicks + (side === Side.Buy ? -distance : distance);
    if (slot.clOrdId === "") return this.#ask(slot, wanted, nowMs, "new");
    // Orders far from the price follow it later than those next to it.
    if (Math.abs(slot.priceTicks - wanted) <= level >> 1) return null;
    return this.#ask(slot, wanted, nowMs, this.#random.chance(0.8) ? "replace" : "cancel");
  }

  #ask(slot: Slot, priceTicks: number, nowMs: number, kind: "new" | "replace" | "cancel"): DemoRequest {
    const { walk: { instrument }, side, level } = slot;
    const clOrdId = `${this.#tag}-${++this.#count}`;
    const origClOrdId = slot.clOrdId;
    slot.pendingClOrdId = clOrdId;
    slot.pendingPriceTicks = priceTicks;
    slot.askedMs = nowMs;
    this.#bySlotId.set(clOrdId, slot);
    if (kind === "cancel") return { kind, instrument, clOrdId, origClOrdId, side };
    const qtyLots = this.#random.between(1, 10) * (1 + level);
    if (kind === "replace") return { kind, instrument, clOrdId, origClOrdId, side, priceTicks, qtyLots };
    return { kind, instrument, clOrdId, side, priceTicks, qtyLots, timeInForce: TimeInForce.Day };
  }

  #statusOf({ walk: { instrument }, side, clOrdId, pendingClOrdId }: Slot): DemoRequest {
    return { kind: "status", instrument, origClOrdId: clOrdId || pendingClOrdId, side };
  }

  #cancelOf(slot: Slot): DemoRequest {
    const { walk: { instrument }, side } = slot;
    const clOrdId = `${this.#tag}-${++this.#count}`;
    return { kind: "cancel", instrument, clOrdId, origClOrdId: slot.clOrdId || slot.pendingClOrdId, side };
  }

  #forget(clOrdId: string): void {
    this.#bySlotId.delete(clOrdId);
  }
}
