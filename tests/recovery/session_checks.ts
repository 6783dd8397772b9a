/** What must hold of a client's messages whatever died meanwhile. Test code only. */
import assert from "node:assert/strict";
import { EventKind } from "../../shared/protocol/mod.ts";
import type { Expected } from "./expected_reports.ts";
import type { LastingTrader } from "./lasting_trader.ts";

const FIRST_ANSWERS: ReadonlySet<number> = new Set([EventKind.OrderAccepted, EventKind.OrderRejected]);

/**
 * No report lost, none invented; one comes twice only with PossResend; shard by shard in event order; each order
 * accepted or rejected once; resends carry OrigSendingTime; the session never had to complain about a number.
 */
export function assertWhole(trader: LastingTrader, expected: readonly Expected[]): void {
  const name = trader.senderCompId;
  const wanted = new Map(expected.map((each, index) => [each.line, { ...each, index }]));
  assert.equal(wanted.size, expected.length, "expected lines are distinct");
  const seen = new Set<string>();
  const lastIndex = new Map<number, number>();
  let lastSeq = 0;
  for (const { line, seq, possDup, possResend, sendingTimeMs, origSendingTimeMs } of trader.received) {
    assert.ok(seq > lastSeq, `${name}: number ${seq} after ${lastSeq}`);
    lastSeq = seq;
    assert.equal(possDup, !Number.isNaN(origSendingTimeMs), `${name}: OrigSendingTime of ${seq}`);
    if (possDup) assert.ok(origSendingTimeMs <= sendingTimeMs, `${name}: OrigSendingTime of ${seq}`);
    const want = wanted.get(line);
    assert.ok(want !== undefined, `${name}: no event says: ${line}`);
    if (seen.has(line)) {
      assert.ok(possResend, `${name}: twice without PossResend: ${line}`);
      continue;
    }
    seen.add(line);
    assert.ok(want.index > (lastIndex.get(want.shard) ?? -1), `${name}: out of event order: ${line}`);
    lastIndex.set(want.shard, want.index);
  }
  const lost = expected.filter(({ line }) => !seen.has(line)).map(({ line }) => line);
  assert.deepEqual(lost, [], `${name}: reports lost`);
  const answers = new Map<string, number>();
  for (const { kind, clOrdId } of expected) {
    if (FIRST_ANSWERS.has(kind)) answers.set(clOrdId, (answers.get(clOrdId) ?? 0) + 1);
  }
  const twice = [...answers].filter(([, count]) => count > 1).map(([clOrdId]) => clOrdId);
  assert.deepEqual(twice, [], `${name}: orders answered twice`);
  assert.deepEqual(trader.unanswered, [], `${name}: messages without an answer`);
  assert.deepEqual(trader.ends.filter((reason) => /too low|not resent/.test(reason)), [], `${name}: ends`);
}
