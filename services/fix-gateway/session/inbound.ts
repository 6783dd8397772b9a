/**
 * Owns the order of judgement over a received message: BeginString, number, CompIDs, SendingTime, sequence,
 * duplicate, dictionary, and then who deals with it. Administrative messages go to admin.ts, Logons to
 * logon.ts; application messages are left to the driver. Pure. Source: FIX 4.4 Vol. 2, "Session Protocol";
 * test cases 2a to 2t.
 */
import { FIX44, type FixMessage } from "../../../shared/codec/fix/mod.ts";
import { onAdmin, onLogout, onSequenceReset, serveEarlyResendRequest } from "./admin.ts";
import {
  compIdFault,
  isBeginStringRight,
  origSendingTimeFault,
  sendingTimeFault,
  tooLowText,
} from "./checks.ts";
import { requestResend } from "./gap.ts";
import { DONE } from "./inbound_queue.ts";
import { onLogonAnswer, onLogonWithinSession } from "./logon.ts";
import { quoted } from "./quoted.ts";
import { logOut, logOutAtOnce, sendBusinessReject, sendReject } from "./reject.ts";
import { type Fault, MIN_ADMIN_RATE, Phase, type SessionState, Verdict } from "./state.ts";
import { MAX_SEQ_NUM, RejectReason, Tag, YES } from "./tags.ts";

/** BusinessRejectReason(380) "throttle limit exceeded": FIX versions after 4.4 define it. */
const THROTTLED = 8;

/** Takes one framed and indexed message of a connection. Never throws, whatever the message holds. */
export function receive(state: SessionState, message: FixMessage, now: number): Verdict {
  if (state.phase === Phase.Closing || state.phase === Phase.Disconnected) return Verdict.Done;
  state.lastReceivedMs = now;
  state.testRequestMs = -1;
  if (state.phase === Phase.LoggingOn) return onLogonAnswer(state, message, now);
  if (!isBeginStringRight(message)) {
    logOut(state, "Incorrect BeginString", now);
    return Verdict.Done;
  }
  const type = message.msgType;
  const seq = message.int(Tag.MsgSeqNum);
  if (!(seq >= 0 && seq <= MAX_SEQ_NUM)) {
    const got = quoted(message.text(Tag.MsgSeqNum));
    logOutAtOnce(state, `Cannot accept MsgSeqNum(34): expected 1 to ${MAX_SEQ_NUM}, got ${got}`, now);
    return Verdict.Done;
  }
  if (type === "5") return onLogout(state, message, seq, now);
  const admin = isAdmin(type);
  if (admin && !state.adminRate.take(now)) return onTooManyAdmin(state, now);
  if (state.phase === Phase.LoggingOut) return onWhileLoggingOut(state, message, seq, now);
  const fault = compIdFault(state, message) ?? sendingTimeFault(state, message);
  if (fault !== null) return rejectAndLogOut(state, message, seq, fault, now);
  if (type === "A") return onLogonWithinSession(state, message, seq, now);
  if (type === "4" && message.charCode(Tag.GapFillFlag) !== YES) {
    return onSequenceReset(state, message, seq, now);
  }
  const within = admin || state.applicationRate.take(now);
  if (seq > state.expectedSeq) return onTooHigh(state, message, seq, within, now);
  if (seq < state.expectedSeq) return onTooLow(state, message, seq, now);
  return within ? receiveInSequence(state, message, now) : refuseOverRate(state, message, now);
}

/** Takes a message whose number is the expected one and whose header was judged before. */
export function receiveInSequence(state: SessionState, message: FixMessage, now: number): Verdict {
  const seq = state.expectedSeq;
  if (message.charCode(Tag.PossDupFlag) === YES) {
    const fault = origSendingTimeFault(message);
    if (fault !== null && fault.reason === RejectReason.SendingTimeAccuracy) {
      return rejectAndLogOut(state, message, seq, fault, now);
    }
    if (fault !== null) return consumeAndReject(state, message, fault, now);
  }
  const fault = state.setup.validate(message);
  if (fault !== null) return consumeAndReject(state, message, fault, now);
  if (isAdmin(message.msgType)) {
    onAdmin(state, message, seq, now);
    return Verdict.Done;
  }
  state.expect(seq + 1);
  return Verdict.Deliver;
}

/**
 * The kept message whose turn has come, indexed by `into`; null when there is none. When the gap is filled
 * and another shows behind it, or messages behind it were not kept, asks for those.
 */
export function nextQueued(state: SessionState, into: FixMessage, now: number): FixMessage | null {
  const { queue, gap } = state;
  if (queue.size === 0 && !gap.open) return null;
  while (state.phase === Phase.LoggedOn) {
    const bytes = queue.take(state.expectedSeq);
    if (bytes === undefined) break;
    if (bytes !== DONE) {
      into.dataLengthTags = state.setup.dataLengthTags ?? FIX44.dataLengthTags;
      into.parse(bytes, 0, bytes.length);
      return into;
    }
    state.expect(state.expectedSeq + 1);
  }
  if (gap.open) gap.advance(state.expectedSeq, now);
  if (gap.open || state.phase !== Phase.LoggedOn) return null;
  if (queue.size > 0) requestResend(state, queue.lowest(), now);
  else if (gap.unkept >= state.expectedSeq) requestResend(state, gap.unkept + 1, now);
  return null;
}

/** A message of more fields than are indexed: its number is consumed and it is refused, if it is the next. */
export function receiveOversized(
  state: SessionState,
  message: FixMessage,
  maxFields: number,
  now: number,
): void {
  state.setup.tap?.received(message);
  if (state.phase !== Phase.LoggedOn || message.int(Tag.MsgSeqNum) !== state.expectedSeq) return;
  const text = `Cannot accept MsgType(35) ${quoted(message.msgType)}: ` +
    `more than ${maxFields} fields (maxFieldsPerMessage)`;
  consumeAndReject(state, message, { reason: RejectReason.Other, refTag: null, text }, now);
}

/**
 * After our Logout only resends are still given; any other message keeps its number for the next connection,
 * where it is asked for again.
 */
function onWhileLoggingOut(state: SessionState, message: FixMessage, seq: number, now: number): Verdict {
  if (message.msgType !== "2" || compIdFault(state, message) !== null) return Verdict.Done;
  if (serveEarlyResendRequest(state, message, now) && seq === state.expectedSeq) state.expect(seq + 1);
  return Verdict.Done;
}

/**
 * Test case 2b: keep it, and ask for what is missing unless that was done. One that is not kept, because there is no
 * room or because it came above the rate, is missing in its turn.
 */
function onTooHigh(
  state: SessionState,
  message: FixMessage,
  seq: number,
  keep: boolean,
  now: number,
): Verdict {
  const { queue, gap, limits } = state;
  const kept = message.msgType === "2" && serveEarlyResendRequest(state, message, now)
    ? queue.putDone(seq)
    : keep && queue.put(seq, message.buffer, message.start, message.end);
  if (!kept) {
    gap.notKept(seq);
    const { maxQueuedMessages, maxMessagesPerSecond } = limits;
    const fields = { session: state.setup.config.senderCompId, seq, maxQueuedMessages, maxMessagesPerSecond };
    state.log.debug("early message not kept", fields);
  }
  if (!gap.open && state.phase === Phase.LoggedOn) requestResend(state, seq, now);
  return Verdict.Done;
}

/** Test cases 2c, 2e, 2f, 2g. */
function onTooLow(state: SessionState, message: FixMessage, seq: number, now: number): Verdict {
  if (message.charCode(Tag.PossDupFlag) !== YES) {
    if (state.setup.plainAnswers === true && message.msgType === "2") {
      if (serveEarlyResendRequest(state, message, now)) return Verdict.Done;
    }
    logOutAtOnce(state, tooLowText(state, seq), now);
    return Verdict.Done;
  }
  const fault = origSendingTimeFault(message);
  if (fault === null) return Verdict.Done;
  if (fault.reason === RejectReason.SendingTimeAccuracy) {
    return rejectAndLogOut(state, message, seq, fault, now);
  }
  sendReject(state, message, fault, now);
  return Verdict.Done;
}

/** One application message more than may come in a second. */
function refuseOverRate(state: SessionState, message: FixMessage, now: number): Verdict {
  const { maxMessagesPerSecond, overRateAnswer } = state.limits;
  const text = `Cannot accept MsgType(35) ${quoted(message.msgType)}: ` +
    `more than ${maxMessagesPerSecond} messages in a second (maxMessagesPerSecond)`;
  if (overRateAnswer === "reject") {
    return consumeAndReject(state, message, { reason: RejectReason.Other, refTag: null, text }, now);
  }
  if (overRateAnswer === "logout") logOutAtOnce(state, text, now);
  else {
    state.expect(state.expectedSeq + 1);
    sendBusinessReject(state, message, { reason: THROTTLED, refId: message.text(Tag.ClOrdID), text }, now);
  }
  return Verdict.Done;
}

/** Session messages have no refusal that would keep the session whole. */
function onTooManyAdmin(state: SessionState, now: number): Verdict {
  const { maxMessagesPerSecond } = state.limits;
  const most = Math.max(maxMessagesPerSecond, MIN_ADMIN_RATE);
  const text = `Cannot accept more than ${most} session messages in a second (maxMessagesPerSecond)`;
  logOutAtOnce(state, text, now);
  return Verdict.Done;
}

function isAdmin(type: string): boolean {
  return type.length === 1 && (type <= "5" && type >= "0" || type === "A");
}

function consumeAndReject(state: SessionState, message: FixMessage, fault: Fault, now: number): Verdict {
  state.expect(state.expectedSeq + 1);
  if (message.msgType === "3") {
    state.log.warn("faulty Reject", { session: state.setup.config.senderCompId, text: fault.text });
  } else sendReject(state, message, fault, now);
  return Verdict.Done;
}

function rejectAndLogOut(
  state: SessionState,
  message: FixMessage,
  seq: number,
  fault: Fault,
  now: number,
): Verdict {
  if (seq === state.expectedSeq) state.expect(seq + 1);
  sendReject(state, message, fault, now);
  logOut(state, state.setup.plainAnswers === true ? "" : fault.text, now);
  return Verdict.Done;
}
