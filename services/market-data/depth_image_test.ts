import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { errors } from "@nats-io/nats-core";
import { nullLogger } from "../../shared/cli/log.ts";
import {
  ConnectionLostError,
  DepthUnavailableError,
  InstrumentsUnavailableError,
} from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { instrumentsRequestSubject } from "../../shared/protocol/mod.ts";
import { type Clock, SYSTEM_CLOCK } from "./conflated_publisher.ts";
import { awaitDepth, depthOf } from "./depth_image.ts";
import type { PlacedImage } from "./follower_options.ts";
import { acceptedOf, levelOf, OPEN_US } from "./test_events.ts";
import { Bench, CONTINUOUS } from "./test_venue.ts";

const IMAGE: PlacedImage = {
  cmdSeq: 3,
  nextEvSeq: 4,
  timestampUs: 0,
  levels: [],
  phases: [],
  phasesCmdSeq: 3,
};

/** Asks, with answers from a list whose last one repeats; the delays and the log are written down. */
function waiting(answers: readonly (Error | PlacedImage)[], aborted = new AbortController()) {
  const delays: number[] = [];
  const logs: string[] = [];
  const line = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void logs.push(`${level} ${message} ${JSON.stringify(fields)}`);
  let attempt = 0;
  const clock: Clock = {
    nowMs: () => 0,
    after(delayMs, action) {
      delays.push(delayMs);
      queueMicrotask(action);
      return () => {};
    },
  };
  const image = awaitDepth(() => {
    const answer = answers[Math.min(attempt++, answers.length - 1)];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }, {
    shard: 0,
    log: { ...nullLogger, info: line("info"), warn: line("warn") },
    clock,
    signal: aborted.signal,
  });
  return { image, delays, logs };
}

describe("awaitDepth", () => {
  it("asks again with growing pauses while nobody answers, and says so again every tenth time", async () => {
    const none = new DepthUnavailableError("no matcher leads");
    const { image, delays, logs } = waiting([...Array(20).fill(none), IMAGE]);
    assert.equal(await image, IMAGE);
    assert.deepEqual(delays, [50, 100, 200, 400, 800, ...Array(15).fill(1000)]);
    const long = "warn no matcher gives the depth of its books: market data of the shard waits for one";
    assert.deepEqual(logs, [
      'info waiting for the matcher\'s depth {"shard":0,"attempts":1,"cause":"no matcher leads"}',
      `${long} {"shard":0,"attempts":10,"cause":"no matcher leads"}`,
      `${long} {"shard":0,"attempts":20,"cause":"no matcher leads"}`,
    ]);
  });

  const noResponders = new errors.NoRespondersError("$JS.API.STREAM.INFO.EV_0");
  const rows: [string, Error, boolean][] = [
    ["an image that does not come", new DepthUnavailableError("x"), true],
    ["phases that do not come", new InstrumentsUnavailableError("x"), true],
    ["JetStream that does not answer in time", new errors.TimeoutError(), true],
    ["JetStream that nobody serves", new errors.RequestError("x", { cause: noResponders }), true],
    ["a connection that was lost", new ConnectionLostError("x"), true],
    ["a request that fails otherwise", new errors.RequestError("x"), false],
    ["a damaged image", new Error("Cannot read the depth image of shard 0: bad length"), false],
    ["a closed connection", new errors.ClosedConnectionError(), false],
  ];
  for (const [name, error, again] of rows) {
    it(`${again ? "asks again after" : "gives up at"} ${name}`, async () => {
      const { image, logs } = waiting([error, IMAGE]);
      if (again) assert.equal(await image, IMAGE);
      else await assert.rejects(image, error);
      assert.equal(logs.length, again ? 1 : 0);
    });
  }

  it("stops when it is told to", async () => {
    const control = new AbortController();
    const { image } = waiting([new DepthUnavailableError("x")], control);
    queueMicrotask(() => control.abort(new Error("told to")));
    await assert.rejects(image, /^Error: told to$/);
  });
});

describe("depthOf on a real nats-server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.dispose());

  it("reads the books and the time of the last command before claims", async () => {
    const bench = await Bench.start(server);
    const level = { instrumentId: 1, side: 1, priceTicks: 1000, qtyLots: 7, orders: 1 };
    bench.answerDepth([levelOf(1, 1000, 7, 1)]);
    const nc = await server.connect("market-data");
    const phases = [...CONTINUOUS];
    const phasesAt = (phasesCmdSeq: number) => ({ phases, phasesCmdSeq });
    assert.deepEqual(await depthOf(nc, 0), {
      cmdSeq: 0,
      nextEvSeq: 1,
      timestampUs: 0,
      levels: [level],
      ...phasesAt(0),
    });
    await bench.write([acceptedOf("A1", 4096)]);
    for (let i = 0; i < 20; i++) await bench.claim();
    bench.answerDepth([]);
    assert.deepEqual(await depthOf(nc, 0), {
      cmdSeq: 1,
      nextEvSeq: 22,
      timestampUs: OPEN_US + 1,
      levels: [],
      ...phasesAt(1),
    });
    await nc.close();
    await bench.matcher.close();
  });

  it("tells what may pass from what will not", async () => {
    const nc = await server.connect("market-data");
    await assert.rejects(depthOf(nc, 0), (error) =>
      error instanceof DepthUnavailableError &&
      error.message === "Cannot read the depth image of shard 0: no matcher leads");
    const bench = await Bench.start(server);
    const levels = Array.from({ length: 40_000 }, (_, i) => levelOf(1, i + 1, 1, 1));
    bench.answerDepth(levels);
    const parts = bench.depth;
    assert.equal(parts.length, 2);
    bench.depth = [parts[0], parts[0], parts[1]];
    await assert.rejects(depthOf(nc, 0), (error) =>
      error instanceof DepthUnavailableError &&
      error.message === "Cannot read the depth image of shard 0: expected part 1, got 0");
    bench.depth = [parts[0]];
    await assert.rejects(depthOf(nc, 0), (error) =>
      error instanceof DepthUnavailableError &&
      error.message === "Cannot read the depth image of shard 0: no whole answer in time");
    bench.depth = [parts[0].subarray(0, 100)];
    await assert.rejects(
      depthOf(nc, 0),
      (error) =>
        error instanceof Error && !(error instanceof DepthUnavailableError) &&
        error.message === "Cannot read the depth image of shard 0: bad length",
    );
    bench.depth = parts;
    bench.silent = true;
    await assert.rejects(depthOf(nc, 0), (error) =>
      error instanceof InstrumentsUnavailableError &&
      error.message === "Cannot read the instruments of shard 0: no matcher leads");
    bench.silent = false;
    assert.equal((await depthOf(nc, 0)).levels.length, levels.length);
    await nc.close();
    await assert.rejects(depthOf(nc, 0), errors.ClosedConnectionError);
    await bench.matcher.close();
  });

  it("is asked for again when nats-server dies between the depth and the instruments", async () => {
    const bench = await Bench.start(server);
    bench.answerDepth([levelOf(1, 1000, 7, 1)]);
    const nc = await server.connect("market-data");
    bench.silent = true;
    const asked = Promise.withResolvers<void>();
    const hanging = bench.matcher.subscribe(instrumentsRequestSubject(0), {
      callback: () => asked.resolve(),
    });
    await bench.matcher.flush();
    const causes: unknown[] = [];
    const image = awaitDepth(() => depthOf(nc, 0), {
      shard: 0,
      log: { ...nullLogger, info: (_, fields) => void causes.push(fields?.cause) },
      clock: SYSTEM_CLOCK,
      signal: new AbortController().signal,
    });
    await asked.promise;
    await server.stop("SIGKILL");
    hanging.unsubscribe();
    bench.silent = false;
    await server.start();
    assert.deepEqual((await image).levels.map(({ qtyLots }) => qtyLots), [7]);
    const why = "no answer in time: no answer on matcher.0.instruments: the connection was lost";
    assert.deepEqual(causes, [`Cannot read the instruments of shard 0: ${why}`]);
    await nc.close();
    await bench.matcher.close();
  });
});
