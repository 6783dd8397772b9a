import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { countJunit, formatCounts, sum } from "./junit.ts";

const row = (name: string, body = "") =>
  `<testcase name="${name}" classname="f" time="0">${body}</testcase>\n`;

describe("test report", () => {
  it("counts tests and not the suites around them", () => {
    const xml = row("s", '<failure message="1 test step failed">…</failure>') + row("s &gt; a") +
      row("s &gt; n", '<failure message="2 test steps failed">…</failure>') +
      row("s &gt; n &gt; b", '<failure message="Uncaught">…</failure>') +
      row("s &gt; c (no Java)", "<skipped/>") + row("top");
    assert.deepEqual(countJunit(xml), { passed: 2, failed: 1, skipped: ["s > c (no Java)"] });
  });

  it("counts a suite that failed in a hook, with and without tests that ran", () => {
    const failure = '<failure message="Uncaught Error: x">…</failure>';
    assert.deepEqual(countJunit(row("s", failure)), { passed: 0, failed: 1, skipped: [] });
    assert.deepEqual(countJunit(row("s", failure) + row("s &gt; a")), { passed: 1, failed: 1, skipped: [] });
  });

  it("finds nothing in an empty report", () => {
    assert.equal(
      formatCounts(sum([countJunit(""), countJunit("<testsuites/>")])),
      "0 passed, 0 failed, 0 skipped",
    );
  });
});
