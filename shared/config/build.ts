/**
 * From the venue file's entries to a Venue: decimal text to integer units, references to objects, and every check
 * that needs more than one value. Collects problems instead of stopping at the first. Pure.
 */
import type { Firm, FixSession, Instrument } from "../protocol/instruments.ts";
import { MAX_PRICE_TICKS, MAX_QTY_LOTS } from "../protocol/limits.ts";
import { decimalUnits, lotsOf } from "./amounts.ts";
import type { Path, Problem, Report } from "./problems.ts";
import { buildTradingSchedule, startClosed } from "./schedule.ts";
import type { InstrumentEntry, VenueFile } from "./schema.ts";
import { buildSettings } from "./session_settings.ts";
import { buildRules, smpActionOf } from "./trading_rules.ts";
import type { Venue } from "./venue.ts";

/** Reports every value that an earlier entry already has. */
function refuseRepeats<T>(entries: readonly T[], list: string, key: string & keyof T, report: Report): void {
  const first = new Map<unknown, number>();
  entries.forEach((entry, index) => {
    const value = entry[key];
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, index);
    else report([list, index, key], `a value that ${list}[${earlier}] does not have`, value);
  });
}

/** Units of a tick or lot; reports one that the scale cannot hold or that makes a largest value inexact. */
function stepUnits(
  text: string,
  scale: number,
  most: number,
  path: Path,
  scaleKey: string,
  report: Report,
): number {
  const units = decimalUnits(text, scale);
  if (units === null) {
    report(path, `no more decimals than ${scaleKey} ${scale}`, text);
    return 1;
  }
  const limit = Math.floor(Number.MAX_SAFE_INTEGER / most);
  if (units > limit) report(path, `at most ${limit} units of 10^-${scale}`, text);
  return units;
}

function buildInstrument(
  entry: InstrumentEntry,
  index: number,
  shards: readonly number[],
  firms: ReadonlyMap<string, Firm>,
  report: Report,
): Instrument {
  const at = (key: string): Path => ["instruments", index, key];
  const { priceScale, qtyScale } = entry;
  const tickUnits = stepUnits(entry.tick, priceScale, MAX_PRICE_TICKS, at("tick"), "priceScale", report);
  const lotUnits = stepUnits(entry.lot, qtyScale, MAX_QTY_LOTS, at("lot"), "qtyScale", report);
  const maxOrderQtyLots = lotsOf(entry.maxOrderQty, entry, lotUnits, at("maxOrderQty"), report);
  if (!shards.includes(entry.shard)) report(at("shard"), `one of shards ${shards.join(", ")}`, entry.shard);
  const { id, symbol, shard, algorithm, proRataMin = 1, tick, lot, switchableTo } = entry;
  const rules = buildRules(entry, at, { tickUnits, lotUnits }, firms, report);
  return {
    id,
    symbol,
    shard,
    priceScale,
    tickUnits,
    qtyScale,
    lotUnits,
    algorithm,
    proRataMin,
    maxOrderQtyLots,
    tick,
    lot,
    ...(switchableTo === undefined ? {} : { switchableTo }),
    ...(rules === null ? {} : { rules }),
  };
}

function buildSessions(
  file: VenueFile,
  firms: ReadonlyMap<string, Firm>,
  resolve: (path: string) => string,
  report: Report,
): FixSession[] {
  return file.sessions.map((entry, index) => {
    const firm = firms.get(entry.firm);
    if (firm === undefined) {
      report(["sessions", index, "firm"], `one of firms ${[...firms.keys()].join(", ")}`, entry.firm);
    }
    if (entry.senderCompId === file.targetCompId) {
      report(["sessions", index, "senderCompId"], "another CompID than the venue's own", entry.senderCompId);
    }
    const { id, senderCompId, role, username, password } = entry;
    const settings = buildSettings(entry, file.sessionDefaults, resolve);
    return {
      id,
      senderCompId,
      firm: firm ?? { id: 0, name: entry.firm },
      role,
      username,
      password,
      settings,
    };
  });
}

/**
 * The venue, and what is wrong with it; use it only when there are no problems. `resolve` makes a path in the file,
 * which is relative to the file, one that can be opened.
 */
export function buildVenue(
  file: VenueFile,
  resolve: (path: string) => string,
): { venue: Venue; problems: Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (path, expected, got) => problems.push({ path, expected, got });
  file.shards.forEach((shard, index) => {
    const earlier = file.shards.indexOf(shard);
    if (earlier < index) report(["shards", index], `a shard that shards[${earlier}] is not`, shard);
  });
  refuseRepeats(file.firms, "firms", "id", report);
  refuseRepeats(file.firms, "firms", "name", report);
  refuseRepeats(file.instruments, "instruments", "id", report);
  refuseRepeats(file.instruments, "instruments", "symbol", report);
  refuseRepeats(file.sessions, "sessions", "id", report);
  refuseRepeats(file.sessions, "sessions", "senderCompId", report);
  const { heartBtIntMinSec, heartBtIntMaxSec } = file.limits;
  if (heartBtIntMinSec > heartBtIntMaxSec) {
    report(["limits", "heartBtIntMinSec"], `at most heartBtIntMaxSec ${heartBtIntMaxSec}`, heartBtIntMinSec);
  }
  const shards = file.shards.toSorted((a, b) => a - b);
  const firms = file.firms.map(({ id, name, selfMatchPrevention }): Firm => {
    return selfMatchPrevention === undefined
      ? { id, name }
      : { id, name, smpAction: smpActionOf(selfMatchPrevention) };
  });
  const firmByName = new Map(firms.map((firm) => [firm.name, firm]));
  const schedule = buildTradingSchedule(
    file.schedule,
    new Set(file.instruments.map(({ symbol }) => symbol)),
    report,
  );
  const listed = file.instruments.map((entry, index) =>
    buildInstrument(entry, index, shards, firmByName, report)
  );
  const instruments = schedule === null ? listed : listed.map(startClosed);
  const sessions = buildSessions(file, firmByName, resolve, report);
  const venue = {
    name: file.name,
    targetCompId: file.targetCompId,
    shards,
    instruments,
    firms,
    sessions,
    limits: file.limits,
    durability: file.durability,
    schedule,
    instrumentBySymbol: new Map(instruments.map((each) => [each.symbol, each])),
    instrumentById: new Map(instruments.map((each) => [each.id, each])),
    firmById: new Map(firms.map((each) => [each.id, each])),
    sessionById: new Map(sessions.map((each) => [each.id, each])),
    sessionByCompId: new Map(sessions.map((each) => [each.senderCompId, each])),
  };
  return { venue, problems };
}
