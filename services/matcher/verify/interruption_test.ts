import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Interruption } from "./interruption.ts";

describe("an interruption", () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    it(`by ${signal} ends what is waited for, and does not end the process`, async () => {
      using interruption = new Interruption();
      assert.equal(await interruption.either(Promise.resolve(1)), 1);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const hours = new Promise((resolve) => void (timer = setTimeout(resolve, 3_600_000)));
      const waiting = interruption.either(hours);
      Deno.kill(Deno.pid, signal);
      const message = "Cannot go on: it was interrupted";
      await assert.rejects(waiting, { message });
      await assert.rejects(interruption.either(Promise.resolve(1)), { message });
      clearTimeout(timer);
    });
  }
});
