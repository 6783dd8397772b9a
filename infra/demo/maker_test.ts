import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixMessage, FixWriter } from "../../shared/codec/fix/mod.ts";
import { Side, TimeInForce } from "../../shared/protocol/mod.ts";
import { testInstrument } from "../../shared/testing/instrument.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { Maker } from "./maker.ts";
import { RandomWalk } from "./random_walk.ts";
import { type DemoReply, type DemoRequest, writeRequest } from "./requests.ts";
import { Taker } from "./taker.ts";

const ACME = testInstrument(1, { symbol: "ACME", tickUnits: 5, lotUnits: 10, tick: "0.05", lot: "10" });

function setUp(seed: number): { maker: Maker; walk: RandomWalk } {
  const random = new SeededRandom(seed);
  const walk = new RandomWalk(ACME, random);
  return { maker: new Maker([walk], random, "m"), walk };
}

const reply = (fields: Partial<DemoReply>): DemoReply => ({
  clOrdId: "",
  origClOrdId: "",
  ordStatus: "0",
  execType: "0",
  ...fields,
});

/** Answers a request as a venue would that executes nothing. */
function accept(maker: Maker, request: DemoRequest): void {
  if (request.kind === "status") return;
  const { clOrdId } = request;
  if (request.kind === "new") maker.heard(reply({ clOrdId }));
  else if (request.kind === "replace") {
    maker.heard(reply({ clOrdId, origClOrdId: request.origClOrdId, execType: "5" }));
  } else maker.heard(reply({ clOrdId, origClOrdId: request.origClOrdId, execType: "4", ordStatus: "4" }));
}

describe("Maker", () => {
  it("first quotes eight levels on both sides, best first", () => {
    const { maker, walk } = setUp(1);
    const quotes: string[] = [];
    for (let i = 0; i < 16; i++) {
      const request = maker.next(0);
      if (request?.kind !== "new") throw new Error(`expected a new order, got ${request?.kind}`);
      quotes.push(`${request.side} ${Math.abs(request.priceTicks - walk.midTicks)}`);
      accept(maker, request);
    }
    const distances = [1, 2, 3, 5, 7, 9, 11, 13];
    assert.deepEqual(quotes, distances.flatMap((each) => [`${Side.Buy} ${each}`, `${Side.Sell} ${each}`]));
  });

  it("waits for each answer, and asks for one that does not come", () => {
    const { maker } = setUp(2);
    for (let i = 0; i < 16; i++) maker.next(0);
    assert.equal(maker.next(4999), null);
    assert.deepEqual(maker.next(5000), {
      kind: "status",
      instrument: ACME,
      origClOrdId: "m-1",
      side: Side.Buy,
    });
  });

  it("keeps its open orders at 16 through replaces, fills and refusals", () => {
    const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "7");
    const { maker, walk } = setUp(seed);
    const random = new SeededRandom(seed + 1);
    const open = new Map<string, Side>();
    const kinds = new Set<string>();
    for (let step = 0; step < 5000; step++) {
      const request = maker.next(step);
      if (request === null || request.kind === "status") continue;
      kinds.add(request.kind);
      if (request.kind === "new") open.set(request.clOrdId, request.side);
      else {
        assert.ok(
          open.has(request.origClOrdId),
          `seed ${seed}: ${request.kind} of an order that is not open`,
        );
        if (random.chance(0.2)) {
          open.delete(request.origClOrdId);
          maker.heard(reply({ clOrdId: request.origClOrdId, execType: "F", ordStatus: "2" }));
          maker.heard(
            reply({
              clOrdId: request.clOrdId,
              origClOrdId: request.origClOrdId,
              execType: "",
              ordStatus: "2",
            }),
          );
          continue;
        }
        open.delete(request.origClOrdId);
        if (request.kind === "replace") open.set(request.clOrdId, request.side);
      }
      accept(maker, request);
      assert.ok(open.size <= 16, `seed ${seed}`);
    }
    assert.deepEqual([...kinds].sort(), ["cancel", "new", "replace"]);
    assert.ok(Math.abs(walk.midTicks - walk.baseTicks) < 200);
    assert.equal(maker.leave().length, open.size);
    const left = maker.leave().map((each) => each.kind === "cancel" ? each.origClOrdId : "");
    assert.deepEqual(left.sort(), [...open.keys()].sort());
  });

  it("gives up an order that the venue does not know when it asks after a lost connection", () => {
    const { maker } = setUp(3);
    maker.next(0);
    assert.deepEqual(maker.recall(), [
      { kind: "status", instrument: ACME, origClOrdId: "m-1", side: Side.Buy },
    ]);
    maker.heard(reply({ clOrdId: "m-1", execType: "I", ordStatus: "8" }));
    assert.deepEqual(maker.recall(), []);
  });
});

describe("Taker", () => {
  it("sends orders that never rest", () => {
    const random = new SeededRandom(5);
    const taker = new Taker([new RandomWalk(ACME, random)], random, "t");
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const request = taker.next(0);
      if (request.kind !== "new") return;
      assert.ok(request.timeInForce !== TimeInForce.Day);
      seen.add(`${request.side} ${request.priceTicks === 0 ? "market" : "limit"} ${request.timeInForce}`);
    }
    assert.equal(seen.size, 8);
  });
});

describe("writeRequest", () => {
  const common = { instrument: ACME, side: Side.Sell } as const;
  const rows: [DemoRequest, string, string][] = [
    [
      { ...common, kind: "new", clOrdId: "A", priceTicks: 201, qtyLots: 3, timeInForce: 0 },
      "D",
      "11=A|55=ACME|54=2|60=20260302-09:30:00.000|38=30|40=2|44=10.05|59=0",
    ],
    [
      { ...common, kind: "new", clOrdId: "A", priceTicks: 0, qtyLots: 3, timeInForce: 3 },
      "D",
      "11=A|55=ACME|54=2|60=20260302-09:30:00.000|38=30|40=1|59=3",
    ],
    [
      { ...common, kind: "replace", clOrdId: "B", origClOrdId: "A", priceTicks: 200, qtyLots: 1 },
      "G",
      "41=A|11=B|55=ACME|54=2|60=20260302-09:30:00.000|38=10|40=2|44=10|59=0",
    ],
    [
      { ...common, kind: "cancel", clOrdId: "C", origClOrdId: "B" },
      "F",
      "41=B|11=C|55=ACME|54=2|60=20260302-09:30:00.000",
    ],
    [{ ...common, kind: "status", origClOrdId: "B" }, "H", "11=B|55=ACME|54=2"],
  ];
  for (const [request, msgType, body] of rows) {
    it(`writes ${msgType} (${request.kind})`, () => {
      const writer = new FixWriter();
      writer.begin();
      assert.equal(writeRequest(request, Date.UTC(2026, 2, 2, 9, 30), writer), msgType);
      const header = {
        beginString: "FIX.4.4",
        msgType,
        senderCompId: "A",
        targetCompId: "B",
        msgSeqNum: 1,
        sendingTimeMs: 0,
      };
      const bytes = writer.finish(header);
      const message = new FixMessage();
      assert.equal(message.parse(bytes, 0, bytes.length), 0);
      const fields: string[] = [];
      for (let i = 0; i < message.fieldCount; i++) {
        const tag = message.tags[i];
        if (![8, 9, 10, 34, 35, 49, 52, 56].includes(tag)) fields.push(`${tag}=${message.text(tag)}`);
      }
      assert.equal(fields.join("|"), body);
    });
  }
});
