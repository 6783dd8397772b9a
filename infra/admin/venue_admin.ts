/**
 * What `deno task admin` does with phases, algorithms and open orders: asks the leading matchers, which do it. Owns the
 * choice of shards. Does I/O.
 */
import { errors } from "@nats-io/nats-core";
import { isCallPhase, phaseName } from "../../shared/protocol/mod.ts";
import { type NatsConnection, requestInstruments } from "../../shared/nats/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import {
  type ControlAnswer,
  type ControlRequest,
  controlSubject,
  type Instrument,
  type ListedState,
} from "../../shared/protocol/mod.ts";
import type { AdminCommand } from "./args.ts";

/** An instrument as an operator sees it; decimal text, null for what there is not. */
export interface InstrumentStatus {
  readonly symbol: string;
  readonly shard: number;
  readonly phase: string;
  readonly algorithm: string;
  readonly lastPx: string | null;
  readonly indicativePrice: string | null;
  readonly indicativeQty: string | null;
}

/** A command for matchers. */
export type MatcherCommand = AdminCommand & { readonly kind: "phase" | "algorithm" | "mass-cancel" };

/** Longer than a matcher takes to answer that it does not know. */
const ANSWER_MS = 10_000;

/** Every instrument of the venue, in the venue file's order. Throws when a shard has no matcher that leads. */
export async function instrumentStatuses(nc: NatsConnection, venue: Venue): Promise<InstrumentStatus[]> {
  const answers = await Promise.all(venue.shards.map((shard) => requestInstruments(nc, shard)));
  const states = new Map(answers.flatMap(({ instruments }) => instruments.map((each) => [each.id, each])));
  return venue.instruments.flatMap((instrument) => {
    const state = states.get(instrument.id);
    return state === undefined ? [] : [statusOf(instrument, state)];
  });
}

function statusOf(instrument: Instrument, state: ListedState): InstrumentStatus {
  const { lastPxTicks, indicativePriceTicks, indicativeQtyLots } = state;
  const price = (ticks: number) => ticks === 0 ? null : priceText(ticks, instrument);
  const calls = isCallPhase(state.phase) && indicativePriceTicks > 0;
  return {
    symbol: instrument.symbol,
    shard: instrument.shard,
    phase: phaseName(state.phase),
    algorithm: state.algorithm,
    lastPx: price(lastPxTicks),
    indicativePrice: calls ? price(indicativePriceTicks) : null,
    indicativeQty: calls ? qtyText(indicativeQtyLots, instrument) : null,
  };
}

/** Asks every shard that the command concerns. Throws when nobody can say what came of it. */
export async function command(
  nc: NatsConnection,
  venue: Venue,
  asked: MatcherCommand,
  by: string,
): Promise<ControlAnswer[]> {
  const request = requestOf(asked, by);
  return await Promise.all(shardsOf(venue, request.symbol).map((shard) => ask(nc, shard, request)));
}

function requestOf(asked: MatcherCommand, by: string): ControlRequest {
  switch (asked.kind) {
    case "phase":
      return asked.symbol === null
        ? { do: "phase", by, all: true, phase: asked.phase }
        : { do: "phase", by, symbol: asked.symbol, phase: asked.phase };
    case "algorithm":
      return { do: "algorithm", by, symbol: asked.symbol, algorithm: asked.algorithm };
    case "mass-cancel":
      return { do: "mass-cancel", by, ...asked.of };
  }
}

function shardsOf(venue: Venue, symbol: string | undefined): readonly number[] {
  if (symbol === undefined) return venue.shards;
  const instrument = venue.instrumentBySymbol.get(symbol);
  if (instrument !== undefined) return [instrument.shard];
  throw new Error(`Cannot find symbol ${symbol}: the venue file has none of that name`);
}

async function ask(nc: NatsConnection, shard: number, request: ControlRequest): Promise<ControlAnswer> {
  try {
    const answer = await nc.request(controlSubject(shard), JSON.stringify(request), { timeout: ANSWER_MS });
    return answer.json<ControlAnswer>();
  } catch (cause) {
    const nobody = cause instanceof errors.RequestError && cause.isNoResponders();
    const why = nobody ? "none leads" : "it may yet do what was asked";
    throw new Error(`Cannot reach the matcher of shard ${shard}: ${why}`, { cause });
  }
}
