import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";

const ledger: string[] = [];

describe("bdd adapter: order of hooks and tests", () => {
  beforeAll(() => void ledger.push("outer beforeAll"));
  beforeEach(() => void ledger.push("outer beforeEach"));
  afterEach(() => void ledger.push("outer afterEach"));
  afterAll(() => void ledger.push("outer afterAll"));

  it("runs a test between the outer hooks", () => void ledger.push("first"));

  describe("nested", () => {
    beforeAll(() => void ledger.push("inner beforeAll"));
    beforeEach(async () => {
      await Promise.resolve();
      ledger.push("inner beforeEach");
    });
    afterEach(() => void ledger.push("inner afterEach"));
    it("runs inner hooks inside outer ones", () => void ledger.push("second"));
  });
});

it("ran every hook and test in order", () => {
  assert.deepEqual(ledger, [
    "outer beforeAll",
    "outer beforeEach",
    "first",
    "outer afterEach",
    "inner beforeAll",
    "outer beforeEach",
    "inner beforeEach",
    "second",
    "inner afterEach",
    "outer afterEach",
    "outer afterAll",
  ]);
});

/** Runs a test file of its own and returns how it ended and what it printed. */
async function runFile(source: string): Promise<{ code: number; text: string }> {
  const file = await Deno.makeTempFile({ suffix: "_test.ts" });
  try {
    await Deno.writeTextFile(file, source);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "--no-check",
        "--config",
        fileURLToPath(new URL("../../../deno.json", import.meta.url)),
        file,
      ],
      env: { NO_COLOR: "1" },
    }).output();
    return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(file);
  }
}

const IMPORT =
  `import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";\n`;

describe("bdd adapter: failures are never hidden", () => {
  const failing: [name: string, source: string, printed: RegExp][] = [
    [
      "a failing test",
      `describe("s", () => { it("t", () => { throw new Error("boom"); }); });`,
      /s \.\.\. t[\s\S]*boom/,
    ],
    [
      "a failing nested test",
      `describe("s", () => { describe("u", () => { it("t", async () => { await 0; throw new Error("boom"); }); }); });`,
      /boom/,
    ],
    [
      "a failing beforeAll",
      `describe("s", () => { beforeAll(() => { throw new Error("boom"); }); it("t", () => {}); });`,
      /boom/,
    ],
    [
      "a failing afterAll",
      `describe("s", () => { afterAll(() => { throw new Error("boom"); }); it("t", () => {}); });`,
      /boom/,
    ],
    [
      "a failing afterEach",
      `describe("s", () => { afterEach(() => { throw new Error("boom"); }); it("t", () => {}); });`,
      /boom/,
    ],
    [
      "a timer that a test leaves behind",
      `describe("s", { sanitizeOps: true }, () => { it("t", () => { setTimeout(() => {}, 60_000); }); });`,
      /timer/i,
    ],
    [
      "an asynchronous describe",
      `describe("s", async () => { it("t", () => {}); await 0; });`,
      /Cannot describe "s"/,
    ],
    ["a hook outside a suite", `beforeEach(() => {});`, /Cannot add beforeEach/],
    [
      "a test registered while tests run",
      `it("t", () => { it("late", () => {}); });`,
      /Cannot register "late"/,
    ],
    [
      "a focused test",
      `describe("s", () => { it.only("t", () => {}); it("u", () => { throw 1; }); });`,
      /only/,
    ],
  ];
  for (const [name, source, printed] of failing) {
    it(`${name} fails the run and says so`, async () => {
      const { code, text } = await runFile(IMPORT + source);
      assert.notEqual(code, 0, text);
      assert.match(text, printed);
    });
  }

  it("runs nothing of a skipped test or suite, and prints its name, and so the reason", async () => {
    const { code, text } = await runFile(
      IMPORT + `
        const fail = () => { throw new Error("ran"); };
        describe("s", () => { it.skip("t (no Java here)", fail); it.ignore("v", fail); it("u", () => {}); });
        describe.skip("r (no Go here)", () => { beforeAll(fail); it("w", fail); });
        it.skip("x (no reason)", fail);`,
    );
    assert.equal(code, 0, text);
    for (const name of ["t (no Java here)", "v", "r (no Go here)", "x (no reason)"]) {
      assert.ok(text.includes(`${name} ... ignored`), text);
    }
    assert.match(text, /1 passed \(1 step\) \| 0 failed \| 2 ignored \(2 steps\)/);
  });
});
