/** The timekeeper and operators on a real nats-server, with the real engine and a clock of the test's. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../../shared/cli/log.ts";
import { CommandBatchReader, encodeClaim } from "../../../shared/codec/wire/mod.ts";
import {
  type NatsConnection,
  requestInstruments,
  storedMessage,
  streamExtent,
} from "../../../shared/nats/mod.ts";
import {
  CommandKind,
  type ControlAnswer,
  Phase,
  phaseName,
  TimeInForce,
  timekeeperGatewayId,
  type TradingSchedule,
} from "../../../shared/protocol/mod.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { Engine } from "../engine/mod.ts";
import { Matcher } from "../matcher.ts";
import { assertOneLine, Shard, testInstrument } from "../test_kit.ts";
import { Control } from "./control.ts";

const HOUR = 3600;
const SCHEDULE: TradingSchedule = {
  timeZone: "UTC",
  days: [1, 2, 3, 4, 5, 6, 7],
  holidays: [],
  phases: [
    { atSec: 8 * HOUR, phase: Phase.PreOpen, symbols: null },
    { atSec: 9 * HOUR, phase: Phase.Continuous, symbols: null },
    { atSec: 17 * HOUR, phase: Phase.Closed, symbols: null },
  ],
};
const FIRM = { id: 1, name: "ALPHA" };

describe("a leading matcher's control", () => {
  let shard: Shard;
  let connections: NatsConnection[];
  let matchers: Matcher[];
  let wall: string;

  beforeEach(async () => {
    shard = await Shard.start();
    connections = [];
    matchers = [];
  });
  afterEach(async () => {
    for (const matcher of matchers) await matcher.drain(2000);
    for (const nc of connections) await nc.close();
    await shard.dispose();
  });

  /** A matcher of AAA and BBB that leads; `ended` resolves when it has stopped. */
  async function lead(
    schedule: TradingSchedule | null,
  ): Promise<{ matcher: Matcher; ended: Promise<Error> }> {
    const nc = await shard.server.connect("matcher");
    connections.push(nc);
    const ended = Promise.withResolvers<Error>();
    const rules = schedule === null ? {} : { initialPhase: Phase.Closed };
    const instruments = [testInstrument(1, "AAA"), testInstrument(2, "BBB")].map((each) => ({
      ...each,
      rules,
    }));
    const engine = new Engine({ shard: 0, instruments, maxOpenOrders: 1000, clOrdIdHistory: 1000 });
    const onFatal = ended.resolve;
    const matcher = new Matcher({
      nc,
      shard: 0,
      engine,
      instruments,
      log: nullLogger,
      onFatal,
      duties: new Control({
        nc,
        engine,
        directory: { shard: 0, instruments, firms: [FIRM], sessions: [] },
        schedule,
        log: nullLogger,
        onFatal,
        wallMs: () => Date.parse(wall),
      }),
    });
    matchers.push(matcher);
    await matcher.start();
    return { matcher, ended: ended.promise };
  }

  /** The venue's own commands in CMD_0: boot, number, and what. */
  async function own(): Promise<string[]> {
    const { lastSeq } = await streamExtent(shard.nc, "CMD_0");
    const found: string[] = [];
    const reader = new CommandBatchReader();
    for (let seq = 1; seq <= lastSeq; seq++) {
      assert.equal(reader.open((await storedMessage(shard.nc, "CMD_0", seq))!.bytes), null);
      if (reader.gatewayId !== timekeeperGatewayId(0)) continue;
      for (let number = reader.firstGatewaySeq; reader.next(); number++) {
        const { kind, instrumentId, target, expireUs } = reader.command;
        const due = new Date(expireUs / 1000).toISOString().slice(11, 16);
        const what = kind === CommandKind.SetPhase ? `${instrumentId} ${phaseName(target)}` : `kind ${kind}`;
        found.push(`${reader.bootId}.${number} ${what}${expireUs === 0 ? "" : ` ${due}`}`);
      }
    }
    return found;
  }

  async function phases(): Promise<string[]> {
    return (await requestInstruments(shard.nc, 0)).instruments.map(({ phase }) => phaseName(phase));
  }

  const at = (time: string) => wall = `2026-01-05T${time}Z`;
  const all = (phase: string) => [phase, phase];

  it("is ready when the phase that should be now is set, and sets the next ones when they are due", async () => {
    at("08:30");
    await lead(SCHEDULE);
    assert.deepEqual(await phases(), all("pre-open"));
    at("09:00");
    await until("continuous", async () => (await phases())[1] === "continuous");
    assert.deepEqual(await own(), ["1.1 0 pre-open 08:00", "1.2 0 continuous 09:00"]);
  });

  it("goes on where another stopped: nothing missed, nothing doubled", async () => {
    at("08:30");
    const { matcher } = await lead(SCHEDULE);
    await matcher.drain(2000);
    await lead(SCHEDULE).then(({ matcher }) => matcher.drain(2000));
    at("17:30");
    await lead(SCHEDULE);
    assert.deepEqual(await phases(), all("closed"));
    assert.deepEqual(await own(), ["1.1 0 pre-open 08:00", "3.1 0 closed 17:00"]);
    await shard.storedUpTo(2);
    assertOneLine((await shard.stored()).groups, 2);
  });

  it("ends with the leadership: no request is answered, nothing more is sent", async () => {
    at("08:30");
    const { ended, matcher } = await lead(SCHEDULE);
    await shard.storedUpTo(1);
    await shard.nc.request("ev.0._claim", encodeClaim(0, 2, 1, 0));
    await ended;
    await connections[0].flush();
    at("09:30");
    await assert.rejects(shard.nc.request("matcher.0.control", "{}", { timeout: 1000 }), /no responders/i);
    await matcher.drain(2000);
    assert.deepEqual(await own(), ["1.1 0 pre-open 08:00"]);
  });

  it("answers operators when the command is applied, and numbers theirs with its own", async () => {
    at("08:30");
    await lead(SCHEDULE);
    const ask = async (request: Record<string, unknown>) =>
      (await shard.nc.request("matcher.0.control", JSON.stringify({ by: "ann", ...request }))).json<
        ControlAnswer
      >();
    const answers = await Promise.all([
      ask({ do: "phase", symbol: "BBB", phase: "halt" }),
      ask({ do: "phase", symbol: "BBB", phase: "continuous" }),
      ask({ do: "algorithm", symbol: "AAA", algorithm: "C" }),
    ]);
    assert.deepEqual(answers, [
      {
        kind: "phase",
        shard: 0,
        cmdSeq: 2,
        phase: "halt",
        changed: [{ symbol: "BBB", previous: "pre-open" }],
        unchanged: [],
      },
      {
        kind: "phase",
        shard: 0,
        cmdSeq: 3,
        phase: "continuous",
        changed: [{ symbol: "BBB", previous: "halt" }],
        unchanged: [],
      },
      { kind: "algorithm", shard: 0, cmdSeq: 4, symbol: "AAA", algorithm: "C", previous: "F" },
    ]);
    assert.deepEqual(await phases(), ["pre-open", "continuous"]);
    assert.deepEqual(await own(), [
      "1.1 0 pre-open 08:00",
      "1.2 2 halt",
      "1.3 2 continuous",
      `1.4 kind ${CommandKind.SetAlgorithm}`,
    ]);
  });

  it("ends good-till-date orders by the stream's clock, however far ahead its own is", async () => {
    wall = new Date(Date.now() + 60_000).toISOString();
    await lead(null);
    const expireUs = (Date.now() + 700) * 1000;
    const order = shard.batch(1, (command) => {
      command.timeInForce = TimeInForce.GoodTillDate;
      command.expireUs = expireUs;
    });
    await shard.send(order, "AAA");
    // Asked for at once, in vain, and again a second later.
    await until("the order's end", async () => {
      wall = new Date(Date.now() + 60_000).toISOString();
      return (await streamExtent(shard.nc, "CMD_0")).lastSeq >= 3;
    });
    const expire = `kind ${CommandKind.ExpireOrders}`;
    const asked = (await own()).map((line) => line.slice(0, 4 + expire.length));
    assert.deepEqual(asked, [`1.1 ${expire}`, `1.2 ${expire}`]);
    await until("its events", () => shard.live.length === 3);
    assert.deepEqual(shard.live.map(({ eventCount }) => eventCount), [2, 0, 2]);
  });
});
