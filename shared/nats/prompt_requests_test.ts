import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/nats-core";
import { until } from "../testing/awaited.ts";
import { ConnectionLostError, isRead } from "./prompt_requests.ts";
import { TestServer } from "./test_server.ts";
import { watchStatus } from "./watch_status.ts";

/** Longer than any test waits: only the loss of the connection can end a request. */
const TIMEOUT_MS = 600_000;

describe("requests of JetStream", () => {
  it("that only read are told from those that change something", () => {
    const reads = [
      "INFO",
      "STREAM.INFO.EV_0",
      "STREAM.NAMES",
      "STREAM.LIST",
      "STREAM.MSG.GET.EV_0",
      "DIRECT.GET.KV_session",
      "DIRECT.GET.MD_0.md.0.ACME.book",
      "CONSUMER.INFO.EV_0.x",
    ];
    const others = [
      "STREAM.CREATE.EV_0",
      "STREAM.UPDATE.EV_0",
      "STREAM.PURGE.EV_0",
      "STREAM.DELETE.EV_0",
      "STREAM.MSG.DELETE.EV_0",
      "CONSUMER.CREATE.EV_0.x",
      "CONSUMER.DELETE.EV_0.x",
      "INFORMED",
      "STREAM.INFORMED.EV_0",
    ];
    assert.deepEqual(reads.filter((each) => !isRead(`$JS.API.${each}`)), []);
    assert.deepEqual(others.filter((each) => isRead(`$JS.API.${each}`)), []);
    assert.deepEqual(["matcher.0.depth", "cmd.0.ACME", "$KV.session.1"].filter(isRead), []);
  });
});

describe("requests on their way when nats-server dies", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let lost: number;
  let attempts: number;
  let stopWatching: () => void;
  beforeEach(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    lost = attempts = 0;
    stopWatching = watchStatus(nc, (type) => {
      if (type === "disconnect") lost++;
      if (type === "reconnecting") attempts++;
    });
    const jsm = await jetstreamManager(nc);
    await jsm.streams.add({ name: "S", subjects: ["s.*"] });
  });
  afterEach(async () => {
    stopWatching();
    await nc.close();
    await server.dispose();
  });

  it("fail at once, as nobody can know whether they were carried out", async () => {
    const other = await server.connect("silent");
    other.subscribe("silent");
    await other.flush();
    const answer = nc.request("silent", "", { timeout: TIMEOUT_MS }).catch((error) => error);
    await nc.flush();
    await server.stop("SIGKILL");
    const error = await answer;
    assert.ok(error instanceof ConnectionLostError);
    assert.equal(error.message, "no answer on silent: the connection was lost");
    await other.close();
    await server.start();
  });

  it("are asked again when they only read, and answered by the server that comes next", async () => {
    await jetstream(nc).publish("s.a", "kept");
    await nc.flush();
    // A stopped server takes the request and does not answer it.
    const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: TIMEOUT_MS });
    server.pause();
    const info = jsm.streams.info("S");
    const message = jsm.streams.getMessage("S", { seq: 1 });
    await server.stop("SIGKILL");
    await until("the loss is seen", () => lost === 1);
    await server.start();
    assert.equal((await info).state.last_seq, 1);
    assert.equal((await message)!.string(), "kept");
  });

  it("fail when they change something, and the caller may look what came of it", async () => {
    server.pause();
    const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: TIMEOUT_MS });
    const purge = jsm.streams.purge("S").catch((error) => error);
    const publish = jetstream(nc, { timeout: TIMEOUT_MS }).publish("s.a", "x").catch((error) => error);
    await server.stop("SIGKILL");
    assert.ok(await purge instanceof ConnectionLostError);
    assert.ok(await publish instanceof ConnectionLostError);
    await server.start();
  });

  it("are made when there is a connection again, whatever they are, if there was none", async () => {
    await server.stop("SIGKILL");
    await until("the loss is seen", () => lost === 1);
    const publish = jetstream(nc).publish("s.a", "x");
    const info = jetstreamManager(nc, { checkAPI: false }).then((jsm) => jsm.streams.info("S"));
    const tried = attempts;
    await until("more attempts to connect", () => attempts > tried + 2);
    await server.start();
    assert.equal((await publish).seq, 1);
    assert.equal((await info).config.name, "S");
  });

  it("fail when there is no connection in time", async () => {
    await server.stop("SIGKILL");
    await until("the loss is seen", () => lost === 1);
    await assert.rejects(nc.request("$JS.API.INFO", "", { timeout: 1 }), ConnectionLostError);
    await server.start();
  });
});
