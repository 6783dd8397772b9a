/** `deno task explain` against a running venue: what a trader's ExecID leads to, and every way in which it cannot. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { PROJECT_DIR } from "../../infra/supervisor/programs.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { CONFIG, TestVenue } from "./running.ts";

/** One run of the command. */
async function explain(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", join(PROJECT_DIR, "deno.json"), "explain", ...args],
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** The rows of tables and all other lines, with single spaces. */
function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "" && !/^[┌├└]/.test(line))
    .map((line) => line.replace(/ +/g, " "));
}

describe("deno task explain", () => {
  let venue: TestVenue;

  beforeEach(async () => void (venue = await TestVenue.start()));
  afterEach(() => venue[Symbol.asyncDispose]());

  const at = (...args: string[]) => explain([...args, "--store", venue.running.address.store]);

  it("explains a pro-rata fill that its trader asks about by ExecID, from either side", async () => {
    const [a, b] = await venue.logon("A1", "B1");
    const order = { symbol: "TULIP", price: "100" };
    a.order("a1", { ...order, qty: "5" });
    await a.next(1);
    a.order("a2", { ...order, qty: "57" });
    await a.next(1);
    b.order("b1", { ...order, qty: "300" });
    await b.next(1);
    a.order("x1", { ...order, side: "sell", qty: "50" });
    await a.next(6);
    await b.next(1);
    const execId = b.messages.at(-1)!.get(17)!;
    assert.deepEqual([execId, b.messages.at(-1)!.get(32)], ["0-4-6", "41"]);

    const { code, out, err } = await at(execId);
    assert.deepEqual([code, err], [0, ""]);
    const [execution, , , command, ...rest] = linesOf(out);
    assert.equal(execution, "Execution 0-4-6: buy 41 TULIP at 100");
    assert.match(
      command,
      /^Command 0 of message 4, \d{4}-\d\d-\d\d [\d:.]+ UTC: NewOrder by A1, ClOrdID x1$/,
    );
    assert.deepEqual(rest, [
      " sell 50, at 100, limit, day",
      "The level: buys at 100, 3 orders; order 0-4-0 came to it with 50 lots",
      "Algorithm C: proRata, fifo",
      "1. proRata, pro rata: 50 to share out; the orders show 362",
      "│ Order │ Shows │ Receives │ Why │",
      "│ 0-1-0 (A1 a1) │ 5 │ 0 │ 5 × 50 ÷ 362 = 0.69…, down to 0 │",
      "│ 0-2-0 (A1 a2) │ 57 │ 7 │ 57 × 50 ÷ 362 = 7.87…, down to 7 │",
      "│ 0-3-0 (B1 b1) │ 300 │ 41 │ 300 × 50 ÷ 362 = 41.43…, down to 41 │",
      "2. fifo, oldest first: 2 to share out; the orders show 314",
      "│ Order │ Shows │ Receives │ Why │",
      "│ 0-1-0 (A1 a1) │ 5 │ 2 │ its turn: the last 2 │",
      "│ 0-2-0 (A1 a2) │ 50 │ 0 │ older orders took everything │",
      "│ 0-3-0 (B1 b1) │ 259 │ 0 │ older orders took everything │",
      "In all",
      "│ Order │ Shows │ Hides │ Receives │",
      "│ 0-1-0 (A1 a1) │ 5 │ 0 │ 2 │",
      "│ 0-2-0 (A1 a2) │ 57 │ 0 │ 7 │",
      "│ 0-3-0 (B1 b1) │ 300 │ 0 │ 41 │",
      "Order 0-3-0 (B1 b1) received 41 of it in this trade.",
    ]);

    const json = await at("0-4-5", "--json");
    assert.deepEqual([json.code, json.out.split("\n").length], [0, 2]);
    const { execution: own, counter, level } = JSON.parse(json.out);
    assert.deepEqual([own.clOrdId, own.lastQtyLots, counter.clOrdId, counter.session], [
      "x1",
      41,
      "b1",
      "B1",
    ]);
    assert.deepEqual(level.steps[0].shares[2], {
      orderId: "0-3-0",
      open: 300,
      gave: 41,
      numerator: "15000",
      denominator: "362",
      why: "300 × 50 ÷ 362 = 41.43…, down to 41",
    });

    const other = await Deno.makeTempFile({ suffix: ".yaml" });
    try {
      const text = await Deno.readTextFile(CONFIG);
      await Deno.writeTextFile(other, text.replace("proRataMin: 2", "proRataMin: 10"));
      const { code, out, err } = await at("0-4-4", "--config", other);
      const why =
        "the replay gives another event than EV_0 holds; the venue file may have been another one then";
      assert.deepEqual([code, out, err], [1, "", `Cannot explain 0-4-4: ${why} (--config)\n`]);
    } finally {
      await Deno.remove(other);
    }
  });

  it("reaches a venue by NATS, on the shard that the ExecID names, and says what a lot is", async () => {
    const [a, b] = await venue.logon("A1", "B1");
    a.order("a1", { symbol: "GIZMO", price: "5", qty: "30" });
    await a.next(1);
    b.order("b1", { symbol: "GIZMO", side: "sell", price: "5", qty: "20" });
    await b.next(2);
    const { natsUrl, natsUser, natsPassword } = venue.running.address;
    const credentials = { PITWIRE_NATS_USER: natsUser, PITWIRE_NATS_PASSWORD: natsPassword };
    const { code, out, err } = await explain(["1-2-2", "--nats", natsUrl, "--config", CONFIG], credentials);
    assert.deepEqual([code, err], [0, ""]);
    const lines = linesOf(out);
    assert.equal(lines[0], "Execution 1-2-2: buy 20 GIZMO at 5");
    assert.ok(lines.includes("│ 1-1-0 (A1 a1) │ 3 │ 0 │ 2 │ its turn: the last 2 │"), out);
    assert.equal(lines.at(-1), "Quantities in tables and steps are in lots of 10.");
    const without = await explain(["1-2-2", "--nats", natsUrl, "--config", CONFIG]);
    assert.deepEqual(
      [without.code, without.err],
      [2, "Cannot use --nats: PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD are not set\n"],
    );
  });

  it("says why it cannot", async () => {
    const [a] = await venue.logon("A1");
    a.order("a1", { price: "5" });
    await a.next(1);
    const cases: [execId: string, code: number, err: string][] = [
      [
        "0-1-0",
        1,
        'Cannot explain 0-1-0: it is no execution but OrderAccepted of the order with ClOrdID(11) "a1"',
      ],
      [
        "0-1-9",
        1,
        "Cannot explain 0-1-9: there is no such execution; command message 1 caused events 0 to 1",
      ],
      ["0-2-0", 1, "Cannot explain 0-2-0: there is no such execution; CMD_0 ends at message 1"],
      ["1-1-0", 1, "Cannot explain 1-1-0: there is no such execution; CMD_1 ends at message 0"],
      ["7-1-0", 1, "Cannot explain 7-1-0: the venue has no shard 7"],
      ["a1", 2, 'Cannot explain ExecID(17): expected shard, sequence and index as in 0-1234-7, got "a1"'],
    ];
    for (const [execId, code, err] of cases) {
      assert.deepEqual(await at(execId), { code, out: "", err: `${err}\n` });
    }
  });

  it("says that the commands do not go back to the first", async () => {
    const [a, b] = await venue.logon("A1", "B1");
    a.order("a1", { price: "5" });
    await a.next(1);
    b.order("b1", { side: "sell", price: "5" });
    await b.next(2);
    const { natsUrl, natsUser, natsPassword } = venue.running.address;
    const nc = await connectNats({ url: natsUrl, name: "test", user: natsUser, password: natsPassword });
    try {
      await (await jetstreamManager(nc)).streams.purge("CMD_0", { seq: 2 });
    } finally {
      await nc.close();
    }
    assert.deepEqual(await at("0-2-1"), {
      code: 1,
      out: "",
      err:
        "Cannot explain 0-2-1: CMD_0 begins at message 2, and no snapshot leads from there to the execution\n",
    });
  });
});

describe("deno task explain without a venue", () => {
  it("says that none runs there", async () => {
    const store = await Deno.makeTempDir();
    try {
      const { code, out, err } = await explain(["0-1-1", "--store", store]);
      assert.deepEqual([code, out], [1, ""]);
      assert.match(
        err,
        /^Cannot get into a venue by .*operator\.json: no venue runs there; start it with deno task up/,
      );
    } finally {
      await Deno.remove(store);
    }
  });

  it("explains itself", async () => {
    const { code, out } = await explain(["--help"]);
    assert.deepEqual([code, /usage: deno task explain EXECID/.test(out)], [0, true]);
  });
});
