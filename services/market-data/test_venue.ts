/**
 * Around a ShardFollower under test: what subscribers receive, a proxy that loses bytes, and a matcher played by hand.
 * Test code only.
 */
import { jetstream } from "@nats-io/jetstream";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { DepthImageWriter, type Event } from "../../shared/codec/wire/mod.ts";
import { ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import type { TestServer } from "../../shared/nats/test_server.ts";
import type { BookMessage, DropCopyMessage, TradeMessage } from "../../shared/protocol/market_data.ts";
import { bookSchema, dropCopySchema, tradeSchema } from "../../shared/protocol/market_data_schema.ts";
import { depthRequestSubject, evSubject } from "../../shared/protocol/mod.ts";
import { SYSTEM_CLOCK } from "./book_publisher.ts";
import { depthOf } from "./depth_image.ts";
import { lastBookSeqs, lastEvSeq, type PositionStore } from "./position_store.ts";
import { ShardFollower } from "./shard_follower.ts";
import { batchesOf, VENUE } from "./test_events.ts";

const LIMITS = { cmdStreamBytes: 1 << 26, evStreamBytes: 1 << 26 };
const DEADLINE_MS = 15_000;

/** Waits until `holds` is true; it is asked again whenever `changed` is called. */
export class Watch {
  #waiting: { holds: () => boolean; resolve: () => void }[] = [];

  changed(): void {
    this.#waiting = this.#waiting.filter(({ holds, resolve }) => {
      if (!holds()) return true;
      resolve();
      return false;
    });
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ holds, resolve });
    const timer = setTimeout(() => reject(new Error(`waited in vain until ${what}`)), DEADLINE_MS);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What subscribers receive. */
export class Subscriber extends Watch {
  readonly books: BookMessage[] = [];
  readonly trades: TradeMessage[] = [];
  readonly copies: DropCopyMessage[] = [];

  constructor(nc: NatsConnection) {
    super();
    const follow = (subject: string, take: (value: unknown) => void) =>
      nc.subscribe(subject, {
        callback: (_, msg) => {
          take(msg.json());
          this.changed();
        },
      });
    follow("md.0.*.book", (value) => this.books.push(bookSchema.parse(value)));
    follow("md.0.*.trade", (value) => this.trades.push(tradeSchema.parse(value)));
    follow("drop.*", (value) => this.copies.push(dropCopySchema.parse(value)));
  }

  /** ClOrdIDs of the copies that came, each once, in order. */
  get clOrdIds(): string[] {
    return [...new Map(this.copies.map((copy) => [copy.copyId, copy.clOrdId])).values()];
  }

  bookOf(symbol: string): BookMessage | undefined {
    return this.books.findLast((book) => book.symbol === symbol);
  }
}

/** Resolves when the connection is back after a loss that is still to come. */
export async function reconnected(nc: NatsConnection): Promise<void> {
  for await (const { type } of nc.status()) if (type === "reconnect") return;
}

/** A TCP proxy that can lose what the client sends while the server's bytes still come through. */
export class LossyProxy extends Watch {
  /** What was lost, as text. */
  lost = "";
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<Deno.TcpConn>();
  readonly #accepting: Promise<void>;
  #losing = false;

  constructor(targetPort: number) {
    super();
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#accepting = this.#accept(targetPort);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#listener.addr.port}`;
  }

  loseUpstream(): void {
    this.#losing = true;
  }

  /** Ends the present connections; new ones lose nothing. */
  cut(): void {
    this.#losing = false;
    for (const conn of this.#open) conn.close();
    this.#open.clear();
  }

  async close(): Promise<void> {
    this.#listener.close();
    this.cut();
    await this.#accepting;
  }

  async #accept(targetPort: number): Promise<void> {
    for await (const client of this.#listener) {
      const upstream = await Deno.connect({ hostname: "127.0.0.1", port: targetPort });
      this.#open.add(client).add(upstream);
      this.#pump(client, upstream, true);
      this.#pump(upstream, client, false);
    }
  }

  async #pump(from: Deno.TcpConn, to: Deno.TcpConn, fromClient: boolean): Promise<void> {
    const buffer = new Uint8Array(65536);
    try {
      for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
        if (fromClient && this.#losing) {
          this.lost += new TextDecoder().decode(buffer.subarray(0, n));
          this.changed();
          continue;
        }
        for (let at = 0; at < n;) at += await to.write(buffer.subarray(at, n));
      }
    } catch {
      // Either end was cut: that is what this proxy is for.
    }
    for (const conn of [from, to]) if (this.#open.delete(conn)) conn.close();
  }
}

/** A venue without matcher: events are written and depth is answered by hand. */
export class Bench {
  readonly logs: string[] = [];
  readonly #log: Logger = {
    ...nullLogger,
    error: (message, fields) => this.logs.push(`${message} ${JSON.stringify(fields)}`),
  };
  depth: Uint8Array[] = [];
  #cmdSeq = 0;

  private constructor(readonly server: TestServer, readonly matcher: NatsConnection) {
    this.answerDepth(0, 1, []);
    matcher.subscribe(depthRequestSubject(0), {
      callback: (_, msg) => {
        for (const part of this.depth) msg.respond(part);
        msg.respond(new Uint8Array(0));
      },
    });
  }

  static async start(server: TestServer): Promise<Bench> {
    const nc = await server.connect("matcher");
    await ensureStreams(nc, { shards: [0], limits: LIMITS });
    return new Bench(server, nc);
  }

  answerDepth(cmdSeq: number, nextEvSeq: number, levels: readonly Event[]): void {
    const writer = new DepthImageWriter();
    writer.begin(0, 1, cmdSeq, nextEvSeq);
    for (const { instrumentId, side, priceTicks, levelQtyLots, levelOrders } of levels) {
      writer.append(instrumentId, side, priceTicks, levelQtyLots, levelOrders);
    }
    this.depth = writer.end();
  }

  /** Stores the events of the next command. Returns its EV sequence. */
  async write(events: readonly Event[], maxBytes?: number): Promise<number> {
    let seq = 0;
    for (const bytes of batchesOf(++this.#cmdSeq, events, { maxBytes })) {
      seq = (await jetstream(this.matcher).publish(evSubject(0, "ACME"), bytes)).seq;
    }
    return seq;
  }

  skipCommands(count: number): void {
    this.#cmdSeq += count;
  }

  follower(nc: NatsConnection, positions: PositionStore, onFatal: (error: Error) => void): ShardFollower {
    return new ShardFollower({
      nc,
      shard: 0,
      venue: VENUE,
      conflationMs: 20,
      positions,
      lastBookSeqs: (symbols) => lastBookSeqs(nc, 0, symbols),
      lastEvSeq: () => lastEvSeq(nc, 0),
      depth: (signal) => depthOf(nc, 0, this.#log, signal),
      traced() {},
      log: this.#log,
      clock: SYSTEM_CLOCK,
      onFatal,
    });
  }
}
