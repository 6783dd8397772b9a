/** What must hold of a client's messages whatever died meanwhile. Test code only. */
import assert from "node:assert/strict";
import { EventKind } from "../../shared/protocol/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import type { Venue } from "../../shared/config/mod.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { type Expected, expectedReports } from "./expected_reports.ts";
import type { LastingTrader } from "./lasting_trader.ts";
import { rebuiltTruth, type Truth, type TruthKeeper } from "./truth.ts";

const FIRST_ANSWERS: ReadonlySet<number> = new Set([EventKind.OrderAccepted, EventKind.OrderRejected]);

/** What a client saw. */
export type Witness = Pick<LastingTrader, "senderCompId" | "received" | "unanswered" | "ends">;

/**
 * Holds the stored events against the rebuild, and what each client got against them. Reports of resting orders may still be
 * on their way: waits for as many as there are. Returns what the rebuild says beside.
 */
export async function assertAllWhole(
  nc: NatsConnection,
  venue: Venue,
  traders: readonly Witness[],
  keeper?: TruthKeeper,
): Promise<Truth> {
  const truth = await (keeper?.finish() ?? rebuiltTruth(nc, venue));
  const expected = await expectedReports(nc, venue);
  for (const trader of traders) {
    const wanted = expected.get(trader.senderCompId)!;
    const distinct = () => new Set(trader.received.map(({ line }) => line)).size;
    await until(
      `${trader.senderCompId}'s reports`,
      () => distinct() >= wanted.length,
      () => `${distinct()} of ${wanted.length} came`,
    ).catch(() => {});
    assertWhole(trader, wanted);
  }
  return truth;
}

/**
 * No report lost, none invented; one comes twice only with PossResend; shard by shard in event order; each order
 * accepted or rejected once; resends carry OrigSendingTime; the session never had to complain about a number.
 */
export function assertWhole(trader: Witness, expected: readonly Expected[]): void {
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
