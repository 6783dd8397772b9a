/** What was found of a shard, and what it comes down to. Pure. */
import type { Difference } from "./comparison.ts";
import type { Rebuild } from "./rebuild.ts";

/** Exit code when something is not as it must be. */
const EXIT_DIFFERENT = 1;
/** Exit code when it cannot be told; a wrong command line tells nothing either. */
export const EXIT_CANNOT = 2;

/** The leading matcher's state and ours after the same command message. */
export interface HashComparison {
  readonly cmdSeq: number;
  readonly matcher: string;
  readonly rebuilt: string;
}

/** What was found. */
export interface Verdict {
  readonly shard: number;
  /** The shard as it must be after the last command message read. */
  readonly rebuild: Rebuild;
  /** The first difference; null when all is well. */
  readonly difference: Difference | null;
  /** Command messages whose events were compared, all of them; the events, and the trades among them. */
  readonly messages: number;
  readonly events: number;
  readonly trades: number;
  /** Newest epoch and claims of EV_s. */
  readonly epoch: number;
  readonly claims: number;
  /** The first command message whose events were compared: 1, or where EV_s begins. */
  readonly comparedFrom: number;
  /** The command message after which the snapshot was taken that the rebuild began with; 0: it began with nothing. */
  readonly startedAfter: number;
  /** Command messages at the end whose events EV_s does not hold, and the first and the last of them; 0 for none. */
  readonly tail: number;
  readonly tailFrom: number;
  readonly tailTo: number;
  /** Command messages that came while this ran: applied to get to the matcher's state, their events not compared. */
  readonly later: number;
  /** Null when no matcher leads, or it does not tell. */
  readonly hash: HashComparison | null;
}

/** What a verdict comes down to; nothing: there were commands, and neither events nor a state to compare. */
export type Outcome = "good" | "different" | "nothing";

/** See {@link Outcome}. A shard that no command was ever sent to is good. */
export function outcomeOf({ difference, messages, tail, startedAfter, hash }: Verdict): Outcome {
  if (difference !== null) return "different";
  if (messages > 0) return "good";
  return tail === 0 && (startedAfter === 0 || hash !== null) ? "good" : "nothing";
}

/** The exit code for shards that came to `outcomes`: that of a different one counts most. */
export function exitCodeOf(outcomes: ReadonlySet<Outcome>): number {
  if (outcomes.has("different")) return EXIT_DIFFERENT;
  return outcomes.has("nothing") ? EXIT_CANNOT : 0;
}
