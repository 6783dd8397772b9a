/** Why a simulated process may end by itself. Owns the list. Pure. */

/** Why a process may end by itself: what it needs is away, another leads, or it was asked to. */
const FAIR_ENDS = [
  "connection refused",
  "timeout",
  "insufficient resources",
  "the connection was lost",
  "connection disconnected",
  "no answer in time",
  "Cannot lead shard",
  "another matcher wrote",
  "another process sends commands as this matcher",
  "drained",
];

/** Whether what a process said when it ended is one of these. */
export function isFairEnd(why: string): boolean {
  return FAIR_ENDS.some((each) => why.includes(each));
}
