/**
 * Owns the public face of one FIX session in either role: what the application may do with it, and what the
 * driver feeds it. No socket, no clock of its own: bytes leave through an OutBuffer, time comes in. Pure.
 * Source: FIX 4.4 Vol. 2, "Session Protocol"; the folder's other files, one concern each.
 */
import type { FixMessage, FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { SessionPort } from "../application.ts";
import { receive } from "./inbound.ts";
import { endHours, renewBefore } from "./hours.ts";
import { acceptLogon, startLogon } from "./logon.ts";
import type { OutBuffer } from "./out_buffer.ts";
import { logOut, logOutAtOnce } from "./reject.ts";
import { Phase, type SessionSetup, SessionState, type Verdict } from "./state.ts";
import { nextDeadline, onTimer } from "./timers.ts";

/** One FIX session: lives as long as the process, through any number of connections. */
export class Session implements SessionPort {
  readonly config: FixSession;
  /** For the session's own functions and its tests; others read at most. */
  readonly state: SessionState;
  /** Whether the application was told of this connection's Logon and not yet of its end. */
  announced = false;

  constructor(setup: SessionSetup) {
    this.config = setup.config;
    this.state = new SessionState(setup);
  }

  get loggedOn(): boolean {
    return this.state.phase === Phase.LoggedOn;
  }

  /** Whether a connection has the session. */
  get connected(): boolean {
    return this.state.phase !== Phase.Disconnected;
  }

  /** Why the connection is to be closed once everything is written; "" while it is not. */
  get closeReason(): string {
    return this.state.closeReason;
  }

  compose(): FixWriter {
    return this.state.outbound.compose();
  }

  send(msgType: string, possResend = false): void {
    this.state.outbound.sendApplication(msgType, this.state.setup.clock.monotonicMs(), possResend);
  }

  logout(text: string): void {
    logOut(this.state, text, this.state.setup.clock.monotonicMs());
  }

  /** Acceptor: the Logon of an authenticated peer; see {@link acceptLogon}. */
  accept(message: FixMessage, wire: OutBuffer, now: number): Verdict {
    this.state.setup.tap?.received(message);
    return acceptLogon(this.state, message, wire, now);
  }

  /** Initiator: sends our Logon; see {@link startLogon}. */
  start(wire: OutBuffer, heartBtIntSec: number, reset: boolean, now: number): void {
    startLogon(this.state, wire, heartBtIntSec, reset, now);
  }

  /** One framed, indexed message of the connection. */
  receive(message: FixMessage, now: number): Verdict {
    this.state.setup.tap?.received(message);
    return receive(this.state, message, now);
  }

  /** Acceptor: numbers that began before this instant, ms, start again with a Logon now; -Infinity: none do. */
  get renewBefore(): number {
    return renewBefore(this.state);
  }

  /** When {@link onTimer} is due, ms; Infinity for never. */
  nextDeadline(): number {
    return nextDeadline(this.state);
  }

  /** Does what time has made due. */
  onTimer(now: number): void {
    onTimer(this.state, now);
  }

  /** Logs out a session whose hours are over. */
  keepHours(now: number): void {
    if (this.state.closesMs !== Infinity) endHours(this.state, now);
  }

  /** Says Logout with `text` and closes without waiting for the answer. */
  logoutAtOnce(text: string, now: number): void {
    if (this.loggedOn) logOutAtOnce(this.state, text, now);
    else this.state.close(text);
  }

  /** The connection cannot go on; the session is closed when what was sent is written. */
  close(reason: string): void {
    this.state.close(reason);
  }

  /** The connection is gone: what is sent from now on is stored only. */
  detach(): void {
    const { state } = this;
    state.phase = Phase.Disconnected;
    state.outbound.wire = null;
    state.outbound.transmitting = false;
    state.queue.clear();
    state.gap.clear();
    state.resends.clear();
  }
}
