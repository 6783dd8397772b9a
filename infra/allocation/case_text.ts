/** What `deno task allocate` prints: a case and what came of it, for people and as JSON. No I/O. */
import type { ToldStep } from "../../services/matcher/engine/allocation_told.ts";
import type { AllocationCase } from "./case.ts";
import type { CaseRun } from "./run_case.ts";
import { stepTable, stepTitle, table, whyText } from "./told_text.ts";

/** One line of JSON: fills and every step's shares in the order of `resting`. */
export function caseJson(given: AllocationCase, run: CaseRun): string {
  const { fills, left, wholeLevel, rounds } = run;
  const steps = rounds.flatMap(({ steps }, round) =>
    steps.map((told) => ({ ...stepJson(told, given.resting.length), round: round + 1 }))
  );
  const holds = given.expect === null ? {} : { expectHolds: differenceText(given, run) === null };
  return JSON.stringify({ fills, steps, left, wholeLevel, ...holds });
}

function stepJson({ step, before, after, shares }: ToldStep, count: number): Record<string, unknown> {
  const gave = Array<number>(count).fill(0);
  const why = Array<string | null>(count).fill(null);
  for (const share of shares) {
    gave[share.order] = share.gave;
    why[share.order] = whyText(share.rule, share.open);
  }
  return { step, gave, before, after, why };
}

/** Steps as tables, then the sums. */
export function caseText(given: AllocationCase, run: CaseRun): string {
  const { resting, aggressor, algorithm } = given;
  const { fills, left, wholeLevel, rounds } = run;
  const lines = [
    `${given.name === null ? "" : `${given.name}. `}Algorithm ${algorithm}, aggressor ${aggressor}.`,
  ];
  if (wholeLevel) {
    lines.push(
      "The aggressor takes the whole level, hidden quantity included: oldest first, whatever the algorithm.",
    );
  }
  rounds.forEach(({ steps }, round) => {
    if (rounds.length > 1) {
      lines.push(
        "",
        round === 0 ? "Round 1" : `Round ${round + 1}: hidden quantity shows, behind the others`,
      );
    }
    steps.forEach((told, i) => {
      lines.push("", stepTitle(i + 1, told));
      if (told.before === 0) lines.push("Nothing is left to share out.");
      else lines.push(stepTable(told, (order) => label(given, order)).trimEnd());
    });
  });
  const rows = fills.map((lots, i) => [label(given, i), resting[i].qty + resting[i].hidden, lots]);
  lines.push("", "In all", table(["Order", "Quantity", "Receives"], rows).trimEnd());
  if (left > 0) {
    lines.push(`${left} of the aggressor's ${aggressor} are left over: the level holds ${aggressor - left}.`);
  }
  const difference = differenceText(given, run);
  if (given.expect !== null) lines.push(difference ?? "That is what the case expects.");
  return `${lines.join("\n")}\n`;
}

function label({ resting, makerPercents }: AllocationCase, order: number): string {
  const { top, maker, hidden } = resting[order];
  const marks = [
    top ? "top order" : "",
    maker < 0 ? "" : `market maker ${maker + 1}, ${makerPercents[maker]} %`,
    hidden > 0 ? `${hidden} hidden` : "",
  ].filter((mark) => mark !== "");
  return `${order + 1}${marks.length === 0 ? "" : ` (${marks.join("; ")})`}`;
}

/** How the case's expectation fails, as a sentence; null when it holds or there is none. */
export function differenceText({ expect }: AllocationCase, { fills }: CaseRun): string | null {
  const at = expect?.findIndex((lots, i) => lots !== fills[i]) ?? -1;
  if (at < 0) return null;
  return `The case expects ${expect![at]} for order ${at + 1}, which receives ${fills[at]}: expected ${
    JSON.stringify(expect)
  }, got ${JSON.stringify(fills)}`;
}
