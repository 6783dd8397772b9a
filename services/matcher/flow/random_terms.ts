/**
 * What random orders ask for: prices that drift, stops beside them, times, icebergs, and now and then nonsense. Test
 * support only. Pure: the seed decides everything.
 */
import { OrdType, Side, TimeInForce } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { SeededRandom } from "../../../shared/testing/seeded_random.ts";

/** What a flow makes use of beyond limit and market orders of the day. */
export interface FlowFeatures {
  readonly stops: boolean;
  readonly icebergs: boolean;
  readonly minQty: boolean;
  readonly postOnly: boolean;
  readonly selfMatch: boolean;
  /** Every TimeInForce, and expiry. */
  readonly times: boolean;
  readonly marketToLimit: boolean;
  readonly accounts: boolean;
  readonly phases: boolean;
  readonly quotes: boolean;
  readonly massActions: boolean;
  readonly algorithms: boolean;
}

/** Their names. */
export const FEATURES: readonly (keyof FlowFeatures)[] = [
  "stops",
  "icebergs",
  "minQty",
  "postOnly",
  "selfMatch",
  "times",
  "marketToLimit",
  "accounts",
  "phases",
  "quotes",
  "massActions",
  "algorithms",
];

/** Those of `names`, the others not. */
export function featuresOf(names: readonly (keyof FlowFeatures)[]): FlowFeatures {
  return Object.fromEntries(FEATURES.map((name) => [name, names.includes(name)])) as unknown as FlowFeatures;
}

/** Around which price each instrument trades: it drifts, so that stops wait and then go off together. */
export class Drift {
  /** How far limit prices lie from the center, ticks: fewer ticks make longer queues. */
  readonly spread: number;
  readonly #random: SeededRandom;
  readonly #centers = new Map<number, number>();

  constructor(random: SeededRandom) {
    this.#random = random;
    this.spread = random.pick([1, 2, 5, 5]);
  }

  /** A price within `spread` ticks of the center. */
  near(instrument: number, spread: number): number {
    const random = this.#random;
    let center = this.#centers.get(instrument) ?? 100;
    if (random.oneIn(12)) center = Math.max(20, center + random.below(5) - 2);
    this.#centers.set(instrument, center);
    return center - spread + random.below(2 * spread + 1);
  }
}

/** Fills in the terms of new orders and replacements. */
export class RandomTerms {
  readonly #random: SeededRandom;
  readonly #features: FlowFeatures;
  readonly #drift: Drift;

  constructor(random: SeededRandom, features: FlowFeatures, drift: Drift) {
    this.#random = random;
    this.#features = features;
    this.#drift = drift;
  }

  /** Everything that an order has; `nowUs` is about the engine's time. */
  fill(command: Command, nowUs: number): void {
    const random = this.#random;
    this.#basics(command);
    if (this.#features.marketToLimit && random.oneIn(14)) this.#ofType(command, OrdType.MarketToLimit);
    if (this.#features.stops && random.oneIn(5)) this.#stop(command);
    if (this.#features.times) this.#time(command, nowUs);
    if (this.#features.selfMatch) {
      command.smpId = random.below(2);
      command.smpAction = random.oneIn(2) ? random.below(5) : 0;
      if (command.smpAction !== 0 && random.oneIn(5)) command.timeInForce = FillOrKill;
    }
    this.#quantities(command);
    if (this.#features.postOnly && random.oneIn(command.ordType === OrdType.Limit ? 6 : 90)) {
      command.execInst = 1;
    }
    if (this.#features.accounts) command.account = random.below(2);
    if (random.oneIn(60)) this.#spoil(command);
  }

  #basics(command: Command): void {
    const random = this.#random;
    const market = random.oneIn(8);
    command.ordType = random.oneIn(100) ? random.below(5) : market ? OrdType.Market : OrdType.Limit;
    command.timeInForce = random.oneIn(100) ? random.below(9) : random.pick(TIME_MIX);
    command.priceTicks = market
      ? 0
      : random.oneIn(150)
      ? random.pick(ODD_PRICES)
      : this.#drift.near(command.instrumentId, this.#drift.spread);
    command.qtyLots = random.oneIn(150)
      ? random.pick(ODD_QTYS)
      : 1 + random.below(random.oneIn(5) ? 300 : 20);
    if (!market && random.oneIn(150)) command.priceTicks = 1 + random.below(2 ** 31 - 1);
    if (market && random.oneIn(20)) command.priceTicks = 100;
  }

  #ofType(command: Command, ordType: number): void {
    command.ordType = ordType;
    command.priceTicks = 0;
    if (!this.#random.oneIn(20)) command.timeInForce = TimeInForce.Day;
  }

  /** Mostly on the far side of the market, where it waits. */
  #stop(command: Command): void {
    const random = this.#random;
    this.#ofType(command, OrdType.Stop);
    const away = random.below(5) - 1;
    const near = this.#drift.near(command.instrumentId, 2);
    command.stopPxTicks = Math.max(1, near + (command.side === Side.Buy ? away : -away));
    if (random.oneIn(2)) return;
    command.ordType = OrdType.StopLimit;
    command.priceTicks = Math.max(1, command.stopPxTicks + random.below(7) - 3);
  }

  #time(command: Command, nowUs: number): void {
    const random = this.#random;
    if (random.oneIn(3)) command.timeInForce = random.pick(MORE_TIMES);
    if (command.timeInForce !== TimeInForce.GoodTillDate) return;
    command.expireUs = random.oneIn(60) ? 0 : nowUs - 3000 + random.below(60) * 1000;
  }

  #quantities(command: Command): void {
    const random = this.#random;
    const part = () => 1 + random.below(random.oneIn(3) ? command.qtyLots || 1 : 6);
    const isImmediate = command.timeInForce === ImmediateOrCancel || command.timeInForce === FillOrKill;
    const mayHide = !isImmediate &&
      (command.ordType === OrdType.Limit || command.ordType === OrdType.StopLimit);
    if (this.#features.icebergs && random.oneIn(mayHide ? 3 : 60)) command.maxFloorLots = part();
    if (this.#features.minQty && random.oneIn(minQtyOdds(command))) command.minQtyLots = part();
  }

  /** One field that a client or gateway should not have sent. */
  #spoil(command: Command): void {
    const random = this.#random;
    const { stops, icebergs, minQty, postOnly, times } = this.#features;
    const odd = random.pick(ODD_QTYS);
    switch (random.below(5)) {
      case 0:
        if (stops) command.stopPxTicks = odd;
        break;
      case 1:
        if (icebergs) command.maxFloorLots = odd;
        break;
      case 2:
        if (minQty) command.minQtyLots = odd;
        break;
      case 3:
        if (postOnly) command.execInst = random.below(4);
        break;
      default:
        if (times) command.expireUs = odd;
    }
  }
}

/** Once in how many an order asks for a least quantity: seldom where it may not, often where it may not meet its own. */
function minQtyOdds({ timeInForce, smpAction }: Command): number {
  if (timeInForce === FillOrKill) return 60;
  return timeInForce === ImmediateOrCancel ? 2 : smpAction !== 0 ? 3 : 10;
}

const { Day, GoodTillCancel, AtTheOpening, ImmediateOrCancel, FillOrKill, GoodTillDate, AtTheClose } =
  TimeInForce;
const TIME_MIX = [Day, Day, Day, Day, Day, Day, ImmediateOrCancel, FillOrKill];
const MORE_TIMES = [
  GoodTillCancel,
  GoodTillCancel,
  GoodTillDate,
  GoodTillDate,
  AtTheClose,
  AtTheOpening,
  Day,
];
const ODD_PRICES = [0, -1, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 30, 2 ** 30 - 1, 1.5, NaN, Infinity, -Infinity];
const ODD_QTYS = [0, -5, 2 ** 31 - 1, 2 ** 31, 2 ** 31 - 2, 2 ** 30, 0.5, NaN, Infinity, 2 ** 53];
