/**
 * Owns the answers to administrative messages: Heartbeat, TestRequest, ResendRequest, Reject, SequenceReset,
 * Logout. The caller has judged header and dictionary. Pure. Source: FIX 4.4 Vol. 2, "Administrative
 * Messages"; test cases 4b, 7, 8, 10, 11, 13.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import { ByteSlice } from "../../../shared/codec/wire/byte_slice.ts";
import { quoted } from "./quoted.ts";
import { logOutAtOnce, sendLogout, sendReject } from "./reject.ts";
import { type Fault, Phase, type SessionState, Verdict } from "./state.ts";
import { MAX_SEQ_NUM, RejectReason, Tag } from "./tags.ts";

const testReqId = new ByteSlice();

/** An administrative message in sequence: consumes its number and answers it. */
export function onAdmin(state: SessionState, message: FixMessage, seq: number, now: number): void {
  if (message.msgType === "4") return onGapFill(state, message, seq, now);
  state.expect(seq + 1);
  switch (message.msgType) {
    case "1":
      return onTestRequest(state, message, now);
    case "2":
      return onResendRequest(state, message, now);
    case "3":
      return onReject(state, message);
  }
}

function onTestRequest(state: SessionState, message: FixMessage, now: number): void {
  message.slice(Tag.TestReqID, testReqId);
  const writer = state.outbound.composeAdmin();
  writer.slice(Tag.TestReqID, testReqId);
  state.outbound.sendAdmin("0", now);
}

function onReject(state: SessionState, message: FixMessage): void {
  const { senderCompId } = state.setup.config;
  const text = message.text(Tag.Text);
  const refSeqNum = message.int(Tag.RefSeqNum);
  state.log.warn("peer rejected a message", { session: senderCompId, refSeqNum, text });
}

/** The range of a ResendRequest, or what is wrong with it. */
function requestedRange(state: SessionState, message: FixMessage): { from: number; end: number } | Fault {
  const latest = state.outbound.nextSeq - 1;
  const from = message.int(Tag.BeginSeqNo);
  const end = message.int(Tag.EndSeqNo);
  if (!(from >= 1 && from <= latest)) {
    const got = quoted(message.text(Tag.BeginSeqNo));
    const text = `Cannot accept BeginSeqNo(7): expected 1 to ${latest}, got ${got}`;
    return { reason: RejectReason.ValueIncorrect, refTag: Tag.BeginSeqNo, text };
  }
  if (!(end >= from || end === 0)) {
    const got = quoted(message.text(Tag.EndSeqNo));
    const text = `Cannot accept EndSeqNo(16): expected 0 or at least BeginSeqNo(7) ${from}, got ${got}`;
    return { reason: RejectReason.ValueIncorrect, refTag: Tag.EndSeqNo, text };
  }
  return { from, end: end === 0 ? latest : Math.min(end, latest) };
}

function onResendRequest(state: SessionState, message: FixMessage, now: number): void {
  const range = requestedRange(state, message);
  if ("reason" in range) return sendReject(state, message, range, now);
  const refusal = state.resends.request(range.from, range.end, now);
  if (refusal !== null) logOutAtOnce(state, `Cannot resend from ${range.from}: ${refusal}`, now);
}

/**
 * A ResendRequest that itself came early is answered at once, or two sides that both miss something would
 * wait for each other (test case 20). False when it cannot be: then it waits its turn like any message.
 */
export function serveEarlyResendRequest(state: SessionState, message: FixMessage, now: number): boolean {
  if (state.setup.validate(message) !== null) return false;
  if ("reason" in requestedRange(state, message)) return false;
  onResendRequest(state, message, now);
  return true;
}

/** Test case 10: SequenceReset with GapFillFlag(123)=Y, in sequence. */
function onGapFill(state: SessionState, message: FixMessage, seq: number, now: number): void {
  const newSeqNo = message.int(Tag.NewSeqNo);
  if (newSeqNo > seq && newSeqNo <= MAX_SEQ_NUM) {
    state.expect(newSeqNo);
    state.queue.dropBelow(newSeqNo);
    return;
  }
  state.expect(seq + 1);
  const got = quoted(message.text(Tag.NewSeqNo));
  const text = `Cannot accept NewSeqNo(36): expected more than MsgSeqNum(34) ${seq}, got ${got}`;
  sendReject(state, message, { reason: RejectReason.ValueIncorrect, refTag: Tag.NewSeqNo, text }, now);
}

/** Test case 11: SequenceReset in Reset mode counts whatever its number is. */
export function onSequenceReset(state: SessionState, message: FixMessage, seq: number, now: number): Verdict {
  const fault = state.setup.validate(message);
  const newSeqNo = message.int(Tag.NewSeqNo);
  if (fault !== null) {
    if (seq === state.expectedSeq) state.expect(seq + 1);
    sendReject(state, message, fault, now);
  } else if (newSeqNo >= state.expectedSeq && newSeqNo <= MAX_SEQ_NUM) {
    state.log.info("peer reset its number", { session: state.setup.config.senderCompId, newSeqNo });
    state.expect(newSeqNo);
    state.queue.dropBelow(newSeqNo);
  } else {
    const expected = `expected at least ${state.expectedSeq}`;
    const text = `Cannot accept NewSeqNo(36): ${expected}, got ${quoted(message.text(Tag.NewSeqNo))}`;
    sendReject(state, message, { reason: RejectReason.ValueIncorrect, refTag: null, text }, now);
  }
  return Verdict.Done;
}

/**
 * Test case 13, and the answer to ours. A Logout counts whatever its number is; only the expected one is
 * consumed.
 */
export function onLogout(state: SessionState, message: FixMessage, seq: number, now: number): Verdict {
  if (seq === state.expectedSeq) state.expect(seq + 1);
  const text = message.text(Tag.Text);
  const said = text === undefined ? "" : `: ${quoted(text)}`;
  if (state.phase === Phase.LoggingOut) state.close(`logged out${said}`);
  else {
    sendLogout(state, "", now);
    state.close(`the peer logged out${said}`);
  }
  return Verdict.Done;
}
