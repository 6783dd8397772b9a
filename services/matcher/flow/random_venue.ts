/**
 * Random commands that are about more than one order: quotes, mass actions, phases, algorithms, expiry. Test support
 * only. Pure: the seed decides everything.
 */
import { codeOfChar, CommandKind, MatchAlgorithm, Phase, Reason } from "../../../shared/protocol/mod.ts";
import {
  type Command,
  QUOTE_ENTRY_BYTES,
  QuoteEntry,
  writeQuoteEntry,
} from "../../../shared/codec/wire/mod.ts";
import type { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import type { Drift, FlowFeatures } from "./random_terms.ts";

/** Turns some commands of a flow into such ones. */
export class RandomVenue {
  readonly #random: SeededRandom;
  readonly #features: FlowFeatures;
  readonly #drift: Drift;
  readonly #instruments: readonly number[];

  constructor(
    random: SeededRandom,
    features: FlowFeatures,
    drift: Drift,
    instruments: readonly number[],
  ) {
    this.#random = random;
    this.#features = features;
    this.#drift = drift;
    this.#instruments = instruments;
  }

  /** Whether it made the command, which has its session, name and instrument, one of these. */
  takes(command: Command, nowUs: number): boolean {
    const random = this.#random;
    const { quotes, massActions, phases, algorithms, times } = this.#features;
    if (quotes && random.oneIn(12)) this.#quote(command);
    else if (massActions && random.oneIn(60)) this.#mass(command);
    else if (phases && random.oneIn(25)) this.#phase(command, nowUs);
    else if (algorithms && random.oneIn(80)) this.#algorithm(command);
    else if (times && random.oneIn(50)) this.#expiry(command, nowUs);
    else return false;
    return true;
  }

  #quote(command: Command): void {
    const random = this.#random;
    command.side = 0;
    if (random.oneIn(10)) {
      command.kind = CommandKind.CancelQuotes;
      if (random.oneIn(3)) command.instrumentId = 0;
      if (random.oneIn(5)) command.clOrdId.clear();
      return;
    }
    command.kind = CommandKind.MassQuote;
    command.scope = random.below(3);
    if (this.#features.selfMatch) {
      command.smpId = random.below(2);
      command.smpAction = random.below(5);
    }
    const count = random.oneIn(40) ? 0 : 1 + random.below(4);
    const bytes = new Uint8Array(count * QUOTE_ENTRY_BYTES);
    for (let i = 0; i < count; i++) writeQuoteEntry(this.#entry(), bytes, i * QUOTE_ENTRY_BYTES);
    command.entries.set(bytes, 0, bytes.length);
  }

  #entry(): QuoteEntry {
    const random = this.#random;
    const entry = new QuoteEntry();
    entry.instrumentId = random.oneIn(40) ? 1 + random.below(99) : random.pick(this.#instruments);
    entry.quoteSetId.setText(`S${random.below(3)}`);
    entry.quoteEntryId.setText(`E${random.below(100)}`);
    const middle = this.#drift.near(entry.instrumentId, 2);
    entry.bidPxTicks = middle - random.below(3) - (random.oneIn(15) ? 0 : 1);
    entry.offerPxTicks = middle + random.below(3);
    entry.bidQtyLots = this.#lots();
    entry.offerQtyLots = this.#lots();
    if (random.oneIn(6)) entry.bidPxTicks = entry.bidQtyLots = 0;
    if (random.oneIn(6)) entry.offerPxTicks = entry.offerQtyLots = 0;
    if (random.oneIn(60)) entry.bidQtyLots = 0;
    if (random.oneIn(60)) entry.offerPxTicks = random.pick([0, 2 ** 31 - 1]);
    if (random.oneIn(60)) entry.reason = Reason.PriceOffTick;
    return entry;
  }

  #lots(): number {
    const random = this.#random;
    return random.oneIn(80) ? random.pick([2 ** 31 - 1, 600]) : 1 + random.below(25);
  }

  #mass(command: Command): void {
    const random = this.#random;
    command.kind = random.oneIn(2) ? CommandKind.MassCancel : CommandKind.MassStatus;
    command.scope = random.below(random.oneIn(20) ? 4 : 2);
    if (random.oneIn(12)) {
      command.scope = 2;
      if (!random.oneIn(4)) command.sessionId = command.incarnation = 0;
    }
    command.side = random.oneIn(30) ? 3 : random.oneIn(2) ? 0 : command.side;
    if (random.oneIn(3)) command.instrumentId = 0;
  }

  /** Half of them to Continuous, so that there is trading; some by schedule, some of them late. */
  #phase(command: Command, nowUs: number): void {
    const random = this.#random;
    this.#ofVenue(command);
    command.kind = CommandKind.SetPhase;
    command.target = random.oneIn(2)
      ? Phase.Continuous
      : random.oneIn(40)
      ? random.below(12)
      : random.pick(PHASE_MIX);
    if (random.oneIn(8)) command.scope = 1 + random.below(8);
    if (random.oneIn(3)) command.expireUs = Math.max(0, nowUs - random.below(40) * 1000);
    if (random.oneIn(4)) command.instrumentId = 0;
  }

  #algorithm(command: Command): void {
    const random = this.#random;
    this.#ofVenue(command);
    command.kind = CommandKind.SetAlgorithm;
    command.target = random.oneIn(20)
      ? random.below(256)
      : codeOfChar(random.pick(Object.values(MatchAlgorithm)).charCodeAt(0));
  }

  #expiry(command: Command, nowUs: number): void {
    this.#ofVenue(command);
    command.kind = CommandKind.ExpireOrders;
    command.expireUs = nowUs - 4000 + this.#random.below(8) * 1000;
  }

  /** A command that no session sent. */
  #ofVenue(command: Command): void {
    command.sessionId =
      command.incarnation =
      command.msgSeqNum =
      command.side =
      command.flags =
        0;
    command.clOrdId.clear();
  }
}

const PHASE_MIX = [
  Phase.PreOpen,
  Phase.PreOpen,
  Phase.NoCancel,
  Phase.OpeningAuction,
  Phase.OpeningAuction,
  Phase.VolatilityAuction,
  Phase.ClosingAuction,
  Phase.ClosingAuction,
  Phase.Halt,
  Phase.Closed,
];
