/**
 * Around a ShardFollower under test: what subscribers receive, a proxy that loses bytes, and a matcher played by hand.
 * Test code only.
 */
import { jetstream } from "@nats-io/jetstream";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { DepthImageWriter, encodeClaim, type Event, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { ensureStreams, type NatsConnection, storedMessage, streamExtent } from "../../shared/nats/mod.ts";
import type { TestServer } from "../../shared/nats/test_server.ts";
import type { BookMessage, DropCopyMessage, TradeMessage } from "../../shared/protocol/market_data.ts";
import { bookSchema, dropCopySchema, tradeSchema } from "../../shared/protocol/market_data_schema.ts";
import { depthRequestSubject, evStream, evSubject } from "../../shared/protocol/mod.ts";
import { type Clock, SYSTEM_CLOCK } from "./book_publisher.ts";
import { awaitDepth, depthOf } from "./depth_image.ts";
import type { Positions } from "./follower_options.ts";
import { lastBookSeqs } from "./position_store.ts";
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
  /** What was lost of what the client sent, and what was not, as text. */
  lost = "";
  passed = "";
  /** Connections that {@link hold} keeps waiting. */
  held = 0;
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<Deno.TcpConn>();
  readonly #accepting: Promise<void>;
  #losing = false;
  #released: PromiseWithResolvers<void> | null = null;

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

  /** New connections are taken but nothing comes back until {@link release}. */
  hold(): void {
    this.#released = Promise.withResolvers();
  }

  release(): void {
    this.#released?.resolve();
    this.#released = null;
  }

  /** Ends the present connections; new ones lose nothing. */
  cut(): void {
    this.#losing = false;
    for (const conn of this.#open) conn.close();
    this.#open.clear();
  }

  async close(): Promise<void> {
    this.#listener.close();
    this.release();
    this.cut();
    await this.#accepting;
  }

  async #accept(targetPort: number): Promise<void> {
    for await (const client of this.#listener) {
      const upstream = await Deno.connect({ hostname: "127.0.0.1", port: targetPort });
      this.#open.add(client).add(upstream);
      if (this.#released !== null) {
        this.held++;
        this.changed();
        await this.#released.promise;
      }
      this.#pump(client, upstream, true);
      this.#pump(upstream, client, false);
    }
  }

  async #pump(from: Deno.TcpConn, to: Deno.TcpConn, fromClient: boolean): Promise<void> {
    const buffer = new Uint8Array(65536);
    try {
      for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
        if (fromClient) {
          this[this.#losing ? "lost" : "passed"] += new TextDecoder().decode(buffer.subarray(0, n));
          this.changed();
          if (this.#losing) continue;
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

  private constructor(
    readonly server: TestServer,
    readonly matcher: NatsConnection,
    /** The last command whose events were written. */
    public cmdSeq: number,
    /** The last sequence of EV_0. */
    public evSeq: number,
    public epoch: number,
  ) {
    this.answerDepth([]);
    matcher.subscribe(depthRequestSubject(0), {
      callback: (_, msg) => {
        for (const part of this.depth) msg.respond(part);
        msg.respond(new Uint8Array(0));
      },
    });
  }

  /** Goes on behind what the server's stream holds. */
  static async start(server: TestServer): Promise<Bench> {
    const nc = await server.connect("matcher");
    await ensureStreams(nc, { shards: [0], limits: LIMITS });
    const { lastSeq } = await streamExtent(nc, "EV_0");
    const last = lastSeq === 0 ? null : await storedMessage(nc, "EV_0", lastSeq);
    if (last === null) return new Bench(server, nc, 0, 0, 1);
    const reader = new EventBatchReader();
    reader.open(last.bytes);
    return new Bench(server, nc, reader.lastCmdSeq, lastSeq, reader.epoch);
  }

  /** The books to answer with; without numbers, those after the last command and message. */
  answerDepth(
    levels: readonly Event[],
    cmdSeq: number = this.cmdSeq,
    nextEvSeq: number = this.evSeq + 1,
  ): void {
    const writer = new DepthImageWriter();
    writer.begin(0, 1, cmdSeq, nextEvSeq);
    for (const { instrumentId, side, priceTicks, levelQtyLots, levelOrders } of levels) {
      writer.append(instrumentId, side, priceTicks, levelQtyLots, levelOrders);
    }
    this.depth = writer.end();
  }

  /** Stores the events of the next command. Returns the last EV sequence. */
  async write(events: readonly Event[], maxBytes?: number): Promise<number> {
    for (const bytes of batchesOf(++this.cmdSeq, events, { maxBytes, epoch: this.epoch })) {
      await this.store("ACME", bytes);
    }
    return this.evSeq;
  }

  /** Another matcher takes over: stores its claim. */
  claim(): Promise<void> {
    return this.store("_claim", encodeClaim(0, ++this.epoch, this.cmdSeq, 0));
  }

  /** Stores one message of EV_0. */
  async store(token: string, bytes: Uint8Array): Promise<void> {
    this.evSeq = (await jetstream(this.matcher).publish(evSubject(0, token), bytes)).seq;
  }

  follower(
    nc: NatsConnection,
    positions: Positions,
    onFatal: (error: Error) => void,
    clock: Clock = SYSTEM_CLOCK,
  ): ShardFollower {
    return new ShardFollower({
      nc,
      shard: 0,
      venue: VENUE,
      conflationMs: 20,
      positions,
      lastBookSeqs: (symbols) => lastBookSeqs(nc, 0, symbols),
      lastEvSeq: async () => (await streamExtent(nc, evStream(0))).lastSeq,
      depth: (signal) =>
        awaitDepth(() => depthOf(nc, 0), { shard: 0, log: this.#log, clock: SYSTEM_CLOCK, signal }),
      traced() {},
      log: this.#log,
      clock,
      onFatal,
    });
  }
}
