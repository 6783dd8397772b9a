/**
 * Owns what happens between a session and its application: verdicts are carried out, kept messages follow
 * when their turn has come, resends are read from the store page by page. The same for both roles. Pure.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Application } from "../application.ts";
import { nextQueued, receiveInSequence, receiveOversized } from "./inbound.ts";
import type { OutBuffer } from "./out_buffer.ts";
import { sendBusinessReject } from "./reject.ts";
import { PAGE_BYTES, type ResendJob } from "./resend.ts";
import type { Session } from "./session.ts";
import { Verdict } from "./state.ts";
import type { StoredPage } from "./store.ts";

/** Drives any number of sessions of one application; not re-entrant. */
export class Driver {
  readonly #application: Application;
  /** View over kept messages. */
  readonly #kept: FixMessage;

  /** `kept` indexes messages that had to wait; it must take as many fields as those of the connections. */
  constructor(application: Application, kept: FixMessage) {
    this.#application = application;
    this.#kept = kept;
  }

  /** The Logon of an authenticated peer. */
  accept(session: Session, message: FixMessage, wire: OutBuffer, now: number): void {
    this.#follow(session, message, session.accept(message, wire, now), now);
  }

  /** Any later message of the connection. */
  receive(session: Session, message: FixMessage, now: number): void {
    this.#follow(session, message, session.receive(message, now), now);
  }

  /** A message of the connection with more than `maxFields` fields, the first of which are indexed. */
  oversized(session: Session, message: FixMessage, maxFields: number, now: number): void {
    receiveOversized(session.state, message, maxFields, now);
    this.#follow(session, message, Verdict.Done, now);
  }

  /** Time passed, or the peer took bytes: what is due is done, resends go on. */
  proceed(session: Session, now: number): void {
    if (now >= session.nextDeadline()) session.onTimer(now);
    session.keepHours(now);
    if (session.state.resends.pending) this.#serveResends(session, now);
  }

  /** The session's connection ended: the application hears of it if it heard of the Logon. */
  detach(session: Session): void {
    session.detach();
    if (!session.announced) return;
    session.announced = false;
    this.#application.loggedOut(session);
  }

  #follow(session: Session, first: FixMessage, firstVerdict: Verdict, now: number): void {
    const { state } = session;
    let message: FixMessage | null = first;
    let verdict = firstVerdict;
    for (;;) {
      if (verdict === Verdict.Deliver) {
        const refusal = this.#application.receive(session, message);
        if (refusal !== null) sendBusinessReject(state, message, refusal, now);
      } else if (verdict === Verdict.LoggedOn) {
        session.announced = true;
        this.#application.loggedOn(session);
      }
      if (state.resends.pending) this.#serveResends(session, now);
      message = nextQueued(state, this.#kept, now);
      if (message === null) return;
      verdict = receiveInSequence(state, message, now);
    }
  }

  #serveResends(session: Session, now: number): void {
    const { resends, outbound } = session.state;
    for (;;) {
      const { wire } = outbound;
      const job = wire === null ? null : resends.wanted(now, wire.unsent);
      if (job === null) return;
      const page = outbound.store.read(job.next, job.end, PAGE_BYTES);
      if (page instanceof Promise) {
        this.#awaitPage(session, job, page);
        return;
      }
      resends.answer(job, page, outbound, now);
    }
  }

  async #awaitPage(session: Session, job: ResendJob, pending: Promise<StoredPage>): Promise<void> {
    const { resends, outbound, setup } = session.state;
    try {
      const page = await pending;
      resends.answer(job, page, outbound, setup.clock.monotonicMs());
      this.#serveResends(session, setup.clock.monotonicMs());
    } catch (error) {
      setup.log.warn("cannot read sent messages", { session: session.config.senderCompId, error });
      session.close("the store of sent messages cannot be read");
      outbound.wire?.nudge();
    }
  }
}
