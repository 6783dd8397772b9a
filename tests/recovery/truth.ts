/**
 * What a venue's commands must have caused, by the verifier's rebuild: every stored event is held against it first. Owns what
 * the harness compares with: copies, trades, open orders and books. Test code only.
 */
import assert from "node:assert/strict";
import { tradeOf } from "../../services/market-data/trades.ts";
import { dropCopyOf } from "../../services/market-data/drop_copy.ts";
import { verdictText } from "../../services/matcher/verify/print.ts";
import { type Verdict, verifyShard } from "../../services/matcher/verify/verify_shard.ts";
import type { Event } from "../../shared/codec/wire/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import type { BookLevel } from "../../shared/protocol/market_data.ts";
import { EventKind, formatOrderId, Side } from "../../shared/protocol/mod.ts";

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

/**
 * Rebuilds all shards of a venue at rest. Throws when a stored event is not what it must be, when the matcher has another
 * state, or when the last events are not stored in time.
 */
export async function rebuiltTruth(nc: NatsConnection, venue: Venue): Promise<Truth> {
  const dropCopies = new Map<string, string>();
  const trades = new Map<string, string>();
  const verdicts: Verdict[] = [];
  for (const shard of venue.shards) {
    let verdict: Verdict | null = null as Verdict | null;
    await until(
      `the last events of shard ${shard}`,
      async () => {
        verdict = await verifyShard({
          nc,
          venue,
          shard,
          onEvent: recorder(venue, shard, dropCopies, trades),
        });
        return verdict.difference !== null || verdict.tail === 0;
      },
      () => verdict === null ? "" : verdictText(verdict),
    );
    const { difference, hash } = verdict!;
    assert.equal(difference, null, verdictText(verdict!));
    assert.equal(hash?.matcher, hash?.rebuilt);
    assert.notEqual(hash, null, `shard ${shard}: no matcher told its state hash`);
    verdicts.push(verdict!);
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
