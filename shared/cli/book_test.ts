import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { NatsConnection } from "@nats-io/nats-core";
import { jetstream } from "@nats-io/jetstream";
import { ensureStreams } from "../nats/mod.ts";
import { TestServer } from "../nats/test_server.ts";
import type { BookMessage } from "../protocol/market_data.ts";

const SCRIPT = fileURLToPath(new URL("./book.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const BOOK: BookMessage = {
  type: "book",
  symbol: "ACME",
  phase: "continuous",
  seq: 3,
  cmdSeq: 9,
  time: "2026-03-02T09:30:00.000123Z",
  bids: [{ price: "10", qty: "40", orders: 2 }],
  asks: [],
};

/** The command as `deno task book` runs it. */
function command(args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      `--config=${CONFIG}`,
      "--allow-net",
      "--ignore-env",
      SCRIPT,
      ...args,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function run(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await command(args).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

describe("deno task book", () => {
  let server: TestServer;
  let nc: NatsConnection;
  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    await ensureStreams(nc, { shards: [0], limits: { cmdStreamBytes: 1 << 20, evStreamBytes: 1 << 20 } });
    await jetstream(nc).publish("md.0.ACME.book", JSON.stringify(BOOK));
  });
  afterAll(async () => {
    await nc.close();
    await server.dispose();
  });

  it("shows a late joiner the last book and ends with --once", async () => {
    const { code, stdout, stderr } = await run(["ACME", "--nats", server.url, "--once"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "  ACME                                          09:30:00.000 UTC",
      "     price     quantity",
      `${" ".repeat(20)}·`,
      "  ── no spread · no trade yet ──────────────────────────────────",
      "        10           40  ████████████████████  2 orders",
    ]);
  });

  it("hands on the message as it is with --json", async () => {
    const { code, stdout } = await run(["ACME", "--nats", server.url, "--once", "--json"]);
    assert.deepEqual([code, JSON.parse(stdout)], [0, BOOK]);
  });

  it("writes one line per change when the output is no terminal, and ends with SIGINT", async () => {
    const process = command(["ACME", "--nats", server.url]).spawn();
    const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("\n")) text += (await reader.read()).value ?? "";
    nc.publish("md.0.ACME.book", JSON.stringify({ ...BOOK, seq: 4, bids: [] }));
    while (text.split("\n").length < 3) text += (await reader.read()).value ?? "";
    assert.deepEqual(
      text,
      [
        "2026-03-02T09:30:00.000123Z  ACME  bid 40 @ 10  ask -\n",
        "2026-03-02T09:30:00.000123Z  ACME  bid -  ask -\n",
      ].join(""),
    );
    process.kill("SIGINT");
    await reader.cancel();
    await process.stderr.cancel();
    assert.equal((await process.status).code, 0);
  });

  it("shows a late joiner what the auction would trade, then each change of it", async () => {
    const pre = { ...BOOK, symbol: "TULIP", phase: "pre-open" };
    const phase = { type: "phase", symbol: "TULIP", seq: 1, cmdSeq: 9, time: BOOK.time, phase: "pre-open" };
    const known = { ...phase, previous: null, cause: null };
    const auction = { ...known, seq: 2, indicativePrice: "10", indicativeQty: "3" };
    await jetstream(nc).publish("md.0.TULIP.book", JSON.stringify(pre));
    await jetstream(nc).publish("md.0.TULIP.phase", JSON.stringify(auction));
    const process = command(["TULIP", "--nats", server.url]).spawn();
    const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("\n")) text += (await reader.read()).value ?? "";
    nc.publish("md.0.TULIP.phase", JSON.stringify({ ...known, seq: 3 }));
    while (text.split("\n").length < 3) text += (await reader.read()).value ?? "";
    nc.publish("md.0.TULIP.phase", JSON.stringify({ ...known, seq: 4, phase: "continuous" }));
    nc.publish("md.0.TULIP.book", JSON.stringify({ ...pre, phase: "continuous" }));
    while (text.split("\n").length < 4) text += (await reader.read()).value ?? "";
    const lines = ["pre-open  auction: 3 @ 10", "pre-open  auction: no trade", "bid 40 @ 10  ask -"];
    assert.equal(text, lines.map((line) => `${BOOK.time}  TULIP  ${line}\n`).join(""));
    process.kill("SIGINT");
    await reader.cancel();
    await process.stderr.cancel();
    await process.status;
  });

  it("skips what is of another symbol, whatever its subject", async () => {
    const process = command(["ACME", "--nats", server.url, "--json"]).spawn();
    const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    const trade = { type: "trade", tradeId: "0-1-0", price: "1", qty: "1", aggressor: "buy", cmdSeq: 1 };
    const { time } = BOOK;
    for (const message of [{ ...BOOK, symbol: "GIZMO" }, { ...trade, symbol: "GIZMO", time }]) {
      nc.publish("md.0.ACME.book", JSON.stringify(message));
    }
    nc.publish("md.0.ACME.book", JSON.stringify({ ...BOOK, seq: 5 }));
    while (text.split("\n").length < 3) text += (await reader.read()).value ?? "";
    const shown = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(shown.map(({ symbol }) => symbol), ["ACME", "ACME"]);
    process.kill("SIGINT");
    await reader.cancel();
    await process.stderr.cancel();
    await process.status;
  });

  it("ends when nobody reads its output any more", async () => {
    const process = command(["ACME", "--nats", server.url, "--json"]).spawn();
    const reader = process.stdout.getReader();
    await reader.read();
    await reader.cancel();
    const stderr = new Response(process.stderr).text();
    const publishing = setInterval(() => nc.publish("md.0.ACME.book", JSON.stringify(BOOK)), 20);
    try {
      assert.deepEqual([(await process.status).code, await stderr], [0, ""]);
    } finally {
      clearInterval(publishing);
    }
  });

  const rows: [string, () => string[], number, () => string][] = [
    [
      "a symbol that nobody publishes",
      () => ["NOPE", "--nats", server.url],
      1,
      () =>
        `Cannot show the book of NOPE: the venue at ${server.url} does not publish it; it has ACME, TULIP`,
    ],
    [
      "no server",
      () => ["ACME", "--nats", "nats://127.0.0.1:1"],
      1,
      () =>
        "Cannot connect to NATS at nats://127.0.0.1:1: connection refused. " +
        "Start the venue with `deno task up`, or name its NATS URL with --nats",
    ],
    ["no symbol", () => [], 2, () => "Cannot show a book: expected one SYMBOL, got nothing (see --help)"],
    ["a wildcard", () => ["*"], 2, () => 'Cannot show a book: expected a symbol, got "*"'],
    [
      "an unknown option",
      () => ["ACME", "--all"],
      2,
      () => 'Cannot read "--all": there is no such flag (see --help)',
    ],
  ];
  for (const [name, args, code, message] of rows) {
    it(`says what to do about ${name}`, async () => {
      assert.deepEqual(await run(args()), { code, stdout: "", stderr: `${message()}\n` });
    });
  }

  it("explains itself", async () => {
    const { code, stdout } = await run(["--help"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Shows the order book of a symbol.*\n\nUsage: deno task book SYMBOL/);
  });
});
