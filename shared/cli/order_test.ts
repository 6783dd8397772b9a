import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { Acceptor } from "../../services/fix-gateway/net/acceptor.ts";
import { main } from "./order.ts";
import { startExchange } from "./order_exchange.ts";

/** Runs the command line as a terminal would. */
async function order(port: number, line: string): Promise<{ code: number; out: string[]; err: string[] }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main([...line.split(" "), "--port", String(port)], {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    interrupted: new Promise(() => {}),
  });
  return { code, out, err };
}

describe("deno task order, against an exchange in this process", () => {
  let exchange: Acceptor;
  let port = 0;

  beforeAll(async () => {
    exchange = await startExchange();
    port = exchange.port;
  });
  afterAll(() => exchange.drain("done"));

  it("prints each reply of an order's life as a readable line", async () => {
    const steps: [line: string, code: number, out: string[]][] = [
      [
        "new --symbol ACME --side buy --qty 100 --price 10.05 --id a",
        0,
        ["New 0-1-0 a ACME buy 100 @ 10.05 leaves 100 cum 0 avg 0"],
      ],
      [
        "new --symbol ACME --side sell --qty 40 --type market --tif ioc --id b --sender TRADER2",
        0,
        [
          "New 0-2-0 b ACME sell 40 @ market ioc leaves 40 cum 0 avg 0",
          "Trade 0-2-0 b ACME sell 40 @ market ioc traded 40 @ 10.05 (0-2-1) leaves 0 cum 40 avg 10.05",
        ],
      ],
      [
        "replace --symbol ACME --side buy --orig a --id c --qty 90 --price 10.06",
        0,
        ["Replaced 0-1-0 c ACME buy 90 @ 10.06 leaves 50 cum 40 avg 10.05"],
      ],
      [
        "status --symbol ACME --side buy --id c",
        0,
        ["Status 0-1-0 c ACME buy 90 @ 10.06 partially filled leaves 50 cum 40 avg 10.05"],
      ],
      [
        "cancel --symbol ACME --side buy --orig c --id d",
        0,
        ["Canceled 0-1-0 d ACME buy 90 @ 10.06 leaves 0 cum 40 avg 10.05"],
      ],
      [
        "cancel --symbol ACME --side buy --orig c --id e",
        1,
        [
          "Cancel rejected e of c (order 0-1-0 is canceled): " +
          'Cannot cancel OrigClOrdID(41): expected an open order, got "c", which is canceled',
        ],
      ],
      [
        "new --symbol ACME --side buy --qty 5 --price 9 --tif fok --id f",
        0,
        [
          "New 0-7-0 f ACME buy 5 @ 9 fok leaves 5 cum 0 avg 0",
          "Expired 0-7-0 f ACME buy 5 @ 9 fok leaves 0 cum 0 avg 0",
        ],
      ],
    ];
    for (const [line, code, out] of steps) assert.deepEqual(await order(port, line), { code, out, err: [] });
  });

  it("prints refusals and exits with 1", async () => {
    const steps: [line: string, out: string[]][] = [
      [
        "new --symbol WIDGET --side buy --qty 1 --price 20.03 --id off",
        [
          "Rejected NONE off WIDGET buy 1: " +
          'Cannot accept Price(44): expected a multiple of 0.05, got "20.03"',
        ],
      ],
      [
        "status --symbol ACME --side sell --id nothing",
        [
          "Status NONE nothing ACME sell rejected: " +
          'Cannot report ClOrdID(11): expected an order of this session or firm, got "nothing"',
        ],
      ],
      [
        `new --symbol ACME --side buy --qty 1 --price 1 --id ${"x".repeat(41)}`,
        [
          "Message refused (0 OTHER): Cannot accept ClOrdID(11): expected at most 40 bytes, got " +
          `"${"x".repeat(41)}"`,
        ],
      ],
      [
        "new --symbol ACME --side buy --qty 1 --price 1e5 --id bad",
        [
          "Message rejected by the session (6 INCORRECT_DATA_FORMAT_FOR_VALUE): " +
          'Cannot accept Price(44): expected a decimal, got "1e5"',
        ],
      ],
    ];
    for (const [line, out] of steps) assert.deepEqual(await order(port, line), { code: 1, out, err: [] });
  });

  it("sends every term of an order, and prints what becomes of it", async () => {
    const until = "20991231-23:59:59.999";
    const steps: [line: string, code: number, out: string[]][] = [
      [
        "new --symbol WIDGET --side buy --qty 9 --price 10 --max-floor 3 --tif gtd --expire 20991231 --id i",
        0,
        [`New ID i WIDGET buy 9 @ 10 gtd until ${until} showing 3 leaves 9 cum 0 avg 0`],
      ],
      [
        "new --symbol WIDGET --side sell --qty 2 --type stop --stop 9.5 --tif gtc --id s",
        0,
        ["New ID s WIDGET sell 2 @ market stop 9.5 gtc leaves 2 cum 0 avg 0"],
      ],
      [
        "replace --symbol WIDGET --side sell --orig s --id t --qty 1 --type stop-limit --stop 9.4 --price 9.3 --tif gtc",
        0,
        ["Replaced ID t WIDGET sell 1 @ 9.3 stop 9.4 gtc leaves 1 cum 0 avg 0"],
      ],
      [
        "new --symbol WIDGET --side sell --qty 1 --price 10 --post-only --id p --sender TRADER2",
        1,
        [
          "Rejected NONE p WIDGET sell 1 @ 10 post-only: Cannot accept Price(44): expected one at " +
          'which ExecInst(18) "6" does not trade on arrival, got "10"',
        ],
      ],
      [
        "new --symbol WIDGET --side sell --qty 5 --price 10 --smp cancel-aggressor --id n --account HOUSE",
        0,
        [
          "New ID n WIDGET sell 5 @ 10 leaves 5 cum 0 avg 0",
          "Canceled ID n WIDGET sell 5 @ 10 leaves 0 cum 0 avg 0: Canceled: it would have traded with an order of the " +
          "same firm and SelfMatchPreventionID(7928)",
        ],
      ],
      [
        "new --symbol WIDGET --side sell --qty 5 --price 10 --smp-id 7 --smp cancel-aggressor --tif ioc --min-qty 6 --id m",
        1,
        [
          "Rejected NONE m WIDGET sell 5 @ 10 ioc: Cannot accept MinQty(110): expected a multiple of " +
          '1 above 0, at most OrderQty(38), got "6"',
        ],
      ],
      [
        "new --symbol WIDGET --side sell --qty 11 --type market-to-limit --min-qty 9 --id k --sender TRADER2",
        0,
        [
          "New ID k WIDGET sell 11 @ market to limit leaves 11 cum 0 avg 0",
          ...[3, 6, 9].map((cum) =>
            `Trade ID k WIDGET sell 11 @ market to limit traded 3 @ 10 (TRADE) leaves ${
              11 - cum
            } cum ${cum} avg 10`
          ),
          `Restated ID k WIDGET sell 11 @ 10 leaves 2 cum 9 avg 10: Price(44) set to "10", the last trade's: what is left ` +
          "rests as a limit order",
        ],
      ],
    ];
    for (const [line, code, out] of steps) {
      const got = await order(port, line);
      const plain = got.out.map((text) =>
        text.replace(/ \d+-\d+-\d+ /, " ID ").replace(/\(\d+-\d+-\d+\)/, "(TRADE)")
      );
      assert.deepEqual({ ...got, out: plain }, { code, out, err: [] });
    }
  });

  it("with --raw prints every message, which way it went, and no password", async () => {
    const { out } = await order(port, "status --symbol ACME --side sell --id nothing --raw");
    assert.deepEqual(
      out.map((line) => /^[<>] 8=FIX\.4\.4\|9=\d+\|35=./.exec(line)?.[0].replace(/9=\d+/, "9=") ?? line),
      [
        "> 8=FIX.4.4|9=|35=A",
        "< 8=FIX.4.4|9=|35=A",
        "> 8=FIX.4.4|9=|35=H",
        "< 8=FIX.4.4|9=|35=8",
        "Status NONE nothing ACME sell rejected: Cannot report ClOrdID(11): expected an order of this " +
        'session or firm, got "nothing"',
        "> 8=FIX.4.4|9=|35=5",
        "< 8=FIX.4.4|9=|35=5",
      ],
    );
    assert.match(out[0], /\|553=trader1\|554=\*\*\*\|10=\d{3}\|$/);
    assert.match(out[3], /\|34=2\|.*\|37=NONE\|11=nothing\|.*\|10=\d{3}\|$/);
  });

  it("with --json prints an object per reply, and with --raw too the message in it", async () => {
    const both = await order(port, "status --symbol ACME --side sell --id nothing --json --raw");
    assert.equal(both.out.length, 1);
    assert.match(JSON.parse(both.out[0]).raw, /^8=FIX\.4\.4\|.*\|37=NONE\|.*\|10=\d{3}\|$/);
    const json = await order(port, "status --symbol ACME --side sell --id nothing --json");
    const reply = JSON.parse(json.out[0]);
    assert.deepEqual([reply.MsgType, reply.OrderID, reply.OrdRejReason], ["8", "NONE", "5"]);
  });

  it("goes on with a session's numbers, and so receives what it missed", async () => {
    const file = await Deno.makeTempFile();
    await Deno.remove(file);
    const mine = `--numbers ${file} --sender DEMO1`;
    await order(port, `new --symbol GIZMO --side buy --qty 10 --price 1 --id m1 ${mine}`);
    assert.equal(await Deno.readTextFile(file), '{"outgoing":4,"incoming":4}\n');
    await order(port, "new --symbol GIZMO --side sell --qty 10 --price 1 --id m2 --sender DEMO2");
    const { code, out, err } = await order(
      port,
      `status --symbol GIZMO --side buy --id m1 --no-reset ${mine}`,
    );
    assert.deepEqual([code, err], [0, []]);
    assert.match(out[0], /^Trade .* m1 GIZMO buy 10 @ 1 traded 10 @ 1 /);
    assert.match(out[1], /^Status .* m1 GIZMO buy 10 @ 1 filled /);
    await Deno.remove(file);
    const missing = await order(port, `status --symbol GIZMO --side buy --id m1 --no-reset ${mine}`);
    assert.equal(missing.code, 1);
    assert.match(missing.err.join("\n"), /^Cannot read \S+: No such file or directory/);
    await Deno.writeTextFile(file, "nonsense");
    const broken = await order(port, `status --symbol GIZMO --side buy --id m1 --no-reset ${mine}`);
    assert.deepEqual([broken.code, broken.err], [
      1,
      [`Cannot read ${file}: expected {"outgoing":N,"incoming":N}, got "nonsense"`],
    ]);
    await Deno.remove(file);
  });

  it("says what to do when it cannot log on, and makes up a ClOrdID", async () => {
    const wrong = await order(port, "status --symbol ACME --side sell --id x --password wrong");
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.err.join(),
      /^Cannot log on to PITWIRE as TRADER1: .*\. Check --sender and the credentials, and that no other client/,
    );
    const { code, out } = await order(
      port,
      "new --symbol ACME --side sell --qty 1 --price 99 --sender DEMO2",
    );
    assert.equal(code, 0);
    assert.match(out[0], /^New \S+ cli-[0-9a-f]{8}-[0-9a-f]{4} ACME sell 1 @ 99 /);
  });
});

describe("deno task order, without an exchange", () => {
  it("names the way out when nothing listens", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    const { code, out, err } = await order(port, "status --symbol ACME --side sell --id x");
    assert.deepEqual([code, out], [1, []]);
    assert.match(err.join(), /^Cannot connect to 127\.0\.0\.1:\d+: .*refused.*Start it with: deno task up$/);
  });

  it("names the sessions when the sender is none of them", async () => {
    const { code, err } = await order(1, "status --symbol ACME --side sell --id x --sender NOBODY");
    assert.equal(code, 2);
    assert.match(
      err.join(),
      /^Cannot find the session "NOBODY" in .*venue\.yaml: expected one of TRADER1, TRADER2/,
    );
  });

  it("says which venue file cannot be read", async () => {
    const { code, err } = await order(1, "status --symbol ACME --side sell --id x --config /nowhere.yaml");
    assert.equal(code, 1);
    assert.match(err.join(), /\/nowhere\.yaml/);
  });
});
