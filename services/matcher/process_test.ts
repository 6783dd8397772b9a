/**
 * The matcher as a process with its real engine: killed, paused, doubled and cut from its server under load. What
 * EV_0 holds afterwards is compared byte for byte with what an engine here makes of CMD_0.
 */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Command } from "../../shared/codec/wire/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { CommandKind, Side } from "../../shared/protocol/mod.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { expectedGroups } from "./test_expected.ts";
import { MatcherProcess } from "./test_matcher_process.ts";
import { assertOneLine, contentOf, Shard } from "./test_kit.ts";

const CONFIG = fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url));
const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));

describe("a matcher process", () => {
  const venue = loadVenue(CONFIG);
  const instruments = venue.instruments.filter((each) => each.shard === 0);
  let shard: Shard;
  let processes: MatcherProcess[];

  beforeEach(async () => {
    shard = await Shard.start();
    processes = [];
  });
  afterEach(async () => {
    for (const each of processes) {
      try {
        each.kill("SIGCONT");
      } catch {
        // It has ended.
      }
      await each.end();
    }
    await shard.dispose();
  });

  function spawn(): MatcherProcess {
    const process = new MatcherProcess(shard.server.url, CONFIG);
    processes.push(process);
    return process;
  }

  const random = new SeededRandom(SEED);
  const below = (limit: number) => random.below(limit);

  /** Orders on both sides around one price, so that most trade, and some cancels of unknown orders. */
  function order(command: Command): void {
    const instrument = instruments[below(instruments.length)];
    command.instrumentId = instrument.id;
    command.side = below(2) === 0 ? Side.Buy : Side.Sell;
    command.priceTicks = 1000 + below(5);
    command.qtyLots = 1 + below(20);
    command.firmId = command.sessionId = 1 + below(2);
    if (below(10) === 0) {
      command.kind = CommandKind.CancelOrder;
      command.origClOrdId.setText(`order-${below(5000)}`);
    }
  }

  /** Sends one message after the other, up to 20 unanswered, until told to stop. Returns how many CMD_0 took. */
  function load(): () => Promise<number> {
    let running = true;
    let lastSeq = 0;
    const done = (async () => {
      while (running) {
        while (shard.publisher.connected && shard.publisher.inFlight < 20) {
          shard.send(shard.batch(1 + below(4), order), instruments[below(2)].symbol)
            .then((seq) => lastSeq = Math.max(lastSeq, seq), () => running = false);
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await until("answers", () => shard.publisher.inFlight === 0);
      return lastSeq;
    })();
    return () => {
      running = false;
      return done;
    };
  }

  async function assertExact(lastSeq: number): Promise<number[]> {
    await shard.storedUpTo(lastSeq);
    const { claims, groups } = await shard.stored();
    assertOneLine(groups, lastSeq);
    assert.deepEqual(groups.map(contentOf), (await expectedGroups(shard.nc, venue)).map(contentOf));
    return claims;
  }

  it(`killed again and again under load leaves one line of events (seed ${SEED})`, async () => {
    const stop = load();
    for (let life = 1; life <= 4; life++) {
      const matcher = spawn();
      await matcher.isReady();
      assert.equal(matcher.ready!.epoch, life);
      const live = shard.live.length;
      await until("events", () => shard.live.length > live + 200 + below(500));
      await matcher.end("SIGKILL");
    }
    const lastSeq = await stop();
    const last = spawn();
    await last.isReady();
    assert.deepEqual(await assertExact(lastSeq), [1, 2, 3, 4, 5]);
    assert.equal(await last.end("SIGTERM"), 0);
  });

  it(`whose server is killed under load stores every event once (seed ${SEED})`, async () => {
    const matcher = spawn();
    await matcher.isReady();
    for (let round = 0; round < 2; round++) {
      const stop = load();
      const live = shard.live.length;
      await until("events", () => shard.live.length > live + 300);
      await shard.server.stop("SIGKILL");
      await stop().catch(() => {});
      await shard.server.start();
      await until("the connection is back", () => shard.publisher.connected);
    }
    // The gateway sends again what it does not know to be stored; the engine drops what it has seen.
    const lastSeq = await shard.send(shard.batch(1, order));
    assert.deepEqual(await assertExact(lastSeq), [1]);
    assert.equal(await matcher.end("SIGTERM"), 0, matcher.log);
  });

  it("paused while another takes over stops when it wakes, without having written", async () => {
    const stop = load();
    const first = spawn();
    await first.isReady();
    await until("events", () => shard.live.length > 200);
    first.kill("SIGSTOP");
    const second = spawn();
    await second.isReady();
    const live = shard.live.length;
    first.kill("SIGCONT");
    assert.equal((await first.status).code, 1);
    await first.end();
    assert.match(first.log, /another matcher wrote EV_0 \d+/);
    await until("events", () => shard.live.length > live + 200);
    assert.deepEqual(await assertExact(await stop()), [1, 2]);
    assert.equal(await second.end("SIGTERM"), 0);
  });

  it("started beside a leader ends with 1 and says why", async () => {
    const first = spawn();
    await first.isReady();
    const second = spawn();
    assert.equal((await second.status).code, 1);
    await second.end();
    assert.match(second.log, /Cannot lead shard 0: another matcher leads it/);
    assert.equal(first.ready!.epoch, 1);
  });

  it("stores what it has applied before it ends on SIGTERM", async () => {
    const matcher = spawn();
    await matcher.isReady();
    const stop = load();
    await until("events", () => shard.live.length > 500);
    assert.equal(await matcher.end("SIGTERM"), 0);
    await stop();
    const { groups } = await shard.stored();
    assert.deepEqual(groups, shard.live);
  });
});
