/**
 * Around a ShardFollower under test: what subscribers receive, and a matcher played by hand.
 * Test code only.
 */
import { jetstream } from "@nats-io/jetstream";
import type { Subscription } from "@nats-io/nats-core";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { DepthImageWriter, encodeClaim, type Event, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { ensureStreams, type NatsConnection, storedMessage, streamExtent } from "../../shared/nats/mod.ts";
import type { TestServer } from "../../shared/nats/test_server.ts";
import { untraded } from "../../shared/testing/listed_state.ts";
import type {
  BookMessage,
  DropCopyMessage,
  PhaseMessage,
  TradeMessage,
} from "../../shared/protocol/market_data.ts";
import {
  bookSchema,
  dropCopySchema,
  phaseSchema,
  tradeSchema,
} from "../../shared/protocol/market_data_schema.ts";
import {
  depthRequestSubject,
  evStream,
  evSubject,
  instrumentsRequestSubject,
  type ListedState,
  Phase,
} from "../../shared/protocol/mod.ts";
import { type Clock, SYSTEM_CLOCK } from "./conflated_publisher.ts";
import { awaitDepth, depthOf } from "./depth_image.ts";
import type { Positions } from "./follower_options.ts";
import { lastSeqs } from "./position_store.ts";
import { ShardFollower } from "./shard_follower.ts";
import { Watch } from "./test_watch.ts";
import { ACME, batchesOf, TULIP, VENUE } from "./test_events.ts";

const LIMITS = { cmdStreamBytes: 1 << 26, evStreamBytes: 1 << 26 };

/** What subscribers receive. */
export class Subscriber extends Watch {
  readonly books: BookMessage[] = [];
  readonly trades: TradeMessage[] = [];
  readonly copies: DropCopyMessage[] = [];
  readonly phases: PhaseMessage[] = [];

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
    follow("md.0.*.phase", (value) => this.phases.push(phaseSchema.parse(value)));
    follow("md.0.*.trade", (value) => this.trades.push(tradeSchema.parse(value)));
    follow("drop.*", (value) => this.copies.push(dropCopySchema.parse(value)));
  }

  /** ClOrdIDs of the copies that came, each once, in order. */
  get clOrdIds(): string[] {
    return [...new Map(this.copies.map((copy) => [copy.copyId, copy.clOrdId ?? ""])).values()];
  }

  bookOf(symbol: string): BookMessage | undefined {
    return this.books.findLast((book) => book.symbol === symbol);
  }
}

/** Resolves when the connection is back after a loss that is still to come. */
export async function reconnected(nc: NatsConnection): Promise<void> {
  for await (const { type } of nc.status()) if (type === "reconnect") return;
}

/** ACME and TULIP-DEC as they trade when nothing else was said. */
export const CONTINUOUS: readonly ListedState[] = [ACME, TULIP].map((instrument) =>
  untraded(instrument, Phase.Continuous)
);

/** A venue without matcher: events are written and depth is answered by hand. */
export class Bench {
  readonly logs: string[] = [];
  /** Of what is only said, the message. */
  readonly infos: string[] = [];
  readonly #log: Logger = {
    ...nullLogger,
    info: (message) => this.infos.push(message),
    error: (message, fields) => this.logs.push(`${message} ${JSON.stringify(fields)}`),
  };
  depth: Uint8Array[] = [];
  instruments: readonly ListedState[] = CONTINUOUS;
  /** Where CMD_0 is said to end; null: at {@link cmdSeq}. */
  cmdEnd: number | null = null;
  #imageCmdSeq = 0;
  #instruments!: Subscription;

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
    this.#answerInstruments();
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

  /** Makes anew what a server that was started again does not hold: MD_0 is in memory. */
  ensureStreams(): Promise<void> {
    return ensureStreams(this.matcher, { shards: [0], limits: LIMITS });
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
    this.#imageCmdSeq = cmdSeq;
  }

  /** Whether nobody tells what instruments trade under. */
  set silent(silent: boolean) {
    if (silent) this.#instruments.unsubscribe();
    else this.#answerInstruments();
  }

  #answerInstruments(): void {
    this.#instruments = this.matcher.subscribe(instrumentsRequestSubject(0), {
      callback: (_, msg) => {
        msg.respond(JSON.stringify({ cmdSeq: this.#imageCmdSeq, instruments: this.instruments }));
      },
    });
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
      lastSeqs: (kind, symbols) => lastSeqs(nc, 0, kind, symbols),
      lastEvSeq: async () => (await streamExtent(nc, evStream(0))).lastSeq,
      lastCmdSeq: () => Promise.resolve(this.cmdEnd ?? this.cmdSeq),
      depth: (signal) =>
        awaitDepth(() => depthOf(nc, 0), { shard: 0, log: this.#log, clock: SYSTEM_CLOCK, signal }),
      traced() {},
      log: this.#log,
      clock,
      onFatal,
    });
  }
}
