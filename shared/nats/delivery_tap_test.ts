/** The way past the client's parser, held against that parser alone: wherever a read ends, and whatever byte is another. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { NatsConnection } from "@nats-io/nats-core";
import { Kind, Parser, type ParserEvent } from "@nats-io/nats-core/internal";
import { Delivery } from "./delivery.ts";
import { tapDeliveries } from "./delivery_tap.ts";

const SID = 7;
const ACK = "$JS.ACK.CMD_0.C1.1";
const TIME = "1796086740123456789";

/** A frame of the subscription, `bytes` long. */
function frame(subject: string, reply: string, bytes: string, sid = SID): string {
  return `MSG ${subject} ${sid} ${reply} ${bytes.length}\r\n${bytes}\r\n`;
}

const DELIVERIES = [
  frame("cmd.0.A", `${ACK}.11.1.${TIME}.999999999`, "first"),
  frame("cmd.0.BB", `${ACK}.1234567890123.2.${TIME}.1000000000`, ""),
  frame("cmd.0.A", `${ACK}.13.3.${TIME}.1`, "\r\nMSG\r\n"),
];
const HEARTBEAT = "NATS/1.0 100 Idle Heartbeat\r\n\r\n";
/** What is no delivery to the reader, or none that it takes for one. */
const OTHERS = [
  "PING\r\n",
  "+OK\r\n",
  frame("cmd.0.A", `${ACK}.14.4.${TIME}.0`, "another's", SID + 1),
  frame("cmd.0.A", `${ACK.replace("C1", "C2")}.14.4.${TIME}.0`, "of another consumer"),
  frame("cmd.0.A", `${ACK.replace(/1$/, "2")}.14.4.${TIME}.0`, "delivered twice"),
  frame("cmd.0.A", `${ACK}.14.4.${TIME}.0.token`, "with a token behind"),
  frame("cmd.0.A", `${ACK}.14.4.${TIME}`, "with too few numbers"),
  frame("cmd.0.A", `${ACK}.14.4..0`, "without a time"),
  `MSG cmd.0.A ${SID} 2\r\nno\r\n`,
  `HMSG in.box ${SID} ${HEARTBEAT.length} ${HEARTBEAT.length}\r\n${HEARTBEAT}\r\n`,
];
const STREAM = [DELIVERIES[0], ...OTHERS, DELIVERIES[1], OTHERS[0], DELIVERIES[2]].join("");

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A client's parser and, unless `alone`, a tap on it; lines of what came of a read, those of the tap with a `+`. */
function world(alone = false) {
  const lines: string[] = [];
  const delivery = new Delivery();
  const line = ({ streamSeq, consumerSeq, timestampUs, pending }: Delivery, subject: string, text: string) =>
    `${subject} ${streamSeq} ${consumerSeq} ${timestampUs} ${pending} ${text}`;
  const parser = new Parser({
    push(event: ParserEvent) {
      if (event.kind !== Kind.MSG) return void lines.push(`kind ${event.kind}`);
      const { sid, subject, reply } = event.msg!;
      const [on, text, ack] = [subject, event.data!, reply ?? new Uint8Array()].map((each) =>
        decoder.decode(each)
      );
      const isDelivery = sid === SID && delivery.parse(ack);
      lines.push(isDelivery ? line(delivery, on, text) : `${sid} ${on} ${ack} ${text}`);
    },
  });
  const nc = { protocol: { parser } } as unknown as NatsConnection;
  const target = { subscription: { getID: () => SID }, stream: "CMD_0", consumer: "C1" };
  const untap = alone
    ? () => {}
    : tapDeliveries(nc, target, (each, subject, bytes) =>
      lines.push(`+${line(each, subject, decoder.decode(bytes))}`));
  return {
    lines,
    untap,
    /** Lines without saying whose way they came. */
    all: () => lines.map((each) => each.replace(/^\+/, "")),
    read: (bytes: string | Uint8Array) =>
      parser.parse(typeof bytes === "string" ? encoder.encode(bytes) : bytes),
  };
}

function parsedAlone(bytes: string | Uint8Array): string[] {
  const { lines, read } = world(true);
  try {
    read(bytes);
  } catch (error) {
    lines.push((error as Error).message.split(":")[0]);
  }
  return lines;
}

describe("deliveries", () => {
  it("go past the client's parser as long as nothing else comes between", () => {
    const { lines, read } = world();
    read(DELIVERIES.join(""));
    assert.deepEqual(lines, [
      "+cmd.0.A 11 1 1796086740123456 999999999 first",
      "+cmd.0.BB 1234567890123 2 1796086740123456 1000000000 ",
      "+cmd.0.A 13 3 1796086740123456 1 \r\nMSG\r\n",
    ]);
  });

  it("and the rest come as the client's parser has it, in their order", () => {
    const { all, lines, read } = world();
    read(STREAM);
    assert.deepEqual(all(), parsedAlone(STREAM));
    assert.deepEqual(lines.filter((each) => each.startsWith("+")), [
      "+cmd.0.A 11 1 1796086740123456 999999999 first",
    ]);
  });

  it("are the same wherever a read ends", () => {
    const bytes = encoder.encode(STREAM);
    const expected = parsedAlone(STREAM);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { all, read } = world();
      read(bytes.slice(0, cut));
      read(bytes.slice(cut));
      assert.deepEqual(all(), expected, `cut at ${cut}`);
    }
    const { all, read } = world();
    for (let at = 0; at < bytes.length; at++) read(bytes.slice(at, at + 1));
    assert.deepEqual(all(), expected);
  });

  it("go past it again behind one that was cut", () => {
    const { lines, read } = world();
    const [first, second, third] = DELIVERIES;
    read(first + second.slice(0, 20));
    read(second.slice(20) + third);
    assert.deepEqual(lines.map((each) => each.slice(0, 2)), ["+c", "cm", "+c"]);
  });

  it("with any byte another are what the client's parser makes of them", () => {
    const [first, second] = DELIVERIES;
    const good = encoder.encode(first + second);
    for (let at = 0; at < first.length; at++) {
      for (const byte of [0, 10, 13, 32, 46, 48, 57, 77, 255]) {
        const bytes = good.slice();
        bytes[at] = byte;
        const { all, lines, read } = world();
        try {
          read(bytes);
        } catch (error) {
          lines.push((error as Error).message.split(":")[0]);
        }
        assert.deepEqual(all(), parsedAlone(bytes), `byte ${byte} at ${at}`);
      }
    }
  });

  it("are the subscription's again once the tap has ended, in the midst of a read", () => {
    const { lines, read, untap } = world();
    lines.push = (line) => {
      untap();
      return Array.prototype.push.call(lines, line);
    };
    read(DELIVERIES[0] + DELIVERIES[1]);
    assert.deepEqual([...lines], [
      "+cmd.0.A 11 1 1796086740123456 999999999 first",
      "cmd.0.BB 1234567890123 2 1796086740123456 1000000000 ",
    ]);
  });

  it("stay with the subscription on a connection that is not the client's", () => {
    const nc = {} as NatsConnection;
    const target = { subscription: { getID: () => SID }, stream: "CMD_0", consumer: "C1" };
    assert.doesNotThrow(tapDeliveries(nc, target, () => assert.fail("a delivery")));
  });
});
