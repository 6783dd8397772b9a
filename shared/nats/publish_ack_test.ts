import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { NO_RESPONDERS, PublishAck, UNREADABLE } from "./publish_ack.ts";

const ack = new PublishAck();

function parsed(text: string): [seq: number, errorCode: number, description: string] {
  ack.parse(new TextEncoder().encode(text));
  return [ack.seq, ack.errorCode, ack.description];
}

describe("the answer to a publish", () => {
  it("gives the sequence", () => {
    assert.deepEqual(parsed('{"stream":"CMD_0","seq":1}'), [1, 0, ""]);
    assert.deepEqual(parsed('{"stream":"CMD_0","seq":9007199254740991}'), [9007199254740991, 0, ""]);
    assert.deepEqual(parsed('{"stream":"E","domain":"hub","seq":12}'), [12, 0, ""]);
    assert.deepEqual(parsed('{"stream":"E","seq":12,"duplicate":true}'), [12, 0, ""]);
    assert.deepEqual(parsed('{ "seq": 12, "stream": "E" }'), [12, 0, ""]);
  });

  it("gives the error's code and words", () => {
    assert.deepEqual(
      parsed(
        '{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 7"},"stream":"EV_0","seq":0}',
      ),
      [0, 10071, "wrong last sequence: 7"],
    );
    assert.deepEqual(parsed('{"error":{"code":503}}'), [0, 503, "no description"]);
    assert.deepEqual(parsed('{"error":{}}'), [0, UNREADABLE, "no description"]);
  });

  it("says that nobody listens when it is empty", () => {
    assert.deepEqual(parsed(""), [0, NO_RESPONDERS, "no stream takes this subject now"]);
  });

  it("is never taken for a sequence when it is damaged", () => {
    const good = '{"stream":"CMD_0","seq":12}';
    for (let length = 1; length < good.length; length++) {
      assert.deepEqual(
        parsed(good.slice(0, length)),
        [0, UNREADABLE, "unreadable answer to a publish"],
        good.slice(0, length),
      );
    }
    for (const text of ["null", "[]", "7", '{"seq":-1}', '{"seq":1.5}', '{"stream":"S","seq":1x}']) {
      assert.deepEqual(parsed(text), [0, UNREADABLE, "unreadable answer to a publish"], text);
    }
  });
});
