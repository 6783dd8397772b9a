/**
 * Reference data: what the ids in stored commands and events mean, and the rules by which they replay. Owns which of a
 * venue file may change once commands are stored, and how a change that may not is said. Pure.
 */
import { COMMAND_VERSION, EVENT_VERSION } from "../codec/wire/mod.ts";
import { phaseName, rulesOf, type TradingRules } from "../protocol/mod.ts";
import { decimalText } from "../protocol/execution.ts";
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

/** What is to be done about a change, as the end of the sentence. */
export interface ChangeRemedies {
  /** When the venue file is another. */
  readonly otherFile: string;
  /** When another release wrote the store. */
  readonly otherRelease: string;
}

const OF_A_START: ChangeRemedies = {
  otherFile: "undo the change, or start with another store (--store)",
  otherRelease: "start with another store (--store)",
};

type Properties = Reference[string][string];

/** A property's key in the venue file, and its value as that file has it, of one side. */
type FileText = readonly [key: string, value: (of: Properties) => number, scale: "priceScale" | "qtyScale"];

/** Properties that the venue file has under another key and in other units; 0 is nothing in all of them. */
const IN_FILE: Readonly<Record<string, FileText>> = {
  tickUnits: ["tick", (of) => Number(of.tickUnits), "priceScale"],
  lotUnits: ["lot", (of) => Number(of.lotUnits), "qtyScale"],
  maxOrderQtyLots: ["maxOrderQty", (of) => Number(of.maxOrderQtyLots) * Number(of.lotUnits), "qtyScale"],
  topMinLots: ["topMin", (of) => Number(of.topMinLots) * Number(of.lotUnits), "qtyScale"],
  topMaxLots: ["topMax", (of) => Number(of.topMaxLots) * Number(of.lotUnits), "qtyScale"],
  referencePriceTicks: [
    "referencePrice",
    (of) => Number(of.referencePriceTicks) * Number(of.tickUnits),
    "priceScale",
  ],
};

/** A value as the venue file has it; `firms` are the names of the same side. */
function valueText(property: string, of: Properties, firms: Reference[string] | undefined): string {
  if (property === "leadMarketMakers") {
    return String(of[property]).replaceAll(/firm (\d+)/g, (text, id) => `${firms?.[id]?.name ?? text}`);
  }
  const inFile = IN_FILE[property];
  if (inFile === undefined) return String(of[property]);
  const [, value, scale] = inFile;
  const units = value(of);
  return units === 0 ? "none" : decimalText(units, Number(of[scale]));
}

function changeText(property: string, was: string, is: string): string {
  // No venue file has `initialPhase`: it says whether there is a schedule.
  return property === "initialPhase"
    ? `starts ${was} in the store but ${is} in the venue file (a schedule has come or gone)`
    : `has ${IN_FILE[property]?.[0] ?? property} ${was} in the store but ${is} in the venue file`;
}

type Side = readonly [of: Properties, firms: Reference[string] | undefined];

/**
 * What has changed of one id. With another lot the same quantities are other numbers: those are left out, unless nothing
 * would be said of a change.
 */
function changesOfOne(before: Side, now: Side): string[] {
  const changed = Object.keys(before[0]).filter((property) => now[0][property] !== before[0][property]);
  const texts = changed.map((property) =>
    [property, valueText(property, ...before), valueText(property, ...now)] as const
  );
  const seen = texts.filter(([, was, is]) => was !== is);
  return (seen.length > 0 ? seen : texts).map((each) => changeText(...each));
}

/** Everything of `before` that is another in `now`, each as a sentence without its end. */
function changesOf(before: Reference, now: Reference): string[] {
  const changes: string[] = [];
  for (const [kind, entries] of Object.entries(before)) {
    for (const [id, properties] of Object.entries(entries)) {
      const current = now[kind]?.[id];
      const name = properties.symbol ?? properties.name ?? properties.senderCompId;
      const what = name === undefined ? `${kind} ${id}` : `${kind} ${id} (${name})`;
      if (current === undefined) {
        changes.push(`${what} is in the store but no longer in the venue file`);
        continue;
      }
      const texts = changesOfOne([properties, before.firm], [current, now.firm]);
      changes.push(...texts.map((text) => `${what} ${text}`));
    }
  }
  return changes;
}

/** Why `now` cannot continue `before`, as one sentence, or null when it can. New ids are welcome. */
export function findChange(before: Reference, now: Reference, remedies = OF_A_START): string | null {
  const written = before.layout?.["of messages"];
  const read = now.layout["of messages"];
  if (written === undefined || written.commands !== read.commands || written.events !== read.events) {
    return `another release wrote it, whose commands or events this one cannot read; ${remedies.otherRelease}`;
  }
  const [first, ...others] = changesOf(before, now);
  if (first === undefined) return null;
  return `${first}${others.length === 0 ? "" : ` (and ${others.length} more)`}; ${remedies.otherFile}`;
}

/** Whether `now` says nothing but what `before` says: nothing is new. Call it for what {@link findChange} finds no change in. */
export function saysNothingNew(before: Reference, now: Reference): boolean {
  return Object.entries(now).every(([kind, entries]) =>
    Object.entries(entries).every(([id, properties]) =>
      Object.keys(properties).every((property) => before[kind]?.[id]?.[property] !== undefined)
    )
  );
}
