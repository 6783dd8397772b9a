/** How far a replay is, as it is said. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ReplayProgress } from "./progress.ts";

/** What is written when message n is applied after n × `stepMs`. */
function said(isTerminal: boolean, messages: number, stepMs: number): string[] {
  const texts: string[] = [];
  let now = 0;
  const progress = new ReplayProgress((text) => texts.push(text), isTerminal, () => now);
  for (let n = 1; n <= messages; n++) {
    now += stepMs;
    progress.at(n, messages);
  }
  progress.done();
  return texts;
}

describe("the progress of a replay", () => {
  it("is not said when it is short", () => {
    assert.deepEqual(said(true, 9, 100), []);
    assert.deepEqual(said(false, 9, 100), []);
  });

  it("is one line on a terminal, gone in the end", () => {
    assert.deepEqual(said(true, 14, 100), [
      "\rreplayed 10 of 14 command messages\x1b[K",
      "\rreplayed 12 of 14 command messages\x1b[K",
      "\rreplayed 14 of 14 command messages\x1b[K",
      "\r\x1b[K",
    ]);
  });

  it("is a line every five seconds elsewhere", () => {
    assert.deepEqual(
      said(false, 120, 100),
      [10, 60, 110].map((n) => `replayed ${n} of 120 command messages\n`),
    );
  });
});
