/** What `deno task admin` prints for people. No I/O. */
import Table from "cli-table3";
import type { AuditEntry } from "../../services/fix-gateway/admin/audit.ts";
import type { NumberChange } from "../../services/fix-gateway/admin/change.ts";
import type { ChangeResult, SessionStatus } from "./sessions.ts";

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

/** One row per entry. */
export function auditTable(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ time, by, via, session, asked, outcome, before, after, reason }) => [
    timeText(time),
    by,
    via,
    session,
    askedText(asked),
    outcome,
    reason ??
      (before === undefined || after === undefined
        ? ""
        : `out ${before.out} → ${after.out}, in ${before.in} → ${after.in}`),
  ]);
  return table(["Time (UTC)", "By", "Via", "Session", "Asked", "Outcome", "What"], rows);
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
