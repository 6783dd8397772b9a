/**
 * Answers what clients ask about instruments and trading sessions, at once and without a command: x, c and g. Owns who
 * may ask and what the three have in common. A request that was received just before the gateway died has no answer:
 * its client asks again. Pure. docs/fix.md, "Reference data".
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import type { InstrumentStates, SessionRole } from "../../../shared/protocol/mod.ts";
import type { BusinessReject, SessionPort } from "../application.ts";
import { businessReject, BusinessRejectReason } from "../order_entry/business_reject.ts";
import { faultOfEnvelope, type FieldPlan } from "../order_entry/mass_fields.ts";
import { MarketState } from "./market_state.ts";
import {
  answerDefinition,
  answerList,
  SECURITY_DEFINITION_PLAN,
  SECURITY_LIST_PLAN,
  type SecuritySource,
} from "./security_answers.ts";
import { SESSION_STATUS_PLAN, SessionStatus } from "./session_status.ts";

/** Roles of sessions that may ask. */
const ASKERS: readonly SessionRole[] = ["trading", "market-data"];

/** The desk of one gateway process. */
export class ReferenceDesk {
  readonly #state: MarketState;
  readonly #status: SessionStatus;
  readonly #source: SecuritySource;

  /** `origin` is a text that no other process of the venue has: every SecurityResponseID(322) begins with it. */
  constructor(venue: Venue, origin: string) {
    this.#state = new MarketState(venue.instruments, (instrument) => this.#status.changed(instrument));
    this.#status = new SessionStatus(venue, this.#state);
    let answers = 0;
    this.#source = { venue, state: this.#state, nextResponseId: () => `${origin}-${++answers}` };
  }

  /** What a matcher says of its instruments. */
  learned(states: InstrumentStates): void {
    this.#state.learned(states);
  }

  /** An event of command message `cmdSeq` that concerns the market; each once and in order. */
  event(event: Event, cmdSeq: number): void {
    this.#state.event(event, cmdSeq);
  }

  /** Answers an x, c or g through `session`, or says why not; `message` is borrowed for the call. */
  receive(session: SessionPort, message: FixMessage): BusinessReject | null {
    const plan = planOf(message.msgType);
    const fault = faultOf(message, session, plan);
    if (fault !== null) return fault;
    if (message.msgType === "x") answerList(message, session, this.#source);
    else if (message.msgType === "c") answerDefinition(message, session, this.#source);
    else this.#status.answer(message, session);
    return null;
  }

  /** The session's connection is gone. */
  loggedOut(session: SessionPort): void {
    this.#status.forget(session);
  }
}

function planOf(msgType: string): FieldPlan {
  if (msgType === "x") return SECURITY_LIST_PLAN;
  return msgType === "c" ? SECURITY_DEFINITION_PLAN : SESSION_STATUS_PLAN;
}

function faultOf(message: FixMessage, session: SessionPort, plan: FieldPlan): BusinessReject | null {
  const faults = plan.faultsOf(message);
  const fault = faultOfEnvelope(message, session.config, plan, faults, ASKERS);
  const { unsupported } = faults;
  if (fault !== null || unsupported < 0) return fault;
  const expected = plan.expectationOf(message.tags[unsupported]);
  return businessReject(message, BusinessRejectReason.Other, unsupported, 0, expected, plan.idTag);
}
