/** Why each order of a level that was taken oldest first received what it did. Pure. */
import type { Explanation, Outcome } from "./explanation.ts";

/** One reason per outcome, in time priority. */
export function outcomeReasons(
  { outcomes, aggressorPrevented }: Extract<Explanation, { kind: "level" }>,
): string[] {
  return outcomes.map((outcome) => reasonOf(outcome, aggressorPrevented === "canceled"));
}

function reasonOf({ order, receivedLots, trades, prevented }: Outcome, ended: boolean): string {
  if (prevented !== null) {
    return `self-match prevention: ${prevented}, as the aggressor is of the same firm and group`;
  }
  const slices = order.hiddenLots > 0 && trades > 1
    ? `, in ${trades} slices, after each of which it went behind the others`
    : "";
  if (receivedLots === order.shownLots + order.hiddenLots) return `its turn: all of it${slices}`;
  if (receivedLots > 0) {
    const last = order.hiddenLots > 0 ? "its turn" : `its turn: the last ${receivedLots}`;
    return `${last}${slices}${ended ? "; then self-match prevention ended the aggressor" : ""}`;
  }
  return ended ? "self-match prevention ended the aggressor before its turn" : "older orders took everything";
}
