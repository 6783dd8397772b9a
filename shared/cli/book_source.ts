/**
 * Gets a symbol's book, trades and phase from NATS: the last ones from MD_s, then each new one. Needs only what any client may
 * do: subscribe to md.…, list streams, direct get. Does I/O.
 */
import type { NatsConnection } from "@nats-io/nats-core";
import { jetstreamManager } from "@nats-io/jetstream";
import type { BookMessage, PhaseMessage, TradeMessage } from "../protocol/market_data.ts";
import { bookSchema, phaseSchema, tradeSchema } from "../protocol/market_data_schema.ts";
import { lastMessageOf } from "../nats/stored_message.ts";
import { bookSubject, mdStream, phaseSubject, tradeSubject } from "../protocol/mod.ts";

/** Takes what arrives. */
export interface BookListener {
  book(message: BookMessage): void;
  trade(message: TradeMessage): void;
  phase(message: PhaseMessage): void;
}

const MD_STREAM = /^MD_(\d+)$/;

/**
 * Follows a symbol until the connection closes. Resolves with whether a book was found, at the latest after
 * `timeoutMs`; later messages go on reaching the listener. Messages that do not fit the schema or are of another symbol
 * are skipped: a guest can put what is stored before other guests on any subject (docs/adr/0002).
 */
export async function followBook(
  nc: NatsConnection,
  symbol: string,
  timeoutMs: number,
  listener: BookListener,
): Promise<boolean> {
  const first = Promise.withResolvers<boolean>();
  let hasBook = false;
  let hasTrade = false;
  let hasPhase = false;
  const take = (data: Uint8Array) => {
    const value = parse(data);
    const book = bookSchema.safeParse(value);
    if (book.success) {
      if (book.data.symbol !== symbol) return;
      hasBook = true;
      listener.book(book.data);
      first.resolve(true);
      return;
    }
    const phase = phaseSchema.safeParse(value);
    if (phase.success) {
      if (phase.data.symbol !== symbol) return;
      hasPhase = true;
      listener.phase(phase.data);
      return;
    }
    const trade = tradeSchema.safeParse(value);
    if (!trade.success || trade.data.symbol !== symbol) return;
    hasTrade = true;
    listener.trade(trade.data);
  };
  for (const kind of ["book", "trade", "phase"]) {
    nc.subscribe(`md.*.${symbol}.${kind}`, {
      callback(error, msg) {
        if (error === null) take(msg.data);
      },
    });
  }
  const timer = setTimeout(() => first.resolve(false), timeoutMs);
  try {
    for (const shard of await shards(nc)) {
      const trade = await lastMessageOf(nc, mdStream(shard), tradeSubject(shard, symbol));
      if (trade !== null && !hasTrade) take(trade.bytes);
      const phase = await lastMessageOf(nc, mdStream(shard), phaseSubject(shard, symbol));
      if (phase !== null && !hasPhase) take(phase.bytes);
      const book = await lastMessageOf(nc, mdStream(shard), bookSubject(shard, symbol));
      if (book !== null && !hasBook) take(book.bytes);
    }
    return await first.promise;
  } finally {
    clearTimeout(timer);
  }
}

/** The symbols whose books the venue has published, sorted. */
export async function publishedSymbols(nc: NatsConnection): Promise<string[]> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const symbols = new Set<string>();
  for (const shard of await shards(nc)) {
    const { state } = await jsm.streams.info(mdStream(shard), { subjects_filter: `md.${shard}.*.book` });
    for (const subject of Object.keys(state.subjects ?? {})) symbols.add(subject.split(".")[2]);
  }
  return [...symbols].sort();
}

async function shards(nc: NatsConnection): Promise<number[]> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const found: number[] = [];
  for await (const name of jsm.streams.names("md.>")) {
    const match = MD_STREAM.exec(name);
    if (match !== null) found.push(Number(match[1]));
  }
  return found.sort((a, b) => a - b);
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return null;
  }
}
