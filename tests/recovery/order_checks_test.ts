/** The judge of orders' reports catches what it is there for. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { Received } from "./lasting_trader.ts";
import { assertOneOutcomeEach, OrderLedger } from "./order_checks.ts";

const ORDER = "55=ACME|54=1|";
const ACCEPTED = `8 37=1|17=1|11=a|150=0|39=0|${ORDER}38=5|14=0|151=5`;
const FILLED_TWO = `8 37=1|17=2|11=a|150=F|39=1|${ORDER}38=5|32=2|14=2|151=3`;
const REPLACED = `8 37=1|17=3|11=b|41=a|150=5|39=1|${ORDER}38=4|14=2|151=2`;
const FILLED = `8 37=1|17=4|11=b|150=F|39=2|${ORDER}38=4|32=2|14=4|151=0`;
const TOO_LATE = `9 37=1|11=c|41=b|39=2|434=1|58=done`;
const REJECTED = `8 37=NONE|17=5|11=d|150=8|39=8|${ORDER}38=0|14=0|151=0`;
const ALL = [ACCEPTED, FILLED_TWO, REPLACED, FILLED, TOO_LATE, REJECTED];

type Open = ReadonlyMap<string, readonly [orderQty: number, cumQty: number]>;

function judge(
  lines: readonly string[],
  sent: readonly string[] = ["a", "b", "c", "d"],
  stillOpen?: Open,
): void {
  const received = lines.map((line): Received => ({
    seq: 0,
    possDup: false,
    possResend: false,
    sendingTimeMs: 0,
    origSendingTimeMs: NaN,
    line,
    clOrdId: "",
  }));
  assertOneOutcomeEach("A1", sent, new OrderLedger(received), stillOpen);
}

/** What is wrong, the reports, and what is said. */
const BAD: readonly [string, readonly string[], RegExp][] = [
  ["an order accepted twice", [ACCEPTED, ACCEPTED.replace("17=1", "17=9")], /accepted twice/],
  ["a fill that came twice", [ACCEPTED, FILLED_TWO, FILLED_TWO.replace("17=2", "17=9")], /not the sum/],
  ["a fill that is missing", [ACCEPTED, REPLACED], /not the sum/],
  ["a fill of more than was ordered", [ACCEPTED, FILLED_TWO.replace("38=5", "38=1")], /more than OrderQty/],
  ["a report after the end", [...ALL, FILLED.replace("17=4", "17=9")], /after the order's end/],
  ["a report of an unknown order", [FILLED_TWO], /no order yet/],
  ["an order that is still open", [ACCEPTED], /without exactly one final state/],
  [
    "a request answered twice",
    [...ALL, TOO_LATE.replace("done", "again")],
    /without exactly one final state/,
  ],
  ["an answer to what was never sent", [...ALL, REJECTED.replace("11=d", "11=e")], /never sent/],
];

describe("the reports of orders", () => {
  it("agree, resent ones counted once", () => judge([...ALL, FILLED, TOO_LATE]));
  for (const [what, lines, says] of BAD) {
    it(`disagree about ${what}`, () => assert.throws(() => judge(lines), says));
  }

  const half = [ACCEPTED, FILLED_TWO];
  it("may leave an order open that is open by the truth, too", () =>
    judge(half, ["a"], new Map([["1", [5, 2]]])));
  const CLOSED: readonly [string, Open][] = [
    ["is not open", new Map()],
    ["has traded more", new Map([["1", [5, 3]]])],
    ["has another OrderQty", new Map([["1", [6, 2]]])],
    ["stands beside another", new Map([["1", [5, 2]], ["2", [1, 0]]])],
  ];
  for (const [what, open] of CLOSED) {
    it(`disagree when the order that they leave open ${what} by the truth`, () => {
      assert.throws(() => judge(half, ["a"], open), /open orders/);
    });
  }
  it("leave out what is a quote's", () => {
    judge([`8 37=7|17=9|11=Q-A1-3|150=F|39=2|${ORDER}38=5|32=5|14=5|151=0`], ["Q-A1-3"]);
  });
});
