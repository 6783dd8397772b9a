/** The wall clock is set while clients connect: nothing that takes a while may notice. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type NetClock, systemClock } from "./clock.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { Bench, LOGON } from "./fixture.ts";

/** Both clocks stand still until they are moved; timers ring when told. */
class HandClock implements NetClock {
  wall = Date.now();
  monotonic = 0;
  readonly within = systemClock.within;
  readonly #ticks = new Set<() => void>();

  wallMs(): number {
    return this.wall;
  }

  monotonicMs(): number {
    return this.monotonic;
  }

  every(_intervalMs: number, tick: () => void): () => void {
    this.#ticks.add(tick);
    return () => this.#ticks.delete(tick);
  }

  ring(): void {
    for (const tick of this.#ticks) tick();
  }
}

describe("a wall clock that is set", () => {
  it("neither hastens nor postpones the end of a connection without a Logon", async () => {
    const clock = new HandClock();
    const bench = await Bench.start({ logonTimeoutSec: 10 }, clock);
    try {
      await bench.connect();
      await until("the connection", () => bench.acceptor.connectionCount === 1);
      clock.wall += 1_000_000;
      clock.ring();
      clock.wall -= 2_000_000;
      clock.monotonic = 9_999;
      clock.ring();
      assert.deepEqual(bench.reasons, []);
      clock.monotonic = 10_000;
      clock.ring();
      assert.deepEqual(bench.reasons, ["no Logon in 10 s (logonTimeoutSec)"]);
    } finally {
      await bench.stop();
    }
  });

  it("does not forgive Logons of an address, nor remember them longer", async () => {
    const clock = new HandClock();
    const bench = await Bench.start({ logonsPerMinutePerAddress: 1 }, clock);
    try {
      const attempt = async () => {
        const peer = await bench.connect();
        await peer.send(LOGON.replace("secret", "guess"));
        assert.deepEqual(await peer.receive(1), []);
      };
      await attempt();
      clock.wall += 40_000;
      await attempt();
      clock.wall -= 80_000;
      clock.monotonic = 60_000;
      await attempt();
      assert.deepEqual(bench.reasons, [
        "wrong Username(553) or Password(554)",
        "more than 1 Logons in a minute from this address (logonsPerMinutePerAddress)",
        "wrong Username(553) or Password(554)",
      ]);
    } finally {
      await bench.stop();
    }
  });
});
