import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../shared/cli/log.ts";
import { ensureStreams, streamExtent } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { until } from "../../shared/testing/awaited.ts";
import { mdStream } from "../../shared/protocol/mod.ts";
import { StreamRestorer } from "./stream_restorer.ts";

const VENUE = { shards: [0], limits: { cmdStreamBytes: 2 ** 20, evStreamBytes: 2 ** 20 } };

describe("streams in memory", () => {
  it("are there again after nats-server was killed, also when the first attempts fail", async () => {
    const server = await TestServer.start();
    const nc = await server.connect();
    await ensureStreams(nc, VENUE);
    let attempts = 0;
    let restored = 0;
    const restorer = new StreamRestorer({
      nc,
      ensure: () => ++attempts < 3 ? Promise.reject(new Error("not yet")) : ensureStreams(nc, VENUE),
      onRestored: () => restored++,
      log: nullLogger,
    });
    await nc.request("md.0.ACME.book", "{}");
    assert.equal((await streamExtent(nc, mdStream(0))).lastSeq, 1);
    await server.stop("SIGKILL");
    await server.start();
    await until("the streams are restored", () => restored === 1);
    assert.equal(attempts, 3);
    assert.equal((await streamExtent(nc, mdStream(0))).lastSeq, 0);
    restorer.stop();
    await nc.close();
    await server.dispose();
  });
});
