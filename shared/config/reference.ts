/**
 * Reference data: what the ids in stored commands and events mean, and the rules by which they replay. Owns which of a
 * venue file may change once commands are stored, and how a change that may not is said. Pure.
 */
import { COMMAND_VERSION, EVENT_VERSION } from "../codec/wire/mod.ts";
import { phaseName, rulesOf, type TradingRules } from "../protocol/mod.ts";
import type { Venue } from "./venue.ts";

/** What must not change once commands are stored: kind → id → property → value. */
export type Reference = Record<string, Record<string, Record<string, string | number>>>;

/** The parts of a venue, and of this release, that stored commands and events rely on. */
export function referenceOf(venue: Venue): Reference {
  const limits = { maxOpenOrders: venue.limits.maxOpenOrders, clOrdIdHistory: venue.limits.clOrdIdHistory };
  return {
    instrument: Object.fromEntries(
      venue.instruments.map((instrument) => {
        const { id, tick: _tick, lot: _lot, switchableTo: _switchableTo, rules: _rules, ...rest } =
          instrument;
        return [id, { ...rest, ...rulesReference(rulesOf(instrument)) }];
      }),
    ),
    firm: Object.fromEntries(venue.firms.map(({ id, name }) => [id, { name }])),
    session: Object.fromEntries(
      venue.sessions.map(({ id, senderCompId, firm }) => [id, { senderCompId, firm: firm.name }]),
    ),
    limits: { "of the matcher": limits },
    layout: { "of messages": { commands: COMMAND_VERSION, events: EVENT_VERSION } },
  };
}

/** The rules that the engine follows; how long an auction lasts is what the clock puts into the stream. */
function rulesReference(rules: TradingRules): Record<string, string | number> {
  const { leadMarketMakers, initialPhase, volatilityAuctionSec: _seconds, ...rest } = rules;
  const makers = leadMarketMakers.map(({ firmId, percent }) => `firm ${firmId} ${percent} %`);
  return {
    ...rest,
    leadMarketMakers: makers.length === 0 ? "none" : makers.join(", "),
    initialPhase: phaseName(initialPhase),
  };
}

const REMEDY = "undo the change, or start with another store (--store)";

/** No venue file has `initialPhase`: it says whether there is a schedule. */
function changeText(property: string, before: string | number, now: string | number): string {
  return property === "initialPhase"
    ? `starts ${before} in the store but ${now} in the venue file (a schedule has come or gone)`
    : `has ${property} ${before} in the store but ${now} in the venue file`;
}

/** Why `now` cannot continue `before`, as one sentence, or null when it can. New ids are welcome. */
export function findChange(before: Reference, now: Reference): string | null {
  const written = before.layout?.["of messages"];
  const read = now.layout["of messages"];
  if (written === undefined || written.commands !== read.commands || written.events !== read.events) {
    return "another release wrote it, whose commands or events this one cannot read; start with another store (--store)";
  }
  for (const [kind, entries] of Object.entries(before)) {
    for (const [id, properties] of Object.entries(entries)) {
      const current = now[kind]?.[id];
      const name = properties.symbol ?? properties.name ?? properties.senderCompId;
      const what = name === undefined ? `${kind} ${id}` : `${kind} ${id} (${name})`;
      if (current === undefined) return `${what} is in the store but no longer in the venue file; ${REMEDY}`;
      for (const [property, value] of Object.entries(properties)) {
        if (current[property] !== value) {
          return `${what} ${changeText(property, value, current[property])}; ${REMEDY}`;
        }
      }
    }
  }
  return null;
}

/** Whether `now` says nothing but what `before` says: nothing is new. Call it for what {@link findChange} finds no change in. */
export function saysNothingNew(before: Reference, now: Reference): boolean {
  return Object.entries(now).every(([kind, entries]) =>
    Object.entries(entries).every(([id, properties]) =>
      Object.keys(properties).every((property) => before[kind]?.[id]?.[property] !== undefined)
    )
  );
}
