import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { until, within } from "./awaited.ts";

describe("until", () => {
  it("asks until it holds, and not once more", async () => {
    let asked = 0;
    await until("three", () => ++asked === 3);
    await until("six", () => Promise.resolve(++asked === 6));
    assert.equal(asked, 6);
  });

  it("says after the deadline what it waited for, and how things are", async () => {
    await assert.rejects(until("rain", () => false, () => "sunny", 5), {
      message: "Waited 5 ms in vain for rain: sunny",
    });
    await assert.rejects(until("rain", () => false, undefined, 5), {
      message: "Waited 5 ms in vain for rain",
    });
  });
});

describe("within", () => {
  it("hands on a value or an error that comes in time", async () => {
    assert.equal(await within("a value", Promise.resolve(7)), 7);
    await assert.rejects(within("a value", Promise.reject(new Error("no"))), { message: "no" });
  });

  it("says after the deadline what it waited for", async () => {
    await assert.rejects(within("rain", new Promise(() => {}), 5), {
      message: "Waited 5 ms in vain for rain",
    });
  });
});
