/**
 * A seeded stream of order commands, mostly sensible and partly hostile, for comparing engines. Test support only.
 * Pure: the seed decides everything.
 */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  OrdStatus,
  Reason,
  Side,
} from "../../../shared/protocol/mod.ts";
import { Command, type Event } from "../../../shared/codec/wire/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { Drift, featuresOf, type FlowFeatures, RandomTerms } from "./random_terms.ts";
import { RandomVenue } from "./random_venue.ts";

/** An order as it was last heard of. */
interface Used {
  readonly session: number;
  clOrdId: string;
  readonly instrument: number;
  readonly side: number;
  readonly orderId: number;
  ordType: number;
  timeInForce: number;
  price: number;
  readonly stopPx: number;
  maxFloor: number;
  qty: number;
  readonly expireUs: number;
  readonly account: number;
}

/** Makes commands, one object per call. Sessions 1-2 are firm 1, 3-4 firm 2, 5 firm 3. */
export class RandomFlow {
  readonly #random: SeededRandom;
  readonly #instruments: readonly number[];
  /** Names used lately; old ones may be forgotten by now, which is part of the test. */
  readonly #used: Used[] = [];
  readonly #terms: RandomTerms;
  readonly #venue: RandomVenue;
  #count = 0;
  /** What the order of the last new order would be called. */
  #newest = 0;

  constructor(seed: number, instruments: readonly number[], features: FlowFeatures = featuresOf([])) {
    this.#random = new SeededRandom(seed);
    this.#instruments = instruments;
    const drift = new Drift(this.#random);
    this.#terms = new RandomTerms(this.#random, features, drift);
    this.#venue = new RandomVenue(this.#random, features, drift, instruments);
  }

  /** The next command; `orderId` is what its order would be called, `nowUs` about the engine's time. */
  next(orderId: number, nowUs = 0): Command {
    const random = this.#random;
    const command = new Command();
    this.#count++;
    command.sessionId = 1 + random.below(5);
    this.#number(command);
    command.side = random.oneIn(80) ? random.below(4) : 1 + random.below(2);
    command.instrumentId = random.oneIn(60) ? random.below(80_000) : random.pick(this.#instruments);
    const clOrdId = this.#newName();
    command.clOrdId.setText(clOrdId);
    command.firmId = command.sessionId + 1 >> 1;
    if (this.#venue.takes(command, nowUs)) return command;
    command.kind = this.#used.length === 0 ? CommandKind.NewOrder : random.pick(KIND_MIX);
    this.#terms.fill(command, nowUs);
    if (command.kind !== CommandKind.NewOrder) this.#target(command);
    if (command.kind === CommandKind.RefuseOrder) {
      command.refusedKind = random.below(10);
      command.reason = random.pick(Object.values(Reason));
      command.text.setText("refused by the gateway");
      command.symbol.setText("NONE");
    }
    if (random.oneIn(40)) command.flags = random.pick([CommandFlag.PossDup, CommandFlag.PossResend, 3]);
    if (random.oneIn(200)) command.kind = random.pick(RARE_KINDS);
    command.firmId = random.oneIn(60) ? 1 + random.below(3) : command.sessionId + 1 >> 1;
    this.#remember(command, clOrdId, orderId);
    return command;
  }

  /** What became of a command; without it the flow still works, but mostly names orders that are gone. */
  heard(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind >= EventKind.LevelChanged || event.kind === EventKind.OrderStatusReported) continue;
      if (event.kind === EventKind.OrderRejected && event.detail === 0) this.#forget(this.#newest);
      if (event.kind === EventKind.ReplaceRejected) this.#forgetName(event.clOrdId.toString());
      if (event.orderId === 0) this.#forgetName(event.origClOrdId.toString());
      const used = event.orderId === 0
        ? -1
        : this.#used.findIndex(({ orderId }) => orderId === event.orderId);
      if (used < 0) continue;
      const isDone = event.ordStatus !== OrdStatus.New && event.ordStatus !== OrdStatus.PartiallyFilled;
      if (isDone) this.#forget(event.orderId);
      else update(this.#used[used], event);
    }
  }

  /** Mostly; what is gone is asked for, too. */
  #forget(orderId: number): void {
    const at = this.#used.findIndex((used) => used.orderId === orderId);
    if (at >= 0 && !this.#random.oneIn(15)) this.#used.splice(at, 1);
  }

  #forgetName(clOrdId: string): void {
    const at = this.#used.findIndex((used) => used.clOrdId === clOrdId);
    if (at >= 0 && !this.#random.oneIn(15)) this.#used.splice(at, 1);
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

  /** Names an earlier order, now and then badly. */
  #target(command: Command): void {
    const random = this.#random;
    if (this.#used.length === 0) return;
    const used = this.#earlier();
    if (!random.oneIn(20)) command.sessionId = used.session;
    if (!random.oneIn(30)) command.instrumentId = used.instrument;
    if (!random.oneIn(30)) command.side = used.side;
    if (!random.oneIn(8)) this.#sameTerms(command, used);
    if (command.kind === CommandKind.RequestStatus && !random.oneIn(10)) {
      command.clOrdId.setText(used.clOrdId);
    }
    if (!random.oneIn(15)) command.origClOrdId.setText(used.clOrdId);
    if (random.oneIn(3)) command.priceTicks = used.price;
    if (random.oneIn(3)) command.qtyLots = used.qty;
    if (random.oneIn(6)) command.orderId = used.orderId;
    if (random.oneIn(60)) command.orderId = random.pick(this.#used).orderId;
  }

  /** What the order asked for when it was last named; one or two of these will be changed. */
  #sameTerms(command: Command, used: Used): void {
    const random = this.#random;
    command.ordType = used.ordType;
    command.timeInForce = used.timeInForce;
    command.stopPxTicks = used.stopPx;
    command.expireUs = used.expireUs;
    command.account = used.account;
    command.minQtyLots = 0;
    if (used.price === 0 || command.priceTicks === 0) command.priceTicks = used.price;
    if (!random.oneIn(3)) command.maxFloorLots = used.maxFloor;
    if (random.oneIn(6) && used.stopPx > 0) command.stopPxTicks += random.below(3) - 1;
    if (random.oneIn(3)) command.execInst = 0;
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
    const { kind } = command;
    if (kind === CommandKind.NewOrder) this.#newest = orderId;
    const isReplace = kind === CommandKind.ReplaceOrder;
    if (kind !== CommandKind.NewOrder && !isReplace && !this.#random.oneIn(20)) return;
    const orig = this.#used.findIndex((used) => used.clOrdId === command.origClOrdId.toString());
    const id = isReplace && orig >= 0 ? this.#used[orig].orderId : orderId;
    if (isReplace && orig >= 0 && !this.#random.oneIn(8)) this.#used.splice(orig, 1);
    this.#used.push({
      session: command.sessionId,
      clOrdId,
      instrument: command.instrumentId,
      side: command.side,
      orderId: id,
      ordType: command.ordType,
      timeInForce: command.timeInForce,
      price: command.priceTicks,
      stopPx: command.stopPxTicks,
      maxFloor: command.maxFloorLots,
      qty: command.qtyLots,
      expireUs: command.expireUs,
      account: command.account,
    });
    if (this.#used.length > 150) this.#used.splice(this.#random.below(100), 1);
  }
}

function update(used: Used, event: Event): void {
  used.ordType = event.ordType;
  used.timeInForce = event.timeInForce;
  used.price = event.priceTicks;
  used.maxFloor = event.maxFloorLots;
  used.qty = event.orderQtyLots;
  if (event.kind !== EventKind.CancelRejected && event.kind !== EventKind.ReplaceRejected) {
    if (event.sessionId === used.session) used.clOrdId = event.clOrdId.toString();
  }
}

const KIND_MIX = [
  ...Array<number>(10).fill(CommandKind.NewOrder),
  ...Array<number>(4).fill(CommandKind.CancelOrder),
  ...Array<number>(5).fill(CommandKind.ReplaceOrder),
  CommandKind.RequestStatus,
  CommandKind.RefuseOrder,
];
const RARE_KINDS = [0, 1, 2, 3, 4, 5, 13, 255];

/** The sides, for callers that walk both. */
export const SIDES = [Side.Buy, Side.Sell] as const;
