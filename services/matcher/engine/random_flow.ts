/**
 * A seeded stream of order commands, mostly sensible and partly hostile, for comparing engines. Test support only.
 * Pure: the seed decides everything.
 */
import {
  CommandFlag,
  CommandKind,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { Command } from "../../../shared/codec/wire/mod.ts";

/** mulberry32: 32-bit integers from a 32-bit seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 … 2^32 - 1. */
  next(): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let t = this.#state;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return (t ^ t >>> 14) >>> 0;
  }

  /** 0 … limit - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** True once in `odds`. */
  oneIn(odds: number): boolean {
    return this.below(odds) === 0;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }
}

interface Used {
  readonly session: number;
  readonly clOrdId: string;
  readonly instrument: number;
  readonly side: number;
  readonly orderId: number;
  readonly price: number;
  readonly qty: number;
}

/** Makes commands, one object per call. Sessions 1-2 are firm 1, 3-4 firm 2, 5 firm 3. */
export class RandomFlow {
  readonly #random: SeededRandom;
  readonly #instruments: readonly number[];
  /** Names used lately; old ones may be forgotten by now, which is part of the test. */
  readonly #used: Used[] = [];
  #count = 0;

  constructor(seed: number, instruments: readonly number[]) {
    this.#random = new SeededRandom(seed);
    this.#instruments = instruments;
  }

  /** The next command; `orderId` is what its order would be called. */
  next(orderId: number): Command {
    const random = this.#random;
    const command = new Command();
    this.#count++;
    command.sessionId = 1 + random.below(5);
    this.#number(command);
    command.side = random.oneIn(80) ? random.below(4) : 1 + random.below(2);
    command.instrumentId = random.oneIn(60) ? random.below(80_000) : random.pick(this.#instruments);
    const clOrdId = this.#newName();
    command.clOrdId.setText(clOrdId);
    command.kind = random.pick(KIND_MIX);
    this.#terms(command);
    if (command.kind !== CommandKind.NewOrder) this.#target(command);
    if (command.kind === CommandKind.RefuseOrder) {
      command.refusedKind = random.below(6);
      command.reason = random.pick(Object.values(Reason));
      command.text.setText("refused by the gateway");
      command.symbol.setText("NONE");
    }
    if (random.oneIn(40)) command.flags = random.pick([CommandFlag.PossDup, CommandFlag.PossResend, 3]);
    if (random.oneIn(200)) command.kind = random.below(9);
    command.firmId = random.oneIn(60) ? 1 + random.below(3) : command.sessionId + 1 >> 1;
    this.#remember(command, clOrdId, orderId);
    return command;
  }

  /** Two in three commands are of a session that is remembered; some repeat a number, far back or of a run before. */
  #number(command: Command): void {
    const random = this.#random;
    command.msgSeqNum = this.#count;
    if (command.sessionId % 3 === 0) return;
    command.incarnation = 1 + (this.#count >>> 9);
    if (random.oneIn(20)) command.msgSeqNum = Math.max(1, this.#count - random.below(40));
    if (random.oneIn(200)) command.incarnation += random.below(3) - 1;
    if (random.oneIn(900)) command.msgSeqNum += random.below(150_000);
  }

  #newName(): string {
    const random = this.#random;
    if (random.oneIn(30) && this.#used.length > 0) return random.pick(this.#used).clOrdId;
    if (random.oneIn(300)) return "";
    if (random.oneIn(300)) return "x".repeat(41 + random.below(20));
    const name = `${this.#count}`;
    return random.oneIn(4) ? name.padEnd(13 + random.below(28), "-") : name;
  }

  #terms(command: Command): void {
    const random = this.#random;
    const market = random.oneIn(8);
    command.ordType = random.oneIn(100) ? random.below(5) : market ? OrdType.Market : OrdType.Limit;
    command.timeInForce = random.oneIn(100) ? random.below(8) : random.pick(TIME_MIX);
    command.priceTicks = market ? 0 : random.oneIn(150) ? random.pick(ODD_PRICES) : 95 + random.below(11);
    command.qtyLots = random.oneIn(150)
      ? random.pick(ODD_QTYS)
      : 1 + random.below(random.oneIn(5) ? 300 : 20);
    if (!market && random.oneIn(150)) command.priceTicks = 1 + random.below(2 ** 31 - 1);
    if (market && random.oneIn(20)) command.priceTicks = 100;
  }

  /** Names an earlier order, now and then badly. */
  #target(command: Command): void {
    const random = this.#random;
    if (this.#used.length === 0) return;
    const used = this.#earlier();
    if (!random.oneIn(20)) command.sessionId = used.session;
    if (!random.oneIn(30)) command.instrumentId = used.instrument;
    if (!random.oneIn(30)) command.side = used.side;
    if (!random.oneIn(30)) command.ordType = OrdType.Limit;
    if (!random.oneIn(30)) command.timeInForce = TimeInForce.Day;
    if (command.kind === CommandKind.RequestStatus && !random.oneIn(10)) {
      command.clOrdId.setText(used.clOrdId);
    }
    if (!random.oneIn(15)) command.origClOrdId.setText(used.clOrdId);
    if (random.oneIn(3)) command.priceTicks = used.price;
    if (random.oneIn(3)) command.qtyLots = used.qty;
    if (random.oneIn(6)) command.orderId = used.orderId;
    if (random.oneIn(60)) command.orderId = random.pick(this.#used).orderId;
  }

  /** A name used lately, or any still kept. */
  #earlier(): Used {
    const used = this.#used;
    return this.#random.oneIn(2)
      ? this.#random.pick(used)
      : used[used.length - 1 - this.#random.below(Math.min(8, used.length))];
  }

  /** Keeps names that may rest: a cancelled or replaced one is dropped, a new one pushes a random one out. */
  #remember(command: Command, clOrdId: string, orderId: number): void {
    const { sessionId: session, instrumentId: instrument, side, kind, priceTicks: price, qtyLots: qty } =
      command;
    const isReplace = kind === CommandKind.ReplaceOrder;
    if (kind !== CommandKind.NewOrder && !isReplace && !this.#random.oneIn(20)) return;
    const orig = this.#used.findIndex((used) => used.clOrdId === command.origClOrdId.toString());
    const id = isReplace && orig >= 0 ? this.#used[orig].orderId : orderId;
    if (isReplace && orig >= 0 && !this.#random.oneIn(8)) this.#used.splice(orig, 1);
    this.#used.push({ session, clOrdId, instrument, side, orderId: id, price, qty });
    if (this.#used.length > 150) this.#used.splice(this.#random.below(100), 1);
  }
}

const KIND_MIX = [
  ...Array<number>(10).fill(CommandKind.NewOrder),
  ...Array<number>(4).fill(CommandKind.CancelOrder),
  ...Array<number>(5).fill(CommandKind.ReplaceOrder),
  CommandKind.RequestStatus,
  CommandKind.RefuseOrder,
];
const TIME_MIX = [0, 0, 0, 0, 0, 0, TimeInForce.ImmediateOrCancel, TimeInForce.FillOrKill];
const ODD_PRICES = [0, -1, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 30, 2 ** 30 - 1, 1.5, NaN, Infinity, -Infinity];
const ODD_QTYS = [0, -5, 2 ** 31 - 1, 2 ** 31, 2 ** 31 - 2, 2 ** 30, 0.5, NaN, Infinity, 2 ** 53];

/** The sides, for callers that walk both. */
export const SIDES = [Side.Buy, Side.Sell] as const;
