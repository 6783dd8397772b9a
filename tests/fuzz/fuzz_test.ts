/** A smoke run of every target, and the tools that fuzzing is made of. `deno task fuzz` runs for longer. */
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FIX44, FixMessage, validate } from "../../shared/codec/fix/mod.ts";
import { codecProblem } from "./codec_target.ts";
import { bytesOf, textOf } from "./bytes.ts";
import { loadCorpus } from "./corpus.ts";
import { counted } from "./counted.ts";
import { flagsOf } from "./flags.ts";
import { fewest, fewestBytes } from "./minimise.ts";
import { fieldsOf, mutate, pieces, sealed } from "./mutate.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { Rules } from "./session_rules.ts";
import { allTargets } from "./targets.ts";
import { wireProblem } from "./wire_target.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? Math.floor(Math.random() * 2 ** 31));
const targets = allTargets();

describe("fuzzing, a short run", () => {
  for (const { name, smokeCases, attempt } of targets) {
    it(`${name}: ${smokeCases} cases from seed ${SEED}`, () => {
      for (let i = 0; i < smokeCases; i++) assert.equal(attempt(SEED + i), null);
    });
  }
});

describe("the corpus", () => {
  const corpus = loadCorpus();
  const messages = corpus.map((text) => {
    const message = new FixMessage();
    message.parse(bytesOf(text), 0, text.length);
    return message;
  });

  it("has messages of every type that is supported, in or out", () => {
    const types = new Set(messages.map((message) => message.msgType));
    assert.deepEqual([..."A012345DFGH89jdC"].filter((type) => !types.has(type)), []);
  });

  it("is valid as it stands", () => {
    for (const [i, message] of messages.entries()) {
      assert.equal(validate(message, FIX44, { allowUserDefined: false }), null, corpus[i]);
      assert.equal(codecProblem([bytesOf(corpus[i])]), null);
      assert.equal(sealed(fieldsOf(corpus[i])), corpus[i]);
    }
  });
});

describe("the mutator", () => {
  const corpus = loadCorpus();

  it("makes the same of the same seed, and something else of another", () => {
    const made = (seed: number) => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 50 }, () => mutate(random, random.pick(corpus), corpus));
    };
    assert.deepEqual(made(1), made(1));
    assert.notDeepEqual(made(1), made(2));
  });

  it("cuts bytes into pieces that are the same bytes", () => {
    for (let seed = 0; seed < 50; seed++) {
      const bytes = bytesOf(corpus[seed % corpus.length]);
      const cut = pieces(new SeededRandom(seed), bytes);
      assert.equal(cut.map(textOf).join(""), textOf(bytes));
    }
  });
});

describe("making an input smaller", () => {
  it("leaves what it takes to fail", () => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    assert.deepEqual(fewest(items, (rest) => rest.includes(17) && rest.includes(903)), [17, 903]);
    assert.equal(
      textOf(fewestBytes(bytesOf("some fault in it"), (bytes) => textOf(bytes).includes("fault"))),
      "fault",
    );
  });
});

describe("the rules can fail", () => {
  const rules = () =>
    new Rules({
      own: "EXCH",
      peer: "TW",
      loggingOn: () => false,
      nowMs: () => 0,
      wallMs: () => Date.UTC(2026, 0, 5, 8),
      expected: () => 5,
    });
  const header = (seq: number) => [`34=${seq}`, "49=EXCH", "52=20260105-08:00:00.000", "56=TW"];
  const sent = (...messages: string[][]) => {
    const all = rules();
    for (const fields of messages) all.sent(bytesOf(sealed(fields)));
    return all.problem?.replace(/: 8=.*/s, "");
  };

  it("at a message that is none, or none of FIX 4.4", () => {
    const all = rules();
    all.sent(bytesOf("8=FIX.4.4\x019=5\x0135=0\x0110=000\x01"));
    assert.match(all.problem!, /^sent no message/);
    assert.equal(
      sent(["35=0", ...header(1), "11=x"]),
      "Cannot accept ClOrdID(11): it is not defined for Heartbeat(0)",
    );
  });

  it("at numbers", () => {
    assert.equal(sent(["35=0", ...header(1)], ["35=0", ...header(2)]), undefined);
    assert.equal(sent(["35=0", ...header(1)], ["35=0", ...header(3)]), "sent 3 after 1");
    assert.equal(sent(["35=0", ...header(1)], ["35=0", ...header(1)]), "sent 1 after 1");
    const all = rules();
    all.delivered(3);
    all.delivered(3);
    assert.equal(all.problem, "message 3 was delivered after 3");
  });

  it("at a second ResendRequest", () => {
    const ask = (seq: number) => ["35=2", ...header(seq), "7=5", "16=0"];
    assert.equal(sent(ask(1)), undefined);
    assert.equal(sent(ask(1), ask(2)), "asks again 0 ms after something came of the last request");
  });

  it("at work and damage", () => {
    const counter = { reads: 0 };
    const array = counted(Uint8Array.of(1, 2, 3), counter);
    assert.equal(array[0] + array[2] + array.subarray(1).length, 6);
    assert.equal(counter.reads, 2);
    assert.equal(wireProblem(new Uint8Array(100), true), "no reader takes it");
  });
});

describe("the command line", () => {
  it("chooses targets, time, seed and cases", () => {
    const flags = flagsOf(["--target", "wire", "--seconds", "5", "--seed", "7", "--cases", "9"], targets)!;
    assert.deepEqual(flags, { targets: [targets[3]], seconds: 5, seed: 7, cases: 9, again: "" });
    assert.deepEqual(flagsOf([], targets), {
      targets,
      seconds: 60,
      seed: undefined,
      cases: Infinity,
      again: "",
    });
    assert.equal(flagsOf(["--help"], targets), null);
    const [engine] = flagsOf(["--target", "engine", "--commands", "77"], targets)!.targets;
    assert.match(engine.about, /77 random commands/);
  });

  it("says what is wrong with a flag", () => {
    const faults: [string[], string][] = [
      [["--target", "x"], 'Cannot use --target: expected one of codec, session, engine, wire, got "x"'],
      [["--seconds", "0"], 'Cannot use --seconds: expected a whole number from 1 to 4294967295, got "0"'],
      [["--seed", "x"], 'Cannot use --seed: expected a whole number from 0 to 4294967295, got "x"'],
      [["--command", "1"], 'Cannot read "--command": there is no such flag (see --help)'],
      [["--commands", "1"], "Cannot use --commands: cases of codec have none; use --target engine"],
      [
        ["--target", "engine", "--commands", "0"],
        'Cannot use --commands: expected a whole number from 1 to 4294967295, got "0"',
      ],
    ];
    for (const [args, message] of faults) assert.throws(() => flagsOf(args, targets), { message });
  });
});
