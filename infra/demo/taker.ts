/** A simulated trader that takes: immediate-or-cancel and fill-or-kill orders on either side, none of which rests. Pure. */
import { Side, TimeInForce } from "../../shared/protocol/mod.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";
import type { RandomWalk } from "./random_walk.ts";
import type { DemoRequest, DemoTrader } from "./requests.ts";

/** Takes from every instrument that it is given a walk for. */
export class Taker implements DemoTrader {
  readonly #walks: readonly RandomWalk[];
  readonly #random: SeededRandom;
  readonly #tag: string;
  #count = 0;

  /** `tag` begins every ClOrdID and must differ from run to run. */
  constructor(walks: readonly RandomWalk[], random: SeededRandom, tag: string) {
    this.#walks = walks;
    this.#random = random;
    this.#tag = tag;
  }

  next(_nowMs: number): DemoRequest {
    const random = this.#random;
    const { instrument, midTicks } = random.pick(this.#walks);
    const side = random.chance(0.5) ? Side.Buy : Side.Sell;
    const reach = random.between(1, 4);
    const isMarket = random.chance(0.3);
    return {
      kind: "new",
      instrument,
      clOrdId: `${this.#tag}-${++this.#count}`,
      side,
      priceTicks: isMarket ? 0 : midTicks + (side === Side.Buy ? reach : -reach),
      qtyLots: random.between(1, 12),
      timeInForce: random.chance(0.15) ? TimeInForce.FillOrKill : TimeInForce.ImmediateOrCancel,
    };
  }

  heard(): void {}

  recall(): DemoRequest[] {
    return [];
  }

  leave(): DemoRequest[] {
    return [];
  }
}
