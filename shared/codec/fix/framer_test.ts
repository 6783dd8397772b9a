import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { Framer, FrameStatus } from "./framer.ts";
import { bars, framed, soh, withCheckSum } from "./testing.ts";

const SEED = Date.now() & 0x7fffffff;

const LIMIT = 512;
const HEARTBEAT = framed("35=0|34=7|49=A|52=20250101-00:00:00|56=B|");
const ORDER = framed("35=D|34=8|49=A|52=20250101-00:00:00|56=B|11=x|55=ACME|54=1|38=100|40=2|44=10.05|");
const NEXT = framed("35=1|34=9|49=A|52=20250101-00:00:00|56=B|112=t|");

/** Frames as text and faults in brackets, in order, of `chunks` fed one after the other. */
function outcome(chunks: readonly Uint8Array[], framer = new Framer(LIMIT)): string[] {
  const seen: string[] = [];
  for (const chunk of chunks) {
    framer.push(chunk);
    for (let status = framer.next(); status !== FrameStatus.NeedMore; status = framer.next()) {
      if (status === FrameStatus.Frame) seen.push(bars(framer.buffer.subarray(framer.start, framer.end)));
      else seen.push(`${status === FrameStatus.TooLong ? "too long" : "garbled"}: ${framer.fault}`);
    }
  }
  return seen;
}

function singleBytes(text: string): Uint8Array[] {
  return Array.from(soh(text), (byte) => Uint8Array.of(byte));
}

const NO_START = 'garbled: expected "8=FIX" at the start of a message';
const NO_LENGTH = "garbled: expected BodyLength(9) as the second field";
const NO_TYPE = "garbled: expected MsgType(35) as the third field";
const NO_BEGIN = "garbled: expected BeginString(8) as the first field";

describe("Framer", () => {
  it("finds messages whole, byte by byte and cut in two at any place", () => {
    const stream = HEARTBEAT + ORDER + NEXT;
    const expected = [HEARTBEAT, ORDER, NEXT];
    assert.deepEqual(outcome([soh(stream)]), expected);
    assert.deepEqual(outcome(singleBytes(stream)), expected);
    const bytes = soh(stream);
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.deepEqual(outcome([bytes.subarray(0, cut), bytes.subarray(cut)]), expected, `cut at ${cut}`);
    }
  });

  it("waits for the rest at every truncation, and takes it when it comes", () => {
    const bytes = soh(ORDER);
    for (let length = 0; length < bytes.length; length++) {
      const framer = new Framer(LIMIT);
      assert.deepEqual(outcome([bytes.subarray(0, length)], framer), [], `first ${length} bytes`);
      assert.deepEqual(outcome([bytes.subarray(length)], framer), [ORDER], `first ${length} bytes`);
    }
  });

  it("lets no message through in which any one byte has any other value, and finds the next", () => {
    const good = soh(ORDER);
    // A wrong BodyLength may swallow the next message but never the one that follows a whole limit of filler.
    const filler = "x".repeat(1000);
    for (let position = 0; position < good.length; position++) {
      for (let value = 0; value < 256; value++) {
        if (value === good[position]) continue;
        const bytes = good.slice();
        bytes[position] = value;
        const frames = outcome([bytes, soh(filler), soh(NEXT)]).filter((line) => line.startsWith("8="));
        assert.deepEqual(frames, [NEXT], `byte ${position} became ${value}`);
      }
    }
  });

  it("sums every byte whatever its alignment and the message's length", () => {
    for (let shift = 0; shift < 4; shift++) {
      for (const length of [0, 1, 2, 3, 250, 600, 1100]) {
        const message = framed(`35=0|58=${"\xff".repeat(length + 1)}|`);
        const stream = [soh("z".repeat(shift) + message)];
        const expected = shift === 0 ? [message] : [NO_START, message];
        assert.deepEqual(outcome(stream, new Framer(4096)), expected, `shift ${shift}, length ${length}`);
      }
    }
  });

  it("accepts other BeginStrings and BodyLengths padded with zeros", () => {
    const old = framed("35=0|34=1|", "FIX.4.2");
    const newer = framed("35=0|34=1|", "FIXT.1.1");
    const padded = withCheckSum("8=FIX.4.4|9=00010|35=0|34=1|");
    assert.deepEqual(outcome([soh(old + newer + padded)]), [old, newer, padded]);
  });

  it("gives a wrong BodyLength up at the first byte that contradicts it, without waiting for more", () => {
    const long = withCheckSum("8=FIX.4.4|9=21|35=0|34=7|49=A|56=B|");
    const fault = "garbled: expected CheckSum(10) behind the 21 bytes of BodyLength(9)";
    const upToFault = long.length - 7 + 1;
    const framer = new Framer(LIMIT);
    assert.deepEqual(outcome([soh(long.slice(0, upToFault - 1))], framer), []);
    assert.deepEqual(outcome([soh(long[upToFault - 1])], framer), [fault]);
    assert.deepEqual(outcome([soh(long.slice(upToFault) + NEXT)], framer), [NEXT]);
    const short = "garbled: expected CheckSum(10) behind the 5 bytes of BodyLength(9)";
    assert.deepEqual(outcome([soh("8=FIX.4.4|9=5|35=A|108")]), [short]);
    assert.deepEqual(outcome([soh("8=FIX.4.4|9=5|35=A|11")]), [short]);
  });

  it("keeps data fields with SOH and with a trailer inside whole", () => {
    const data = framed("35=A|34=1|95=22|96=a|10=000|8=FIX.4.4|9=5||98=0|108=30|");
    assert.deepEqual(outcome([soh(data + NEXT)]), [data, NEXT]);
    assert.deepEqual(outcome(singleBytes(data + NEXT)), [data, NEXT]);
  });

  const body = "35=0|34=7|49=A|56=B|";
  const announced = (length: number) => withCheckSum(`8=FIX.4.4|9=${length}|${body}`);
  const misled = (length: number) =>
    `garbled: expected CheckSum(10) behind the ${length} bytes of BodyLength(9)`;
  const cases: [name: string, stream: string, expected: string[]][] = [
    ["skips garbage in front, reported once", `one two\r\n${NEXT}`, [NO_START, NEXT]],
    ["skips garbage between messages", `${NEXT}\r\n${NEXT}`, [NEXT, NO_START, NEXT]],
    ["skips a start that another start follows", `8=FIX${NEXT}`, [NO_BEGIN, NEXT]],
    ["skips half a start", `8=FI8=${NEXT}`, [NO_START, NEXT]],
    ["refuses a wrong CheckSum", `${ORDER.slice(0, -4)}000|${NEXT}`, [
      `garbled: expected CheckSum(10) ${ORDER.slice(-4, -1)}, got 000`,
      NEXT,
    ]],
    ["refuses a CheckSum of two digits", `8=FIX.4.4|9=20|${body}10=12|${NEXT}`, [misled(20), NEXT]],
    ["refuses a BodyLength one short", announced(19) + NEXT, [misled(19), NEXT]],
    ["refuses a BodyLength one long", announced(21) + NEXT, [misled(21), NEXT]],
    ["refuses a BodyLength of zero", announced(0) + NEXT, [misled(0), NEXT]],
    ["swallows the next message when a BodyLength reaches into it", announced(30) + ORDER + NEXT, [
      misled(30),
      NEXT,
    ]],
    [
      "refuses a trailer that no SOH precedes",
      withCheckSum("8=FIX.4.4|9=9|35=0|58=x") + NEXT,
      [misled(9), NEXT],
    ],
    ["refuses BodyLength text that is no number", `8=FIX.4.4|9=2x|${body}10=000|${NEXT}`, [
      "garbled: expected digits in BodyLength(9)",
      NEXT,
    ]],
    ["refuses an empty BodyLength", `8=FIX.4.4|9=|${body}10=000|${NEXT}`, [
      "garbled: expected digits in BodyLength(9)",
      NEXT,
    ]],
    ["refuses MsgType before BodyLength", `8=FIX.4.4|35=0|9=15|34=7|10=000|${NEXT}`, [NO_LENGTH, NEXT]],
    ["refuses BodyLength before BeginString", `9=5|8=FIX.4.4|35=0|10=000|${NEXT}`, [
      NO_START,
      NO_LENGTH,
      NEXT,
    ]],
    ["refuses a body that does not start with MsgType", framed("34=7|35=0|") + NEXT, [NO_TYPE, NEXT]],
    ["refuses an empty MsgType", framed("35=|34=7|") + NEXT, [NO_TYPE, NEXT]],
    ["refuses a BeginString without end", `8=FIX${"A".repeat(40)}|9=5|${NEXT}`, [NO_BEGIN, NEXT]],
  ];
  for (const [name, stream, expected] of cases) {
    it(name, () => {
      assert.deepEqual(outcome([soh(stream)]), expected);
      assert.deepEqual(outcome(singleBytes(stream)), expected);
    });
  }

  it("takes a message of exactly the limit and calls one byte more too long", () => {
    const build = (length: number) => framed(`35=0|58=${"x".repeat(length)}|`);
    const fits = build(LIMIT - build(100).length + 100);
    assert.equal(fits.length, LIMIT);
    const over = fits.replace("58=x", "58=xx").replace(/9=\d+/, `9=${fits.length - 23 + 1}`);
    assert.deepEqual(outcome([soh(fits + over + NEXT)]), [
      fits,
      `too long: BodyLength(9) announces ${LIMIT + 1} message bytes, the limit is ${LIMIT}`,
      NEXT,
    ]);
  });

  it("calls a BodyLength of more digits than any too long at once", () => {
    assert.deepEqual(outcome([soh(`8=FIX.4.4|9=1000000000|${NEXT}`)]), [
      "too long: BodyLength(9) has more than 9 digits",
      NEXT,
    ]);
  });

  it("reads into its own space, compacting and growing, with any read size", () => {
    const stream = soh((HEARTBEAT + ORDER + NEXT).repeat(200));
    for (const readSize of [1, 7, 1000, 4096, 100_000]) {
      const framer = new Framer(LIMIT);
      let at = 0;
      let frames = 0;
      while (at < stream.length) {
        const space = framer.writable();
        assert.ok(space.length >= 4096);
        const count = Math.min(readSize, space.length, stream.length - at);
        space.set(stream.subarray(at, at + count));
        framer.commit(count);
        at += count;
        while (framer.next() === FrameStatus.Frame) frames++;
      }
      assert.equal(frames, 600, `reads of ${readSize}`);
      assert.ok(framer.buffer.length <= 16 * 4096 + 3 * LIMIT, `${framer.buffer.length} bytes kept`);
    }
  });

  it("takes 512 KiB of hostile bytes one at a time in linear time", () => {
    const patterns = ["8=FIX", "8=FIX.4.4|9=480|", "8=FIX.4.4|9=480|35=", "8", "8=FIX.4.4|9=00000000", "x"];
    for (const pattern of patterns) {
      const framer = new Framer(LIMIT);
      const byte = new Uint8Array(1);
      const started = performance.now();
      for (let i = 0; i < 1 << 19; i++) {
        byte[0] = soh(pattern[i % pattern.length])[0];
        framer.push(byte);
        while (framer.next() !== FrameStatus.NeedMore);
      }
      assert.ok(performance.now() - started < 20_000, `took too long on ${pattern}`);
      assert.ok(framer.buffer.length <= 16 * 4096, `kept ${framer.buffer.length} bytes on ${pattern}`);
    }
  });

  it(`says the same of any bytes however they are cut (seed ${SEED})`, () => {
    const part = fc.constantFrom(
      HEARTBEAT,
      ORDER,
      NEXT,
      "8=FIX",
      "8=FIX.4.4|",
      "9=30|",
      "35=0|",
      "10=123|",
      "|",
      "x",
      "8=",
      "9",
    );
    const property = fc.property(fc.array(part), fc.array(fc.nat(60)), (parts, cuts) => {
      const bytes = soh(parts.join(""));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at = Math.min(bytes.length, at + cut);
      }
      chunks.push(bytes.subarray(at));
      assert.deepEqual(outcome(chunks), outcome([bytes]));
    });
    fc.assert(property, { seed: SEED, numRuns: 500 });
  });
});
