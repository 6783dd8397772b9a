import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type NatsConnection, watchStatus } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { LeaderWatch } from "./leader_watch.ts";

describe("a watch over the leader", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let leader: NatsConnection;
  let watch: LeaderWatch;
  let told: string[];
  /** Questions that the leader got, and whether it answers. */
  let questions: number;
  let answers: boolean;

  beforeEach(async () => {
    server = await TestServer.start();
    nc = await server.connect("standby");
    leader = await server.connect("leader");
    [told, questions, answers] = [[], 0, true];
  });
  afterEach(async () => {
    watch.stop();
    await nc.close();
    await leader.close();
    await server.dispose();
  });

  async function lead(): Promise<void> {
    leader.subscribe("matcher.0.alive", {
      callback: (_error, message) => {
        questions++;
        if (answers) message.respond("{}");
      },
    });
    await leader.flush();
  }

  function start(graceMs = 100): void {
    watch = new LeaderWatch({
      nc,
      shard: 0,
      askEveryMs: 2,
      graceMs,
      onGone: (why) => told.push(why),
      question: () => "standby",
      onAnswer: () => {},
    });
  }

  it("says at once that nobody listens, and says it once", async () => {
    start();
    await until("it is told", () => told.length > 0);
    for (let i = 0; i < 5; i++) await nc.flush();
    assert.deepEqual(told, ["nobody listens"]);
    watch.again();
    await until("it is told again", () => told.length === 2);
  });

  it("says nothing of a leader that answers", async () => {
    await lead();
    start();
    await until("questions", () => questions > 100);
    assert.deepEqual(told, []);
  });

  it("says that a leader is silent after fifteen questions, not before", async () => {
    await lead();
    start();
    await until("questions", () => questions > 10);
    const before = questions;
    answers = false;
    await until("it is told", () => told.length > 0);
    assert.deepEqual(told, ["it has not answered 15 questions"]);
    assert.ok(questions >= before + 14, `${questions - before} questions`);
  });

  it("says that the leader's connection is gone", async () => {
    await lead();
    start();
    await until("questions", () => questions > 10);
    await leader.close();
    await until("it is told", () => told.length > 0);
    assert.deepEqual(told, ["nobody listens"]);
  });

  it("gives a leader time to come back after the server was away, and no longer", async () => {
    await lead();
    start(300);
    await until("questions", () => questions > 10);
    await leader.close();
    let backMs = 0;
    watchStatus(nc, (type) => {
      if (type === "reconnect") backMs = performance.now();
    });
    await server.stop("SIGKILL");
    told = [];
    watch.again();
    await server.start();
    await until("it is told", () => told.length > 0);
    const afterMs = performance.now() - backMs;
    assert.deepEqual(told, ["nobody listens"]);
    assert.ok(afterMs >= 295, `told ${afterMs} ms after the connection was back`);
  });
});
