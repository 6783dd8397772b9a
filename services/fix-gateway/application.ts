/**
 * Owns the seam between FIX sessions and what runs on top of them (order entry, drop copy, an echo): the
 * session delivers each application message once and in sequence, the application answers through the port.
 * Pure: types only.
 */
import type { FixMessage, FixWriter } from "../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../shared/protocol/mod.ts";

/** Why an application message was refused: becomes BusinessMessageReject(j). */
export interface BusinessReject {
  /** BusinessRejectReason(380). */
  readonly reason: number;
  /** BusinessRejectRefID(379): the refused message's own identifier, when it has one. */
  readonly refId?: string;
  /** Text(58), naming tag and value. */
  readonly text: string;
}

/** What the session layer asks of the program on top of it. Its methods must not throw. */
export interface Application {
  /** The session may be sent to: its Logon was answered. */
  loggedOn(session: SessionPort): void;
  /** The session's connection ended after a Logon; what is sent from now on is stored for the next one. */
  loggedOut(session: SessionPort): void;
  /**
   * One valid application message, in sequence; `message` is borrowed for the call. Returns null when it was
   * taken, or the refusal that the session sends as BusinessMessageReject(j).
   */
  receive(session: SessionPort, message: FixMessage): BusinessReject | null;
  /** Everything one socket read brought has been delivered: the moment to pass batches on. */
  readComplete(): void;
  /**
   * Null while messages are welcome; else a promise that resolves when they are again: sockets are not read
   * meanwhile.
   */
  readonly ready: Promise<void> | null;
}

/** One FIX session as the application sees it; it lives as long as the gateway, logged on or not. */
export interface SessionPort {
  /** Who the counterparty is. */
  readonly config: FixSession;
  /** Whether messages reach the counterparty now rather than at its next Logon. */
  readonly loggedOn: boolean;
  /** The session's writer with an empty body; valid until {@link send} or the next call. */
  compose(): FixWriter;
  /** Numbers, stores and (when logged on) transmits what {@link compose} holds as an application message. */
  send(msgType: string, possResend?: boolean): void;
  /**
   * Says Logout with `text` and closes once it is answered, or after a limit. Nothing happens when not logged
   * on.
   */
  logout(text: string): void;
}
