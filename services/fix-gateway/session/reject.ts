/**
 * Owns the session's refusals: Reject(3), BusinessMessageReject(j) and Logout(5) with their fields. It does
 * not decide whether to refuse. Pure. Source: FIX 4.4 Vol. 2, "Reject", "Logout"; Vol. 1, "Business Message
 * Reject".
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { BusinessReject } from "../application.ts";
import { plainText } from "./plain_texts.ts";
import { type Fault, Phase, type SessionState } from "./state.ts";
import { RejectReason, Tag } from "./tags.ts";

/** How long our Logout waits for its answer, ms. */
const LOGOUT_ANSWER_MS = 2000;

/** Each routing field and the one that carries its value back. */
const REVERSED_ROUTES: readonly (readonly [number, number])[] = [
  [Tag.DeliverToCompID, Tag.OnBehalfOfCompID],
  [Tag.DeliverToSubID, Tag.OnBehalfOfSubID],
  [Tag.DeliverToLocationID, Tag.OnBehalfOfLocationID],
  [Tag.OnBehalfOfCompID, Tag.DeliverToCompID],
  [Tag.OnBehalfOfSubID, Tag.DeliverToSubID],
  [Tag.OnBehalfOfLocationID, Tag.DeliverToLocationID],
];

/**
 * Sends Reject(3) for `message`. RefTagID(371) is left out when no tag is at fault, and for an unknown
 * MsgType(35), which RefMsgType(372) already names.
 */
export function sendReject(state: SessionState, message: FixMessage, fault: Fault, now: number): void {
  const { reason, refTag, text } = fault;
  const seq = message.int(Tag.MsgSeqNum);
  const writer = state.outbound.composeAdmin();
  writer.int(Tag.RefSeqNum, Number.isNaN(seq) ? 0 : seq);
  writer.text(Tag.Text, state.setup.plainAnswers === true ? plainText(reason) : text);
  if (refTag !== null && reason !== RejectReason.InvalidMsgType) writer.int(Tag.RefTagID, refTag);
  writer.text(Tag.RefMsgType, message.msgType);
  writer.int(Tag.SessionRejectReason, reason);
  state.outbound.sendAdmin("3", now, reversedRoute(message));
  state.log.debug("message rejected", { session: state.setup.config.senderCompId, seq, text });
}

/** Sends BusinessMessageReject(j) for `message`. */
export function sendBusinessReject(
  state: SessionState,
  message: FixMessage,
  refusal: BusinessReject,
  now: number,
): void {
  const seq = message.int(Tag.MsgSeqNum);
  const writer = state.outbound.compose();
  writer.int(Tag.RefSeqNum, Number.isNaN(seq) ? 0 : seq);
  writer.text(Tag.Text, refusal.text);
  writer.text(Tag.RefMsgType, message.msgType);
  if (refusal.refId !== undefined) writer.text(Tag.BusinessRejectRefID, refusal.refId);
  writer.int(Tag.BusinessRejectReason, refusal.reason);
  state.outbound.sendApplication("j", now, false, reversedRoute(message));
}

/** Sends Logout(5), with Text(58) unless `text` is empty. */
export function sendLogout(state: SessionState, text: string, now: number): void {
  const writer = state.outbound.composeAdmin();
  writer.text(Tag.Text, text);
  state.outbound.sendAdmin("5", now);
}

/** Sends our Logout and waits, with a limit, for the peer's before closing. */
export function logOut(state: SessionState, text: string, now: number): void {
  if (state.phase !== Phase.LoggedOn) return;
  sendLogout(state, text, now);
  state.phase = Phase.LoggingOut;
  state.outbound.transmitting = false;
  state.answerDueMs = now + LOGOUT_ANSWER_MS;
  state.log.info("logging out", { session: state.setup.config.senderCompId, text });
}

/** Sends Logout, unless ours is out already, and closes without waiting for the answer. */
export function logOutAtOnce(state: SessionState, text: string, now: number): void {
  if (state.phase !== Phase.LoggingOut) sendLogout(state, text, now);
  state.close(text);
}

/** The routing fields of the answer to `message`, encoded; undefined when it names no route. */
function reversedRoute(message: FixMessage): Uint8Array | undefined {
  let text = "";
  for (const [to, from] of REVERSED_ROUTES) {
    const value = message.text(from);
    if (value !== undefined && value !== "") text += `${to}=${value}\x01`;
  }
  return text === "" ? undefined : Uint8Array.from(text, (character) => character.charCodeAt(0));
}
