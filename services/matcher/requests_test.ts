import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type NatsConnection, requestInstruments } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { Phase } from "../../shared/protocol/mod.ts";
import type { EnginePort } from "./engine_port.ts";
import { answerRequests } from "./requests.ts";
import { testInstrument } from "./test_kit.ts";

const INSTRUMENT = {
  phase: Phase.PreOpen,
  algorithm: 15,
  lastPxTicks: 0,
  lastScheduledUs: 17,
  indicativePriceTicks: 105,
  indicativeQtyLots: 7,
  surplusLots: -3,
};
const STATE = { shard: 0, epoch: 2, ready: true, cmdSeq: 7, evSeq: 5 };

describe("a request to the leader", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let asker: NatsConnection;
  let stop: () => void;
  /** What the engine was asked for. */
  let asked: string[];

  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect("matcher");
    asker = await server.connect("asker");
    const engine: EnginePort = {
      begin: () => {},
      applyBatch: () => assert.fail("nothing is applied here"),
      levels: () => assert.fail("no depth is asked for here"),
      stateHashSteps: () => assert.fail("nobody asks"),
      stateHash: () => {
        asked.push("hash");
        return "abcd";
      },
      gateway: (id) => {
        asked.push(`gateway ${id}`);
        return { bootId: 3, lastSeq: 9 };
      },
      session: (id) => {
        asked.push(`session ${id}`);
        return { incarnation: 4, highest: 8 };
      },
      volatilitySinceUs: () => assert.fail("nobody asks"),
      nextExpiryUs: () => assert.fail("nobody asks"),
      instrumentState: (id) => {
        asked.push(`instrument ${id}`);
        return { ...INSTRUMENT, lastPxTicks: 100 + id };
      },
    };
    const instruments = [testInstrument(9, "ZZZ"), testInstrument(4, "AAA")];
    stop = answerRequests(nc, 0, engine, instruments, () => STATE);
    await nc.flush();
  });
  afterAll(async () => {
    stop();
    await asker.close();
    await nc.close();
    await server.dispose();
  });
  beforeEach(() => void (asked = []));

  const answerTo = async (payload?: string) => (await asker.request("matcher.0.status", payload)).json();

  it("for the instruments is answered with the state of each, by ascending id", async () => {
    const answer = await requestInstruments(asker, 0);
    const state = { ...INSTRUMENT, algorithm: "F" };
    assert.deepEqual(answer, {
      ...STATE,
      instruments: [
        { id: 4, symbol: "AAA", ...state, lastPxTicks: 104 },
        { id: 9, symbol: "ZZZ", ...state, lastPxTicks: 109 },
      ],
    });
  });

  it("for the status is answered with the state, and costs the engine nothing", async () => {
    assert.deepEqual(await answerTo(), STATE);
    assert.deepEqual(asked, []);
  });

  it("for the status is answered with the state hash when it asks for it", async () => {
    assert.deepEqual(await answerTo("hash"), { ...STATE, stateHash: "abcd" });
    assert.deepEqual(asked, ["hash"]);
  });

  it("for the status is answered with what has been applied of a gateway or a session when it names one", async () => {
    assert.deepEqual(await answerTo("gateway 7"), { ...STATE, gateway: { bootId: 3, lastSeq: 9 } });
    assert.deepEqual(await answerTo("session 65535"), { ...STATE, session: { incarnation: 4, highest: 8 } });
    assert.deepEqual(asked, ["gateway 7", "session 65535"]);
  });

  it("for the status is answered with the state alone when it asks for what there is not", async () => {
    for (const payload of ["gateway", "gateway -1", "gateway 65536", "gateway 1.5", "session x", "other 1"]) {
      assert.deepEqual(await answerTo(payload), STATE, payload);
    }
    assert.deepEqual(asked, []);
  });
});
