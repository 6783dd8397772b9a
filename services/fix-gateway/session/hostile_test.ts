import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FixMessage, Framer, FrameStatus, ParseFault } from "../../../shared/codec/fix/mod.ts";
import { MAX_QUEUED_BYTES } from "./inbound_queue.ts";
import { encode, loggedOn, numbers, ORDER, type Rig, splitMessages } from "./rig.ts";

const CORPUS = [
  "35=0|34=#",
  "35=0|34=#|43=Y|122=<-1>",
  "35=1|34=#|112=HELLO",
  "35=2|34=#|7=1|16=0",
  "35=2|34=#|7=#|16=#",
  "35=3|34=#|45=1|371=55|372=D|373=1",
  "35=4|34=#|36=#|123=Y",
  "35=4|34=#|36=#",
  "35=5|34=#|58=bye",
  "35=A|34=#|98=0|108=30",
  "35=A|34=1|98=0|108=30|141=Y",
  `35=D|34=#|${ORDER}`,
  `35=D|34=#|43=Y|122=<1>|${ORDER}`,
  "35=j|34=#|372=D|380=3",
  "35=B|34=#|148=x|33=1|58=line|95=3|96=a\x01b",
];

/**
 * One message of the corpus with likely numbers, sometimes damaged but with a right CheckSum, sometimes
 * without.
 */
function hostileBytes(next: (limit: number) => number, expected: number): Uint8Array {
  let text = CORPUS[next(CORPUS.length)];
  text = text.replace(
    /#/g,
    () => `${[expected, expected, expected, expected + next(5), next(expected + 1), -1, 2 ** 31][next(7)]}`,
  );
  if (next(4) === 0) {
    const fields = text.split("|");
    const at = 1 + next(fields.length - 1);
    const change = next(4);
    if (change === 0) fields.splice(at, 1);
    else if (change === 1) fields.splice(at, 0, fields[1 + next(fields.length - 1)]);
    else if (change === 2) fields[at] = fields[at].replace(/=.*/, "=");
    else fields[at] = `${next(10_000) - 5}=${"z".repeat(next(50))}`;
    text = fields.join("|");
  }
  const bytes = encode(
    text,
    next(50) === 0 ? "WT" : "TW",
    "EXCH",
    Date.UTC(2026, 0, 5, 8) + (next(60) === 0 ? 1e6 : 0),
  );
  if (next(5) === 0) bytes[next(bytes.length)] = next(256);
  return next(10) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes;
}

/** Feeds bytes as a connection would. */
function feed(rig: Rig, framer: Framer, message: FixMessage, bytes: Uint8Array): void {
  framer.push(bytes);
  for (;;) {
    const status = framer.next();
    if (status === FrameStatus.NeedMore) return;
    if (status !== FrameStatus.Frame) continue;
    const fault = message.parse(framer.buffer, framer.start, framer.end);
    if (fault === ParseFault.None) rig.driver.receive(rig.session, message, rig.nowMs);
    else rig.driver.oversized(rig.session, message, message.tags.length, rig.nowMs);
  }
}

describe("hostile peers", () => {
  const seed = 20260105;
  it(`seed ${seed}: no bytes make a session throw, lose its numbering or grow without bound`, () => {
    const next = numbers(seed);
    const message = new FixMessage(40);
    let sessions = 0;
    for (let messages = 0; messages < 60_000;) {
      const rig = loggedOn();
      sessions++;
      const framer = new Framer(2048);
      let sentSeq = 1;
      let expected = rig.session.state.expectedSeq;
      for (let i = 0; i < 200 && rig.session.closeReason === ""; i++, messages++) {
        feed(rig, framer, message, hostileBytes(next, rig.session.state.expectedSeq));
        if (rig.session.loggedOn && next(20) === 0) rig.report("live");
        if (next(10) === 0) rig.nowMs += next(4000);
        sentSeq = checkNumbers(rig, sentSeq);
        const { expectedSeq, queue } = rig.session.state;
        assert.ok(
          expectedSeq >= 1 && (expectedSeq >= expected || expectedSeq <= 2),
          `seed ${seed}: ${expectedSeq}`,
        );
        expected = expectedSeq;
        assert.ok(queue.size <= 8);
      }
      rig.disconnect();
    }
    assert.ok(sessions > 300, `${sessions} sessions`);
  });

  /** New messages carry the next number, except after a reset to 1; others are marked PossDup. */
  function checkNumbers(rig: Rig, last: number): number {
    let seq = last;
    for (let bytes = rig.takeBytes(); bytes.length > 0; bytes = rig.takeBytes()) {
      for (const each of splitMessages(bytes)) {
        const text = String.fromCharCode(...each).replaceAll("\x01", "|");
        if (text.includes("|43=Y|")) continue;
        const got = Number(/[|]34=(\d+)/.exec(text)![1]);
        const reset = got === 1 && text.includes("|35=A|");
        assert.equal(got, reset ? 1 : seq + 1, `seed ${seed}: ${text}`);
        seq = got;
      }
    }
    return seq;
  }

  it("the queue of early messages is bounded in bytes, too", () => {
    const rig = loggedOn({ limits: { maxQueuedMessages: 1_000_000 }, lenient: true });
    const big = "x".repeat(100_000);
    for (let seq = 3; seq < 100; seq++) rig.receiveAll(`35=D|34=${seq}|58=${big}`);
    const kept = rig.session.state.queue.size;
    assert.equal(kept, Math.floor(MAX_QUEUED_BYTES / encode(`35=D|34=10|58=${big}`, "TW", "EXCH", 0).length));
  });
});
