import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseRequest } from "./request.ts";

describe("a request of an administrator", () => {
  it("is read", () => {
    const requests = [
      { action: "numbers", session: 3 },
      { action: "change", session: 3, change: { kind: "reset", force: true }, by: "me" },
      { action: "change", session: 3, change: { kind: "set", out: 5, in: null, force: false }, by: "me" },
    ] as const;
    for (const request of requests) assert.deepEqual(parseRequest(JSON.stringify(request)), request);
  });

  it("is refused with what was expected when it is anything else", () => {
    const change = { action: "change", session: 3, change: { kind: "reset", force: true }, by: "me" };
    const wrong: [unknown, string][] = [
      [null, "a session id in session, got undefined"],
      [{ ...change, session: "3" }, 'a session id in session, got "3"'],
      [{ ...change, action: "drop" }, 'numbers or change in action, got "drop"'],
      [{ ...change, by: "" }, 'a short name in by, got ""'],
      [
        { ...change, change: { kind: "reset" } },
        "reset with force, or set with out, in and force, in change",
      ],
      [{ ...change, change: { kind: "set", out: 1.5, in: null, force: true } }, "reset with force, or set"],
      [{ ...change, change: { kind: "set", out: 1, in: null } }, "reset with force, or set"],
      [{ ...change, change: null }, "reset with force, or set"],
    ];
    for (const [value, expected] of wrong) {
      assert.throws(
        () => parseRequest(JSON.stringify(value)),
        (error: Error) => error.message.startsWith(`Cannot read the request: expected ${expected}`),
        expected,
      );
    }
    assert.throws(() => parseRequest("{"));
  });
});
