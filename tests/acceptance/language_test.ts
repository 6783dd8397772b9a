import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { parseScript } from "./language.ts";

describe("the language of acceptance scripts", () => {
  it("has settings, needs and steps", () => {
    const script = parseScript(`
      # a comment
      set maxQueuedMessages 2
      needs echo
      connect
      2: connect
      send 35=A|34=1|58=a = b
      send length 30 35=0|34=2
      2: send checksum 000 35=0
      send raw 8=FIX|x
      wait 2.5s
      expect 35=0|34=2|112=<x*3>|96=a<SOH>b
      expect ordered within 300ms 35=D|11=*
      expect disconnect
      2: expect within 1s disconnect
      disconnect`);
    assert.deepEqual([...script.settings], [["maxQueuedMessages", "2"]]);
    assert.deepEqual([...script.needs], ["echo"]);
    const field = (tag: number, value: string) => ({ tag, value });
    assert.deepEqual(script.steps, [
      { line: 5, connection: 1, kind: "connect" },
      { line: 6, connection: 2, kind: "connect" },
      { line: 7, connection: 1, kind: "send", message: "35=A|34=1|58=a = b" },
      { line: 8, connection: 1, kind: "send", message: "35=0|34=2", length: "30" },
      { line: 9, connection: 2, kind: "send", message: "35=0", checksum: "000" },
      { line: 10, connection: 1, kind: "send raw", text: "8=FIX|x" },
      { line: 11, connection: 1, kind: "wait", ms: 2500 },
      {
        line: 12,
        connection: 1,
        kind: "expect",
        fields: [field(35, "0"), field(34, "2"), field(112, "xxx"), field(96, "a|b")],
        ordered: false,
        withinMs: 5000,
      },
      {
        line: 13,
        connection: 1,
        kind: "expect",
        fields: [field(35, "D"), field(11, "*")],
        ordered: true,
        withinMs: 300,
      },
      { line: 14, connection: 1, kind: "expect disconnect", withinMs: 5000 },
      { line: 15, connection: 2, kind: "expect disconnect", withinMs: 1000 },
      { line: 16, connection: 1, kind: "disconnect" },
    ]);
  });

  const wrong: readonly [script: string, text: string][] = [
    ["# nothing", "Cannot read the script: expected steps, got none"],
    [
      "recieve 35=0",
      'Cannot read line 1: expected connect, disconnect, send, expect or wait, got "recieve 35=0"',
    ],
    ["connect now", 'Cannot read line 1: expected connect, got "connect now"'],
    ["connect\nset a 1", 'Cannot read line 2: expected "set" before the first step, got "set a 1"'],
    ["set a", 'Cannot read line 1: expected set NAME VALUE, got "set a"'],
    ["set a 1\nset a 2", 'Cannot read line 2: expected each setting once, got "set a 2"'],
    ["needs luck", 'Cannot read line 1: expected needs echo or socket or clock, got "needs luck"'],
    ["wait long", 'Cannot read line 1: expected a time such as 500ms or 2.5s, got "long"'],
    ["send hello", 'Cannot read line 1: expected send [length N | checksum N] TAG=VALUE|…, got "send hello"'],
    [
      "expect 35=0|x",
      'Cannot read line 1: expected expect TAG=VALUE|… or expect disconnect, got "expect 35=0|x"',
    ],
    ["expect within 1m 35=0", 'Cannot read line 1: expected a time such as 500ms or 2.5s, got "1m"'],
  ];
  for (const [script, message] of wrong) {
    it(`refuses ${JSON.stringify(script)}`, () => assert.throws(() => parseScript(script), { message }));
  }
});
