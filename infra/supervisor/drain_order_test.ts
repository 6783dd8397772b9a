import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { drainStages } from "./drain_order.ts";

describe("the order in which services end", () => {
  const stagesOf = (names: readonly string[]) =>
    drainStages(names.map((name) => ({ name }))).map((stage) => stage.map(({ name }) => name));

  it("follows the flow, whatever order they were started in", () => {
    const names = ["nats", "matcher-0", "matcher-0-b", "demo", "market-data", "gateway", "matcher-1"];
    assert.deepEqual(stagesOf(names), [
      [],
      ["demo"],
      ["gateway"],
      ["market-data"],
      ["matcher-0", "matcher-0-b", "matcher-1"],
      ["nats"],
    ]);
  });

  it("leaves out nobody: those that it does not know end first", () => {
    assert.deepEqual(stagesOf(["nats", "ledger", "gateway"]), [["ledger"], [], ["gateway"], [], [], [
      "nats",
    ]]);
  });
});
