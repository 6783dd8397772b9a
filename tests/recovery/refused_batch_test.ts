/** A batch that the stream has and the matcher refuses stops the gateway loudly, and no order in it is lost. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Gateway } from "../../services/fix-gateway/gateway.ts";
import { takeBootNumber } from "../../services/fix-gateway/link/boot_number.ts";
import { Engine } from "../../services/matcher/engine/mod.ts";
import { Matcher } from "../../services/matcher/matcher.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { Command, CommandBatchWriter } from "../../shared/codec/wire/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { OrderTracer } from "../../shared/otel/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { LastingTrader } from "./lasting_trader.ts";

const CONFIG = fileURLToPath(new URL("../integration/venue.yaml", import.meta.url));
const VENUE = loadVenue(CONFIG);
const HOST = "127.0.0.1";
const TERMS = [[55, "ACME"], [54, "1"], [38, "10"], [40, "2"], [44, "100"]] as const;

interface Setup extends AsyncDisposable {
  readonly server: TestServer;
  readonly nc: NatsConnection;
  /** Starts a gateway with id 1; what it cannot go on for is in `fatal`. */
  gateway(): Promise<Gateway>;
  readonly fatal: string[];
}

async function setUp(): Promise<Setup> {
  const server = await TestServer.start();
  const nc = await server.connect("matcher");
  await ensureStreams(nc, VENUE);
  const matchers: Matcher[] = [];
  for (const shard of VENUE.shards) {
    const instruments = VENUE.instruments.filter((each) => each.shard === shard);
    const matcher = new Matcher({
      nc,
      shard,
      engine: new Engine({ shard, instruments, maxOpenOrders: 1000, clOrdIdHistory: 1000 }),
      instruments,
      log: nullLogger,
      onFatal: (error) => {
        throw error;
      },
    });
    await matcher.start();
    matchers.push(matcher);
  }
  const running: { gateway: Gateway; nc: NatsConnection }[] = [];
  const fatal: string[] = [];
  return {
    server,
    nc,
    fatal,
    async gateway() {
      const own = await server.connect("gateway");
      const gateway = await Gateway.start({
        nc: own,
        venue: VENUE,
        gatewayId: 1,
        hostname: HOST,
        port: 0,
        tracer: new OrderTracer("test", 0),
        log: nullLogger,
        onFatal: (error) => fatal.push(error.message),
      });
      running.push({ gateway, nc: own });
      return gateway;
    },
    async [Symbol.asyncDispose]() {
      for (const { gateway, nc } of running) {
        await gateway.drain();
        await nc.close();
      }
      for (const matcher of matchers) await matcher.drain(2000);
      await nc.close();
      await server.dispose();
    },
  };
}

describe("a batch that the matcher refuses", () => {
  it("ends the gateway with a sentence; the next one gets its orders from the clients and answers all", async () => {
    await using setup = await setUp();
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-check", "--no-prompt", "--allow-net=127.0.0.1", "--allow-read"],
        ...["--allow-env=OTEL_*", "--ignore-env"],
        fileURLToPath(new URL("./corrupting_gateway.ts", import.meta.url)),
        setup.server.url,
        CONFIG,
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const trader = new LastingTrader(VENUE, "A1");
    try {
      const stdout = child.stdout.getReader();
      const { value } = await within("the port", stdout.read());
      await stdout.cancel();
      await trader.logon({ host: HOST, port: Number(new TextDecoder().decode(value)) }, true);
      trader.send("D", "o-1", TERMS);
      trader.send("D", "o-2", TERMS);
      const [{ code }, text] = await within(
        "the gateway's end",
        Promise.all([child.status, new Response(child.stderr).text()]),
      );
      const logged = text.trim().split("\n").map((line) => JSON.parse(line));
      assert.equal(code, 1);
      assert.deepEqual(logged.filter(({ level }) => level === "error").map(({ msg }) => msg), [
        "Cannot go on: the matcher refused message 1 of CMD_0, which had been acknowledged to this gateway",
      ]);
    } finally {
      if (await Promise.race([child.status, Promise.resolve(null)]) === null) child.kill("SIGKILL");
    }
    const gateway = await setup.gateway();
    await trader.comeBack({ host: HOST, port: gateway.port });
    trader.send("D", "o-3", TERMS);
    await until("the answers", () => trader.unanswered.length === 0, () => `${trader.unanswered} have none`);
    await trader.logout();
    const reports = trader.received.map(({ line }) => /11=([^|]*).*150=(.)/.exec(line)!.slice(1));
    assert.deepEqual(reports, [["o-1", "0"], ["o-2", "0"], ["o-3", "0"]]);
    assert.deepEqual(setup.fatal, []);
  });

  it("stops a gateway whose boot number was used before, and whose first order was dropped as a repeat", async () => {
    await using setup = await setUp();
    const bootId = await takeBootNumber(setup.nc, 1, VENUE.shards, nullLogger) + 1;
    const gateway = await setup.gateway();
    const writer = new CommandBatchWriter();
    writer.begin(1, bootId, 1);
    writer.append(new Command());
    await setup.nc.request("cmd.0._", writer.finish().slice());
    const trader = new LastingTrader(VENUE, "A1");
    await trader.logon({ host: HOST, port: gateway.port }, true);
    trader.send("D", "o-1", TERMS);
    await until("the gateway's end", () => setup.fatal.length > 0);
    assert.deepEqual(setup.fatal, [
      "Cannot go on: numbers of message 2 of CMD_0, sent once, had been applied before: an earlier process had this boot number",
    ]);
  });

  it("stops a gateway that another with its id has replaced, instead of leaving its clients without answers", async () => {
    await using setup = await setUp();
    const gateway = await setup.gateway();
    const writer = new CommandBatchWriter();
    writer.begin(1, await takeBootNumber(setup.nc, 1, VENUE.shards, nullLogger), 1);
    writer.append(new Command());
    await setup.nc.request("cmd.0._", writer.finish().slice());
    const trader = new LastingTrader(VENUE, "A1");
    await trader.logon({ host: HOST, port: gateway.port }, true);
    trader.send("D", "o-1", TERMS);
    trader.send("D", "o-2", TERMS);
    await until("the gateway's end", () => setup.fatal.length > 0);
    assert.deepEqual(setup.fatal, [
      "Cannot go on: the matcher refused message 2 of CMD_0, which had been acknowledged to this gateway",
    ]);
  });
});
