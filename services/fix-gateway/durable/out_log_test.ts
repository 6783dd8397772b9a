import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { StoredMessage } from "../session/mod.ts";
import { OutLog, RECORD_BYTES } from "./out_log.ts";
import { MessageBlock, readOutRecord } from "./out_record.ts";
import { OutPager } from "./out_pager.ts";
import type { OutStream, StoredRecord } from "./ports.ts";

const START = { inDurable: 5, positions: [{ shard: 0, cmdSeq: 1, eventIndex: 0, evSeq: 0 }] };
const NOW = { inDurable: 90, positions: [{ shard: 0, cmdSeq: 900, eventIndex: 0, evSeq: 80 }] };
const BODY = new TextEncoder().encode("17=x\x01");

function body(text: string): Uint8Array {
  return new TextEncoder().encode(`17=${text}\x01`);
}

function logOf(count: number, bodyBytes: Uint8Array): OutLog {
  const log = new OutLog(7, { gatewayId: 1, bootId: 2 }, 3, START, 0);
  for (let i = 1; i <= count; i++) {
    log.append(i, "8", 1000 + i, false, { shard: 0, cmdSeq: 10 + i, eventIndex: 4 }, bodyBytes);
  }
  return log;
}

describe("a log of sent messages", () => {
  it("claims the newest progress only in the record that holds everything; others claim what they prove", () => {
    const large = new Uint8Array(RECORD_BYTES / 3).fill(65);
    const log = logOf(5, large);
    assert.equal(log.hurried, true);
    const claims = [];
    for (let record = log.take(NOW); record !== null; record = log.take(NOW)) {
      assert.equal(log.take(NOW), null, "one on its way at a time");
      const { count, through, inDurable, positions } = readOutRecord(record);
      const [{ cmdSeq, eventIndex }] = positions;
      claims.push([count, through, inDurable, cmdSeq, eventIndex]);
      log.stored();
    }
    assert.deepEqual(claims, [[2, 2, 5, 12, 5], [2, 4, 5, 14, 5], [1, 5, 90, 900, 0]]);
    assert.equal(log.idle, true);
    assert.equal(log.storedThrough, 5);
    assert.equal(log.unstoredBytes, 0);
  });

  it("keeps what is on its way readable until it is stored", () => {
    const log = logOf(3, BODY);
    log.take(NOW);
    log.append(4, "8", 1, false, null, BODY);
    const messages: StoredMessage[] = [];
    log.collect(2, 9, messages);
    assert.deepEqual(messages.map(({ seq }) => seq), [2, 3, 4]);
    log.stored();
    messages.length = 0;
    log.collect(1, 9, messages);
    assert.deepEqual(messages.map(({ seq }) => seq), [4]);
  });

  it("says that its numbers have started again even when nothing is sent", () => {
    const log = logOf(3, BODY);
    log.restart(4, START);
    const record = readOutRecord(log.take(START)!);
    assert.deepEqual([record.incarnation, record.count, record.through], [4, 0, 0]);
  });
});

describe("a record of sent messages", () => {
  const block = new MessageBlock();
  block.append(12, "8", 1_700_000_000_123, true, { shard: 3, cmdSeq: 2 ** 40, eventIndex: 9 }, body("a"));
  block.append(14, "j", 1_700_000_000_456, false, null, body("some more"));
  const header = {
    session: 7,
    gatewayId: 65535,
    bootId: 2 ** 50,
    incarnation: 2 ** 32 - 1,
    through: 14,
    inDurable: 99,
    positions: [{ shard: 3, cmdSeq: 2 ** 40, eventIndex: 10, evSeq: 77 }],
    number: 5,
  };
  const bytes = block.record(header);

  it("reads back as it was written", () => {
    const { collect, count, ...read } = readOutRecord(bytes);
    assert.deepEqual(read, header);
    assert.equal(count, 2);
    const messages: StoredMessage[] = [];
    collect(1, 100, messages);
    assert.deepEqual(messages.map((each) => ({ ...each, body: new TextDecoder().decode(each.body) })), [
      { seq: 12, msgType: "8", sendingTimeMs: 1_700_000_000_123, possResend: true, body: "17=a\x01" },
      {
        seq: 14,
        msgType: "j",
        sendingTimeMs: 1_700_000_000_456,
        possResend: false,
        body: "17=some more\x01",
      },
    ]);
  });

  it("is refused at every truncation, and never read outside with any one byte changed", () => {
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => readOutRecord(bytes.slice(0, length)), /Cannot read a record of sent messages/);
    }
    const copy = bytes.slice();
    for (let at = 0; at < bytes.length; at++) {
      for (let value = 0; value < 256; value++) {
        copy[at] = value;
        try {
          readOutRecord(copy).collect(0, 2 ** 32, []);
        } catch (error) {
          assert.match(String(error), /Cannot read a record of sent messages/);
        }
      }
      copy[at] = bytes[at];
    }
  });
});

/** A stream that holds records of several sessions: ours are at every third sequence. */
class PagedStream implements OutStream {
  readonly records: StoredRecord[] = [];
  pages = 0;

  add(bytes: Uint8Array): void {
    this.records.push({ seq: 3 * (this.records.length + 1), bytes });
  }

  last = () => {
    const last = this.records.at(-1);
    return Promise.resolve(last === undefined ? null : { ...last, storedMs: 0 });
  };
  firstSeq = () => Promise.resolve(1);
  publish = () => Promise.resolve({ kind: "unknown" } as const);
  forget = () => {};
  page = (_session: number, fromSeq: number, count: number, maxBytes: number) => {
    this.pages++;
    const found = this.records.filter(({ seq }) => seq >= fromSeq).slice(0, count);
    let bytes = 0;
    const end = found.findIndex((each) => (bytes += each.bytes.length) >= maxBytes);
    return Promise.resolve(end < 0 ? found : found.slice(0, end + 1));
  };
}

describe("pages of sent messages", () => {
  /** Incarnation 1, then 2 with a claim after message 40 that jumps to 1000. */
  function setUp() {
    const stream = new PagedStream();
    const old = new OutLog(7, { gatewayId: 1, bootId: 1 }, 1, START, 0);
    for (let seq = 1; seq <= 30; seq++) old.append(seq, "8", seq, false, null, body(`old ${seq}`));
    stream.add(old.take(NOW)!);
    const log = new OutLog(7, { gatewayId: 1, bootId: 2 }, 2, START, 0);
    for (let seq = 1; seq <= 40; seq++) {
      if (seq % 5 !== 0) log.append(seq, "8", seq, false, null, body(`${seq}`));
      if (seq % 4 === 0) {
        stream.add(log.take(NOW)!);
        log.stored();
      }
    }
    const next = new OutLog(7, { gatewayId: 1, bootId: 3 }, 2, START, 999);
    stream.add(
      new MessageBlock().record({ ...readOutRecord(stream.records[1].bytes), through: 999, number: 0 }),
    );
    for (let seq = 1000; seq <= 1010; seq++) next.append(seq, "8", seq, false, null, body(`${seq}`));
    stream.add(next.take(NOW)!);
    next.stored();
    for (let seq = 1011; seq <= 1013; seq++) next.append(seq, "8", seq, false, null, body(`${seq}`));
    const writer = { lastSeq: stream.records.at(-1)!.seq };
    return { stream, pager: new OutPager(7, next, stream, writer) };
  }

  /** All numbers that pages of `maxBytes` bring of [from, to]. */
  async function readAll(pager: OutPager, from: number, to: number, maxBytes: number): Promise<number[]> {
    const seqs: number[] = [];
    for (let next = from; next <= to;) {
      const { messages, through } = await pager.read(next, to, maxBytes);
      assert.ok(through >= next, `${through} after ${next}`);
      for (const { seq, body } of messages) {
        assert.ok(seq >= next && seq <= through);
        assert.equal(new TextDecoder().decode(body), `17=${seq}\x01`);
        seqs.push(seq);
      }
      next = through + 1;
    }
    return seqs;
  }

  const ALL = [
    ...Array.from({ length: 40 }, (_, i) => i + 1).filter((seq) => seq % 5 !== 0),
    ...Array.from({ length: 14 }, (_, i) => 1000 + i),
  ];

  it("bring every range whole and in order, whatever their size, and nothing of an older incarnation", async () => {
    for (const maxBytes of [1, 100, 500, 1 << 20]) {
      for (
        const [from, to] of [[1, 1013], [1, 1], [5, 5], [6, 37], [39, 1002], [41, 999], [500, 1013], [
          1012,
          1012,
        ]]
      ) {
        const { pager } = setUp();
        const expected = ALL.filter((seq) => seq >= from && seq <= to);
        assert.deepEqual(
          await readAll(pager, from, to, maxBytes),
          expected,
          `${from} to ${to} by ${maxBytes}`,
        );
      }
    }
  });

  it("find the beginning of a range once, and read a record once unless a page ends within it", async () => {
    const { stream, pager } = setUp();
    await readAll(pager, 1, 1013, 200);
    assert.equal(stream.pages, 16);
  });
});
