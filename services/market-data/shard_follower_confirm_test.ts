import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { connectNats } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import type { Clock } from "./conflated_publisher.ts";
import { type CopyPlace, START } from "./copy_place.ts";
import { acceptedOf } from "./test_events.ts";
import { Bench, Subscriber } from "./test_venue.ts";
import { LossyProxy, Watch } from "./test_watch.ts";

const fail = (error: Error) => {
  throw error;
};

/** A clock whose timers go off when told. */
class ManualClock implements Clock {
  #timers = new Set<() => void>();

  nowMs(): number {
    return performance.now();
  }

  after(_delayMs: number, action: () => void): () => void {
    this.#timers.add(action);
    return () => this.#timers.delete(action);
  }

  fire(): void {
    const due = [...this.#timers];
    this.#timers.clear();
    for (const action of due) action();
  }
}

describe("What a ShardFollower takes for confirmed", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.dispose());

  it("never holds copies that went down with a connection, though the next one answers", async () => {
    const bench = await Bench.start(server);
    const proxy = new LossyProxy(server.port);
    const nc = await connectNats({ url: proxy.url, name: "market-data" });
    const clock = new ManualClock();
    const stored: [number, boolean][] = [];
    const watch = new Watch();
    const positions = {
      load: () => Promise.resolve(START),
      store({ evSeq }: CopyPlace) {
        stored.push([evSeq, proxy.passed.includes(`"C${evSeq}"`)]);
        watch.changed();
        return Promise.resolve();
      },
    };
    const follower = bench.follower(nc, positions, fail, clock);
    const watcher = new Subscriber(bench.matcher);
    await follower.start();
    await bench.write([acceptedOf("C1", 4096)]);
    await watcher.until("the first copy came", () => watcher.clOrdIds.includes("C1"));
    clock.fire();
    await watch.until("its position was stored", () => stored.length === 1);

    const loseConnectionWith = async (clOrdId: string) => {
      proxy.loseUpstream();
      await bench.write([acceptedOf(clOrdId, 4096 * bench.evSeq)]);
      await proxy.until("the copy was lost", () => proxy.lost.includes(`"${clOrdId}"`));
      const held = proxy.held;
      proxy.hold();
      proxy.cut();
      await proxy.until("the next connection hangs", () => proxy.held > held);
    };
    await loseConnectionWith("C2");
    clock.fire();
    proxy.release();
    await watcher.until("the lost copy came", () => watcher.clOrdIds.includes("C2"));
    clock.fire();
    await watch.until("its position was stored", () => stored.length === 2);

    await loseConnectionWith("C3");
    const stopping = follower.stop();
    proxy.release();
    await stopping;
    assert.deepEqual(stored, [[1, true], [2, true]]);
    await nc.close();
    await proxy.close();
    await bench.matcher.close();
  });
});
