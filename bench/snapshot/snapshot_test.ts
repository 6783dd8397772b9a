import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { runSnapshot } from "./run.ts";

describe("bench/snapshot", () => {
  it("runs small and computes the same as ever", async () => {
    const natsExecutable = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server";
    const results = await runSnapshot({ natsExecutable, quick: true, onStep: () => {} });
    assert.deepEqual(results.map(({ name, hash }) => `${name} ${hash ?? ""}`.trim()), [
      "matching, longest gap without snapshots",
      "matching, longest gap while a snapshot is taken",
      "matching's own part: telling the thread",
      "the longest gap, were it written by the loop itself",
      "snapshot of 10,000 orders: size f98c7793c82fd6a6",
      "snapshot of 10,000 orders: write",
      "snapshot of 10,000 orders: load",
      "replay of 10,000 commands, 64 a message",
      "replay of 10,000 commands, 1 a message",
    ]);
    assert.ok(results.every(({ value }) => value > 0));
  });
});
