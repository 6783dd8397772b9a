/**
 * A subscriber of drop copies and trades over whatever dies, and of the books as they stand in the end; holds them against the
 * truth. Test code only.
 */
import assert from "node:assert/strict";
import type { Subscription } from "@nats-io/nats-core";
import type { Venue } from "../../shared/config/mod.ts";
import { lastMessageOf, type NatsConnection } from "../../shared/nats/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import type { BookMessage } from "../../shared/protocol/market_data.ts";
import { bookSubject, mdStream } from "../../shared/protocol/mod.ts";
import type { Truth } from "./truth.ts";

/** Everything that was heard, first copies by their ids. */
export class MarketWitness {
  /** Copies that came again. */
  repeated = 0;
  readonly #nc: NatsConnection;
  readonly #venue: Venue;
  readonly #dropCopies = new Map<string, string>();
  readonly #trades = new Map<string, string>();
  /** Said twice, and not the same both times. */
  readonly #contradictions: string[] = [];
  readonly #subscriptions: Subscription[];

  private constructor(nc: NatsConnection, venue: Venue) {
    this.#nc = nc;
    this.#venue = venue;
    this.#subscriptions = [
      nc.subscribe("drop.*", {
        callback: (_error, msg) => this.#hear(this.#dropCopies, "copyId", msg.string()),
      }),
      nc.subscribe("md.*.*.trade", {
        callback: (_error, msg) => this.#hear(this.#trades, "tradeId", msg.string()),
      }),
    ];
  }

  /** Hears from now on. The connection stays the caller's. */
  static async start(nc: NatsConnection, venue: Venue): Promise<MarketWitness> {
    const witness = new MarketWitness(nc, venue);
    await nc.flush();
    return witness;
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  /**
   * Nothing that was heard is untrue, the books are what they must be, and, unless the subscriber was cut off itself, nothing
   * is missing. Waits for what is still on its way.
   */
  async assertTrue(truth: Truth, cutOff: boolean): Promise<void> {
    if (!cutOff) {
      const whole = () =>
        this.#dropCopies.size >= truth.dropCopies.size && this.#trades.size >= truth.trades.size;
      const counts = () =>
        `${this.#dropCopies.size} of ${truth.dropCopies.size} copies, ${this.#trades.size} of ${truth.trades.size} trades`;
      await until("drop copies and trades", whole, counts);
    }
    assert.deepEqual(this.#contradictions, [], "said twice and differently");
    assertTrueOf("drop copy", this.#dropCopies, truth.dropCopies);
    assertTrueOf("trade", this.#trades, truth.trades);
    for (const { shard, symbol } of this.#venue.instruments) {
      const must = truth.books.get(symbol)!;
      let is: unknown = null;
      const isRight = async () => {
        // A server that has just started has no MD_s until the market-data service is back.
        const last = await lastMessageOf(this.#nc, mdStream(shard), bookSubject(shard, symbol)).catch(
          (error) => {
            is = error.message;
            return null;
          },
        );
        if (last === null) return false;
        const { bids, asks }: BookMessage = JSON.parse(new TextDecoder().decode(last.bytes));
        is = { bids, asks };
        return JSON.stringify(is) === JSON.stringify(must);
      };
      await until(
        `${symbol}'s book`,
        isRight,
        () => `it must be ${JSON.stringify(must)}, is ${JSON.stringify(is)}`,
      );
    }
  }

  #hear(into: Map<string, string>, id: "copyId" | "tradeId", text: string): void {
    const key: string = JSON.parse(text)[id];
    const before = into.get(key);
    if (before === undefined) into.set(key, text);
    else this.repeated++;
    if (before !== undefined && before !== text) this.#contradictions.push(text);
  }
}

function assertTrueOf(
  what: string,
  heard: ReadonlyMap<string, string>,
  truth: ReadonlyMap<string, string>,
): void {
  for (const [id, text] of heard) assert.equal(text, truth.get(id), `${what} ${id}`);
}
