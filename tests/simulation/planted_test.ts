import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Plant } from "./planted.ts";
import { simulate } from "./simulate.ts";

/** Seeds within which each fault has to be found; most are found within ten. */
const WITHIN_SEEDS = 150;

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
