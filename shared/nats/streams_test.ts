import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type JetStreamManager, jetstreamManager, PersistMode, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { NatsConnection } from "./connect.ts";
import { ensureStreams, streamSettings, type StreamVenue } from "./streams.ts";
import { TestServer } from "./test_server.ts";

const MIB = 1024 * 1024;

function venue(cmdStreamBytes = 8 * MIB, shards = [0, 3]): StreamVenue {
  return { shards, limits: { cmdStreamBytes, evStreamBytes: 16 * MIB } };
}

describe("ensuring the streams of a venue", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let jsm: JetStreamManager;

  beforeEach(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    jsm = await jetstreamManager(nc);
  });
  afterEach(async () => {
    await nc.close();
    await server.dispose();
  });

  it("creates each with its settings, and the reference bucket", async () => {
    await ensureStreams(nc, venue());
    for (const settings of streamSettings(venue())) {
      const { config } = await jsm.streams.info(settings.name);
      const asked = Object.fromEntries(Object.keys(settings).map((key) => [key, config[key as "name"]]));
      assert.deepEqual(asked, settings);
    }
    const names = [];
    for await (const { config } of jsm.streams.list()) names.push(config.name);
    assert.deepEqual(names.sort(), ["CMD_0", "CMD_3", "EV_0", "EV_3", "KV_ref", "MD_0", "MD_3"]);
    await (await new Kvm(nc).open("ref")).put("k", "v");
  });

  it("may run twice, and by several at once", async () => {
    await Promise.all([ensureStreams(nc, venue()), ensureStreams(nc, venue()), ensureStreams(nc, venue())]);
    await ensureStreams(nc, venue());
  });

  it("refuses commands when they are full, and never lets one be deleted", async () => {
    await ensureStreams(nc, venue(4096));
    const answer = () => nc.request("cmd.0.X", new Uint8Array(1500)).then((msg) => msg.json());
    assert.deepEqual(await answer(), { stream: "CMD_0", seq: 1 });
    assert.deepEqual(await answer(), { stream: "CMD_0", seq: 2 });
    const { error } = await answer() as { error: { description: string } };
    assert.equal(error.description, "maximum bytes exceeded");
    await assert.rejects(jsm.streams.deleteMessage("CMD_0", 1), /message delete not permitted/);
  });

  it("updates a limit that may change", async () => {
    await ensureStreams(nc, venue(8 * MIB));
    await ensureStreams(nc, venue(9 * MIB));
    assert.equal((await jsm.streams.info("CMD_0")).config.max_bytes, 9 * MIB);
  });

  it("refuses a limit below what is stored", async () => {
    await ensureStreams(nc, venue(8 * MIB));
    await nc.request("cmd.0.X", new Uint8Array(5000));
    await assert.rejects(
      ensureStreams(nc, venue(4096)),
      /^Error: Cannot limit stream CMD_0 to max_bytes 4096: it holds 50\d\d bytes already$/,
    );
  });

  it("refuses a stream of another make by naming the setting", async () => {
    await jsm.streams.add({ name: "EV_0", subjects: ["ev.0.*"], storage: StorageType.Memory });
    await assert.rejects(
      ensureStreams(nc, venue()),
      /^Error: Cannot use stream EV_0: storage must be "file", got "memory";/,
    );
  });

  it("refuses a stream that acknowledges what is not written yet", async () => {
    await jsm.streams.add({ ...streamSettings(venue())[0], persist_mode: PersistMode.Async });
    await assert.rejects(
      ensureStreams(nc, venue()),
      /^Error: Cannot use stream CMD_0: persist_mode must be "default", got "async", which/,
    );
  });

  it("refuses when a foreign stream takes the subjects", async () => {
    await jsm.streams.add({ name: "OTHER", subjects: ["cmd.>"], storage: StorageType.Memory });
    await assert.rejects(
      ensureStreams(nc, venue()),
      /^Error: Cannot create stream CMD_0: subjects overlap with an existing stream$/,
    );
  });
});
