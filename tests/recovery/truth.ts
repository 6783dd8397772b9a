/**
 * What a venue's commands must have caused, by the verifier's rebuild: every stored event is held against it first. Owns what
 * the harness compares with: copies, trades, open orders and books. Test code only.
 */
import assert from "node:assert/strict";
import { tradeOf } from "../../services/market-data/trades.ts";
import { dropCopyOf } from "../../services/market-data/drop_copy.ts";
import { readEventTail } from "../../services/matcher/event_tail.ts";
import { verdictText } from "../../services/matcher/verify/print.ts";
import type { Verdict } from "../../services/matcher/verify/verdict.ts";
import { LiveVerification, verifyShard } from "../../services/matcher/verify/verify_shard.ts";
import type { Event } from "../../shared/codec/wire/mod.ts";
import { errorText } from "../../shared/cli/log.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { type NatsConnection, streamExtent } from "../../shared/nats/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import type { BookLevel } from "../../shared/protocol/market_data.ts";
import { cmdStream, EventKind, formatOrderId, Side } from "../../shared/protocol/mod.ts";

/** An order that is open, quantities as FIX text. */
export interface OpenOrder {
  readonly session: string;
  readonly clOrdId: string;
  readonly orderQty: string;
  readonly cumQty: string;
}

/** The best levels of a book. */
export interface TopOfBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** What must be true of a venue at rest. */
export interface Truth {
  /** As JSON, by copyId. */
  readonly dropCopies: ReadonlyMap<string, string>;
  /** By tradeId. */
  readonly trades: ReadonlyMap<string, string>;
  /** By OrderID; those of quotes are left out, which FIX clients do not hear of as orders. */
  readonly openOrders: ReadonlyMap<string, OpenOrder>;
  /** By symbol. */
  readonly books: ReadonlyMap<string, TopOfBook>;
  readonly verdicts: readonly Verdict[];
}

const LEVELS = 10;

/** Rebuilds a venue while it trades, or at once what it has stored. */
export class TruthKeeper implements AsyncDisposable {
  readonly #nc: NatsConnection;
  readonly #venue: Venue;
  readonly #dropCopies = new Map<string, string>();
  readonly #trades = new Map<string, string>();
  readonly #live: readonly LiveVerification[];

  /** Follows a venue from its first message on. The connection stays the caller's. */
  constructor(nc: NatsConnection, venue: Venue) {
    this.#nc = nc;
    this.#venue = venue;
    this.#live = venue.shards.map((shard) => new LiveVerification(this.#options(shard)));
  }

  /** Throws when something is already wrong. */
  assertSound(): void {
    for (const { found } of this.#live) {
      if (found !== null) assert.equal(found.difference, null, verdictText(found));
    }
  }

  /** Ends, with the venue at rest. Throws as {@link rebuiltTruth} does. */
  async finish(): Promise<Truth> {
    for (const shard of this.#venue.shards) await allStored(this.#nc, shard);
    const verdicts = await Promise.all(this.#live.map((live) => live.finish()));
    return this.#truth(verdicts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#live.map((live) => live.stop()));
  }

  #options(shard: number) {
    const onEvent = recorder(this.#venue, shard, this.#dropCopies, this.#trades);
    return { nc: this.#nc, venue: this.#venue, shard, onEvent };
  }

  #truth(verdicts: readonly Verdict[]): Truth {
    return truthOf(this.#venue, verdicts, this.#dropCopies, this.#trades);
  }
}

/**
 * Rebuilds all shards of a venue at rest. Throws when a stored event is not what it must be, when the matcher has another
 * state, or when the last events are not stored in time.
 */
export async function rebuiltTruth(nc: NatsConnection, venue: Venue): Promise<Truth> {
  const dropCopies = new Map<string, string>();
  const trades = new Map<string, string>();
  const verdicts: Verdict[] = [];
  for (const shard of venue.shards) {
    await allStored(nc, shard);
    verdicts.push(
      await verifyShard({ nc, venue, shard, onEvent: recorder(venue, shard, dropCopies, trades) }),
    );
  }
  return truthOf(venue, verdicts, dropCopies, trades);
}

/** Waits until EV_s holds the events of every command; a server that has just started may let a question time out. */
async function allStored(nc: NatsConnection, shard: number): Promise<void> {
  let state = "";
  const isStored = async () => {
    const { position } = await readEventTail(nc, shard);
    const { lastSeq } = await streamExtent(nc, cmdStream(shard));
    state = `they are stored up to ${position.completeCmdSeq} of ${lastSeq}`;
    return position.completeCmdSeq >= lastSeq;
  };
  const isStoredOrLate = () =>
    isStored().catch((error) => {
      state = errorText(error);
      return false;
    });
  await until(`the last events of shard ${shard}`, isStoredOrLate, () => state);
}

function truthOf(
  venue: Venue,
  verdicts: readonly Verdict[],
  dropCopies: ReadonlyMap<string, string>,
  trades: ReadonlyMap<string, string>,
): Truth {
  for (const verdict of verdicts) {
    const { shard, difference, tail, hash } = verdict;
    assert.equal(difference, null, verdictText(verdict));
    assert.notEqual(hash, null, `shard ${shard}: no matcher told its state hash`);
    assert.equal(tail, 0, verdictText(verdict));
  }
  return {
    dropCopies,
    trades,
    openOrders: new Map(verdicts.flatMap((verdict) => openOrdersOf(venue, verdict))),
    books: new Map(verdicts.flatMap((verdict) => booksOf(venue, verdict))),
    verdicts,
  };
}

function recorder(venue: Venue, shard: number, dropCopies: Map<string, string>, trades: Map<string, string>) {
  return (event: Event, cmdSeq: number, eventIndex: number, timestampUs: number) => {
    if (event.kind >= EventKind.LevelChanged) return;
    const at = { shard, cmdSeq, eventIndex, timestampUs };
    const instrument = venue.instrumentById.get(event.instrumentId) ?? null;
    const session = venue.sessionById.get(event.sessionId);
    const copy = session === undefined ? null : dropCopyOf(event, at, session, instrument);
    if (copy !== null) dropCopies.set(copy.copyId, JSON.stringify(copy));
    const trade = tradeOf(event, at, instrument!);
    if (trade !== null) trades.set(trade.tradeId, JSON.stringify(trade));
  };
}

function openOrdersOf(venue: Venue, { shard, rebuild }: Verdict): [string, OpenOrder][] {
  return [...rebuild.engine.state.open].filter(({ isQuote }) => !isQuote).map((order) => {
    const instrument = venue.instrumentById.get(order.instrument)!;
    return [formatOrderId(shard, order.orderId), {
      session: venue.sessionById.get(order.session)!.senderCompId,
      clOrdId: order.clOrdId,
      orderQty: qtyText(order.qty, instrument),
      cumQty: qtyText(order.cum, instrument),
    }];
  });
}

function booksOf(venue: Venue, { shard, rebuild }: Verdict): [string, TopOfBook][] {
  return venue.instruments.filter((each) => each.shard === shard).map((instrument) => {
    const side = (which: Side) => {
      const levels: BookLevel[] = [];
      rebuild.engine.levels(instrument.id, which, (price, qty, orders) => {
        if (levels.length === LEVELS) return;
        levels.push({ price: priceText(price, instrument), qty: qtyText(qty, instrument), orders });
      });
      return levels;
    };
    return [instrument.symbol, { bids: side(Side.Buy), asks: side(Side.Sell) }];
  });
}

/** Command messages that were purged, of all shards. */
export async function purgedOf(nc: NatsConnection, { shards }: Venue): Promise<number> {
  let purged = 0;
  for (const shard of shards) purged += (await streamExtent(nc, cmdStream(shard))).firstSeq - 1;
  return purged;
}
