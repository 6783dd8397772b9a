/**
 * How far a session's reports are made: a place in the events of each shard. Pure. docs/architecture.md,
 * "Events": an event is known by shard, command sequence and index.
 */

/** A place in one shard's events: everything before event `eventIndex` of command `cmdSeq` lies behind it. */
export interface Position {
  readonly shard: number;
  /** ≥ 1. */
  readonly cmdSeq: number;
  readonly eventIndex: number;
  /** A sequence of EV_s up to which nothing lies at or behind this place: where reading may start. A hint, never too high. */
  readonly evSeq: number;
}

/** Whether `a` lies before `b`; both of one shard. */
export function isBefore(
  a: { readonly cmdSeq: number; readonly eventIndex: number },
  b: { readonly cmdSeq: number; readonly eventIndex: number },
): boolean {
  return a.cmdSeq < b.cmdSeq || a.cmdSeq === b.cmdSeq && a.eventIndex < b.eventIndex;
}

/** The later of two places of one shard; of equal ones, that with the better hint. */
export function later(a: Position, b: Position): Position {
  if (isBefore(a, b)) return b;
  return isBefore(b, a) || a.evSeq >= b.evSeq ? a : b;
}

/** Shard by shard the later place; a shard that only one list has is taken from there. Ascending by shard. */
export function laterPositions(a: readonly Position[], b: readonly Position[]): Position[] {
  const merged = new Map(a.map((position) => [position.shard, position]));
  for (const position of b) {
    const other = merged.get(position.shard);
    merged.set(position.shard, other === undefined ? position : later(other, position));
  }
  return [...merged.values()].sort((one, two) => one.shard - two.shard);
}
