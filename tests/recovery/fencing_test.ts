/**
 * Two writers for one shard, with publishes of the old one still on the wire when the new one claims: EV_0 holds exactly one
 * line of events. And the hazard that makes one publish in flight a rule: with two, the second would pass the fence.
 */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { headers } from "@nats-io/nats-core";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { AckedPublisher, connectNats, type NatsConnection, streamExtent } from "../../shared/nats/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { claimStream } from "../../services/matcher/claim.ts";
import { EventStore } from "../../services/matcher/event_store.ts";
import { openEventStream } from "../../services/matcher/event_stream.ts";
import { readEventTail } from "../../services/matcher/event_tail.ts";
import { assertOneLine, contentOf, eventMessage, Shard } from "../../services/matcher/test_kit.ts";
import { expectedGroups } from "../../services/matcher/test_expected.ts";
import { MatcherProcess } from "../../services/matcher/test_matcher_process.ts";
import { HoldingProxy } from "./holding_proxy.ts";

const CONFIG = fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url));
const EVENTS = "HPUB ev.0.";
const CLAIM = "HPUB ev.0._claim";

describe("two matchers of one shard", () => {
  const venue = loadVenue(CONFIG);
  const instruments = venue.instruments.filter((each) => each.shard === 0);
  let shard: Shard;
  let proxies: HoldingProxy[];
  let processes: MatcherProcess[];
  let flowing: boolean;
  let flow: Promise<number>;

  beforeEach(async () => {
    shard = await Shard.start();
    proxies = [];
    processes = [];
    flowing = true;
    flow = Promise.resolve(0);
  });
  afterEach(async () => {
    flowing = false;
    await flow.catch(() => {});
    for (const each of processes) {
      try {
        each.kill("SIGCONT");
      } catch {
        // It has ended.
      }
      await each.end();
    }
    for (const each of proxies) await each.close();
    await shard.dispose();
  });

  function proxy(): HoldingProxy {
    proxies.push(new HoldingProxy(shard.server.port));
    return proxies.at(-1)!;
  }

  /** A standby or, when nobody leads, a leader. */
  async function matcher(url: string): Promise<MatcherProcess> {
    const process = new MatcherProcess(url, CONFIG, ["--standby"]);
    processes.push(process);
    await process.isReady();
    return process;
  }

  /** Sends crossing orders, a few at a time, until {@link stopFlow}. */
  function startFlow(): void {
    let number = 0;
    flow = (async () => {
      let lastSeq = 0;
      while (flowing) {
        const bytes = shard.batch(3, (command) => {
          number++;
          command.instrumentId = instruments[number % 2].id;
          command.side = 1 + number % 2;
          command.priceTicks = 1000 + number % 3;
          command.qtyLots = 1 + number % 7;
        });
        lastSeq = await shard.send(bytes, instruments[0].symbol);
      }
      return lastSeq;
    })();
  }

  async function stopFlow(): Promise<number> {
    flowing = false;
    return await flow;
  }

  /** EV_0, event by event, is what CMD_0 makes; so is what was sent live, whoever sent it, however often. */
  async function assertOneLineOfEvents(lastSeq: number, claims: number[]): Promise<void> {
    await shard.storedUpTo(lastSeq);
    const stored = await shard.stored();
    const wanted = await expectedGroups(shard.nc, venue);
    assertOneLine(stored.groups, lastSeq);
    assert.deepEqual(stored.groups.map(contentOf), wanted.map(contentOf));
    assert.deepEqual(stored.claims, claims);
    const bodies = new Map(wanted.map((group) => [`${group.cmdSeq} ${group.firstEventIndex}`, group.body]));
    for (const { cmdSeq, firstEventIndex, body } of shard.live) {
      assert.equal(body, bodies.get(`${cmdSeq} ${firstEventIndex}`), `live events of ${cmdSeq}`);
    }
  }

  const epochLive = (epoch: number) => () => shard.live.some((group) => group.epoch === epoch);

  it("one stopped with its publish on the wire, which arrives when the other leads", async () => {
    const wire = proxy();
    const first = await matcher(wire.url);
    await matcher(shard.server.url);
    startFlow();
    await until("a flow", () => shard.live.length > 50);
    wire.hold();
    await wire.holds(EVENTS);
    first.kill("SIGSTOP");
    await until("the other leads", epochLive(2));
    const { lastSeq: before } = await streamExtent(shard.nc, "EV_0");
    await wire.release();
    await until("events behind", async () => (await streamExtent(shard.nc, "EV_0")).lastSeq > before + 20);
    first.kill("SIGCONT");
    assert.equal((await within("the end of the first", first.status)).code, 1);
    await first.end();
    assert.match(first.log, /another matcher wrote EV_0 \d+/);
    await assertOneLineOfEvents(await stopFlow(), [1, 2]);
  });

  it("one cut off, not stopped: it goes on matching, and none of it is stored", async () => {
    const wire = proxy();
    const first = await matcher(wire.url);
    await matcher(shard.server.url);
    startFlow();
    await until("a flow", () => shard.live.length > 50);
    wire.hold();
    await until("the other leads", epochLive(2));
    const live = shard.live.length;
    await until("live events of both", () => shard.live.length > live + 50);
    await wire.release();
    assert.equal((await within("the end of the first", first.status)).code, 1);
    await assertOneLineOfEvents(await stopFlow(), [1, 2]);
  });

  it("one whose publish arrives just before the other's claim: the claim is refused, and the other stands by", async () => {
    const wire = proxy();
    const claims = proxy();
    const first = await matcher(wire.url);
    const second = await matcher(claims.url);
    startFlow();
    await until("a flow", () => shard.live.length > 50);
    claims.hold(CLAIM);
    wire.hold();
    await wire.holds(EVENTS);
    await claims.holds(CLAIM);
    const { lastSeq } = await streamExtent(shard.nc, "EV_0");
    await wire.release();
    await until("it is stored", async () => (await streamExtent(shard.nc, "EV_0")).lastSeq > lastSeq);
    await claims.release();
    await until("the refusal", () => second.log.includes("the leader still writes to EV_0"));
    assert.equal(epochLive(2)(), false);
    await first.end("SIGKILL");
    await until("the other leads", epochLive(2));
    await assertOneLineOfEvents(await stopFlow(), [1, 2]);
  });
});

describe("several publishes in flight", () => {
  let shard: Shard;
  let wire: HoldingProxy;
  let old: NatsConnection;

  beforeEach(async () => {
    shard = await Shard.start();
    wire = new HoldingProxy(shard.server.port);
    old = await connectNats({ url: wire.url, name: "old leader" });
    await claimStream(shard.nc, 0, 1, await readEventTail(shard.nc, 0));
  });
  afterEach(async () => {
    await old.close();
    await wire.close();
    await shard.dispose();
  });

  const claimNext = async () =>
    assert.equal(await claimStream(shard.nc, 0, 2, await readEventTail(shard.nc, 0)), 2);

  it("would put an old leader's second message behind a new leader's claim", async () => {
    // A writer as ours is not: each message names the sequence that it will follow if all goes well.
    const publisher = new AckedPublisher(old);
    const outcomes: string[] = [];
    wire.hold();
    for (const cmdSeq of [1, 2]) {
      const fence = headers();
      fence.set("Nats-Expected-Last-Sequence", String(cmdSeq));
      publisher.publish("ev.0.AAA", eventMessage(cmdSeq), (seq, fault) => {
        outcomes.push(fault === null ? `${cmdSeq} stored at ${seq}` : `${cmdSeq} refused (${fault.code})`);
      }, fence);
    }
    await until("both are on the wire", () => wire.countHeld(EVENTS) === 2);
    await claimNext();
    await wire.release();
    await until("both are answered", () => outcomes.length === 2);
    publisher.close();

    assert.deepEqual(outcomes, ["1 refused (10071)", "2 stored at 3"]);
    const { claims, groups } = await shard.stored();
    assert.deepEqual([claims, groups.map(({ epoch, cmdSeq }) => [epoch, cmdSeq])], [[1, 2], [[1, 2]]]);
    assert.throws(
      () => assertOneLine(groups, 2),
      "command 1's events are gone, and epoch 1 speaks after epoch 2",
    );
  });

  it("cannot be: the second waits for the first's answer, which is the fence", async () => {
    const fates: string[] = [];
    const store = new EventStore({
      shard: 0,
      open: (hooks) => openEventStream(old, 0, hooks),
      lastSeq: 1,
      log: nullLogger,
      onFenced: (error) => fates.push(error.message),
      onFatal: (error) => fates.push(`fatal: ${error.message}`),
      onStored: () => fates.push("stored"),
    });
    wire.hold();
    for (const cmdSeq of [1, 2, 3]) store.store(eventMessage(cmdSeq), "AAA");
    await wire.holds(EVENTS);
    await shard.nc.flush();
    assert.equal(wire.countHeld(EVENTS), 1);
    await claimNext();
    await wire.release();
    await until("the fence", () => fates.length > 0);
    assert.deepEqual(fates, ["Cannot store events: another matcher wrote EV_0 2"]);
    assert.equal((await shard.stored()).groups.length, 0);
    store.close();
  });
});
