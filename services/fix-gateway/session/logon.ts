/**
 * Owns Logon(A) on both sides: who may, on what terms, and what both numbers are afterwards. Nothing of a
 * session is touched before its credentials are verified. Pure. Source: FIX 4.4 Vol. 2, "Logon"; test cases
 * 1a to 1e.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import { compIdFault, isBeginStringRight, sendingTimeFault, tooLowText } from "./checks.ts";
import { requestResend } from "./gap.ts";
import { enterHours, renewBefore } from "./hours.ts";
import type { OutBuffer } from "./out_buffer.ts";
import { quoted } from "./quoted.ts";
import { logOutAtOnce } from "./reject.ts";
import { asciiBytes, Phase, type SessionState, valueEquals, Verdict } from "./state.ts";
import { MAX_SEQ_NUM, Tag, YES } from "./tags.ts";

/**
 * Why a first message is no acceptable Logon, for the log; null when its sender is who it says.
 * A session without username and password admits whoever knows its CompID.
 */
export function authenticationFault(message: FixMessage, config: FixSession | undefined): string | null {
  if (config !== undefined && config.username === "" && config.password === "") return null;
  const known = config ?? NOBODY;
  const username = secretEquals(message, Tag.Username, known.username);
  const password = secretEquals(message, Tag.Password, known.password);
  if (config === undefined) return "unknown SenderCompID(49)";
  return username && password ? null : "wrong Username(553) or Password(554)";
}

const NOBODY = { username: "\0nobody", password: "\0nothing" };

/** Compares in a time that depends on the length received alone. An absent field equals an empty secret. */
function secretEquals(message: FixMessage, tag: number, secret: string): boolean {
  const index = message.find(tag);
  const start = index < 0 ? 0 : message.valueStart[index];
  const length = index < 0 ? 0 : message.valueEnd[index] - start;
  let difference = length ^ secret.length;
  for (let i = 0; i < length; i++) {
    difference |= message.buffer[start + i] ^ secret.charCodeAt(i % Math.max(secret.length, 1));
  }
  return difference === 0;
}

/**
 * Acceptor: takes the Logon of an authenticated peer, whose connection's bytes go to `wire`. The caller has
 * made sure that the session has no other connection. A Logon that cannot be accepted is answered by a Logout
 * that says why.
 */
export function acceptLogon(state: SessionState, message: FixMessage, wire: OutBuffer, now: number): Verdict {
  connect(state, wire, now);
  const seq = message.int(Tag.MsgSeqNum);
  const closed = state.logonRefusal ?? enterHours(state);
  if (closed !== null) return refuse(state, closed, now);
  if (isOutdated(state)) state.reset();
  const fault = logonFault(state, message, seq);
  if (fault !== null) return refuse(state, fault, now);
  const reset = message.charCode(Tag.ResetSeqNumFlag) === YES;
  if (reset || state.settings.resetOnLogon) state.reset();
  if (seq < state.expectedSeq) return refuse(state, tooLowText(state, seq), now);
  state.heartBtIntMs = message.int(Tag.HeartBtInt) * 1000;
  const peerExpects = message.int(Tag.NextExpectedMsgSeqNum);
  const latest = state.outbound.nextSeq - 1;
  if (peerExpects > latest + 1) {
    const text = `Cannot accept NextExpectedMsgSeqNum(789): expected at most ${
      latest + 1
    }, got ${peerExpects}`;
    return refuse(state, text, now);
  }
  sendLogonAnswer(state, seq, reset, peerExpects, now);
  logOn(state);
  if (peerExpects <= latest && peerExpects >= 1) state.resends.request(peerExpects, latest, now);
  consumeLogon(state, seq, peerExpects >= 1, now);
  return Verdict.LoggedOn;
}

/** Whether the numbers are of an earlier day of a session whose numbers start again daily. */
function isOutdated(state: SessionState): boolean {
  return state.numbersSinceMs < renewBefore(state);
}

/** Initiator: opens the session over `wire`. With `reset` both numbers start at 1. */
export function startLogon(
  state: SessionState,
  wire: OutBuffer,
  heartBtIntSec: number,
  reset: boolean,
  now: number,
): void {
  connect(state, wire, now);
  if (reset) state.reset();
  const { config } = state.setup;
  const writer = state.outbound.composeAdmin();
  writer.int(Tag.EncryptMethod, 0);
  writer.int(Tag.HeartBtInt, heartBtIntSec);
  if (reset) writer.charCode(Tag.ResetSeqNumFlag, YES);
  writer.text(Tag.Username, config.username);
  writer.text(Tag.Password, config.password);
  state.outbound.sendAdmin("A", now);
  state.resetAsked = reset;
  state.heartBtIntMs = heartBtIntSec * 1000;
  state.answerDueMs = now + state.limits.logonTimeoutSec * 1000;
}

/** Initiator: the first message of the acceptor, which must be the answer to our Logon. */
export function onLogonAnswer(state: SessionState, message: FixMessage, now: number): Verdict {
  const text = message.text(Tag.Text);
  if (message.msgType !== "A") {
    const said = text === undefined ? "" : `: ${quoted(text)}`;
    state.close(`the peer answered our Logon with MsgType(35) ${quoted(message.msgType)}${said}`);
    return Verdict.Done;
  }
  if (!isBeginStringRight(message)) {
    state.close("Incorrect BeginString");
    return Verdict.Done;
  }
  const seq = message.int(Tag.MsgSeqNum);
  const fault = compIdFault(state, message)?.text ?? sendingTimeFault(state, message)?.text ??
    logonFault(state, message, seq);
  if (fault !== null) return refuse(state, fault, now);
  if (message.charCode(Tag.ResetSeqNumFlag) === YES && !state.resetAsked) {
    state.reset();
    state.outbound.nextSeq = 2;
  }
  if (seq < state.expectedSeq) return refuse(state, tooLowText(state, seq), now);
  state.heartBtIntMs = message.int(Tag.HeartBtInt) * 1000;
  logOn(state);
  consumeLogon(state, seq, false, now);
  return Verdict.LoggedOn;
}

/**
 * A Logon on a connection that is logged on: ResetSeqNumFlag(141)=Y starts both numbers again; others end it.
 */
export function onLogonWithinSession(
  state: SessionState,
  message: FixMessage,
  seq: number,
  now: number,
): Verdict {
  const reset = message.charCode(Tag.ResetSeqNumFlag) === YES;
  if (!reset && seq < state.expectedSeq) {
    if (message.charCode(Tag.PossDupFlag) !== YES) logOutAtOnce(state, tooLowText(state, seq), now);
    return Verdict.Done;
  }
  const fault = reset ? logonFault(state, message, seq) : "Cannot accept MsgType(35) A: logged on already";
  if (fault !== null) {
    logOutAtOnce(state, fault, now);
    return Verdict.Done;
  }
  state.reset();
  state.heartBtIntMs = message.int(Tag.HeartBtInt) * 1000;
  sendLogonAnswer(state, seq, true, NaN, now);
  state.expect(2);
  return Verdict.Done;
}

/** Whether this Logon, when it is taken now, starts both numbers again at 1. Changes nothing. */
export function startsAgain(state: SessionState, message: FixMessage): boolean {
  if (message.msgType !== "A") return false;
  const configured = state.phase === Phase.Disconnected && state.settings.resetOnLogon;
  if (!configured && message.charCode(Tag.ResetSeqNumFlag) !== YES) return false;
  if (state.phase !== Phase.Disconnected && state.phase !== Phase.LoggedOn) return false;
  if (!isBeginStringRight(message) || compIdFault(state, message) !== null) return false;
  if (sendingTimeFault(state, message) !== null) return false;
  return logonFault(state, message, message.int(Tag.MsgSeqNum)) === null;
}

/** The terms of a Logon that we cannot meet, as Text(58); null when we can. */
function logonFault(state: SessionState, message: FixMessage, seq: number): string | null {
  const fault = state.setup.validate(message);
  if (fault !== null) return fault.text;
  if (!(seq >= 1 && seq <= MAX_SEQ_NUM)) {
    return `Cannot accept MsgSeqNum(34): expected 1 to ${MAX_SEQ_NUM}, got ${
      quoted(message.text(Tag.MsgSeqNum))
    }`;
  }
  if (message.int(Tag.EncryptMethod) !== 0) {
    return `Cannot accept EncryptMethod(98): expected 0, got ${quoted(message.text(Tag.EncryptMethod))}`;
  }
  const { heartBtIntMinSec, heartBtIntMaxSec } = state.limits;
  const heartBtInt = message.int(Tag.HeartBtInt);
  if (!(heartBtInt >= heartBtIntMinSec && heartBtInt <= heartBtIntMaxSec)) {
    const got = quoted(message.text(Tag.HeartBtInt));
    return `Cannot accept HeartBtInt(108): expected ${heartBtIntMinSec} to ${heartBtIntMaxSec}, got ${got}`;
  }
  if (message.charCode(Tag.ResetSeqNumFlag) === YES && seq !== 1) {
    return `Cannot accept ResetSeqNumFlag(141)=Y: expected MsgSeqNum(34) 1, got ${seq}`;
  }
  if (!state.settings.nextExpectedMsgSeqNum && message.find(Tag.NextExpectedMsgSeqNum) >= 0) {
    const got = quoted(message.text(Tag.NextExpectedMsgSeqNum));
    return `Cannot accept NextExpectedMsgSeqNum(789): this session goes without, got ${got}`;
  }
  return null;
}

function connect(state: SessionState, wire: OutBuffer, now: number): void {
  state.outbound.wire = wire;
  state.phase = Phase.LoggingOn;
  state.closeReason = "";
  state.lastReceivedMs = now;
  state.testRequestMs = -1;
  state.answerDueMs = Infinity;
  state.resetAsked = false;
  state.queue.clear();
  state.gap.clear();
  state.resends.clear();
  state.expect(state.expectedSeq);
}

function logOn(state: SessionState): void {
  state.phase = Phase.LoggedOn;
  state.answerDueMs = Infinity;
  state.outbound.transmitting = true;
}

function refuse(state: SessionState, text: string, now: number): Verdict {
  logOutAtOnce(state, text, now);
  return Verdict.Done;
}

/**
 * Our Logon in answer, on the peer's terms. NextExpectedMsgSeqNum(789) is given to a peer that gave its own.
 */
function sendLogonAnswer(
  state: SessionState,
  seq: number,
  reset: boolean,
  peerExpects: number,
  now: number,
): void {
  const { outbound, settings } = state;
  if (settings.lastMsgSeqNumProcessed && seq === state.expectedSeq) outbound.lastProcessed = seq;
  const writer = outbound.composeAdmin();
  writer.int(Tag.EncryptMethod, 0);
  writer.int(Tag.HeartBtInt, state.heartBtIntMs / 1000);
  if (reset) writer.charCode(Tag.ResetSeqNumFlag, YES);
  if (peerExpects >= 1) {
    const expected = seq === state.expectedSeq ? seq + 1 : state.expectedSeq;
    writer.int(Tag.NextExpectedMsgSeqNum, expected);
  }
  outbound.sendAdmin("A", now);
}

/**
 * The Logon's own number: consumed when due; else a gap, which a peer that heard 789 fills without being
 * asked.
 */
function consumeLogon(state: SessionState, seq: number, told: boolean, now: number): void {
  if (seq === state.expectedSeq) {
    state.expect(seq + 1);
    return;
  }
  if (!state.queue.putDone(seq)) state.gap.notKept(seq);
  if (told) state.gap.ask(state.expectedSeq, seq, now);
  else requestResend(state, seq, now);
}

/**
 * Whether the first message is a Logon for `targetCompId` in our version, in time by a wall clock that shows `wallMs`;
 * else why not, for the log.
 */
export function firstMessageFault(
  message: FixMessage,
  targetCompId: string,
  toleranceSec: number,
  wallMs: number,
): string | null {
  if (message.msgType !== "A") return "the first message is no Logon";
  if (!isBeginStringRight(message)) return "wrong BeginString(8)";
  const target = message.find(Tag.TargetCompID);
  if (target < 0 || !valueEquals(message, target, asciiBytes(targetCompId))) return "wrong TargetCompID(56)";
  const sentMs = message.utcTimestampMs(Tag.SendingTime);
  if (!(Math.abs(sentMs - wallMs) <= toleranceSec * 1000)) {
    return "SendingTime(52) missing or too far from our clock";
  }
  return null;
}
