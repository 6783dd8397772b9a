/**
 * Owns the judgements over a message's header that the dictionary cannot make: our version, our CompIDs,
 * plausible times. They change nothing. Pure. Source: FIX 4.4 Vol. 2, "Standard Message Header"; test cases
 * 2f, 2g, 2i, 2k, 2o.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import { quoted } from "./quoted.ts";
import { type Fault, type SessionState, valueEquals } from "./state.ts";
import { BEGIN_STRING, RejectReason, Tag } from "./tags.ts";

/** Whether BeginString(8) is ours. */
export function isBeginStringRight(message: FixMessage): boolean {
  return valueEquals(message, 0, BEGIN_STRING_BYTES);
}

const BEGIN_STRING_BYTES = Uint8Array.from(BEGIN_STRING, (character) => character.charCodeAt(0));

/** CompIDs that are there and differ; missing and empty ones are the dictionary's to refuse. */
export function compIdFault(state: SessionState, message: FixMessage): Fault | null {
  const sender = message.find(Tag.SenderCompID);
  if (sender >= 0 && !valueEquals(message, sender, state.peerCompId)) {
    if (message.valueEnd[sender] > message.valueStart[sender]) {
      return compIdProblem(message, "SenderCompID", 49);
    }
  }
  const target = message.find(Tag.TargetCompID);
  if (target >= 0 && !valueEquals(message, target, state.ownCompId)) {
    if (message.valueEnd[target] > message.valueStart[target]) {
      return compIdProblem(message, "TargetCompID", 56);
    }
  }
  return null;
}

function compIdProblem(message: FixMessage, name: string, tag: number): Fault {
  const text = `Cannot accept ${name}(${tag}): expected that of the Logon, got ${quoted(message.text(tag))}`;
  return { reason: RejectReason.CompIdProblem, refTag: null, text };
}

/** SendingTime(52) too far from our clock; a missing or malformed one is the dictionary's to refuse. */
export function sendingTimeFault(state: SessionState, message: FixMessage): Fault | null {
  const sentMs = message.utcTimestampMs(Tag.SendingTime);
  const toleranceSec = state.limits.sendingTimeToleranceSec;
  if (!(Math.abs(sentMs - state.setup.clock.wallMs()) > toleranceSec * 1000)) return null;
  const got = quoted(message.text(Tag.SendingTime));
  const text = `Cannot accept SendingTime(52): expected within ${toleranceSec} s of our clock, got ${got}`;
  return { reason: RejectReason.SendingTimeAccuracy, refTag: null, text };
}

/** What is wrong with OrigSendingTime(122) of a PossDup message; SequenceReset may go without. */
export function origSendingTimeFault(message: FixMessage): Fault | null {
  if (message.find(Tag.OrigSendingTime) < 0) {
    if (message.msgType === "4") return null;
    const text = "Cannot accept PossDupFlag(43)=Y: OrigSendingTime(122) is missing";
    return { reason: RejectReason.RequiredTagMissing, refTag: Tag.OrigSendingTime, text };
  }
  const original = message.utcTimestampMs(Tag.OrigSendingTime);
  if (!(original > message.utcTimestampMs(Tag.SendingTime))) return null;
  const got = quoted(message.text(Tag.OrigSendingTime));
  const text = `Cannot accept OrigSendingTime(122): expected at most SendingTime(52), got ${got}`;
  return { reason: RejectReason.SendingTimeAccuracy, refTag: null, text };
}

/** Test case 2c's Text(58). */
export function tooLowText(state: SessionState, seq: number): string {
  return `MsgSeqNum too low, expecting ${state.expectedSeq} but received ${seq}`;
}
