/** The command line of `deno task explain` and ExecIDs as text. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { UsageError } from "../../shared/cli/flags.ts";
import { formatExecId, MAX_SEQUENCE } from "../../shared/protocol/mod.ts";
import { parseExplainArgs } from "./args.ts";
import { parseExecId } from "./exec_id.ts";

const USUAL = { store: null, config: null, nats: null, json: false };

describe("the command line of deno task explain", () => {
  it("is an ExecID and where the venue is", () => {
    const execId = { shard: 0, cmdSeq: 1234, index: 7 };
    const text = "0-1234-7";
    assert.deepEqual(parseExplainArgs([text]), { ...USUAL, text, execId });
    assert.deepEqual(parseExplainArgs(["--json", "--store", "s", text, "--config=c"]), {
      ...USUAL,
      text,
      execId,
      json: true,
      store: "s",
      config: "c",
    });
    assert.deepEqual(parseExplainArgs(["--nats", "nats://h", text]), {
      ...USUAL,
      text,
      execId,
      nats: "nats://h",
    });
    assert.equal(parseExplainArgs([text, "--help"]), null);
  });

  const expected = "Cannot explain ExecID(17): expected shard, sequence and index as in 0-1234-7, got";
  const faults: [args: string[], message: string][] = [
    [[], "Cannot explain: expected one ExecID(17), got nothing (see --help)"],
    [["0-1-1", "0-1-2"], 'Cannot explain: expected one ExecID(17), got "0-1-1 0-1-2" (see --help)'],
    [["5"], `${expected} "5"`],
    [["0"], `${expected} "0"`],
    [["0-1-x"], `${expected} "0-1-x"`],
    [["0-1-1", "--by", "x"], 'Cannot read "--by": there is no such flag (see --help)'],
    [["0-1-1", "--store="], "Cannot use --store: expected a value, got nothing (see --help)"],
    [
      ["0-1-1", "--store", "a", "--nats", "b"],
      "Cannot use --store with --nats: expected one of them, got both",
    ],
  ];
  for (const [args, message] of faults) {
    it(message, () =>
      assert.throws(() => parseExplainArgs(args), (error) => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, message);
        return true;
      }));
  }
});

describe("an ExecID", () => {
  it("is read as it is written", () => {
    for (const [shard, cmdSeq, index] of [[0, 1, 0], [7, 1234, 56], [65535, MAX_SEQUENCE, 4_000_000_000]]) {
      assert.deepEqual(parseExecId(formatExecId(shard, cmdSeq, index)), { shard, cmdSeq, index });
    }
  });

  it("is nothing else", () => {
    const texts = [
      "",
      "0",
      "0-1",
      "0-0-1",
      "00-1-1",
      "0-01-1",
      "0-1-01",
      "0-1-1-1",
      " 0-1-1",
      "0-1-1 ",
      "-1-1-1",
      "a-1-1",
      "0-1-1e3",
    ];
    for (const text of [...texts, `0-${MAX_SEQUENCE + 1}-0`]) assert.equal(parseExecId(text), null, text);
  });
});
