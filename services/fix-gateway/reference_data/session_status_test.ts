import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind, Phase, phaseName } from "../../../shared/protocol/mod.ts";
import { DeskBench, statesOf } from "./desk_cases.ts";
import { MAX_SUBSCRIPTIONS, tradSesStatus } from "./session_status.ts";

const PHASES = { ACME: Phase.Continuous, RATE: Phase.Halt, COIN: Phase.PreOpen };

function bench(): DeskBench {
  const made = new DeskBench();
  made.desk.learned(statesOf(5, 0, PHASES));
  return made;
}

function changed(instrumentId: number, phase: number) {
  return { kind: EventKind.PhaseChanged, instrumentId, phase };
}

describe("TradingSessionStatusRequest(g)", () => {
  it("is answered with the status of one symbol, or of each", () => {
    const made = bench();
    const client = made.client();
    assert.deepEqual(made.ask(client, "g", "335=r1|336=ACME|338=1|263=0|"), [
      "h 335=r1|336=ACME|625=continuous|338=1|340=2|",
    ]);
    assert.deepEqual(made.ask(client, "g", "335=r2|263=0|"), [
      "h 335=r2|336=ACME|625=continuous|338=1|340=2|",
      "h 335=r2|336=RATE|625=halt|338=1|340=1|",
      "h 335=r2|336=COIN|625=pre-open|338=1|340=4|",
    ]);
    made.event(6, changed(1, Phase.Halt));
    assert.deepEqual(made.take(client), []);
  });

  it("has a status for every phase", () => {
    const names = Object.values(Phase).map((phase) => `${phaseName(phase)} ${tradSesStatus(phase)}`);
    assert.deepEqual(names, [
      "closed 3",
      "pre-open 4",
      "no-cancel 4",
      "opening-auction 4",
      "continuous 2",
      "halt 1",
      "volatility-auction 4",
      "closing-auction 5",
    ]);
  });

  it("subscribes to one symbol or to all until it is ended", () => {
    const made = bench();
    const one = made.client(1);
    const all = made.client(2, "market-data");
    assert.equal((made.ask(one, "g", "335=a|336=ACME|263=1|") as string[]).length, 1);
    assert.equal((made.ask(all, "g", "335=b|263=1|") as string[]).length, 3);
    made.event(6, changed(1, Phase.Halt));
    made.event(6, changed(3, Phase.Continuous));
    const acme = "336=ACME|625=halt|338=1|325=Y|340=1|";
    assert.deepEqual(made.take(one), [`h 335=a|${acme}`]);
    assert.deepEqual(made.take(all), [
      `h 335=b|${acme}`,
      "h 335=b|336=COIN|625=continuous|338=1|325=Y|340=2|",
    ]);
    assert.deepEqual(made.ask(one, "g", "335=a|263=2|"), []);
    made.event(7, changed(1, Phase.Continuous));
    assert.deepEqual(made.take(one), []);
    assert.equal(made.take(all).length, 1);
  });

  it("ends subscriptions with the connection, and sends nothing to a session that is not logged on", () => {
    const made = bench();
    const client = made.client();
    made.ask(client, "g", "335=a|263=1|");
    Object.defineProperty(client, "loggedOn", { value: false });
    made.event(6, changed(1, Phase.Halt));
    assert.deepEqual(made.take(client), []);
    Object.defineProperty(client, "loggedOn", { value: true });
    made.desk.loggedOut(client);
    made.event(7, changed(1, Phase.Continuous));
    assert.deepEqual(made.take(client), []);
  });

  it("tells the unknown as such, and then what it turns out to be", () => {
    const made = new DeskBench();
    const client = made.client();
    assert.deepEqual(made.ask(client, "g", "335=r|336=ACME|263=1|"), ["h 335=r|336=ACME|338=1|340=0|"]);
    made.desk.learned(statesOf(5, 0, PHASES));
    assert.deepEqual(made.take(client), ["h 335=r|336=ACME|625=continuous|338=1|325=Y|340=2|"]);
  });

  it("is refused by an h that says why", () => {
    const made = bench();
    const client = made.client();
    assert.deepEqual(made.ask(client, "g", "335=r|336=NONE|263=0|"), [
      "h 335=r|336=NONE|340=6|567=1|" +
      '58=Cannot report TradingSessionID(336): expected a listed symbol, got "NONE"|',
    ]);
    assert.deepEqual(made.ask(client, "g", "335=r|263=2|"), [
      "h 335=r|336=[N/A]|340=6|" +
      '58=Cannot end TradSesReqID(335): expected one that is subscribed to, got "r"|',
    ]);
    for (let i = 0; i < MAX_SUBSCRIPTIONS; i++) made.ask(client, "g", `335=s${i}|336=ACME|263=1|`);
    assert.deepEqual(made.ask(client, "g", "335=more|336=ACME|263=1|"), [
      "h 335=more|336=ACME|340=6|" +
      '58=Cannot subscribe TradSesReqID(335): expected at most 100 of a session, got "more"|',
    ]);
    assert.equal((made.ask(client, "g", "335=s5|336=RATE|263=1|") as string[]).length, 1);
  });
});

describe("where the market stands", () => {
  it("is what the newest command made it, whichever way that is learned first", () => {
    const made = bench();
    const client = made.client();
    const status = () => made.ask(client, "g", "335=r|336=ACME|263=0|") as string[];
    made.event(5, changed(1, Phase.Halt));
    assert.deepEqual(status(), ["h 335=r|336=ACME|625=continuous|338=1|340=2|"]);
    made.event(9, changed(1, Phase.ClosingAuction));
    made.event(9, changed(1, Phase.Closed));
    made.desk.learned(statesOf(8, 0, PHASES));
    assert.deepEqual(status(), ["h 335=r|336=ACME|625=closed|338=1|340=3|"]);
    made.desk.learned(statesOf(10, 0, PHASES));
    assert.deepEqual(status(), ["h 335=r|336=ACME|625=continuous|338=1|340=2|"]);
    made.event(11, changed(99, Phase.Halt));
    assert.deepEqual(status(), ["h 335=r|336=ACME|625=continuous|338=1|340=2|"]);
  });
});

describe("who may ask, and how", () => {
  const text = (message: string, expected: string, got: string) =>
    `Cannot accept ${message}: expected ${expected}, got "${got}"`;
  const long = "r".repeat(41);

  it("is a trading or a market-data session", () => {
    const made = bench();
    const requests = [["x", "320=r|559=4|"], ["c", "320=r|321=3|"], ["g", "335=r|263=0|"]];
    for (const [type, body] of requests) {
      assert.ok(Array.isArray(made.ask(made.client(1, "trading"), type, body)));
      assert.ok(Array.isArray(made.ask(made.client(2, "market-data"), type, body)));
      assert.deepEqual(made.ask(made.client(3, "drop-copy"), type, body), {
        kind: "business-reject",
        reason: 6,
        refId: "r",
        text: text("MsgType(35)", "no such message on a drop-copy session", type),
      });
    }
  });

  const refused: readonly [type: string, body: string, header: string, reason: number, text: string][] = [
    ["x", "320=r|559=4|263=1|", "", 0, text("SubscriptionRequestType(263)", "0", "1")],
    ["x", "320=r|559=4|336=DAY|", "", 0, text("TradingSessionID(336)", "no such field", "DAY")],
    ["c", "320=r|321=3|263=1|", "", 0, text("SubscriptionRequestType(263)", "0", "1")],
    ["g", "335=r|625=open|263=0|", "", 0, text("TradingSessionSubID(625)", "no such field", "open")],
    ["g", "335=r|339=1|263=0|", "", 0, text("TradSesMode(339)", "no such field", "1")],
    ["g", "335=r|338=2|263=0|", "", 0, text("TradSesMethod(338)", "1", "2")],
    ["g", `335=${long}|263=0|`, "", 0, text("TradSesReqID(335)", "at most 40 bytes", long)],
    ["x", "320=r|559=4|", "128=X|", 7, text("DeliverToCompID(128)", "no third-party routing", "X")],
    ["x", "320=r|559=4|", "115=X|", 6, text("OnBehalfOfCompID(115)", "no third-party routing", "X")],
  ];
  for (const [type, body, header, reason, why] of refused) {
    it(`is told: ${why}`, () => {
      const made = bench();
      const refId = /3[23][05]=([^|]*)/.exec(body)![1];
      const reject = { kind: "business-reject", reason, refId, text: why };
      assert.deepEqual(made.ask(made.client(), type, body, header), reject);
    });
  }
});
