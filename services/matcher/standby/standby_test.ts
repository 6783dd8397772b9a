import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { streamExtent } from "../../../shared/nats/mod.ts";
import { until, within } from "../../../shared/testing/awaited.ts";
import { FencedError } from "../matcher.ts";
import { TestEngine } from "../test_engine.ts";
import type { Shard } from "../test_kit.ts";
import type { ToldHash } from "./handover_messages.ts";
import { Candidates } from "./test_candidates.ts";

/** An engine whose events differ from its fellows' from command message `from` on. */
class OtherEngine extends TestEngine {
  constructor(readonly from: number) {
    super();
  }

  override applyBatch(...[cmdSeq, ...rest]: Parameters<TestEngine["applyBatch"]>) {
    return super.applyBatch(cmdSeq >= this.from ? cmdSeq + 1 : cmdSeq, ...rest);
  }
}

describe("a standby", () => {
  let all: Candidates;
  let shard: Shard;

  beforeEach(async () => {
    all = await Candidates.start();
    shard = all.shard;
  });
  afterEach(() => all.dispose());

  it("leads when nobody does", async () => {
    for (let i = 0; i < 10; i++) await shard.send(shard.batch());
    const first = await all.add();
    await first.leads;
    await all.assertWhole(10, [1]);
    assert.equal(first.matcher.state().ready, true);
  });

  it("follows without writing, and says how far", async () => {
    await (await all.add()).leads;
    const second = await all.add();
    for (let i = 0; i < 100; i++) await shard.send(shard.batch());
    await all.assertWhole(100, [1]);
    await until(
      "the standby",
      async () => (await all.state()).unstoredBytes === 0 && (await all.state()).cmdSeq === 100,
    );
    const { evSeq } = all.all[0].matcher.state();
    await until("a comparison of state hashes", async () => (await all.state()).agreed?.cmdSeq === 100);
    const { agreed, ...rest } = await all.state();
    assert.deepEqual(rest, { shard: 0, pid: Deno.pid, ready: true, cmdSeq: 100, evSeq, unstoredBytes: 0 });
    const asked = (await shard.nc.request("matcher.0.status", "hash")).json<{ stateHash: string }>();
    assert.equal(agreed!.stateHash, asked.stateHash);
    assert.equal(second.matcher.state().ready, false);
  });

  it("takes over when the leader's connection is gone, with what EV does not hold", async () => {
    const first = await all.add();
    await first.leads;
    const second = await all.add();
    const sent = Array.from({ length: 400 }, (_, i) => {
      // The connection is lost in the middle, with a publish in flight and parts behind it.
      if (i === 200) void first.nc.close();
      return shard.send(shard.batch(2));
    });
    await Promise.all(sent);
    await within("the take-over", second.leads);
    await all.assertWhole(400, [1, 2]);
    assert.deepEqual(second.matcher.state().epoch, 2);
  });

  it("takes over from a leader that goes in good order, again and again", async () => {
    let leader = await all.add();
    await leader.leads;
    for (let epoch = 2; epoch <= 4; epoch++) {
      const next = await all.add();
      await shard.send(shard.batch());
      await leader.matcher.drain(2000);
      await leader.nc.close();
      await within("the take-over", next.leads);
      assert.equal(next.matcher.state().epoch, epoch);
      leader = next;
    }
    await shard.send(shard.batch());
    await all.assertWhole(4, [1, 2, 3, 4]);
  });

  it("waits for a leader that comes back after its server was killed", async () => {
    const first = await all.add();
    await first.leads;
    await all.add();
    await shard.send(shard.batch());
    await shard.storedUpTo(1);
    await shard.server.stop("SIGKILL");
    await shard.server.start();
    await until("the connection is back", () => shard.publisher.connected);
    await until("the leader", () => shard.send(shard.batch()).then(() => true, () => false));
    const { lastSeq } = await streamExtent(shard.nc, "CMD_0");
    await all.assertWhole(lastSeq, [1]);
  });

  it("that differs from what the leader stored ends, and never takes over", async () => {
    const first = await all.add();
    await first.leads;
    const second = await all.add({ engine: new OtherEngine(3) });
    for (let i = 0; i < 5; i++) await shard.storedUpTo(await shard.send(shard.batch()));
    const error = await within("the alarm", second.ended);
    assert.match(String(error), /its events differ from message \d+( of EV_0)?$/);
    await first.matcher.drain(2000);
    await first.nc.close();
    await shard.send(shard.batch());
    assert.deepEqual((await shard.stored()).claims, [1]);
  });

  it("is whom the leader makes state hashes for: while others alone ask whether it leads, it makes none", async () => {
    const told: number[] = [];
    shard.nc.subscribe("matcher.0.hash", {
      callback: (_, message) => void told.push(message.json<ToldHash>().cmdSeq),
    });
    await (await all.add()).leads;
    await shard.nc.request("matcher.0.alive", "");
    for (let i = 0; i < 5000; i++) await shard.send(shard.batch());
    await shard.storedUpTo(5000);
    await shard.send(shard.batch());
    await all.add();
    await all.isReady();
    assert.equal((await all.state()).agreed?.cmdSeq, 5001);
    assert.deepEqual([...new Set(told)], [5001]);
  });

  it("whose state hash differs from the leader's ends", async () => {
    await (await all.add()).leads;
    class OtherHash extends TestEngine {
      override stateHash = () => "other";
    }
    const second = await all.add({ engine: new OtherHash() });
    await shard.send(shard.batch());
    const error = await within("the alarm", second.ended);
    assert.match(
      String(error),
      /^Error: Cannot stand by for shard 0: state hash other behind command message 1, the leader has [0-9a-f]{8}$/,
    );
    await until("nobody stands by", () => all.state().then(() => false, () => true));
  });

  it("one of two takes over, the other follows it", async () => {
    const first = await all.add();
    await first.leads;
    const others = [await all.add(), await all.add()];
    for (let i = 0; i < 50; i++) await shard.send(shard.batch());
    await first.nc.close();
    await within("the take-over", Promise.race(others.map(({ leads }) => leads)));
    for (let i = 0; i < 50; i++) await shard.send(shard.batch());
    await all.assertWhole(100, [1, 2]);
    assert.equal(others.filter(({ matcher }) => matcher.state().ready).length, 1);
    const other = others.find(({ matcher }) => !matcher.state().ready)!;
    await until("the other follows", () => other.matcher.state().cmdSeq === 100);
  });

  it("leads after a hand-over; no command is lost or applied twice", async () => {
    const first = await all.add();
    await first.leads;
    const second = await all.add();
    await all.isReady();
    let sent = 0;
    let running = true;
    const flow = (async () => {
      while (running) sent = await shard.send(shard.batch(2));
    })();
    await until("a flow", () => sent > 20);
    const answer = await all.handOver();
    await second.leads;
    const at = sent;
    await until("a flow", () => sent > at + 20);
    running = false;
    await flow;
    assert.equal(answer.kind, "handed-over", JSON.stringify(answer));
    if (answer.kind === "handed-over") {
      assert.deepEqual([answer.from, answer.to], [1, 2]);
      assert.ok(answer.pausedMs < 1000);
    }
    assert.equal(await first.ended, "handed over");
    await all.assertWhole(sent, [1, 2]);
  });

  it("is what a hand-over needs", async () => {
    const first = await all.add();
    await first.leads;
    assert.deepEqual(await all.handOver(), {
      kind: "refused",
      shard: 0,
      why:
        "no standby follows it (one that was just started needs a few seconds: deno task admin shard status)",
    });
    await shard.send(shard.batch());
    await all.assertWhole(1, [1]);
    assert.equal(first.matcher.state().ready, true);
  });

  it("a leader whose standby does not take over goes on", async () => {
    const first = await all.add();
    await first.leads;
    const answers = (subject: string, answer: unknown) =>
      shard.nc.subscribe(subject, {
        callback: (_error, message) => void message.respond(JSON.stringify(answer)),
      });
    answers("matcher.0.standby", { ready: true, cmdSeq: 0 });
    answers("matcher.0.takeover", { kind: "failed", why: "no" });
    const answer = await all.handOver();
    assert.deepEqual(answer, { kind: "refused", shard: 0, why: "its standby did not take over: no" });
    await shard.send(shard.batch());
    await all.assertWhole(1, [1]);
  });

  it("a leader that was given up finds its next write refused, and ends", async () => {
    const first = await all.add();
    await first.leads;
    const second = await all.add();
    await first.nc.request("matcher.0.takeover");
    await second.leads;
    await shard.send(shard.batch());
    assert.ok(await within("the fence", first.ended) instanceof FencedError);
    await all.assertWhole(1, [1, 2]);
  });
});
