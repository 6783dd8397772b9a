import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { missedText, type Plant, WITHIN_SEEDS } from "./planted.ts";
import { simulate } from "./simulate.ts";

async function findsIn(plant: Plant, pattern: RegExp): Promise<void> {
  const others: string[] = [];
  for (let seed = 1; seed <= WITHIN_SEEDS; seed++) {
    const { fault } = await simulate({ seed, plant });
    if (fault !== null && pattern.test(fault)) return;
    if (fault !== null) others.push(`seed ${seed} ${fault}`);
  }
  assert.fail(`not found within ${WITHIN_SEEDS} seeds; instead: ${others.join("\n")}`);
}

describe("the simulation finds", () => {
  it("that a matcher writes after another has claimed, without the fence", async () => {
    await findsIn("no fence", /^at [\d.]+ ms: EV \d+: it (claims the stream|is of epoch)/);
  });

  it("that the second of two publishes in flight gets past the fence of a new leader", async () => {
    await findsIn("two in flight", /^at [\d.]+ ms: EV \d+: it is of epoch \d+, but epoch \d+ has claimed/);
  });

  it("that a gateway takes orders for stored before CMD has answered", async () => {
    await findsIn("early answers", /no answer to|which had been acknowledged to this gateway/);
  });

  it("that what a session sends again after its gateway died is not recognised", async () => {
    await findsIn("no dedupe", /[23] answers to/);
  });

  it("that commands behind the older snapshot are purged", async () => {
    await findsIn("purge too far", /^at [\d.]+ ms: CMD_\d begins at \d+, above the older snapshot's \d+/);
  });

  it("that a matcher that starts from a snapshot knows no session's numbers", async () => {
    await findsIn("numbers lost", /has state|differs?|answers to|names a state/);
  });

  it("that a snapshot lacks the last command that it is said to include", async () => {
    await findsIn(
      "one short",
      /its events differ from EV_|has state [0-9a-f]+ after command \d+, the reference/,
    );
  });
});

describe("a planted fault", () => {
  const cases: [
    name: string,
    plant: Plant | undefined,
    seeds: number,
    failed: number,
    text: string | null,
  ][] = [
    ["is none to be found when none was planted", undefined, 5, 0, null],
    ["was found when a seed failed", "no fence", 5, 1, null],
    [
      "that few seeds do not find is told, with how many do",
      "one short",
      1,
      0,
      'the planted fault "one short" was not found in 1 seed: 150 seeds from 1 on are known to find it',
    ],
    [
      "that many seeds do not find is told",
      "one short",
      150,
      0,
      'the planted fault "one short" was not found in 150 seeds',
    ],
  ];
  for (const [name, plant, seeds, failed, text] of cases) {
    it(name, () => assert.equal(missedText(plant, seeds, failed), text));
  }
});
