/**
 * The FIX codec on one core, over a fixed mix of orders and execution reports: parse is framing with BodyLength and
 * CheckSum and the field index; write is the whole message with header and trailer; the rest is what a gateway adds.
 * Messages are parsed from chunks of 64, as a busy socket read brings them. The best of a few rounds counts.
 */
import {
  FIX44,
  type FixHeader,
  FixMessage,
  FixWriter,
  Framer,
  FrameStatus,
  validate,
} from "../../shared/codec/fix/mod.ts";
import { print } from "../../shared/cli/output.ts";
import type { BenchResult } from "../result.ts";

const CHUNK_MESSAGES = 64;
const MESSAGES = 200_000;
const ROUNDS = 5;
const START_MS = Date.UTC(2025, 0, 2, 9, 30);
const FIRST_PRICE = 10_000;

/** Messages per second of each step; `scale` shrinks the runs for tests. */
export function run(scale = 1): BenchResult[] {
  const count = Math.max(CHUNK_MESSAGES, Math.round(MESSAGES * scale));
  const orders = chunkOf(writeOrder);
  const reports = chunkOf(writeReport);
  const orderBytes = Math.round(orders.length / CHUNK_MESSAGES);
  const reportBytes = Math.round(reports.length / CHUNK_MESSAGES);
  return [
    {
      ...measure(`codec: parse, NewOrderSingle of ${orderBytes} bytes`, count, (n) => parse(orders, n)),
      bar: 4e6,
    },
    { ...measure(`codec: parse, ExecutionReport of ${reportBytes} bytes`, count, (n) => parse(reports, n)) },
    {
      ...measure(`codec: write, NewOrderSingle of ${orderBytes} bytes`, count, (n) => write(writeOrder, n)),
      bar: 3e6,
    },
    {
      ...measure(
        `codec: write, ExecutionReport of ${reportBytes} bytes`,
        count,
        (n) => write(writeReport, n),
      ),
    },
    measure("codec: parse and validate, NewOrderSingle", count, (n) => parse(orders, n, true)),
    measure("codec: parse and read 8 fields, NewOrderSingle", count, (n) => parseAndRead(orders, n)),
  ];
}

/** Runs `work(count)`, which returns a digest of what it did. */
function measure(name: string, count: number, work: (count: number) => number): BenchResult {
  let best = 0;
  let digest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    digest = work(count);
    best = Math.max(best, count / (performance.now() - start) * 1000);
  }
  return { name, unit: "ops/s", value: Math.round(best), hash: (digest >>> 0).toString(16) };
}

const header: FixHeader = {
  beginString: "FIX.4.4",
  msgType: "D",
  senderCompId: "TRADER1",
  targetCompId: "PITWIRE",
  msgSeqNum: 1,
  sendingTimeMs: START_MS,
};

/** Body and header of order `i`. */
function writeOrder(writer: FixWriter, i: number): void {
  writer.begin();
  writer.text(11, "ORD-000001");
  writer.text(55, "ACME");
  writer.charCode(54, 0x31 + (i & 1));
  writer.utcTimestamp(60, START_MS + i % 1000);
  writer.int(38, 100 + i % 900);
  writer.charCode(40, 0x32);
  writer.decimal(44, FIRST_PRICE + i % 500, 2);
  seal(writer, "D", i);
}

/** Body and header of execution report `i`. */
function writeReport(writer: FixWriter, i: number): void {
  writer.begin();
  writer.text(37, "0000000000A1");
  writer.text(17, "000000000A10001");
  writer.charCode(150, 0x46);
  writer.charCode(39, 0x31);
  writer.text(11, "ORD-000001");
  writer.text(55, "ACME");
  writer.charCode(54, 0x31);
  writer.int(38, 1000);
  writer.decimal(44, FIRST_PRICE + i % 500, 2);
  writer.int(32, 100);
  writer.decimal(31, FIRST_PRICE + i % 500, 2);
  writer.int(151, 900);
  writer.int(14, 100);
  writer.decimal(6, FIRST_PRICE + i % 500, 2);
  writer.utcTimestamp(60, START_MS + i % 1000);
  seal(writer, "8", i);
}

function seal(writer: FixWriter, msgType: string, i: number): void {
  header.msgType = msgType;
  header.msgSeqNum = i + 1;
  header.sendingTimeMs = START_MS + i % 1000;
  writer.seal(header);
}

function chunkOf(writeOne: (writer: FixWriter, i: number) => void): Uint8Array {
  const writer = new FixWriter();
  const bytes: number[] = [];
  for (let i = 0; i < CHUNK_MESSAGES; i++) {
    writeOne(writer, 1000 + i);
    bytes.push(...writer.buffer.subarray(writer.start, writer.end));
  }
  return Uint8Array.from(bytes);
}

function parse(chunk: Uint8Array, count: number, validated = false): number {
  const framer = new Framer(4096);
  const message = new FixMessage();
  let digest = 0;
  for (let done = 0; done < count;) {
    framer.push(chunk);
    while (framer.next() === FrameStatus.Frame) {
      message.parse(framer.buffer, framer.start, framer.end);
      digest = digest * 31 + message.valueEnd[message.fieldCount - 1] - framer.start | 0;
      if (validated && validate(message, FIX44, { allowUserDefined: false }) !== null) digest++;
      done++;
    }
  }
  return digest;
}

function parseAndRead(chunk: Uint8Array, count: number): number {
  const framer = new Framer(4096);
  const message = new FixMessage();
  let digest = 0;
  for (let done = 0; done < count;) {
    framer.push(chunk);
    while (framer.next() === FrameStatus.Frame) {
      message.parse(framer.buffer, framer.start, framer.end);
      digest = digest * 31 + message.int(34) + message.int(38) + message.charCode(54) + message.charCode(40) |
        0;
      digest = digest + message.find(11) + message.find(55) + message.find(44) + message.find(58) | 0;
      done++;
    }
  }
  return digest;
}

function write(writeOne: (writer: FixWriter, i: number) => void, count: number): number {
  const writer = new FixWriter();
  let digest = 0;
  for (let i = 0; i < count; i++) {
    writeOne(writer, i);
    digest = digest * 31 + writer.end - writer.start + writer.buffer[writer.end - 2] | 0;
  }
  return digest;
}

if (import.meta.main) {
  for (const result of run()) {
    print(`${JSON.stringify(result)}\n`);
  }
}
