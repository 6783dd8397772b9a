import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { helpText, parseOrderArgs } from "./order_args.ts";

const parse = (line: string) => parseOrderArgs(line === "" ? [] : line.split(" "), "venue.yaml");

const OPTIONS = {
  host: "127.0.0.1",
  port: 9878,
  config: "venue.yaml",
  sender: "TRADER1",
  username: undefined,
  password: undefined,
  target: undefined,
  id: undefined,
  reset: true,
  numbers: undefined,
  raw: false,
  json: false,
  watch: false,
  timeoutSec: 10,
};

describe("parseOrderArgs", () => {
  const base = { symbol: "X", side: "1" };
  const runs: [line: string, request: unknown, options: Record<string, unknown>][] = [
    [
      "new --symbol X --side buy --qty 100 --price 10.050",
      { ...base, kind: "new", terms: { qty: "100", ordType: "2", price: "10.050", timeInForce: "0" } },
      {},
    ],
    [
      "new --symbol X --side sell --qty 007 --type market --tif fok --id me --sender T2 --raw --json --watch",
      { kind: "new", symbol: "X", side: "2", terms: { qty: "007", ordType: "1", timeInForce: "4" } },
      { id: "me", sender: "T2", raw: true, json: true, watch: true },
    ],
    [
      "new --symbol=X --side=buy --qty=-1 --price=-10 --tif=ioc --timeout=0.5",
      { ...base, kind: "new", terms: { qty: "-1", ordType: "2", price: "-10", timeInForce: "3" } },
      { timeoutSec: 0.5 },
    ],
    [
      "cancel --symbol X --side buy --orig a --order-id 0-1-0 --host h --port 1 --config f",
      { ...base, kind: "cancel", origClOrdId: "a", orderId: "0-1-0" },
      { host: "h", port: 1, config: "f" },
    ],
    [
      "replace --symbol X --side buy --orig a --qty 5 --price 1 --username u --password p --target t",
      {
        ...base,
        kind: "replace",
        terms: { qty: "5", ordType: "2", price: "1" },
        origClOrdId: "a",
        orderId: undefined,
      },
      { username: "u", password: "p", target: "t" },
    ],
    [
      "new --symbol X --side buy --qty 9 --type stop --stop -3 --tif gtc",
      { ...base, kind: "new", terms: { qty: "9", ordType: "3", stopPx: "-3", timeInForce: "1" } },
      {},
    ],
    [
      "new --symbol X --side buy --qty 9 --type stop-limit --stop 3 --price 4 --max-floor 2 --tif gtd --expire 20261231",
      {
        ...base,
        kind: "new",
        terms: {
          qty: "9",
          ordType: "4",
          price: "4",
          stopPx: "3",
          maxFloor: "2",
          timeInForce: "6",
          expireDate: "20261231",
        },
      },
      {},
    ],
    [
      "new --symbol X --side buy --qty 9 --price 4 --post-only --tif gtd --expire 20261231-17:30:00 --account A-1 " +
      "--smp-id 7 --smp decrement",
      {
        ...base,
        kind: "new",
        terms: {
          qty: "9",
          ordType: "2",
          price: "4",
          timeInForce: "6",
          expireTime: "20261231-17:30:00",
          postOnly: true,
          account: "A-1",
          smpId: "7",
          smpInstruction: "D",
        },
      },
      {},
    ],
    [
      "new --symbol X --side buy --qty 9 --type market-to-limit --min-qty 3",
      { ...base, kind: "new", terms: { qty: "9", ordType: "K", minQty: "3", timeInForce: "0" } },
      {},
    ],
    [
      "replace --symbol X --side buy --orig a --qty 5 --type stop --stop 2 --tif gtc --smp cancel-resting",
      {
        ...base,
        kind: "replace",
        terms: { qty: "5", ordType: "3", stopPx: "2", timeInForce: "1", smpInstruction: "O" },
        origClOrdId: "a",
        orderId: undefined,
      },
      {},
    ],
    [
      "status --symbol X --side buy --id a --no-reset --numbers n.json",
      { ...base, kind: "status", orderId: undefined },
      { id: "a", reset: false, numbers: "n.json" },
    ],
  ];
  for (const [line, request, options] of runs) {
    it(`reads: ${line}`, () => {
      assert.deepEqual(parse(line), { kind: "run", request, options: { ...OPTIONS, ...options } });
    });
  }

  const usages: [line: string, problem: string][] = [
    ["buy", 'Cannot read the command: expected new, cancel, replace or status, got "buy" (see --help)'],
    ["", "Cannot read the command: expected new, cancel, replace or status, got nothing (see --help)"],
    [
      "new --symbol X --side buy --qty 1 --pric 2",
      'Cannot read "--pric": there is no such flag (see --help)',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 2 more",
      'Cannot read "more": expected flags only (see --help)',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 2 --orig a",
      'Cannot read "--orig": there is no such flag (see --help)',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 2 --no-raw",
      'Cannot read "--no-raw": there is no such flag (see --help)',
    ],
    [
      "new --symbol X --side buy --price 2",
      "Cannot do without --qty: expected a value, got nothing (see --help)",
    ],
    [
      "new --symbol X --side buy --qty 1",
      "Cannot do without --price: expected a value for a limit order (or say --type market), got nothing",
    ],
    [
      "new --symbol X --side buy --qty 1 --type limit",
      "Cannot do without --price: expected a value for a limit order, got nothing",
    ],
    [
      "new --symbol X --side buy --qty 1 --price",
      "Cannot use --price: expected a value, got nothing (see --help)",
    ],
    [
      "new --symbol X --side short --qty 1 --price 1",
      'Cannot use --side: expected one of buy, sell, got "short"',
    ],
    [
      "new --symbol X --side buy --qty 1 --type pegged",
      'Cannot use --type: expected one of limit, market, stop, stop-limit, market-to-limit, got "pegged"',
    ],
    [
      "new --symbol X --side buy --qty 1 --type stop",
      "Cannot do without --stop: expected a value for --type stop, got nothing",
    ],
    [
      "new --symbol X --side buy --qty 1 --type stop-limit --stop 3",
      "Cannot do without --price: expected a value for --type stop-limit, got nothing",
    ],
    [
      "replace --symbol X --side buy --qty 1 --orig a",
      "Cannot do without --price: expected a value for a limit order (or say --type market), got nothing",
    ],
    [
      "replace --symbol X --side buy --qty 1 --orig a --price 1 --min-qty 1",
      'Cannot read "--min-qty": there is no such flag (see --help)',
    ],
    [
      "cancel --symbol X --side buy --orig a --post-only",
      'Cannot read "--post-only": there is no such flag (see --help)',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --tif crossing",
      'Cannot use --tif: expected one of day, gtc, gtd, ioc, fok, opening, closing, got "crossing"',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --tif gtd",
      "Cannot do without --expire: expected a value for --tif gtd, got nothing",
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --expire 20261231",
      "Cannot use --expire without --tif gtd",
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --tif gtd --expire 2026-12-31",
      'Cannot use --expire: expected YYYYMMDD or YYYYMMDD-HH:MM:SS, got "2026-12-31"',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --smp both",
      "Cannot use --smp: expected one of cancel-resting, cancel-aggressor, cancel-both, decrement, none, got " +
      '"both"',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --port 0",
      'Cannot use --port: expected a whole number from 1 to 65535, got "0"',
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --timeout x",
      'Cannot use --timeout: expected seconds above 0, below 10000, got "x"',
    ],
    ["cancel --symbol X --side buy", "Cannot do without --orig: expected a value, got nothing (see --help)"],
    ["status --symbol X --side buy", "Cannot do without --id: expected a value, got nothing (see --help)"],
    ["status --symbol X --side buy --id a --no-reset", "Cannot use --no-reset without --numbers FILE"],
    [
      "status --symbol X --side constructor --id a",
      'Cannot use --side: expected one of buy, sell, got "constructor"',
    ],
  ];
  for (const [line, message] of usages) {
    it(`refuses: ${line}`, () => {
      assert.throws(() => parse(line), { name: "UsageError", message });
    });
  }

  it("prints help for all and for each", () => {
    assert.deepEqual(parse("--help"), { kind: "help", text: helpText() });
    for (const verb of ["new", "cancel", "replace", "status"] as const) {
      assert.deepEqual(parse(`${verb} --help`), { kind: "help", text: helpText(verb) });
      assert.deepEqual(parse(`${verb} -h`), { kind: "help", text: helpText(verb) });
      assert.ok(!helpText(verb).includes("undefined"));
    }
  });
});
