/**
 * Reads sent messages back for resends, page by page: stored ones from the stream, the rest from the log. Owns the place
 * where the next page begins, so that a long range is found once. Memory is bounded by a page. Reaches the stream
 * through a port.
 */
import type { StoredMessage, StoredPage } from "../session/mod.ts";
import type { OutLog } from "./out_log.ts";
import { type OutRecord, readOutRecord } from "./out_record.ts";
import type { OutStream } from "./ports.ts";

/** Records asked for at a time. */
const PAGE_RECORDS = 64;

/** The pages of one session. */
export class OutPager {
  readonly #session: number;
  readonly #log: OutLog;
  readonly #out: OutStream;
  readonly #writer: { readonly lastSeq: number };
  /** Message `from` is in the record at `streamSeq` or behind. */
  #cursor = { incarnation: 0, from: 0, streamSeq: 0 };

  constructor(session: number, log: OutLog, out: OutStream, writer: { readonly lastSeq: number }) {
    this.#session = session;
    this.#log = log;
    this.#out = out;
    this.#writer = writer;
  }

  /** See SessionStore.read. Rejects when the stream cannot be read. */
  read(from: number, to: number, maxBytes: number): StoredPage | Promise<StoredPage> {
    const { storedThrough } = this.#log;
    if (from <= storedThrough) return this.#readStored(from, Math.min(to, storedThrough), maxBytes);
    const messages: StoredMessage[] = [];
    this.#log.collect(from, to, messages);
    return cut(messages, to, maxBytes);
  }

  async #readStored(from: number, to: number, maxBytes: number): Promise<StoredPage> {
    const { incarnation } = this.#log;
    const end = this.#writer.lastSeq;
    const known = this.#cursor;
    const start = known.incarnation === incarnation && known.from === from
      ? known.streamSeq
      : await this.#find(incarnation, from, end);
    const records = await this.#out.page(this.#session, start, PAGE_RECORDS, maxBytes);
    const messages: StoredMessage[] = [];
    let bytes = 0;
    let last = end;
    let lastRead: OutRecord | null = null;
    for (const { seq, bytes: record } of records) {
      const read = readOutRecord(record);
      last = seq;
      lastRead = read;
      if (read.incarnation === incarnation) read.collect(from, to, messages);
      bytes += record.length;
      if (bytes >= maxBytes || isBehind(read, incarnation, to)) break;
    }
    const whole = lastRead === null || last >= end || isBehind(lastRead, incarnation, to);
    const page = cut(messages, whole ? to : messages.at(-1)?.seq ?? from - 1, maxBytes);
    const used = lastRead?.incarnation === incarnation && lastRead.through <= page.through;
    this.#cursor = { incarnation, from: page.through + 1, streamSeq: used ? last + 1 : last };
    if (page.through < from) return this.#skip(from, to, last + 1, maxBytes);
    return page;
  }

  /** A page that held nothing of the range (records of another incarnation, claims): goes on behind it. */
  #skip(from: number, to: number, streamSeq: number, maxBytes: number): Promise<StoredPage> {
    this.#cursor = { incarnation: this.#log.incarnation, from, streamSeq };
    return this.#readStored(from, to, maxBytes);
  }

  /** A stream sequence at or before the first record that reaches number `from`, by halving. */
  async #find(incarnation: number, from: number, end: number): Promise<number> {
    let low = 1;
    let high = end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [record] = await this.#out.page(this.#session, middle, 1, 1);
      if (record === undefined || isBehind(readOutRecord(record.bytes), incarnation, from)) high = middle;
      else low = record.seq + 1;
    }
    return low;
  }
}

/** Whether no record behind this one holds a number up to `seq`. */
function isBehind(record: OutRecord, incarnation: number, seq: number): boolean {
  return record.incarnation > incarnation || record.incarnation === incarnation && record.through >= seq;
}

/** At most about `maxBytes` of the messages, which are all of the range up to `through`. */
function cut(messages: StoredMessage[], through: number, maxBytes: number): StoredPage {
  let bytes = 0;
  for (let i = 0; i < messages.length; i++) {
    if (bytes >= maxBytes) return { messages: messages.slice(0, i), through: messages[i].seq - 1 };
    bytes += messages[i].body.length;
  }
  return { messages, through };
}
