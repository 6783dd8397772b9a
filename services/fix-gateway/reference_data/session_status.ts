/**
 * TradingSessionStatusRequest(g) → TradingSessionStatus(h). FIX 4.4's h names a trading session and no instrument, and
 * here every symbol has hours of its own: TradingSessionID(336) is the symbol, TradingSessionSubID(625) its phase. Owns
 * the subscriptions, which end with the connection. Pure.
 * Source: FIX 4.4 Vol. 3, messages g and h; docs/fix.md, "Trading sessions".
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import { type Instrument, Phase, phaseName } from "../../../shared/protocol/mod.ts";
import type { SessionPort } from "../application.ts";
import { NO_SYMBOL_TEXT } from "../order_entry/quote_report.ts";
import { DESCRIPTION_TAGS, FieldPlan, textAt } from "../order_entry/mass_fields.ts";
import type { MarketState } from "./market_state.ts";

/** How TradingSessionStatusRequest(g) is read. */
export const SESSION_STATUS_PLAN: FieldPlan = new FieldPlan(335, [263, 335, 336], DESCRIPTION_TAGS, [
  [338, ["1"]],
]);

/** Subscriptions of one session at a time. */
export const MAX_SUBSCRIPTIONS = 100;

const REQUEST_REJECTED = 6;
const UNKNOWN_SESSION = 1;

/** TradSesStatus(340) of a phase: 0 unknown, 1 halted, 2 open, 3 closed, 4 pre-open, 5 pre-close. */
export function tradSesStatus(phase: number): number {
  switch (phase) {
    case Phase.Closed:
      return 3;
    case Phase.PreOpen:
    case Phase.NoCancel:
    case Phase.OpeningAuction:
    case Phase.VolatilityAuction:
      return 4;
    case Phase.Continuous:
      return 2;
    case Phase.Halt:
      return 1;
    case Phase.ClosingAuction:
      return 5;
    default:
      return 0;
  }
}

/** One client's wish to hear of phases; `instrument` is null for all of them. */
interface Subscription {
  readonly port: SessionPort;
  readonly requestId: string;
  readonly instrument: Instrument | null;
}

/** Who hears of phases. */
export class SessionStatus {
  readonly #venue: Venue;
  readonly #state: MarketState;
  /** By session id, and by TradSesReqID(335). */
  readonly #subscriptions = new Map<number, Map<string, Subscription>>();

  constructor(venue: Venue, state: MarketState) {
    this.#venue = venue;
    this.#state = state;
  }

  /** Answers a sound g. */
  answer(message: FixMessage, port: SessionPort): void {
    const requestId = message.text(335) ?? "";
    const symbol = message.find(336);
    const text = symbol < 0 ? "" : textAt(message, symbol);
    const own = this.#subscriptions.get(port.config.id);
    const refuse = (reason: number, why: string) => {
      const writer = port.compose();
      writer.text(335, requestId);
      writer.text(336, text || NO_SYMBOL_TEXT);
      writer.int(340, REQUEST_REJECTED);
      if (reason > 0) writer.int(567, reason);
      writer.text(58, why);
      port.send("h");
    };
    const type = message.text(263) ?? "";
    if (type === "2") {
      if (own?.delete(requestId)) return;
      const expected = "one that is subscribed to";
      return refuse(0, `Cannot end TradSesReqID(335): expected ${expected}, got "${requestId}"`);
    }
    const instrument = this.#venue.instrumentBySymbol.get(text) ?? null;
    if (symbol >= 0 && instrument === null) {
      const why = `Cannot report TradingSessionID(336): expected a listed symbol, got "${text}"`;
      return refuse(UNKNOWN_SESSION, why);
    }
    if (type === "1") {
      if (own !== undefined && own.size >= MAX_SUBSCRIPTIONS && !own.has(requestId)) {
        const expected = `at most ${MAX_SUBSCRIPTIONS} of a session`;
        return refuse(0, `Cannot subscribe TradSesReqID(335): expected ${expected}, got "${requestId}"`);
      }
      const subscriptions = own ?? new Map<string, Subscription>();
      subscriptions.set(requestId, { port, requestId, instrument });
      this.#subscriptions.set(port.config.id, subscriptions);
    }
    const asked = instrument === null ? this.#venue.instruments : [instrument];
    for (const each of asked) this.#send(port, requestId, each, false);
  }

  /** The phase of an instrument is another one than before. */
  changed(instrument: Instrument): void {
    for (const subscriptions of this.#subscriptions.values()) {
      for (const subscription of subscriptions.values()) {
        if (subscription.instrument !== null && subscription.instrument !== instrument) continue;
        if (subscription.port.loggedOn) {
          this.#send(subscription.port, subscription.requestId, instrument, true);
        }
      }
    }
  }

  /** The session's connection is gone, and its subscriptions with it. */
  forget(port: SessionPort): void {
    this.#subscriptions.delete(port.config.id);
  }

  #send(port: SessionPort, requestId: string, instrument: Instrument, unsolicited: boolean): void {
    const phase = this.#state.phaseOf(instrument);
    const writer = port.compose();
    writer.text(335, requestId);
    writer.text(336, instrument.symbol);
    if (phase > 0) writer.text(625, phaseName(phase));
    writer.int(338, 1);
    if (unsolicited) writer.text(325, "Y");
    writer.int(340, tradSesStatus(phase));
    port.send("h");
  }
}
