/** Why a simulated process may end by itself, and when. Owns the lists. Pure. */

/** Another leads, or it was asked to: at any time. */
const ALWAYS = [
  "Cannot lead shard",
  "another matcher wrote",
  "another process sends commands as this matcher",
  "drained",
];

/** What it needs is away: only while something stands between it and the server, or did just before. */
const OUT_OF_REACH = [
  "connection refused",
  "timeout",
  "insufficient resources",
  "the connection was lost",
  "connection disconnected",
  "no answer in time",
];
/** How long before is just before, µs: a request has five seconds, and a connection has to come back. */
const WAIT_US = 6_000_000;

/** Whether what a process said when it ended is one of these; `sinceUs` is since when nothing has stood in its way. */
export function isFairEnd(why: string, sinceUs: number): boolean {
  const says = (each: string) => why.includes(each);
  return ALWAYS.some(says) || sinceUs <= WAIT_US && OUT_OF_REACH.some(says);
}
