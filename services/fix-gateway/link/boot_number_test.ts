/** The boot number on a real nats-server, whose bucket is older than its streams, and which no matcher serves. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Kvm } from "@nats-io/kv";
import { jetstreamManager } from "@nats-io/jetstream";
import { nullLogger } from "../../../shared/cli/log.ts";
import { Command, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { parseVenue } from "../../../shared/config/mod.ts";
import { ensureStreams, type NatsConnection } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { matcherStatusSubject } from "../../../shared/protocol/mod.ts";
import { takeBootNumber } from "./boot_number.ts";

const VENUE = `
name: boot-test
targetCompId: T
shards: [0, 1]
firms: [{ id: 1, name: A }]
instruments:
  - { id: 1, symbol: X, algorithm: F, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "100" }
sessions: [{ id: 1, senderCompId: S, firm: A, role: trading, username: u, password: p }]
`;
const LOST = "error boot numbers were lost: going on above those that were used";
const SILENT = "warn matchers did not say which boot numbers they know";

class Setup implements AsyncDisposable {
  readonly logged: string[] = [];
  readonly #log = {
    ...nullLogger,
    warn: (message: string) => void this.logged.push(`warn ${message}`),
    error: (message: string) => void this.logged.push(`error ${message}`),
  };

  private constructor(readonly server: TestServer, readonly nc: NatsConnection) {}

  static async start(): Promise<Setup> {
    const server = await TestServer.start();
    const nc = await server.connect();
    await ensureStreams(nc, parseVenue(VENUE, "test venue"));
    return new Setup(server, nc);
  }

  /** Gateway 1 takes its number; what that logs is new. */
  take(known?: number): Promise<number> {
    this.logged.length = 0;
    return takeBootNumber(this.nc, 1, [0, 1], this.#log, known);
  }

  /** What a gateway's run sends to a shard, message by message. */
  async send(shard: number, gatewayId: number, bootId: number, count = 1): Promise<void> {
    const writer = new CommandBatchWriter();
    for (let i = 1; i <= count; i++) {
      writer.begin(gatewayId, bootId, i);
      writer.append(new Command());
      await this.nc.request(`cmd.${shard}.X`, writer.finish().slice());
    }
  }

  /** What the bucket says from now on. */
  async keep(bootId: number): Promise<void> {
    await (await new Kvm(this.nc).open("ref")).put("gateway.1.boot", String(bootId));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nc.close();
    await this.server.dispose();
  }
}

describe("a gateway's boot number", () => {
  it("is above that of its newest commands, of which shard they may be, however many of others came behind", async () => {
    await using setup = await Setup.start();
    assert.equal(await setup.take(), 1);
    await setup.send(0, 1, 40);
    await setup.send(1, 1, 50);
    for (const [others, expected, logged] of [[0, 51, [LOST]], [70, 52, []], [1100, 53, []]] as const) {
      await setup.send(1, 2, 900, others);
      assert.equal(await setup.take(), expected);
      assert.deepEqual(setup.logged, logged);
    }
    await setup.keep(7);
    assert.equal(await setup.take(), 51);
    assert.deepEqual(setup.logged, [LOST]);
  });

  it("is above what sessions know of it", async () => {
    await using setup = await Setup.start();
    assert.equal(await setup.take(30), 31);
    assert.deepEqual(setup.logged, [LOST]);
    assert.equal(await setup.take(30), 32);
    assert.deepEqual(setup.logged, []);
  });

  it("needs a matcher's memory where old commands are purged and none of the newest is the gateway's", async () => {
    await using setup = await Setup.start();
    await setup.send(0, 1, 40);
    await setup.send(0, 2, 1, 3);
    await (await jetstreamManager(setup.nc)).streams.purge("CMD_0", { seq: 3 });
    await setup.keep(7);
    assert.equal(await setup.take(), 8);
    assert.deepEqual(setup.logged, [SILENT]);
    const answer = { ready: true, cmdSeq: 4, gateway: { bootId: 40, lastSeq: 1 } };
    const matcher = await setup.server.connect();
    matcher.subscribe(matcherStatusSubject(0), {
      callback: (_, request) => void request.respond(JSON.stringify(answer)),
    });
    await matcher.flush();
    assert.equal(await setup.take(), 41);
    assert.deepEqual(setup.logged, [LOST]);
    await matcher.close();
  });
});
