import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { VerifyProgress } from "./progress.ts";

describe("the progress of a verification", () => {
  function said(isTerminal: boolean): string[] {
    const lines: string[] = [];
    let nowMs = 500;
    const progress = new VerifyProgress({
      shard: 2,
      write: (text) => lines.push(text),
      isTerminal,
      nowMs: () => nowMs,
    });
    for (let second = 0; second < 8; second++) {
      nowMs = 500 + second * 1000;
      progress.at(second * 1000, 9000, 0);
    }
    nowMs = 9500;
    progress.done(9000, 18_000);
    return lines;
  }

  it("is a line every five seconds, and one at the end", () => {
    assert.deepEqual(said(false), [
      "shard 2: 1000 of 9000 command messages, 1000 messages/s\n",
      "shard 2: 6000 of 9000 command messages, 1000 messages/s\n",
      "shard 2: 9000 command messages in 9.0 s, 18000 commands, 2000 commands/s\n",
    ]);
  });

  it("counts what was applied behind a snapshot alone", () => {
    const lines: string[] = [];
    let nowMs = 0;
    const progress = new VerifyProgress({
      shard: 0,
      write: (text) => lines.push(text),
      isTerminal: false,
      nowMs: () => nowMs,
    });
    nowMs = 2000;
    progress.at(901_000, 903_000, 900_000);
    assert.deepEqual(lines, ["shard 0: 901000 of 903000 command messages, 500 messages/s\n"]);
  });

  it("is one line that changes on a terminal", () => {
    const lines = said(true);
    assert.equal(lines[0], "\rshard 2: 1000 of 9000 command messages, 1000 messages/s\x1b[K");
    assert.deepEqual(lines.slice(-2), [
      "\r\x1b[K",
      "shard 2: 9000 command messages in 9.0 s, 18000 commands, 2000 commands/s\n",
    ]);
  });
});
