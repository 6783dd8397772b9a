import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { ByteSlice } from "../wire/byte_slice.ts";
import { parseDecimal } from "./decimal.ts";
import { Framer, FrameStatus } from "./framer.ts";
import type { FixHeader } from "./header.ts";
import { FixMessage } from "./message.ts";
import { bars, framed, soh } from "./testing.ts";
import { FixWriter } from "./writer.ts";

const SEED = Date.now() & 0x7fffffff;

const TIME_MS = Date.UTC(2025, 0, 31, 23, 59, 59, 7);

function header(changes: Partial<FixHeader> = {}): FixHeader {
  return {
    beginString: "FIX.4.4",
    msgType: "D",
    senderCompId: "CLIENT",
    targetCompId: "PITWIRE",
    msgSeqNum: 12,
    sendingTimeMs: TIME_MS,
    ...changes,
  };
}

function body(write: (writer: FixWriter) => void): string {
  const writer = new FixWriter();
  writer.begin();
  write(writer);
  return bars(writer.body);
}

describe("FixWriter", () => {
  it("puts the header in front and BodyLength and CheckSum in place", () => {
    const writer = new FixWriter();
    writer.begin();
    writer.text(11, "order-1");
    writer.charCode(54, 0x31);
    writer.decimal(44, 1005, 2);
    const expected = framed(
      "35=D|34=12|49=CLIENT|52=20250131-23:59:59.007|56=PITWIRE|11=order-1|54=1|44=10.05|",
    );
    assert.equal(bars(writer.finish(header())), expected);
    assert.equal(bars(writer.finish(header())), expected);
    assert.equal(bars(writer.buffer.subarray(writer.start, writer.end)), expected);
  });

  it("writes the same body under another header, with every optional field", () => {
    const writer = new FixWriter();
    writer.begin();
    writer.text(58, "x");
    const plain = framed("35=D|34=12|49=CLIENT|52=20250131-23:59:59.007|56=PITWIRE|58=x|");
    assert.equal(bars(writer.finish(header())), plain);
    const full = header({
      msgType: "AE",
      possDup: true,
      possResend: true,
      origSendingTimeMs: TIME_MS - 1000,
      lastMsgSeqNumProcessed: 0,
      extra: soh("128=DESK|129=SUB|"),
    });
    assert.equal(
      bars(writer.finish(full)),
      framed(
        "35=AE|34=12|43=Y|49=CLIENT|52=20250131-23:59:59.007|56=PITWIRE|97=Y|122=20250131-23:59:58.007|369=0|" +
          "128=DESK|129=SUB|58=x|",
      ),
    );
    assert.equal(bars(writer.finish(header())), plain);
    assert.equal(
      bars(writer.finish(header({ targetCompId: "TARGETS" }))),
      framed("35=D|34=12|49=CLIENT|52=20250131-23:59:59.007|56=TARGETS|58=x|"),
    );
    const other = header({ senderCompId: "C", targetCompId: "PITWIRE2", sendingTimeMs: TIME_MS + 993 });
    assert.equal(
      bars(writer.finish(other)),
      framed("35=D|34=12|49=C|52=20250201-00:00:00.000|56=PITWIRE2|58=x|"),
    );
    assert.equal(bars(writer.finish(header({ possDup: false, possResend: false }))), plain);
  });

  it("writes decimals exactly, without exponent or trailing zeros", () => {
    const cases: [units: number, scale: number, text: string][] = [
      [1005, 2, "10.05"],
      [1000, 2, "10"],
      [1050, 2, "10.5"],
      [5, 2, "0.05"],
      [50, 2, "0.5"],
      [0, 4, "0"],
      [-5, 2, "-0.05"],
      [-100, 0, "-100"],
      [1, 15, "0.000000000000001"],
      [Number.MAX_SAFE_INTEGER, 0, "9007199254740991"],
      [Number.MIN_SAFE_INTEGER, 15, "-9.007199254740991"],
      [1000000000, 0, "1000000000"],
      [2147483648, 1, "214748364.8"],
      [99999, 5, "0.99999"],
      [100001, 5, "1.00001"],
    ];
    for (const [units, scale, text] of cases) {
      assert.equal(body((w) => w.decimal(44, units, scale)), `44=${text}|`);
    }
  });

  it("writes integers and tags of every length", () => {
    for (let power = 1; power <= 1e15; power *= 10) {
      for (const value of [power - 1, power, -power]) {
        assert.equal(body((w) => w.int(38, value)), `38=${value}|`);
      }
    }
    assert.equal(body((w) => w.int(38, -0)), "38=0|");
    for (const tag of [1, 9, 10, 99, 100, 999, 1000, 5001, 999999]) {
      assert.equal(body((w) => w.text(tag, "x")), `${tag}=x|`);
    }
  });

  it("writes nothing for an empty value and lets no value forge a field", () => {
    const slice = new ByteSlice();
    assert.equal(body((w) => (w.text(58, ""), w.slice(11, slice), w.data(95, 96, new Uint8Array(0)))), "");
    slice.set(soh("a|b"), 0, 3);
    assert.equal(
      body((w) => (w.text(58, "a\x01b"), w.slice(11, slice), w.charCode(54, 1))),
      "58=a?b|11=a?b|54=?|",
    );
    assert.equal(body((w) => w.text(58, "é€")), "58=é?|");
  });

  it("writes data fields byte for byte behind their length, and encoded fields as they are", () => {
    assert.equal(body((w) => w.data(95, 96, soh("a|10=0|"))), "95=7|96=a|10=0||");
    assert.equal(body((w) => (w.rawBody(soh("11=x|55=y|")), w.int(38, 1))), "11=x|55=y|38=1|");
    const source = soh("#abc#");
    assert.equal(body((w) => w.bytes(11, source, 1, 4)), "11=abc|");
  });

  it("hands out the right bytes for messages of equal length that start elsewhere, and after growing", () => {
    const writer = new FixWriter(256);
    let calls = 0;
    const message = (sent: number, length: number) => {
      const sender = "S".repeat(sent);
      const text = String.fromCharCode(0x61 + calls++).repeat(length);
      writer.begin();
      writer.text(58, text);
      const expected = `35=D|34=12|49=${sender}|52=20250131-23:59:59.007|56=PITWIRE|58=${text}|`;
      assert.equal(bars(writer.finish(header({ senderCompId: sender }))), framed(expected));
    };
    message(10, 74);
    message(74, 10);
    message(10, 74);
    message(10, 5000);
    message(10, 74);
  });

  it("grows with the body and with the header, and refuses what has no end", () => {
    const writer = new FixWriter(16);
    writer.begin();
    for (let i = 0; i < 1000; i++) writer.text(58, "0123456789");
    const text = "58=0123456789|".repeat(1000);
    const sent = "X".repeat(700);
    assert.equal(
      bars(writer.finish(header({ senderCompId: sent }))),
      framed(`35=D|34=12|49=${sent}|52=20250131-23:59:59.007|56=PITWIRE|${text}`),
    );
    const extra = soh(`116=${"y".repeat(3000)}|`);
    assert.equal(
      bars(writer.finish(header({ extra }))),
      framed(`35=D|34=12|49=CLIENT|52=20250131-23:59:59.007|56=PITWIRE|${bars(extra)}${text}`),
    );
    assert.throws(() => writer.rawBody(new Uint8Array(1 << 24)), /^RangeError: Cannot write a message of/);
  });

  it("refuses numbers that are none", () => {
    const writer = new FixWriter();
    writer.begin();
    for (const value of [NaN, Infinity, 0.5, 2 ** 53]) {
      assert.throws(() => writer.int(38, value), RangeError);
      assert.throws(() => writer.decimal(44, value, 2), RangeError);
    }
    for (const scale of [-1, 16, NaN]) assert.throws(() => writer.decimal(44, 1, scale), RangeError);
    assert.equal(writer.body.length, 0);
  });

  it(`writes what the framer and the message view read back, for random fields (seed ${SEED})`, () => {
    const safe = fc.maxSafeInteger();
    const field = fc.record({
      tag: fc.integer({ min: 5000, max: 99_999_999 }),
      value: fc.oneof(
        fc.record({ kind: fc.constant("int" as const), units: safe }),
        fc.record({ kind: fc.constant("decimal" as const), units: safe, scale: fc.nat(15) }),
        fc.record({ kind: fc.constant("text" as const), text: fc.string({ minLength: 1, maxLength: 40 }) }),
        fc.record({
          kind: fc.constant("data" as const),
          bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }),
        }),
      ),
    });
    const writer = new FixWriter();
    const property = fc.property(
      fc.array(field),
      fc.integer({ min: 1 }),
      fc.integer({ min: 0, max: 4e12 }),
      (fields, seq, ms) => {
        writer.begin();
        for (const { tag, value } of fields) {
          if (value.kind === "int") writer.int(tag, value.units);
          else if (value.kind === "decimal") writer.decimal(tag, value.units, value.scale);
          else if (value.kind === "text") writer.text(tag, value.text.replaceAll("\x01", " "));
          else writer.data(95, 96, value.bytes);
        }
        const framer = new Framer(1 << 16);
        framer.push(writer.finish(header({ msgSeqNum: seq, sendingTimeMs: ms })));
        assert.equal(framer.next(), FrameStatus.Frame, framer.fault);
        const message = new FixMessage();
        assert.equal(message.parse(framer.buffer, framer.start, framer.end), 0);
        assert.equal(message.int(34), seq);
        assert.equal(message.utcTimestampMs(52), ms);
        let at = 7;
        for (const { tag, value } of fields) {
          if (value.kind === "data") at++;
          assert.equal(message.tags[at], value.kind === "data" ? 96 : tag);
          const bytes = message.buffer.subarray(message.valueStart[at], message.valueEnd[at]);
          if (value.kind === "int") assert.equal(parseDecimal(bytes, 0, bytes.length, 0), value.units + 0);
          else if (value.kind === "decimal") {
            assert.equal(
              parseDecimal(bytes, 0, bytes.length, value.scale),
              value.units + 0,
            );
          } else if (value.kind === "data") assert.deepEqual([...bytes], [...value.bytes]);
          at++;
        }
        assert.equal(message.fieldCount, at + 1);
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 500 });
  });
});
