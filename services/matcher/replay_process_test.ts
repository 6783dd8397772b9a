/** A matcher process on a store whose events are not what its commands give: it ends, for good, whatever it ends with. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { jetstreamManager } from "@nats-io/jetstream";
import { EXIT_CONFIG } from "../../shared/cli/service_process.ts";
import { EVENT_HEADER_BYTES, GROUP_HEADER_BYTES } from "../../shared/codec/wire/mod.ts";
import { storedMessage, streamExtent } from "../../shared/nats/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { Shard } from "./test_kit.ts";
import { MatcherProcess } from "./test_matcher_process.ts";

const CONFIG = fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url));
const MESSAGES = 40;

describe("a matcher process", () => {
  let shard: Shard;
  let processes: MatcherProcess[];

  beforeEach(async () => {
    shard = await Shard.start();
    processes = [];
    const matcher = await spawn();
    for (let i = 0; i < MESSAGES; i++) await shard.storedUpTo(await shard.send(shard.batch()));
    assert.equal(await matcher.end("SIGTERM"), 0);
  });
  afterEach(async () => {
    for (const each of processes) await each.end();
    await shard.dispose();
  });

  async function spawn(): Promise<MatcherProcess> {
    const process = new MatcherProcess(shard.server.url, CONFIG);
    processes.push(process);
    await process.isReady();
    return process;
  }

  /** Alters one bit of message `seq` of EV_0. */
  async function alter(seq: number): Promise<void> {
    const { nc } = shard;
    const { lastSeq } = await streamExtent(nc, "EV_0");
    const all = [];
    for (let at = 1; at <= lastSeq; at++) all.push((await storedMessage(nc, "EV_0", at))!);
    all[seq - 1].bytes[EVENT_HEADER_BYTES + GROUP_HEADER_BYTES + 20] ^= 1;
    const jsm = await jetstreamManager(nc);
    const { config } = await jsm.streams.info("EV_0");
    await jsm.streams.delete("EV_0");
    await jsm.streams.add(config);
    for (const { subject, bytes } of all) await nc.request(subject, bytes);
  }

  it("says how much of its replay it has compared, all of it", async () => {
    const again = await spawn();
    await until("the comparison", () => again.log.includes("replay compared"), () => again.log);
    const said = again.log.split("\n").find((line) => line.includes("replay compared"))!;
    const { msg, after, cmdSeq, compared, notHeld } = JSON.parse(said);
    assert.deepEqual([msg, after, cmdSeq, compared, notHeld], [
      "replay compared with the events that were stored",
      0,
      MESSAGES,
      MESSAGES,
      0,
    ]);
    assert.equal(await again.end("SIGTERM"), 0);
  });

  it("ends when one event in the middle is another, and is not to be started again", async () => {
    await alter(20);
    const again = await spawn();
    assert.equal((await within("its end", again.status)).code, EXIT_CONFIG);
    await again.end();
    assert.match(
      again.log,
      /"Cannot go on at CMD_0 sequence 19: its events differ from EV_0 sequence 20"/,
    );
  });
});
