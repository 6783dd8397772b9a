/**
 * One aggressor over one price level as people write it in JSON (docs/allocation.md, "Trying it out"), checked. Refuses what
 * it does not know, with key and value. Pure.
 */
import { MatchAlgorithm, MAX_QTY_LOTS } from "../../shared/protocol/mod.ts";

/** Most orders that a case may have. */
export const MAX_RESTING = 10_000;
/** Most times that an order's hidden quantity may come to show. */
const MAX_SLICES = 100;

/** A resting order; quantities in lots. */
export interface RestingOrder {
  /** What it shows; also how much of the hidden quantity shows at a time. */
  readonly qty: number;
  readonly hidden: number;
  readonly top: boolean;
  /** Number of its lead market maker in {@link AllocationCase}, -1 for none. */
  readonly maker: number;
}

/** A case, complete: what the JSON leaves out has its default. */
export interface AllocationCase {
  readonly name: string | null;
  readonly algorithm: MatchAlgorithm;
  readonly proRataMin: number;
  readonly topMin: number;
  readonly topMax: number;
  readonly fifoPercent: number;
  /** Of each lead market maker. */
  readonly makerPercents: readonly number[];
  readonly resting: readonly RestingOrder[];
  readonly aggressor: number;
  /** What each order should receive; null when the case does not say. */
  readonly expect: readonly number[] | null;
}

/** A case that cannot be read; the message is one sentence. */
export class CaseError extends Error {
  override readonly name = "CaseError";
}

const CASE_KEYS = [
  "name",
  "algorithm",
  "proRataMin",
  "topMin",
  "topMax",
  "fifoPercent",
  "resting",
  "aggressor",
  "expect",
];
const ORDER_KEYS = ["qty", "top", "lmmPercent", "maker", "hidden"];

/** A number that no double is, as it was written: nothing takes it, and what refuses it shows it. */
class Written {
  constructor(readonly source: string) {}

  toJSON(): string {
    return this.source;
  }
}

function asWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  return new Written(context?.source ?? String(value));
}

/** Reads a case from JSON text. Throws {@link CaseError}. */
export function parseCase(text: string): AllocationCase {
  let json: unknown;
  try {
    json = JSON.parse(text, asWritten);
  } catch (cause) {
    throw new CaseError(`Cannot read the case: expected JSON, got ${shown(text.trim())}`, { cause });
  }
  const given = objectOf("the case", json, CASE_KEYS);
  const resting = arrayOf("resting", given.resting, "at least one order");
  if (resting.length === 0) throw fault("resting", "at least one order", resting);
  if (resting.length > MAX_RESTING) {
    throw new CaseError(`Cannot read resting: expected at most ${MAX_RESTING} orders, got ${resting.length}`);
  }
  const orders = resting.map((each, i) => orderOf(`resting[${i}]`, each));
  const tops = orders.flatMap(({ top }, i) => top ? [`resting[${i}]`] : []);
  if (tops.length > 1) {
    throw new CaseError(`Cannot read ${tops[1]}.top: expected one top order, got ${tops[0]} and ${tops[1]}`);
  }
  const makers = makersOf(orders);
  const { name } = given;
  if (name !== undefined && typeof name !== "string") throw fault("name", "text", name);
  return {
    name: name ?? null,
    algorithm: algorithmOf(given.algorithm),
    proRataMin: whole("proRataMin", given.proRataMin ?? 1, 1, MAX_QTY_LOTS),
    topMin: whole("topMin", given.topMin ?? 0, 0, MAX_QTY_LOTS),
    topMax: whole("topMax", given.topMax ?? 0, 0, MAX_QTY_LOTS),
    fifoPercent: whole("fifoPercent", given.fifoPercent ?? 0, 0, 100),
    makerPercents: makers.percents,
    resting: orders.map(({ qty, hidden, top }, i) => ({ qty, hidden, top, maker: makers.numbers[i] })),
    aggressor: whole("aggressor", given.aggressor, 1, MAX_QTY_LOTS),
    expect: given.expect === undefined ? null : expectOf(given.expect, orders.length),
  };
}

interface GivenOrder {
  readonly at: string;
  readonly qty: number;
  readonly hidden: number;
  readonly top: boolean;
  readonly maker: number | string | null;
  readonly percent: number | null;
}

function orderOf(at: string, value: unknown): GivenOrder {
  if (typeof value !== "object" || value === null || value instanceof Written) {
    const qty = whole(at, value, 1, MAX_QTY_LOTS);
    return { at, qty, hidden: 0, top: false, maker: null, percent: null };
  }
  const { qty: givenQty, top = false, lmmPercent, maker = null, hidden: givenHidden = 0 } = objectOf(
    at,
    value,
    ORDER_KEYS,
  );
  const qty = whole(`${at}.qty`, givenQty, 1, MAX_QTY_LOTS);
  const hidden = whole(`${at}.hidden`, givenHidden, 0, MAX_QTY_LOTS - qty);
  if (hidden > qty * MAX_SLICES) throw fault(`${at}.hidden`, `at most ${MAX_SLICES} times its qty`, hidden);
  if (typeof top !== "boolean") throw fault(`${at}.top`, "true or false", top);
  if (maker !== null && typeof maker !== "string" && !Number.isSafeInteger(maker)) {
    throw fault(`${at}.maker`, "a whole number or a name", maker);
  }
  const percent = lmmPercent === undefined ? null : whole(`${at}.lmmPercent`, lmmPercent, 0, 100);
  return { at, qty, hidden, top, maker: maker as number | string | null, percent };
}

/** Numbers the lead market makers as they first appear; an order without a maker is its own. */
function makersOf(orders: readonly GivenOrder[]): { numbers: number[]; percents: number[] } {
  const numberOf = new Map<unknown, number>();
  const percents: number[] = [];
  for (const order of orders) {
    const { at, maker, percent } = order;
    if (percent === null) continue;
    const key = maker ?? order;
    const number = numberOf.get(key);
    if (number === undefined) {
      numberOf.set(key, percents.length);
      percents.push(percent);
    } else if (percents[number] !== percent) {
      throw fault(`${at}.lmmPercent`, `${percents[number]}, as the maker's order before has`, percent);
    }
  }
  for (const { at, maker } of orders) {
    if (maker !== null && !numberOf.has(maker)) {
      throw fault(`${at}.maker`, "an lmmPercent beside it or at another order of the maker", maker);
    }
  }
  const total = percents.reduce((sum, each) => sum + each, 0);
  if (total > 100) {
    throw new CaseError(
      `Cannot read lmmPercent: expected at most 100 over all market makers, got ${total} (${
        percents.join(" + ")
      })`,
    );
  }
  return { numbers: orders.map((order) => numberOf.get(order.maker ?? order) ?? -1), percents };
}

function algorithmOf(value: unknown): MatchAlgorithm {
  const known: readonly string[] = Object.values(MatchAlgorithm);
  if (typeof value !== "string" || !known.includes(value)) {
    throw fault("algorithm", `one of ${known.join(", ")}`, value);
  }
  return value as MatchAlgorithm;
}

function expectOf(value: unknown, count: number): number[] {
  const expected = `${count} quantities, one for each resting order`;
  const list = arrayOf("expect", value, expected);
  if (list.length !== count) throw fault("expect", expected, list);
  return list.map((each, i) => whole(`expect[${i}]`, each, 0, MAX_QTY_LOTS));
}

function objectOf(at: string, value: unknown, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || value instanceof Written || Array.isArray(value)) {
    throw fault(at, "an object", value);
  }
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    throw new CaseError(
      `Cannot read ${at}: expected only the keys ${keys.join(", ")}, got "${key}": ${
        shown((value as Record<string, unknown>)[key])
      }`,
    );
  }
  return value as Record<string, unknown>;
}

function arrayOf(at: string, value: unknown, expected: string): unknown[] {
  if (!Array.isArray(value)) throw fault(at, `a list of ${expected}`, value);
  return value;
}

function whole(at: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) {
    return value as number;
  }
  throw fault(at, `a whole number from ${least} to ${most}`, value);
}

function fault(at: string, expected: string, value: unknown): CaseError {
  return new CaseError(`Cannot read ${at}: expected ${expected}, got ${shown(value)}`);
}

/** A value as JSON, cut when it is long; "nothing" when it is not there. */
function shown(value: unknown): string {
  if (value === undefined || value === "") return "nothing";
  if (value instanceof Written) return value.source;
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
