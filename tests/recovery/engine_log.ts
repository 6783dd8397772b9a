/**
 * Reads the log that QuickFIX/J or QuickFIX/Go writes of its session, message by message as they were on the wire, and holds it to the
 * rules of sequence numbers. Test code only.
 */
import assert from "node:assert/strict";
import { type Fields, fieldsOf } from "../interop/driver.ts";
import { utcTimestampMs } from "./foreign_trader.ts";

/** What passed over the wire. */
export interface EngineLog {
  /** Logons of the engine that were answered. */
  readonly logons: number;
  /** Application messages that came with PossDupFlag(43) `Y`, duplicates included. */
  readonly possDups: number;
  /** Those that came with PossResend(97) `Y`, again ones included. */
  readonly possResends: number;
  /** Orders and requests that the engine sent with PossDupFlag(43) `Y`. */
  readonly resentOrders: number;
  /** ResendRequests of the engine. */
  readonly resendRequests: number;
  /** ResendRequests of the gateway. */
  readonly resendRequestsAnswered: number;
}

/**
 * Reads both files of a session. Throws when a number goes back without PossDupFlag, when such a message has no
 * OrigSendingTime(122) or one after its SendingTime(52), when anybody rejects a message, or when anybody finds a number
 * too low.
 */
export async function readEngineLog(folder: string, sender: string, target: string): Promise<EngineLog> {
  const read = async (what: string) => {
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.startsWith(`FIX.4.4-${sender}-${target}.${what}.`)) continue;
      return (await Deno.readTextFile(`${folder}/${name}`)).split("\n").filter((line) => line !== "");
    }
    throw new Error(`Cannot find ${sender}'s log of ${what}s in ${folder}`);
  };
  return judgeEngineLog(await read("messages"), await read("event"), sender);
}

/** As {@link readEngineLog}; `messages` end with the message itself, `|` is as good as SOH. */
export function judgeEngineLog(
  messages: readonly string[],
  events: readonly string[],
  sender: string,
): EngineLog {
  assert.deepEqual(events.filter((line) => COMPLAINT.test(line)), [], `${sender}: the engine complains`);
  const counts = { ...NOTHING };
  let highest = 0;
  for (const line of messages) {
    const fields = fieldsOf(line.slice(line.indexOf("8=FIX")).replaceAll("\x01", "|"));
    assert.notEqual(fields.get(35), "3", `${sender}: a Reject: ${line}`);
    assert.doesNotMatch(fields.get(58) ?? "", /too low/, `${sender}: ${line}`);
    if (fields.get(49) === sender) count(fields, counts, "out");
    else {
      count(fields, counts, "in");
      highest = sequenced(fields, highest, line);
    }
  }
  return counts;
}

const COMPLAINT = /too low|reject|not found|invalid|missing/i;
const NOTHING = {
  logons: 0,
  possDups: 0,
  possResends: 0,
  resentOrders: 0,
  resendRequests: 0,
  resendRequestsAnswered: 0,
};

function count(
  fields: Fields,
  counts: { -readonly [K in keyof EngineLog]: number },
  way: "in" | "out",
): void {
  const msgType = fields.get(35)!;
  const possDup = fields.get(43) === "Y";
  if (msgType === "A" && way === "in") counts.logons++;
  if (msgType === "2") counts[way === "in" ? "resendRequestsAnswered" : "resendRequests"]++;
  if ("DFG".includes(msgType) && possDup) counts.resentOrders++;
  if (!"89j".includes(msgType)) return;
  if (possDup) counts.possDups++;
  if (fields.get(97) === "Y") counts.possResends++;
}

/** The highest number so far, this message's included. */
function sequenced(fields: Fields, highest: number, line: string): number {
  const seq = Number(fields.get(34));
  if (fields.get(43) === "Y") {
    const [original, sending] = [utcTimestampMs(fields.get(122)), utcTimestampMs(fields.get(52))];
    assert.ok(original <= sending, `OrigSendingTime is missing or after SendingTime: ${line}`);
    return Math.max(highest, seq);
  }
  assert.ok(seq > highest, `a number not above ${highest} without PossDupFlag: ${line}`);
  return seq;
}
