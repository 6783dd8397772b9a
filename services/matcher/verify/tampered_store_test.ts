import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeClaim } from "../../../shared/codec/wire/mod.ts";
import { streamExtent } from "../../../shared/nats/mod.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { cmdStream, evStream } from "../../../shared/protocol/mod.ts";
import { Engine } from "../engine/mod.ts";
import { eventMessage, Shard } from "../test_kit.ts";
import { INSTRUMENTS, LIMITS, startMatcher, trade, verdictOn } from "./test_market.ts";
import { verdictText } from "./print.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const MESSAGES = 60;

describe(`the verifier over streams that were tampered with, seed ${SEED}`, () => {
  let shard: Shard;

  beforeEach(async () => {
    shard = await Shard.start();
    const matcher = await startMatcher(shard, new Engine({ shard: 0, instruments: INSTRUMENTS, ...LIMITS }));
    await trade(shard, MESSAGES, SEED);
    await matcher.end();
  });
  afterEach(() => shard.dispose());

  const FORGERIES: readonly (readonly [string, Uint8Array, RegExp])[] = [
    [
      "a claim of an epoch that has been",
      encodeClaim(0, 1, MESSAGES, 0),
      /^it claims .* epoch 1 after epoch 1$/,
    ],
    [
      "a claim from another place",
      encodeClaim(0, 2, 3, 0),
      /^it claims .* command 4 on, but event 0 of command 61/,
    ],
    [
      "a group out of line",
      eventMessage(7),
      /^it goes on with event 0 of command 7, but event 0 of command 61/,
    ],
    [
      "events of a command that is not there",
      eventMessage(MESSAGES + 1),
      /CMD_0, which ends at 60, does not hold$/,
    ],
    ["another shard's claim", encodeClaim(3, 2, MESSAGES, 0), /^it is of shard 3$/],
    ["what is no event message", new Uint8Array(50), /^it is unreadable: bad magic$/],
  ];
  for (const [name, bytes, what] of FORGERIES) {
    it(`finds ${name} in EV_0`, async () => {
      const before = await streamExtent(shard.nc, evStream(0));
      await shard.nc.request("ev.0.AAA", bytes);
      const { difference } = await verdictOn(shard);
      assert.match(difference?.what ?? "no difference", what);
      assert.equal(difference!.evSeq, before.lastSeq + 1);
    });
  }

  it("finds a group that was written under an epoch that another claim has ended", async () => {
    await shard.send(shard.batch());
    await shard.nc.request("ev.0._claim", encodeClaim(0, 2, MESSAGES, 0));
    await shard.nc.request("ev.0.AAA", eventMessage(MESSAGES + 1));
    const { difference } = await verdictOn(shard);
    assert.equal(difference?.what, "it is of epoch 1, but epoch 2 has claimed the stream");
  });

  describe("on a damaged store", () => {
    /** Stops the server, lets `damage` loose on the last block of a stream, and starts it again. */
    async function damaged(stream: string, damage: (path: string) => Promise<void>): Promise<void> {
      await shard.server.stop("SIGKILL");
      const folder = join(shard.server.store, "jetstream", "$G", "streams", stream, "msgs");
      const blocks: string[] = [];
      for await (const { name } of Deno.readDir(folder)) {
        if (name.endsWith(".blk")) blocks.push(name);
        if (name === "index.db") await Deno.remove(join(folder, name));
      }
      await damage(join(folder, blocks.sort((a, b) => parseInt(a) - parseInt(b)).at(-1)!));
      await shard.server.start();
      await until("the connection is back", () => shard.nc.flush().then(() => true, () => false));
    }
    const cut = async (path: string) => await Deno.truncate(path, (await Deno.stat(path)).size - 100);

    it("takes an EV_0 whose tail is cut for one that is behind", async () => {
      await damaged(evStream(0), cut);
      const verdict = await verdictOn(shard);
      assert.equal(verdict.difference, null, verdictText(verdict));
      assert.ok(verdict.tail > 0, verdictText(verdict));
    });

    it("names the first command that a CMD_0 whose tail is cut has lost", async () => {
      await damaged(cmdStream(0), cut);
      const { lastSeq } = await streamExtent(shard.nc, cmdStream(0));
      assert.ok(lastSeq < MESSAGES);
      const { difference } = await verdictOn(shard);
      assert.equal(difference?.cmdSeq, lastSeq + 1);
      assert.match(
        difference.what,
        /^EV_0 holds events of a command that CMD_0, which ends at \d+, does not hold$/,
      );
    });

    it("never takes a flipped bit in the middle of EV_0 for a good store", async () => {
      await damaged(evStream(0), async (path) => {
        const bytes = await Deno.readFile(path);
        bytes[bytes.length >> 1] ^= 4;
        await Deno.writeFile(path, bytes);
      });
      const { lastSeq } = await streamExtent(shard.nc, evStream(0));
      const verdict = await verdictOn(shard);
      const whole = verdict.difference === null && verdict.tail === 0;
      assert.ok(!whole, `EV_0 ends at ${lastSeq}: ${verdictText(verdict)}`);
    });
  });
});
