import assert from "node:assert/strict";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { createLogger, nullLogger } from "../../shared/cli/log.ts";
import { DEFAULT_POLICY, Service } from "../supervisor/service.ts";
import { type NatsAddress, natsService, parseNatsLine } from "./server.ts";

const EXECUTABLE = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server";
const READER = { user: "reader", pass: "reader" };
const CREDENTIALS = { user: "svc", password: 'a "quoted" $password' };

/** Subscribes to everything public and then never reads: what is sent to it piles up in nats-server. */
async function deafGuest(url: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  const socket = await Deno.connect({ hostname, port: Number(port) });
  await socket.write(new TextEncoder().encode('CONNECT {"verbose":false}\r\nSUB md.> 1\r\nPING\r\n'));
  let text = "";
  const piece = new Uint8Array(4096);
  while (!text.includes("PONG")) {
    text += new TextDecoder().decode(piece.subarray(0, await socket.read(piece) ?? 0));
  }
  return socket;
}

function build(dir: string, port = 0, log = nullLogger): { service: Service; address: () => NatsAddress } {
  const { spec, address } = natsService({
    executable: EXECUTABLE,
    dir,
    host: "127.0.0.1",
    port,
    wsPort: 0,
    shards: [0],
    ...CREDENTIALS,
    logLevel: "error",
    drainMs: 5000,
  });
  const quiet = { ...spec, output: { ...spec.output, log } };
  return { service: new Service(quiet, DEFAULT_POLICY, nullLogger, () => {}), address };
}

describe("nats-server under supervision", () => {
  let dir: string;
  let nats: ReturnType<typeof build>;
  let owner: NatsConnection;
  let guest: NatsConnection;
  const warnings: string[] = [];

  beforeAll(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-nats-" });
    const log = createLogger("nats", "warn", { write: (line) => void warnings.push(line), now: () => 0 });
    nats = build(join(dir, "s"), 0, log);
    await nats.service.start();
    const { url } = nats.address();
    owner = await connect({
      servers: url,
      user: CREDENTIALS.user,
      pass: CREDENTIALS.password,
      reconnect: false,
    });
    guest = await connect({ servers: url, reconnect: false });
    const jsm = await jetstreamManager(owner);
    const streams = [["CMD_0", "cmd.0.>"], ["EV_0", "ev.0.>"], ["MD_0", "md.0.>"], ["FIX_OUT", "fix.out.*"]];
    for (const [name, subject] of streams) {
      await jsm.streams.add({ name, subjects: [subject], allow_direct: true });
    }
    await jetstream(owner).publish("md.0.ACME.book", "last");
    await jetstream(owner).publish("ev.0.ACME", "event");
  });
  afterAll(async () => {
    await guest.close();
    await owner.close();
    await nats.service.stop();
    await Deno.remove(dir, { recursive: true });
  });

  const stored = async (stream: string) =>
    (await (await jetstreamManager(owner)).streams.info(stream)).state.messages;

  it("shows guests what is published to them", async () => {
    for (const subject of ["md.0.ACME.trade", "drop.ALPHA", "ev.0.ACME2"]) {
      const subscription = guest.subscribe(subject, { max: 1, timeout: 5000 });
      await guest.flush();
      owner.publish(subject, "hello");
      for await (const message of subscription) assert.equal(message.string(), "hello");
    }
  });

  it("hides commands and what the matcher sends to gateways from guests' subscriptions", async () => {
    const seen: string[] = [];
    const callback = (_: unknown, message: { subject: string }) => void seen.push(message.subject);
    const subscriptions = [">", "live.>", "live.0"].map((subject) => guest.subscribe(subject, { callback }));
    await guest.flush();
    await jetstream(owner).publish("cmd.0.ACME", "secret");
    owner.publish("live.0", "secret");
    owner.publish("md.0.ACME.trade", "end");
    await owner.flush();
    await guest.flush();
    for (const subscription of subscriptions) subscription.unsubscribe();
    assert.deepEqual(seen, ["md.0.ACME.trade"]);
  });

  it("never lets a publisher wait for a guest that does not read", async () => {
    const socket = await deafGuest(nats.address().url);
    try {
      // More than nats-server keeps for one connection (64 MiB) and the kernel's buffers together.
      const payload = new Uint8Array(256 * 1024);
      for (let sent = 0; sent < 512; sent++) {
        owner.publish("md.9.ACME.trade", payload);
        await owner.flush();
      }
      assert.deepEqual(warnings.filter((line) => /stalled/.test(line)), []);
    } finally {
      socket.close();
    }
  });

  it("lets guests read events and market data", async () => {
    const jsm = await jetstreamManager(guest, { checkAPI: false });
    assert.equal((await jsm.direct.getMessage("MD_0", { last_by_subj: "md.0.ACME.book" }))?.string(), "last");
    assert.equal((await jsm.streams.getMessage("EV_0", { seq: 1 }))?.string(), "event");
    assert.equal((await jsm.streams.info("EV_0")).config.name, "EV_0");
  });

  it("lets guests read no command and nothing of FIX sessions", async () => {
    await jetstream(owner).publish("cmd.0.ACME", "secret");
    await jetstream(owner).publish("fix.out.1", "secret");
    for (const [stream, subject] of [["CMD_0", "cmd.0.ACME"], ["FIX_OUT", "fix.out.1"]]) {
      for (
        const request of [
          `STREAM.MSG.GET.${stream}`,
          `DIRECT.GET.${stream}`,
          `DIRECT.GET.${stream}.${subject}`,
        ]
      ) {
        const payload = request.endsWith(subject) ? "" : '{"seq":1}';
        await assert.rejects(
          guest.request(`$JS.API.${request}`, payload, { timeout: 2000 }),
          /Permissions Violation|no responders/i,
          request,
        );
        await owner.request(`$JS.API.${request}`, payload, { timeout: 2000 });
      }
    }
  });

  it("lets nothing that a guest publishes into a stream, neither directly nor as the answer to a request", async () => {
    const before = [await stored("CMD_0"), await stored("EV_0"), await stored("MD_0")];
    for (const subject of ["cmd.0.ACME", "ev.0.ACME", "md.0.ACME.book"]) {
      guest.publish(subject, "forged");
      guest.publish("$JS.API.INFO", "", { reply: subject });
      guest.publish("$JS.API.STREAM.INFO.EV_0", "", { reply: subject });
      guest.publish("$JS.API.DIRECT.GET.MD_0", '{"last_by_subj":"md.0.ACME.book"}', { reply: subject });
    }
    await guest.flush();
    await (await jetstreamManager(guest, { checkAPI: false })).streams.info("EV_0");
    await owner.flush();
    assert.deepEqual([await stored("CMD_0"), await stored("EV_0"), await stored("MD_0")], before);
  });

  it("lets a guest put a stored message before other guests, as nothing of nats-server's forbids, but not before readers", async () => {
    const { url } = nats.address();
    const [other, reader] = [
      await connect({ servers: url, reconnect: false }),
      await connect({ servers: url, reconnect: false, ...READER }),
    ];
    try {
      const seen: Record<string, string[]> = { other: [], reader: [] };
      for (const [name, nc] of [["other", other], ["reader", reader]] as const) {
        nc.subscribe("md.>", {
          callback: (_, msg) => void seen[name].push(`${msg.subject} ${msg.string()}`),
        });
        await nc.flush();
      }
      const get = ["$JS.API.DIRECT.GET.MD_0", '{"last_by_subj":"md.0.ACME.book"}'] as const;
      guest.publish(...get, { reply: "md.0.GIZMO.book" });
      await guest.request(...get);
      owner.publish("md.0.ACME.trade", "end");
      await owner.flush();
      for (const nc of [other, reader]) await nc.flush();
      assert.deepEqual(seen.other, ["md.0.GIZMO.book last", "md.0.ACME.trade end"]);
      assert.deepEqual(seen.reader, ["md.0.ACME.trade end"]);
    } finally {
      await other.close();
      await reader.close();
    }
  });

  it("gives readers what is published, and takes nothing from them, not even a request", async () => {
    const [one, two] = [
      await connect({ servers: nats.address().url, reconnect: false, ...READER }),
      await connect({ servers: nats.address().url, reconnect: false, ...READER }),
    ];
    try {
      const seen: string[] = [];
      for (const subject of ["md.>", "drop.>", "ev.>", "live.>", "cmd.>"]) {
        two.subscribe(subject, { callback: (_, msg) => void seen.push(msg.subject) });
      }
      await two.flush();
      for (const subject of ["md.0.ACME.trade", "drop.ALPHA", "ev.0.X"]) {
        one.publish(subject, "forged");
        one.publish("$JS.API.INFO", "", { reply: subject });
      }
      await one.flush();
      for (const subject of ["cmd.0.X", "live.0", "ev.0.ACME2", "drop.BETA", "md.0.B.book"]) {
        owner.publish(subject);
      }
      await owner.flush();
      await two.flush();
      assert.deepEqual(seen, ["ev.0.ACME2", "drop.BETA", "md.0.B.book"]);
      await assert.rejects(one.request("$JS.API.INFO", "", { timeout: 2000 }), /Permissions Violation/i);
    } finally {
      await one.close();
      await two.close();
    }
  });

  it("refuses guests everything that changes a stream or could deliver it elsewhere", async () => {
    const refused = [
      "STREAM.CREATE.X",
      "STREAM.UPDATE.EV_0",
      "STREAM.DELETE.EV_0",
      "STREAM.PURGE.EV_0",
      "STREAM.MSG.DELETE.EV_0",
      "STREAM.SNAPSHOT.EV_0",
      "CONSUMER.CREATE.EV_0",
      "CONSUMER.DURABLE.CREATE.EV_0.x",
      "CONSUMER.DELETE.EV_0.x",
    ];
    for (const request of refused) {
      await assert.rejects(
        guest.request(`$JS.API.${request}`, "{}", { timeout: 2000 }),
        /Permissions Violation|no responders/i,
        request,
      );
    }
  });

  it("keeps what operators ask matchers and gateways from guests", async () => {
    for (const subject of ["matcher.0.control", "matcher.0.instruments", "gateway.1.admin"]) {
      const served = owner.subscribe(subject, { callback: (_, message) => void message.respond("done") });
      await owner.flush();
      await assert.rejects(guest.request(subject, "{}", { timeout: 2000 }), /Permissions Violation/i);
      assert.equal((await owner.request(subject)).string(), "done");
      served.unsubscribe();
    }
  });

  it("keeps its ports and its streams when it is killed and started again", async () => {
    const before = nats.address();
    await guest.close();
    await owner.close();
    await nats.service.kill("SIGKILL");
    await nats.service.whenReady();
    assert.deepEqual(nats.address(), before);
    const { user, password: pass } = CREDENTIALS;
    owner = await connect({ servers: before.url, user, pass, reconnect: false });
    guest = await connect({ servers: before.url, reconnect: false });
    assert.ok(await stored("EV_0") >= 1);
  });

  it("says in one sentence that its port is in use", async () => {
    const port = Number(new URL(nats.address().url).port);
    await assert.rejects(
      build(join(dir, "second"), port).service.start(),
      (error: Error) =>
        /^Cannot start nats: ended with code 1: .*address already in use"?$/.test(error.message),
    );
  });

  it("says in one sentence that its store cannot be used", async () => {
    await Deno.mkdir(join(dir, "third"));
    await Deno.writeTextFile(join(dir, "third", "jetstream"), "a file");
    await assert.rejects(
      build(join(dir, "third")).service.start(),
      (error: Error) => /^Cannot start nats: ended with code 1: .*not a directory/i.test(error.message),
    );
  });
});

describe("nats-server's log lines", () => {
  it("become lines of ours", () => {
    assert.deepEqual(parseNatsLine("[7] 2026/01/31 12:00:00.000000 [INF] Server is ready"), {
      level: "debug",
      message: "Server is ready",
    });
    assert.deepEqual(parseNatsLine("[7] 2026/01/31 12:00:00.000000 [ERR] disk full"), {
      level: "error",
      message: "disk full",
    });
    assert.deepEqual(parseNatsLine("nats-server: cannot open x"), {
      level: "warn",
      message: "nats-server: cannot open x",
    });
  });
});
