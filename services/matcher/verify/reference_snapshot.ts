/**
 * A snapshot read into the reference engine: where a rebuild begins when older commands are gone. Uses the format's own
 * reader for bytes and records, and the reference engine's ways for the state; the state hash says whether it is the one that
 * was written. Reads no clock and does no I/O. docs/snapshots.md.
 */
import { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { charOfCode, type MatchAlgorithm, Side } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "../engine/mod.ts";
import { ReferenceEngine, type RefMarket, type RefOrder } from "../reference/mod.ts";
import { ByteReader } from "../snapshot/byte_reader.ts";
import type { SnapshotHeader } from "../snapshot/header.ts";
import {
  ALIGNMENT,
  HASH_DIGITS,
  HEADER_BYTES,
  ORDER_FOLLOWS,
  SECTION_HEADER_BYTES,
} from "../snapshot/layout.ts";
import { OrderRecord } from "../snapshot/order_record.ts";
import { openSnapshot } from "../snapshot/snapshot.ts";
import { GatewayRules } from "./gateway_rules.ts";

/** A shard as it was after a command message. */
export interface RebuildStart {
  readonly engine: ReferenceEngine;
  readonly gateways: GatewayRules;
  readonly cmdSeq: number;
  readonly timestampUs: number;
}

/** Reads a snapshot; a clause that says why when it cannot be used. Throws one when its content is no state of this venue. */
export function startFromSnapshot(bytes: Uint8Array, options: EngineOptions): RebuildStart | string {
  const header = openSnapshot(bytes, options);
  if (typeof header === "string") return header;
  const reading = new Reading(bytes, header, options);
  const { engine, gateways } = reading;
  const { cmdSeq, timestampUs, stateHash } = header;
  engine.begin(cmdSeq, timestampUs);
  const hash = engine.stateHash((digest) => gateways.digest(digest));
  if (hash !== stateHash) return `its state hashes to ${hash} instead of ${stateHash}`;
  return { engine, gateways, cmdSeq, timestampUs };
}

/** One snapshot on its way into an engine. */
class Reading {
  readonly engine: ReferenceEngine;
  readonly gateways = new GatewayRules();
  readonly #bytes: Uint8Array;
  readonly #header: SnapshotHeader;
  readonly #record = new OrderRecord();
  #at = HEADER_BYTES;

  constructor(bytes: Uint8Array, header: SnapshotHeader, options: EngineOptions) {
    this.engine = new ReferenceEngine(options);
    this.#bytes = bytes;
    this.#header = header;
    const { instruments } = header.counts;
    const tops = this.#instruments(this.#section(), instruments);
    this.#books(this.#section(), tops);
    this.#past(this.#section());
    this.#sessions(this.#section());
    this.#gateways(this.#section());
  }

  /** The next section's body. Its checksum is part of the whole's, which was compared. */
  #section(): ByteReader {
    const from = new ByteReader(this.#bytes.subarray(this.#at));
    from.skip(8);
    const length = from.integer();
    const start = this.#at + SECTION_HEADER_BYTES;
    this.#at = start + length;
    return new ByteReader(this.#bytes.subarray(start, this.#at));
  }

  /** Returns the markets with the OrderIDs of their top orders. */
  #instruments(from: ByteReader, count: number): [RefMarket, Record<number, number>][] {
    return Array.from({ length: count }, () => {
      const id = from.u32();
      const market = this.engine.state.markets.get(id);
      if (market === undefined) throw new Error(`the venue does not list its instrument ${id}`);
      market.phase = from.u8();
      market.algorithm = String.fromCharCode(charOfCode(from.u8())) as MatchAlgorithm;
      from.skip(2 + HASH_DIGITS);
      market.lastPx = from.i32();
      const price = from.i32();
      market.indicated = { price, executable: from.f64(), surplus: from.f64() };
      market.lastScheduledUs = from.f64();
      from.skip(8);
      return [market, { [Side.Buy]: from.f64(), [Side.Sell]: from.f64() }];
    });
  }

  #books(from: ByteReader, markets: readonly [RefMarket, Record<number, number>][]): void {
    for (const [market, tops] of markets) {
      for (const side of [Side.Buy, Side.Sell]) {
        for (const order of this.#waiting(from)) {
          const { shown } = order;
          market.book.add(order);
          if (order.maxFloor > 0) order.shown = shown;
          if (order.orderId === tops[side]) market.top[side] = order;
        }
      }
      for (const side of [Side.Buy, Side.Sell]) {
        for (const order of this.#waiting(from)) {
          market.stops[side].push(order);
          order.place = "stops";
        }
      }
      for (const order of this.#waiting(from)) market.park(order);
    }
  }

  /** The orders of one book, which are open from now on. */
  #waiting(from: ByteReader): RefOrder[] {
    const { state } = this.engine;
    const orders: RefOrder[] = [];
    const levels = from.integer();
    for (let level = 0; level < levels; level++) {
      from.skip(4);
      for (let left = from.u32(); left > 0; left--) orders.push(this.#order(from));
    }
    for (const order of orders) {
      state.open.add(order);
      if (!order.isQuote) state.names.add(order.session, order.clOrdId, order);
      else this.#quote(order);
    }
    return orders;
  }

  #quote(order: RefOrder): void {
    const { quotes } = this.engine.state.marketOf(order);
    quotes.set(order.session, { ...quotes.get(order.session), [order.side]: order });
  }

  #order(from: ByteReader): RefOrder {
    const record = this.#record;
    if (!record.read(from)) throw new Error("Cannot read an order of a snapshot whose checksum is right");
    const { command } = record;
    return {
      orderId: record.orderId,
      session: command.sessionId,
      firm: command.firmId,
      instrument: command.instrumentId,
      side: command.side,
      isQuote: record.isQuote,
      ordType: command.ordType,
      timeInForce: command.timeInForce,
      price: command.priceTicks,
      stopPx: command.stopPxTicks,
      maxFloor: command.maxFloorLots,
      minQty: 0,
      expireUs: command.expireUs,
      execInst: command.execInst,
      smpId: command.smpId,
      smpAction: command.smpAction,
      account: command.account >>> 0,
      qty: command.qtyLots,
      cum: record.cumQty,
      notional: BigInt(record.notionalHigh >>> 0) << 32n | BigInt(record.notionalLow >>> 0),
      status: record.status,
      clOrdId: command.clOrdId.toString(),
      place: "nowhere",
      shown: record.shown,
      triggered: record.isTriggered,
    };
  }

  /** Past names, oldest first. A done order goes by the last of its own. */
  #past(from: ByteReader): void {
    const { names } = this.engine.state;
    const text = new ByteSlice();
    for (let left = this.#header.counts.pastNames; left > 0; left--) {
      const orderId = from.integer();
      const session = from.u16();
      const length = from.u8();
      const follows = from.u8() === ORDER_FOLLOWS;
      from.skip(4);
      from.slice(length, text);
      from.align(ALIGNMENT);
      const name = text.toString();
      const order = follows ? this.#order(from) : names.order(orderId)!;
      if (!this.engine.state.open.has(order)) order.clOrdId = name;
      names.retire(names.add(session, name, order));
    }
  }

  #sessions(from: ByteReader): void {
    for (let left = this.#header.counts.sessions; left > 0; left--) {
      const session = from.u32();
      const words = from.u32();
      const incarnation = from.integer();
      const highest = from.integer();
      const bits = Array.from({ length: words }, () => from.u32());
      from.align(ALIGNMENT);
      this.engine.sessions.restore(session, incarnation, highest, bits);
    }
  }

  #gateways(from: ByteReader): void {
    for (let left = this.#header.counts.gateways; left > 0; left--) {
      this.gateways.restore(from.integer(), from.integer(), from.integer());
    }
  }
}
