/** What `deno task admin` prints for people. No I/O. */
import Table from "cli-table3";
import type { AuditEntry } from "../../services/fix-gateway/admin/audit.ts";
import type { NumberChange } from "../../services/fix-gateway/admin/change.ts";
import type { ControlAnswer, VenueAuditEntry } from "../../shared/protocol/mod.ts";
import type { HandoverAuditEntry } from "./handover.ts";
import type { ChangeResult, SessionStatus } from "./sessions.ts";
import type { InstrumentStatus } from "./venue_admin.ts";

/** One row per session. */
export function sessionTable(statuses: readonly SessionStatus[]): string {
  const rows = statuses.map(({ session, id, role, state, gateway, numbers }) => [
    session,
    String(id),
    role,
    gateway === null ? state : `${state} (gateway ${gateway})`,
    String(numbers.out),
    String(numbers.in),
    String(numbers.incarnation),
    numbers.sinceMs === 0 ? "" : timeText(new Date(numbers.sinceMs).toISOString()),
  ]);
  return table(["Session", "Id", "Role", "State", "Next out", "Next in", "Run", "Since (UTC)"], rows);
}

/** One line. */
export function changeLine(result: ChangeResult): string {
  if (result.kind === "refused") return `Not changed: ${result.session}. ${result.reason}`;
  const { session, before, after } = result;
  const step = (from: number, to: number) => from === to ? `${to}, as before` : `${from} → ${to}`;
  const again = after.incarnation === before.incarnation
    ? ""
    : `; run ${after.incarnation} of its numbers begins`;
  return `Changed: ${session}: next out ${step(before.out, after.out)}, next in ${
    step(before.in, after.in)
  }${again}`;
}

/** One row per instrument. */
export function phaseTable(statuses: readonly InstrumentStatus[]): string {
  const rows = statuses.map(({ symbol, phase, algorithm, lastPx, indicativePrice, indicativeQty }) => [
    symbol,
    phase,
    algorithm,
    lastPx ?? "",
    indicativePrice === null ? "" : `${indicativeQty} at ${indicativePrice}`,
  ]);
  return table(["Symbol", "Phase", "Algorithm", "Last", "Auction would trade"], rows);
}

/** What the matchers of several shards did: one line per instrument, or one for all orders. */
export function controlLines(answers: readonly ControlAnswer[]): string {
  const canceled = answers.flatMap((answer) => answer.kind === "mass-cancel" ? [answer.canceled] : []);
  const sum = canceled.reduce((a, b) => a + b, 0);
  return [
    ...canceled.length === 0 ? [] : [`Cancelled: ${sum} ${sum === 1 ? "order" : "orders"}`],
    ...answers.flatMap(linesOf),
  ].map((line) => `${line}\n`).join("");
}

function linesOf(answer: ControlAnswer): string[] {
  switch (answer.kind) {
    case "phase": {
      const { phase, changed, unchanged } = answer;
      return [
        ...changed.map(({ symbol, previous }) => `${symbol}: ${previous} → ${phase}`),
        ...unchanged.map((symbol) => `${symbol}: ${phase}, as before`),
      ];
    }
    case "algorithm": {
      const { symbol, algorithm, previous } = answer;
      return [
        `${symbol}: ${previous === algorithm ? `${algorithm}, as before` : `${previous} → ${algorithm}`}`,
      ];
    }
    case "mass-cancel":
      return answer.skipped.map((symbol) => `Not cancelled: ${symbol} is in no-cancel`);
    case "refused":
      return [`Not done by shard ${answer.shard}: ${answer.reason}`];
    case "unknown":
      return [`Shard ${answer.shard}: ${answer.reason}`];
  }
}

/** An entry of the audit, of any kind. */
export type AnyAuditEntry = AuditEntry | VenueAuditEntry | HandoverAuditEntry;

/** One row per entry. */
export function auditTable(entries: readonly AnyAuditEntry[]): string {
  const rows = entries.map((entry) => {
    const { time, by, via, outcome } = entry;
    const [what, asked, came] = cellsOf(entry);
    return [timeText(time), by, via, what, asked, outcome, came];
  });
  return table(["Time (UTC)", "By", "Via", "Of", "Asked", "Outcome", "What"], rows);
}

function cellsOf(entry: AnyAuditEntry): string[] {
  if ("session" in entry) return sessionCells(entry);
  return "shard" in entry ? shardCells(entry) : venueCells(entry);
}

function shardCells({ shard, asked, from, to, reason }: HandoverAuditEntry): string[] {
  const epochs = from === undefined ? "" : `epoch ${from} → ${to}`;
  return [`shard ${shard}`, asked.do, reason ?? epochs];
}

function sessionCells({ session, asked, before, after, reason }: AuditEntry): string[] {
  const numbers = before === undefined || after === undefined
    ? ""
    : `out ${before.out} → ${after.out}, in ${before.in} → ${after.in}`;
  return [session, askedText(asked), reason ?? numbers];
}

function venueCells({ asked, answer }: VenueAuditEntry): string[] {
  const { do: what, symbol, ...rest } = asked;
  const named = Object.entries(rest).filter(([key]) => key !== "all").map(([, value]) => value);
  const came = answer === undefined ? "" : "reason" in answer ? answer.reason : cameText(answer);
  return [symbol ?? "all", [what, ...named].join(" "), came];
}

function cameText(answer: ControlAnswer): string {
  switch (answer.kind) {
    case "phase":
      return `${answer.changed.length} changed`;
    case "algorithm":
      return `was ${answer.previous}`;
    case "mass-cancel":
      return `${answer.canceled} cancelled`;
    default:
      return answer.reason;
  }
}

function askedText(asked: NumberChange): string {
  const what = asked.kind === "reset"
    ? "reset"
    : `set-next${asked.out === null ? "" : ` out ${asked.out}`}${asked.in === null ? "" : ` in ${asked.in}`}`;
  return asked.force ? `${what}, forced` : what;
}

function timeText(iso: string): string {
  return iso.slice(0, 19).replace("T", " ");
}

function table(head: string[], rows: string[][]): string {
  const drawn = new Table({ head, style: { head: [], border: [] } });
  drawn.push(...rows);
  return `${drawn.toString()}\n`;
}
