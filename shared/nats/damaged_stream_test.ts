/** A stream reader on a stream whose blocks were damaged while nats-server was away. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { type JetStreamManager, jetstreamManager, StorageType } from "@nats-io/jetstream";
import { nullLogger } from "../cli/log.ts";
import { until, within } from "../testing/awaited.ts";
import type { NatsConnection } from "./connect.ts";
import { streamExtent } from "./stored_message.ts";
import { StreamReader } from "./stream_reader.ts";
import { TestServer } from "./test_server.ts";

const MESSAGES = 10;

describe("a stream reader on a damaged stream", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let jsm: JetStreamManager;
  let reader: StreamReader | null;

  beforeEach(async () => {
    server = await TestServer.start();
    reader = null;
    await connect();
    await jsm.streams.add({ name: "S", subjects: ["s"], storage: StorageType.File });
    for (let i = 1; i <= MESSAGES; i++) await publish(`message ${i}`);
  });
  afterEach(async () => {
    await reader?.stop();
    await nc.close();
    await server.dispose();
  });

  async function connect(): Promise<void> {
    nc = await server.connect("reader");
    jsm = await jetstreamManager(nc, { timeout: 20_000 });
  }

  async function publish(text: string): Promise<void> {
    await nc.request("s", text);
  }

  /** Changes the one block while the server is away; it believes what it noted about the block before. */
  async function damage(change: (block: Uint8Array) => Uint8Array): Promise<void> {
    await nc.close();
    await server.stop("SIGTERM");
    const path = join(server.store, "jetstream", "$G", "streams", "S", "msgs", "1.blk");
    await Deno.writeFile(path, change(await Deno.readFile(path)));
    await server.start();
    await connect();
    assert.deepEqual(await streamExtent(nc, "S"), { firstSeq: 1, lastSeq: MESSAGES });
  }

  /** Turns a bit over in the texts of these messages. */
  const flipped = (...numbers: number[]) => (block: Uint8Array) => {
    const text = new TextDecoder("latin1").decode(block);
    for (const number of numbers) block[text.indexOf(`message ${number}`) + 3] ^= 1;
    return block;
  };

  function read(startSeq = 1): (number | string)[] {
    const heard: (number | string)[] = [];
    reader = new StreamReader({
      nc,
      stream: "S",
      startSeq,
      heartbeatMs: 100,
      log: nullLogger,
      onMessage: (seq) => void heard.push(seq),
      onMissing: (from, to) => void heard.push(`${from} to ${to} missing`),
      onFatal: (error) => void heard.push(error.message),
    });
    return heard;
  }

  const CASES: readonly (readonly [string, (block: Uint8Array) => Uint8Array, (number | string)[]])[] = [
    ["cut within the last", (block) => block.subarray(0, -3), [
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      9,
      "10 to 10 missing",
    ]],
    ["cut in the middle", (block) => block.subarray(0, block.length >> 1), [
      1,
      2,
      3,
      4,
      5,
      "6 to 10 missing",
    ]],
    ["changed in the last", flipped(10), [1, 2, 3, 4, 5, 6, 7, 8, 9, "10 to 10 missing"]],
    ["changed in the last two", flipped(9, 10), [1, 2, 3, 4, 5, 6, 7, 8, "9 to 10 missing"]],
    ["changed in between", flipped(4, 7), [1, 2, 3, "4 to 4 missing", 5, 6, "7 to 7 missing", 8, 9, 10]],
    ["changed in the first", flipped(1), ["1 to 1 missing", 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ];
  for (const [what, change, expected] of CASES) {
    it(`reports what cannot be read and goes on: ${what}`, async () => {
      await damage(change);
      const heard = read();
      await within("the end", reader!.caughtUp, 10_000);
      assert.deepEqual(heard, expected);
      await publish("one more");
      await until("the next", () => heard.at(-1) === MESSAGES + 1, () => JSON.stringify(heard));
      assert.deepEqual(heard, [...expected, MESSAGES + 1]);
    });
  }

  it("stops when the stream lost its end while the server was away, and was given other messages since", async () => {
    const heard = read();
    await until("all", () => heard.length === MESSAGES);
    await server.stop("SIGKILL");
    const messages = join(server.store, "jetstream", "$G", "streams", "S", "msgs");
    await Deno.remove(join(messages, "index.db")).catch(() => {});
    await Deno.truncate(join(messages, "1.blk"), (await Deno.stat(join(messages, "1.blk"))).size >> 1);
    await server.start();
    // Whoever else is connected may be faster than the reader.
    const other = await server.connect("other");
    const lost = MESSAGES - (await streamExtent(other, "S")).lastSeq;
    assert.ok(lost > 0);
    for (let i = 0; i < lost + 2; i++) await other.request("s", "another");
    await other.close();
    await until("its end", () => typeof heard.at(-1) === "string", () => JSON.stringify(heard));
    assert.match(
      String(heard.at(-1)),
      /^Cannot follow S: its (sequence 10 is another message than was seen before)$|^Cannot follow S: it ends at sequence \d+, but 10 was seen before$/,
    );
  });

  describe("of several blocks", () => {
    const LARGE = 24;
    const BLOCKS: readonly (readonly [string, (first: string, index: string) => Promise<void>, RegExp])[] = [
      ["without its first", (first) => Deno.remove(first), /^1 to 1?\d missing,1?\d(,\d+)*,34$/],
      [
        "without its first and its index",
        async (first, index) => {
          await Deno.remove(first);
          await Deno.remove(index);
        },
        /^1 to 1?\d missing,1?\d(,\d+)*,34$/,
      ],
      [
        "with a bit changed in its first, and without its index",
        async (first, index) => {
          const bytes = await Deno.readFile(first);
          bytes[new TextDecoder("latin1").decode(bytes.subarray(0, 2000)).indexOf("message 5") + 3] ^= 1;
          await Deno.writeFile(first, bytes);
          await Deno.remove(index);
        },
        /^1,2,3,4,5 to 1?\d missing,1?\d(,\d+)*,34$/,
      ],
    ];
    for (const [what, change, says] of BLOCKS) {
      it(`reports what an early one has lost: ${what}`, async () => {
        for (let i = 0; i < LARGE; i++) await publish("x".repeat(1_000_000));
        await nc.close();
        await server.stop("SIGTERM");
        const messages = join(server.store, "jetstream", "$G", "streams", "S", "msgs");
        const blocks = (await Array.fromAsync(Deno.readDir(messages))).map(({ name }) => name)
          .filter((name) => name.endsWith(".blk")).sort((a, b) => parseInt(a) - parseInt(b));
        assert.ok(blocks.length >= 3, blocks.join());
        await change(join(messages, blocks[0]), join(messages, "index.db"));
        await server.start();
        await connect();
        const heard = read();
        await within("the end", reader!.caughtUp, 10_000);
        assert.match(heard.join(), says);
      });
    }
  });

  it("says nothing of a message that is only slow to come", async () => {
    const heard = read(MESSAGES + 1);
    let heartbeats = 0;
    nc.subscribe("_INBOX.>", {
      callback: (_error, { headers }) => void (headers?.code === 100 && heartbeats++),
    });
    await until("heartbeats with nothing between", () => heartbeats >= 3);
    assert.deepEqual(heard, []);
    await publish("one more");
    await until("it", () => heard.length === 1);
  });
});
