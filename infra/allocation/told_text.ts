/** Allocation steps as text and tables for people: what each order received, and by which computation. No I/O. */
import Table from "cli-table3";
import type { NoneReason, ShareRule, ToldStep } from "../../services/matcher/engine/allocation_told.ts";

/** How a step is called. */
const TITLES = {
  fifo: "oldest first",
  proRata: "pro rata",
  top: "top order",
  lmm: "lead market makers",
  split: "split between oldest first and pro rata",
} as const;

const NONE: Readonly<Record<NoneReason, string>> = {
  notTop: "not the top order",
  noMaker: "no lead market maker's",
  topOrder: "a lead market maker's, but the top order, which this step leaves out",
  nothingLeft: "nothing left to share out",
};

/** A step's first line: what it had to share out. `number` counts from 1. */
export function stepTitle(number: number, { step, before, openTotal, byTime }: ToldStep): string {
  const split = step === "split" ? `, ${byTime} of them by time` : "";
  return `${number}. ${step}, ${TITLES[step]}: ${before} to share out${split}; the orders show ${openTotal}`;
}

/** One row per order: its label, what it showed, received, and why. */
export function stepTable({ shares }: ToldStep, label: (order: number) => string): string {
  return table(
    ["Order", "Shows", "Receives", "Why"],
    shares.map(({ order, open, gave, rule }) => [label(order), open, gave, whyText(rule, open)]),
  );
}

/** How an order of `open` lots came to its share. */
export function whyText(rule: ShareRule, open: number): string {
  if (open === 0) return "filled before";
  switch (rule.kind) {
    case "none":
      return NONE[rule.because];
    case "oldestFirst":
      if (rule.available === 0) return "older orders took everything";
      return rule.available >= open ? "its turn: all of it" : `its turn: the last ${rule.available}`;
    case "top":
      if (rule.belowMinimum) return `the top order, but shows less than the minimum of ${rule.minimum}`;
      if (rule.maximum > 0 && rule.maximum < Math.min(open, rule.available)) {
        return `the top order: its maximum, ${rule.maximum}`;
      }
      return `the top order: ${
        open <= rule.available ? "all of it" : `all that there is, ${rule.available}`
      }`;
    case "proportion": {
      const { part, quantity, numerator, denominator, floor, minimum, belowMinimum } = rule;
      const share = `${part} × ${quantity} ÷ ${denominator} = ${quotient(numerator, denominator)}`;
      const down = numerator % denominator === 0n ? "" : `, down to ${floor}`;
      return `${share}${down}${belowMinimum && floor > 0 ? `, below the minimum of ${minimum}: 0` : ""}`;
    }
    case "marketMaker": {
      const { percent, numerator, denominator, floor, available } = rule;
      const base = numerator === 0n ? 0n : numerator / BigInt(percent);
      const down = numerator % denominator === 0n ? "" : `, down to ${floor}`;
      const share = `${percent} % of ${base} = ${quotient(numerator, denominator)}${down}`;
      if (available === 0 && floor > 0) return `${share}, taken by its maker's older orders`;
      const rest = available === floor ? "" : `, ${available} of them left by its maker's older orders`;
      return `${share}${rest}${available > open ? `; it shows ${open}` : ""}`;
    }
    case "split": {
      const rest = open - rule.byTime;
      const first = rule.byTime > 0 ? `${rule.byTime} by time` : "0 by time";
      return rest === 0 ? `${first}: all of it` : `${first}; then ${whyText(rule.proportion, rest)}`;
    }
  }
}

/** A quotient with at most two decimals, cut; "…" when there are more. */
function quotient(numerator: bigint, denominator: bigint): string {
  const hundredths = numerator * 100n / denominator;
  const text = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`.replace(/\.?0+$/, "");
  return numerator * 100n % denominator === 0n ? text : `${text}…`;
}

/** A table in the style of all commands. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const made = new Table({
    head: [...head],
    style: { head: [], border: [] },
    colAligns: head.map((_, i) => rows.every((row) => typeof row[i] === "number") ? "right" : "left"),
  });
  made.push(...rows.map((row) => row.map(String)));
  return `${made.toString()}\n`;
}
