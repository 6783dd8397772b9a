import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { aliveSubject, matcherStatusSubject, standbySubject } from "../../shared/protocol/mod.ts";
import { shardStatus } from "./shards.ts";

const NOBODY = { shard: 0, leader: null, standby: null };

describe("the status of a shard", () => {
  let server: TestServer;
  let operator: NatsConnection;
  let matcher: NatsConnection;
  beforeEach(async () => {
    server = await TestServer.start();
    operator = await server.connect("operator");
    matcher = await server.connect("matcher");
  });
  afterEach(async () => {
    await operator.close();
    await matcher.close();
    await server.dispose();
  });

  it("names who leads and who stands by, and says who is not there", async () => {
    assert.deepEqual(await shardStatus(operator, 0), NOBODY);
    const answer = (subject: string, answered: unknown) =>
      matcher.subscribe(subject, { callback: (_, msg) => void msg.respond(JSON.stringify(answered)) });
    answer(aliveSubject(0), { pid: 7, epoch: 3 });
    answer(matcherStatusSubject(0), { cmdSeq: 12 });
    await matcher.flush();
    const leader = { pid: 7, epoch: 3, cmdSeq: 12 };
    assert.deepEqual(await shardStatus(operator, 0), { shard: 0, leader, standby: null });
    answer(standbySubject(0), { pid: 8, ready: true, cmdSeq: 10 });
    await matcher.flush();
    const standby = { pid: 8, ready: true, cmdSeq: 10, behind: 2 };
    assert.deepEqual(await shardStatus(operator, 0), { shard: 0, leader, standby });
  });

  it("knows of nobody when nats-server dies while it is asked for", async () => {
    const asked = Promise.withResolvers<void>();
    matcher.subscribe(aliveSubject(0), { callback: () => asked.resolve() });
    await matcher.flush();
    const status = shardStatus(operator, 0);
    await asked.promise;
    await server.stop("SIGKILL");
    assert.deepEqual(await status, NOBODY);
  });
});
