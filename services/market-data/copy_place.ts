/**
 * How far the drop copies of a shard have come: a place in its events, and where EV_s held it. Owns the stored text.
 * A place is known by command and event, since these stay when EV_s loses its end and is given the same events again, in
 * other messages; the message is where reading may go on as long as it still is the one that was read. Pure.
 * docs/market-data.md, "At least once".
 */

/** A place in the events of one shard. */
export interface CopyMark {
  /** Every event before event `eventIndex` of command `cmdSeq` is dealt with; `cmdSeq` 0: wherever reading begins. */
  readonly cmdSeq: number;
  readonly eventIndex: number;
  /** The stream's time of the last command with a dealt event, µs: tells it from another one of that sequence. 0: none. */
  readonly timestampUs: number;
}

/** A place, and the last message of EV_s before it. */
export interface CopyPlace extends CopyMark {
  /** Sequence of the message; 0 when reading has to begin with the first. */
  readonly evSeq: number;
  /** When EV_s took that message, µs; NaN when it is not known. */
  readonly evTimeUs: number;
}

/** Before everything. */
export const START: CopyPlace = { evSeq: 0, evTimeUs: NaN, cmdSeq: 0, eventIndex: 0, timestampUs: 0 };

/** Whether nobody knows where in EV_s the place lies: it has to be looked for from the first message on. */
export function isAdrift({ evSeq, cmdSeq }: CopyPlace): boolean {
  return evSeq === 0 && cmdSeq > 0;
}

/** The last command with an event before the place; 0 for none. */
export function lastCommandOf({ cmdSeq, eventIndex }: CopyMark): number {
  return eventIndex > 0 ? cmdSeq : Math.max(0, cmdSeq - 1);
}

/** Whether `a` lies before `b`. */
export function isBefore(
  a: { readonly cmdSeq: number; readonly eventIndex: number },
  b: { readonly cmdSeq: number; readonly eventIndex: number },
): boolean {
  return a.cmdSeq < b.cmdSeq || a.cmdSeq === b.cmdSeq && a.eventIndex < b.eventIndex;
}

const KEYS = ["evSeq", "evTimeUs", "cmdSeq", "eventIndex", "timestampUs"] as const;

/** The place as JSON text. */
export function formatPlace(place: CopyPlace): string {
  return JSON.stringify(place, [...KEYS]);
}

/** Reads the text form; a number alone is the sequence in EV_s of a store that knew no more. Null when it is neither. */
export function parsePlace(text: string): CopyPlace | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (isCount(value)) return { ...START, evSeq: value };
  if (typeof value !== "object" || value === null) return null;
  const { evTimeUs, ...rest } = value as Record<string, unknown>;
  const place = { ...rest, evTimeUs: evTimeUs ?? NaN } as unknown as CopyPlace;
  const counts = [place.evSeq, place.cmdSeq, place.eventIndex, place.timestampUs];
  return counts.every(isCount) && (Number.isNaN(place.evTimeUs) || isCount(place.evTimeUs)) ? place : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && value as number >= 0;
}
