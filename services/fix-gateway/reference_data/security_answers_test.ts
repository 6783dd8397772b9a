import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind, type Instrument, MatchAlgorithm, Phase } from "../../../shared/protocol/mod.ts";
import { codeOfChar } from "../../../shared/protocol/mod.ts";
import { ACME } from "../order_entry/fixture.ts";
import { checkedMessage, DeskBench, statesOf } from "./desk_cases.ts";

const PHASES = { ACME: Phase.Continuous, RATE: Phase.Continuous, COIN: Phase.Continuous };
const ACME_FIELDS = "55=ACME|561=10|562=10|58=tick 0.05, lot 10, at most 10000000, algorithm F|";
const ACME_EXTENDED = `${ACME_FIELDS}969=0.05|1140=10000000|1142=F|`;
const RATE_EXTENDED =
  "55=RATE|561=1|562=1|58=tick 25, lot 1, at most 1000000, algorithm C|969=25|1140=1000000|1142=C|";
const COIN_EXTENDED = "55=COIN|561=0.005|562=0.005|" +
  "58=tick 0.000001, lot 0.005, at most 10737418.235, algorithm F|969=0.000001|1140=10737418.235|1142=F|";

function bench(): DeskBench {
  const made = new DeskBench();
  made.desk.learned(statesOf(5, 0, PHASES));
  return made;
}

describe("SecurityListRequest(x)", () => {
  it("is answered with all instruments, or with one", () => {
    const made = bench();
    const client = made.client();
    assert.deepEqual(made.ask(client, "x", "320=r1|559=4|263=0|"), [
      `y 320=r1|322=1-2-1|560=0|393=3|893=Y|146=3|${ACME_EXTENDED}${RATE_EXTENDED}${COIN_EXTENDED}`,
    ]);
    assert.deepEqual(made.ask(client, "x", "320=r2|559=0|55=ACME|"), [
      `y 320=r2|322=1-2-2|560=0|393=1|893=Y|146=1|${ACME_EXTENDED}`,
    ]);
  });

  it("is answered within FIX 4.4 for a session that is set so", () => {
    const made = bench();
    assert.deepEqual(made.ask(made.client(7, "trading", false), "x", "320=r|559=0|55=ACME|"), [
      `y 320=r|322=1-2-1|560=0|393=1|893=Y|146=1|${ACME_FIELDS}`,
    ]);
  });

  it("names the algorithm that is matched by now", () => {
    const made = bench();
    const algorithm = codeOfChar(MatchAlgorithm.Configurable.charCodeAt(0));
    made.event(6, { kind: EventKind.AlgorithmChanged, instrumentId: 1, algorithm });
    const [answer] = made.ask(made.client(), "x", "320=r|559=0|55=ACME|") as string[];
    assert.ok(answer.endsWith("algorithm K|969=0.05|1140=10000000|1142=K|"), answer);
  });

  const refused: readonly [body: string, result: number][] = [
    ["559=0|55=NONE|", 2],
    ["559=0|", 1],
    ["559=1|461=ESXXXX|", 1],
    ["559=3|", 1],
    ["559=4|55=ACME|", 1],
  ];
  for (const [body, result] of refused) {
    it(`says what is wrong with it: ${body}`, () => {
      const made = bench();
      assert.deepEqual(made.ask(made.client(), "x", `320=r|${body}`), [`y 320=r|322=1-2-1|560=${result}|`]);
    });
  }

  it("says that it cannot tell before a matcher has", () => {
    const made = new DeskBench();
    const client = made.client();
    const unavailable = (n: number) => [`y 320=r|322=1-2-${n}|560=4|`];
    assert.deepEqual(made.ask(client, "x", "320=r|559=4|"), unavailable(1));
    made.desk.learned(statesOf(5, 0, { ACME: Phase.Continuous, COIN: Phase.Continuous }));
    assert.deepEqual(made.ask(client, "x", "320=r|559=4|"), unavailable(2));
    assert.equal((made.ask(client, "x", "320=r|559=0|55=ACME|") as string[])[0].includes("|560=0|"), true);
  });

  it("is answered in messages of which none is longer than the limit", () => {
    const many: Instrument[] = Array.from({ length: 100 }, (_, i) => ({
      ...ACME,
      id: i + 1,
      symbol: `S${i}`,
    }));
    const made = new DeskBench(2048, many);
    const states = statesOf(1, 0, {});
    const listed = many.map(({ id, symbol }) => ({ ...statesOf(1, 0, PHASES).instruments[0], id, symbol }));
    made.desk.learned({ ...states, instruments: listed });
    const answers = made.ask(made.client(), "x", "320=r|559=4|") as string[];
    const messages = answers.map(checkedMessage);
    assert.ok(messages.length > 5);
    assert.deepEqual(messages.filter((each) => each.end - each.start > 2048), []);
    assert.deepEqual(messages.map((each) => each.text(893)), [...messages.slice(1).map(() => "N"), "Y"]);
    assert.deepEqual(new Set(messages.map((each) => each.int(393))), new Set([100]));
    assert.deepEqual(
      answers.flatMap((answer) => [...answer.matchAll(/\|55=([^|]*)/g)].map(([, symbol]) => symbol)),
      many.map(({ symbol }) => symbol),
    );
    assert.equal(new Set(messages.map((each) => each.text(322))).size, messages.length);
  });
});

describe("SecurityDefinitionRequest(c)", () => {
  it("is answered with one instrument, or with one message for each of all", () => {
    const made = bench();
    const client = made.client();
    const [, fields] = /^55=ACME\|(561=.*?\|562=.*?\|)58/.exec(ACME_EXTENDED)!;
    const acme = "55=ACME|58=tick 0.05, lot 10, at most 10000000, algorithm F|" + fields +
      "969=0.05|1140=10000000|1142=F|";
    for (const type of [0, 1]) {
      assert.deepEqual(made.ask(client, "c", `320=r|321=${type}|55=ACME|`), [
        `d 320=r|322=1-2-${type + 1}|323=1|${acme}`,
      ]);
    }
    const all = made.ask(client, "c", "320=r|321=3|") as string[];
    assert.equal(all[0], `d 320=r|322=1-2-3|323=4|${acme}`);
    assert.deepEqual(all.map((line) => checkedMessage(line).text(55)), ["ACME", "RATE", "COIN"]);
  });

  const refused: readonly [body: string, answer: string][] = [
    [
      "321=2|",
      '323=5|58=Cannot define SecurityRequestType(321): expected 0, 1 or 3, got "2"|',
    ],
    ["321=0|", "323=5|58=Cannot define Symbol(55): expected a listed symbol, got none|"],
    ["321=1|55=NONE|", '323=6|55=NONE|58=Cannot define Symbol(55): expected a listed symbol, got "NONE"|'],
    [
      "321=3|55=ACME|",
      "323=5|55=ACME|58=Cannot define Symbol(55): expected none with SecurityRequestType(321) 3, " +
      'got "ACME"|',
    ],
  ];
  for (const [body, answer] of refused) {
    it(`says what is wrong with it: ${body}`, () => {
      const made = bench();
      assert.deepEqual(made.ask(made.client(), "c", `320=r|${body}`), [`d 320=r|322=1-2-1|${answer}`]);
    });
  }

  it("says that it cannot tell before a matcher has", () => {
    const made = new DeskBench();
    assert.deepEqual(made.ask(made.client(), "c", "320=r|321=0|55=ACME|"), [
      "d 320=r|322=1-2-1|323=5|55=ACME|58=Cannot define now: the matcher has not told yet how it matches|",
    ]);
  });
});
