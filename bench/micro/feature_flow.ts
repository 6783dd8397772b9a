/**
 * Commands of every kind, order type, time in force, phase and algorithm, made one after the other into the same objects
 * without any garbage, so that what is left behind is the engine's: for allocation_test.ts. Fixed seed.
 */
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { Command, QUOTE_ENTRY_BYTES, QuoteEntry, writeQuoteEntry } from "../../shared/codec/wire/mod.ts";
import {
  codeOfChar,
  CommandKind,
  MatchAlgorithm,
  OrdType,
  Phase,
  SmpAction,
  TimeInForce,
} from "../../shared/protocol/mod.ts";

const SEED = 77;
const DRAWS = 1 << 16;
/** Names that a request may go back to. */
const NAMES = 4096;
const NAME_BYTES = 12;
const SESSIONS = 4;
const MIDDLE = 1000;
const ENTRIES = 2;

const { CancelOrder, CancelQuotes, ExpireOrders, MassCancel, MassQuote, MassStatus, NewOrder } = CommandKind;
const { ReplaceOrder, RequestStatus, SetAlgorithm, SetPhase } = CommandKind;
const { Limit, Market, MarketToLimit, Stop, StopLimit } = OrdType;
const { AtTheClose, AtTheOpening, Day, FillOrKill, GoodTillCancel, GoodTillDate, ImmediateOrCancel } =
  TimeInForce;
/** What follows what, over and over: a day of an instrument. */
const PHASES = Int32Array.of(
  Phase.PreOpen,
  Phase.OpeningAuction,
  Phase.Continuous,
  Phase.VolatilityAuction,
  Phase.Continuous,
  Phase.ClosingAuction,
  Phase.Closed,
);
const TYPES = Int32Array.of(Limit, Limit, Limit, Limit, Limit, Market, MarketToLimit, Stop, StopLimit);
const TIMES = Int32Array.of(
  Day,
  Day,
  GoodTillCancel,
  GoodTillDate,
  ImmediateOrCancel,
  FillOrKill,
  AtTheOpening,
  AtTheClose,
);

const ALGORITHM_CODES = Int32Array.from(
  Object.values(MatchAlgorithm).map((letter) => codeOfChar(letter.charCodeAt(0))),
);

/** An endless flow over the instruments 1 … `instruments`. */
export class FeatureFlow {
  /** The command that `next` made last. */
  readonly command: Command = new Command();
  readonly #instruments: number;
  readonly #draws = new Int32Array(DRAWS);
  readonly #names = new Uint8Array(NAMES * NAME_BYTES);
  readonly #entries = new Uint8Array(ENTRIES * QUOTE_ENTRY_BYTES);
  readonly #entry = new QuoteEntry();
  #drawn = 0;
  #count = 0;
  #phase = 0;

  constructor(instruments: number) {
    this.#instruments = instruments;
    const random = new SeededRandom(SEED);
    for (let i = 0; i < DRAWS; i++) this.#draws[i] = random.below(2 ** 31);
  }

  /** Makes the next command. `nowUs` is the time at which it will be applied. */
  next(nowUs: number): void {
    const { command } = this;
    const session = 1 + this.#below(SESSIONS);
    const dice = this.#below(1000);
    this.#count = this.#count + 1 | 0;
    command.reset();
    command.sessionId = session;
    command.firmId = session + 1 >> 1;
    command.instrumentId = 1 + this.#below(this.#instruments);
    command.side = 1 + this.#below(2);
    this.#name();
    if (dice < 600) this.#order(NewOrder, nowUs);
    else if (dice < 750) this.#request(CancelOrder);
    else if (dice < 880) {
      this.#request(ReplaceOrder);
      this.#order(ReplaceOrder, nowUs);
    } else if (dice < 900) this.#request(RequestStatus);
    else if (dice < 980) this.#quote();
    else if (dice < 985) command.kind = CancelQuotes;
    else if (dice < 988) command.kind = MassStatus;
    else if (dice < 990) command.kind = MassCancel;
    else this.#venue(dice, nowUs);
  }

  #below(limit: number): number {
    this.#drawn = this.#drawn + 1 & DRAWS - 1;
    return this.#draws[this.#drawn] % limit;
  }

  #name(): void {
    const start = this.#count % NAMES * NAME_BYTES;
    let rest = this.#count;
    for (let i = NAME_BYTES - 1; i >= 0; i--) {
      this.#names[start + i] = 48 + rest % 10;
      rest = rest / 10 | 0;
    }
    this.command.clOrdId.set(this.#names, start, NAME_BYTES);
  }

  #order(kind: number, nowUs: number): void {
    const { command } = this;
    const ordType = TYPES[this.#below(TYPES.length)];
    const timeInForce = TIMES[this.#below(TIMES.length)];
    command.kind = kind;
    command.ordType = ordType;
    command.timeInForce = timeInForce;
    command.qtyLots = 1 + this.#below(200);
    if (ordType === Limit || ordType === StopLimit) command.priceTicks = MIDDLE - 20 + this.#below(40);
    if (ordType === Stop || ordType === StopLimit) command.stopPxTicks = MIDDLE - 20 + this.#below(40);
    if (timeInForce === GoodTillDate) command.expireUs = nowUs + 1 + this.#below(1_000_000);
    const extra = this.#below(12);
    if (extra === 0) command.maxFloorLots = 1 + command.qtyLots / 4 | 0;
    else if (extra === 1 && kind === NewOrder) command.minQtyLots = 1 + command.qtyLots / 2 | 0;
    else if (extra === 2) command.execInst = 1;
    if (extra > 8) command.smpAction = 1 + this.#below(SmpAction.Decrement);
  }

  /** A request about an order of lately, mostly of another session or done. */
  #request(kind: number): void {
    const { command } = this;
    const back = 1 + this.#below(Math.min(this.#count, 200));
    command.kind = kind;
    const name = (this.#count - back + NAMES) % NAMES * NAME_BYTES;
    if (kind === RequestStatus) command.clOrdId.set(this.#names, name, NAME_BYTES);
    else command.origClOrdId.set(this.#names, name, NAME_BYTES);
  }

  #quote(): void {
    const { command } = this;
    const entry = this.#entry;
    command.kind = MassQuote;
    for (let i = 0; i < ENTRIES; i++) {
      entry.instrumentId = 1 + (command.instrumentId + i) % this.#instruments;
      entry.bidPxTicks = MIDDLE - 1 - this.#below(10);
      entry.offerPxTicks = MIDDLE + 1 + this.#below(10);
      entry.bidQtyLots = entry.offerQtyLots = 1 + this.#below(50);
      writeQuoteEntry(entry, this.#entries, i * QUOTE_ENTRY_BYTES);
    }
    command.entries.set(this.#entries, 0, this.#entries.length);
  }

  #venue(dice: number, nowUs: number): void {
    const { command } = this;
    command.sessionId = 0;
    if (dice < 993) {
      command.kind = ExpireOrders;
      command.expireUs = nowUs;
    } else if (dice < 996) {
      command.kind = SetAlgorithm;
      command.target = ALGORITHM_CODES[this.#below(ALGORITHM_CODES.length)];
    } else {
      command.kind = SetPhase;
      command.instrumentId = 0;
      this.#phase = (this.#phase + 1) % PHASES.length;
      command.target = PHASES[this.#phase];
    }
  }
}
