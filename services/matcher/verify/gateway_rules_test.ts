import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Digest } from "../engine/digest.ts";
import { BatchOutcome, GatewaySequences } from "../engine/gateway_sequences.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { GatewayRules, type Verdict } from "./gateway_rules.ts";

const KINDS: Readonly<Record<BatchOutcome, Verdict["kind"]>> = {
  [BatchOutcome.Applied]: "taken",
  [BatchOutcome.Rest]: "taken",
  [BatchOutcome.Duplicate]: "repeated",
  [BatchOutcome.Gap]: "gap",
  [BatchOutcome.OldBoot]: "old run",
};

describe("the gateway rules of the verifier", () => {
  it("take numbers without a gap, each once, and none of an ended run", () => {
    const rules = new GatewayRules();
    const steps: readonly [number, number, number, Verdict][] = [
      [5, 1, 3, { kind: "taken", skip: 0 }],
      [5, 1, 3, { kind: "repeated" }],
      [5, 2, 2, { kind: "repeated" }],
      [5, 3, 3, { kind: "taken", skip: 1 }],
      [5, 7, 1, { kind: "gap", missingFrom: 6 }],
      [6, 2, 1, { kind: "gap", missingFrom: 1 }],
      [5, 6, 1, { kind: "taken", skip: 0 }],
      [6, 1, 1, { kind: "taken", skip: 0 }],
      [5, 7, 1, { kind: "old run" }],
    ];
    for (const [boot, first, count, verdict] of steps) {
      assert.deepEqual(rules.judge(9, boot, first, count), verdict);
    }
    assert.deepEqual(rules.runs(), [{ gatewayId: 9, bootId: 5, last: 6 }, {
      gatewayId: 9,
      bootId: 6,
      last: 1,
    }]);
  });

  const seed = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
  it(`judge 20,000 random messages as the engine does, seed ${seed}`, () => {
    const random = new SeededRandom(seed);
    const below = (limit: number) => random.below(limit);
    const rules = new GatewayRules();
    const engine = new GatewaySequences();
    for (let i = 0; i < 20_000; i++) {
      const gateway = 1 + below(3);
      const { bootId, lastSeq } = engine.of(gateway);
      const boot = Math.max(1, bootId + (below(50) === 0 ? below(3) - 1 : 0));
      const first = Math.max(1, lastSeq + 4 - below(8));
      const count = 1 + below(5);
      const outcome = engine.admit(gateway, boot, first, count);
      const verdict = rules.judge(gateway, boot, first, count);
      assert.equal(verdict.kind, KINDS[outcome], `message ${i}`);
      if (verdict.kind === "taken") assert.equal(verdict.skip, engine.seen, `message ${i}`);
    }
    const [ours, theirs] = [new Digest(), new Digest()];
    rules.digest(ours);
    engine.digest(theirs);
    assert.equal(ours.hex(), theirs.hex());
  });
});
