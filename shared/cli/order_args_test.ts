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

  const usages: [line: string, problem: string, verb: string][] = [
    ["buy", 'unknown subcommand "buy": expected new, cancel, replace or status', ""],
    ["new --symbol X --side buy --qty 1 --pric 2", 'unknown flag or argument "--pric"', "new"],
    ["new --symbol X --side buy --qty 1 --price 2 more", 'unknown flag or argument "more"', "new"],
    ["new --symbol X --side buy --qty 1 --price 2 --orig a", 'unknown flag or argument "--orig"', "new"],
    ["new --symbol X --side buy --qty 1 --price 2 --no-raw", 'unknown flag or argument "--no-raw"', "new"],
    ["new --symbol X --side buy --price 2", "--qty is missing", "new"],
    ["new --symbol X --side buy --qty 1", "--price is missing (or say --type market)", "new"],
    ["new --symbol X --side buy --qty 1 --price", "--price needs a value", "new"],
    ["new --symbol X --side short --qty 1 --price 1", '--side: expected buy or sell, got "short"', "new"],
    [
      "new --symbol X --side buy --qty 1 --type pegged",
      '--type: expected limit, market, stop, stop-limit or market-to-limit, got "pegged"',
      "new",
    ],
    ["new --symbol X --side buy --qty 1 --type stop", "--stop is missing with --type stop", "new"],
    [
      "new --symbol X --side buy --qty 1 --type stop-limit --stop 3",
      "--price is missing with --type stop-limit",
      "new",
    ],
    [
      "replace --symbol X --side buy --qty 1 --orig a",
      "--price is missing (or say --type market)",
      "replace",
    ],
    [
      "replace --symbol X --side buy --qty 1 --orig a --price 1 --min-qty 1",
      'unknown flag or argument "--min-qty"',
      "replace",
    ],
    ["cancel --symbol X --side buy --orig a --post-only", 'unknown flag or argument "--post-only"', "cancel"],
    [
      "new --symbol X --side buy --qty 1 --price 1 --tif crossing",
      '--tif: expected day, gtc, gtd, ioc, fok, opening or closing, got "crossing"',
      "new",
    ],
    ["new --symbol X --side buy --qty 1 --price 1 --tif gtd", "--expire is missing with --tif gtd", "new"],
    ["new --symbol X --side buy --qty 1 --price 1 --expire 20261231", "--expire needs --tif gtd", "new"],
    [
      "new --symbol X --side buy --qty 1 --price 1 --tif gtd --expire 2026-12-31",
      '--expire: expected YYYYMMDD or YYYYMMDD-HH:MM:SS, got "2026-12-31"',
      "new",
    ],
    [
      "new --symbol X --side buy --qty 1 --price 1 --smp both",
      '--smp: expected cancel-resting, cancel-aggressor, cancel-both, decrement or none, got "both"',
      "new",
    ],
    ["new --symbol X --side buy --qty 1 --price 1 --port 0", '--port: expected 1 to 65535, got "0"', "new"],
    [
      "new --symbol X --side buy --qty 1 --price 1 --timeout x",
      '--timeout: expected seconds above 0, got "x"',
      "new",
    ],
    ["cancel --symbol X --side buy", "--orig is missing", "cancel"],
    ["status --symbol X --side buy", "--id is missing", "status"],
    ["status --symbol X --side buy --id a --no-reset", "--no-reset needs --numbers FILE", "status"],
    [
      "status --symbol X --side constructor --id a",
      '--side: expected buy or sell, got "constructor"',
      "status",
    ],
  ];
  for (const [line, problem, verb] of usages) {
    it(`refuses: ${line}`, () => {
      const hint = `deno task order ${verb === "" ? "" : `${verb} `}--help`;
      assert.deepEqual(parse(line), {
        kind: "usage",
        text: `Cannot read the command line: ${problem}. See ${hint}`,
      });
    });
  }

  it("prints help for all and for each", () => {
    assert.deepEqual(parse(""), { kind: "help", text: helpText() });
    assert.deepEqual(parse("--help"), { kind: "help", text: helpText() });
    for (const verb of ["new", "cancel", "replace", "status"] as const) {
      assert.deepEqual(parse(`${verb} --help`), { kind: "help", text: helpText(verb) });
      assert.deepEqual(parse(`${verb} -h`), { kind: "help", text: helpText(verb) });
      assert.ok(!helpText(verb).includes("undefined"));
    }
  });
});
