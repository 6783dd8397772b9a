/**
 * Owns what time brings about: Heartbeat, TestRequest, giving up on a silent peer, asking again for a gap,
 * the end of waiting for an answer. Time is an input. Pure. Source: FIX 4.4 Vol. 2, "Heartbeat", "Test
 * Request"; cases 4a, 6.
 */
import { requestResend } from "./gap.ts";
import { logOutAtOnce } from "./reject.ts";
import { Phase, type SessionState } from "./state.ts";
import { Tag } from "./tags.ts";

/**
 * What a message may be late beyond HeartBtInt, as a share of it, and at least, ms ("some reasonable time").
 */
const TRANSMISSION_SHARE = 0.2;
const TRANSMISSION_MIN_MS = 200;

/** HeartBtInt and the time that a message may take, ms. */
function silenceMs(state: SessionState): number {
  return state.heartBtIntMs + Math.max(TRANSMISSION_MIN_MS, state.heartBtIntMs * TRANSMISSION_SHARE);
}

/** When {@link onTimer} has something to do if nothing else happens, ms; Infinity for never. */
export function nextDeadline(state: SessionState): number {
  if (state.phase === Phase.LoggingOn) return state.answerDueMs;
  if (state.phase === Phase.LoggingOut) return Math.min(state.answerDueMs, state.resends.deadline);
  if (state.phase !== Phase.LoggedOn) return Infinity;
  const deadline = Math.min(state.gap.deadline, state.resends.deadline);
  if (state.heartBtIntMs === 0) return deadline;
  if (state.testRequestMs >= 0) return Math.min(deadline, state.testRequestMs + silenceMs(state));
  const heartbeat = state.outbound.lastSentMs + state.heartBtIntMs;
  return Math.min(deadline, heartbeat, state.lastReceivedMs + silenceMs(state));
}

/** Does what is due at `now`. */
export function onTimer(state: SessionState, now: number): void {
  if (state.phase === Phase.LoggingOn && now >= state.answerDueMs) state.close("our Logon was not answered");
  if (state.phase === Phase.LoggingOut && now >= state.answerDueMs) {
    state.close("our Logout was not answered");
  }
  if (state.phase !== Phase.LoggedOn) return;
  if (now >= state.gap.deadline) askAgain(state, now);
  if (state.heartBtIntMs !== 0 && state.phase === Phase.LoggedOn) keepAlive(state, now);
}

/**
 * While our TestRequest is unanswered no Heartbeat is due: the wait is one HeartBtInt and the transmission
 * time, and ends with the connection or with a message.
 */
function keepAlive(state: SessionState, now: number): void {
  if (state.testRequestMs >= 0) {
    if (now >= state.testRequestMs + silenceMs(state)) state.close("silent after our TestRequest");
    return;
  }
  if (now >= state.lastReceivedMs + silenceMs(state)) {
    const writer = state.outbound.composeAdmin();
    writer.text(Tag.TestReqID, "TEST");
    state.outbound.sendAdmin("1", now);
    state.testRequestMs = now;
  } else if (now >= state.outbound.lastSentMs + state.heartBtIntMs) {
    state.outbound.composeAdmin();
    state.outbound.sendAdmin("0", now);
  }
}

function askAgain(state: SessionState, now: number): void {
  if (state.gap.hopeless) {
    logOutAtOnce(state, `Cannot continue: messages from ${state.expectedSeq} on were not resent`, now);
  } else requestResend(state, state.gap.until, now);
}
