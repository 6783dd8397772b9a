import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { CommandKind, ExecInst, type Firm, SmpAction } from "../../../shared/protocol/mod.ts";
import { accountOf } from "./amounts.ts";
import { assertValid, NEW, REPLACE, run, withField } from "./cases.ts";
import { messageOf, session, venue } from "./fixture.ts";
import { translate } from "./translate.ts";

const LIMIT = { clOrdId: "c1", instrumentId: 1, side: 1, ordType: 2, priceTicks: 201, qtyLots: 10 };
const US = 1000;
const NO_PRICE = withField(NEW, 44, "");
const STOP = withField(NO_PRICE, 40, "3");

describe("translate: terms that few orders have", () => {
  const rows: [title: string, body: string, command: Record<string, unknown>][] = [
    ["good till cancel", `${NEW}59=1|`, { ...LIMIT, timeInForce: 1 }],
    ["at the opening", `${NEW}59=2|`, { ...LIMIT, timeInForce: 2 }],
    ["at the close", `${NEW}59=7|`, { ...LIMIT, timeInForce: 7 }],
    [
      "good till the end of a day",
      `${NEW}59=6|432=20261231|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2027, 0, 1) * US - 1 },
    ],
    [
      "good through a leap day",
      `${NEW}59=6|432=20280229|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2028, 2, 1) * US - 1 },
    ],
    [
      "good till a second",
      `${NEW}59=6|126=20261231-17:30:00|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2026, 11, 31, 17, 30) * US },
    ],
    [
      "good till a millisecond",
      `${NEW}59=6|126=20261231-17:30:00.001|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2026, 11, 31, 17, 30, 0, 1) * US },
    ],
    [
      "good till a microsecond, what is finer cut",
      `${NEW}59=6|126=20261231-17:30:00.001234999|`,
      { ...LIMIT, timeInForce: 6, expireUs: Date.UTC(2026, 11, 31, 17, 30, 0, 1) * US + 234 },
    ],
    [
      "the first instant that there is",
      `${NEW}59=6|126=19700101-00:00:00.000001|`,
      { ...LIMIT, timeInForce: 6, expireUs: 1 },
    ],
    [
      "the last instant that there is",
      `${NEW}59=6|126=22550605-23:47:34.740991|`,
      { ...LIMIT, timeInForce: 6, expireUs: Number.MAX_SAFE_INTEGER },
    ],
    [
      "stop",
      `${STOP}99=10.1|`,
      { ...LIMIT, ordType: 3, priceTicks: undefined, stopPxTicks: 202 },
    ],
    ["stop limit", `${withField(NEW, 40, "4")}99=9.950|`, { ...LIMIT, ordType: 4, stopPxTicks: 199 }],
    ["market with leftover as limit", withField(NO_PRICE, 40, "K"), {
      ...LIMIT,
      ordType: 20,
      priceTicks: undefined,
    }],
    ["iceberg", `${NEW}111=30|`, { ...LIMIT, maxFloorLots: 3 }],
    ["iceberg that shows all", `${NEW}111=100.0|`, { ...LIMIT, maxFloorLots: 10 }],
    ["minimum quantity", `${NEW}59=3|110=0040|`, { ...LIMIT, timeInForce: 3, minQtyLots: 4 }],
    ["post-only", `${NEW}18=6|`, { ...LIMIT, execInst: ExecInst.PostOnly }],
    ["an account", `${NEW}1=HOUSE-7|`, { ...LIMIT, account: 894677007 }],
    ["a group of self-match prevention", `${NEW}7928=4294967295|`, { ...LIMIT, smpId: 2 ** 32 - 1 }],
    ["a group with zeros in front", `${NEW}7928=007|`, { ...LIMIT, smpId: 7 }],
    ["cancel the resting one", `${NEW}8000=O|`, { ...LIMIT, smpAction: SmpAction.CancelResting }],
    ["cancel the arriving one", `${NEW}8000=N|`, { ...LIMIT, smpAction: SmpAction.CancelAggressor }],
    ["cancel both", `${NEW}8000=B|`, { ...LIMIT, smpAction: SmpAction.CancelBoth }],
    ["reduce both", `${NEW}7928=1|8000=D|`, { ...LIMIT, smpId: 1, smpAction: SmpAction.Decrement }],
    ["let them trade", `${NEW}8000=X|`, LIMIT],
  ];
  for (const [title, body, expected] of rows) {
    it(title, () => {
      assertValid("D", body);
      const { command } = run("D", body);
      assert.deepEqual(command, JSON.parse(JSON.stringify(expected)));
    });
  }

  it("are taken in a replacement too", () => {
    const body = `${withField(REPLACE, 40, "4")}99=10|59=6|432=20261231|111=20|1=HOUSE-7|7928=5|8000=N|`;
    assertValid("G", body);
    assert.deepEqual(run("G", body).command, {
      ...LIMIT,
      kind: CommandKind.ReplaceOrder,
      clOrdId: "c2",
      origClOrdId: "c1",
      ordType: 4,
      stopPxTicks: 200,
      timeInForce: 6,
      expireUs: Date.UTC(2027, 0, 1) * US - 1,
      maxFloorLots: 2,
      account: 894677007,
      smpId: 5,
      smpAction: SmpAction.CancelAggressor,
    });
  });

  it("say nothing in cancels and status requests", () => {
    const { command } = run("F", `41=c1|11=c2|55=ACME|54=1|60=20261130-12:00:00.000|1=HOUSE-7|`);
    assert.deepEqual(command, {
      kind: CommandKind.CancelOrder,
      clOrdId: "c2",
      origClOrdId: "c1",
      instrumentId: 1,
      side: 1,
    });
  });
});

describe("self-match prevention where an order asks for none", () => {
  function actionOf(body: string, smpAction?: SmpAction): number {
    const into = new Command();
    const firm: Firm = { id: 9, name: "ALPHA", smpAction };
    translate(messageOf("D", body), { ...session(), firm }, venue(), into);
    return into.smpAction;
  }

  it("is the firm's, and none where the firm has none", () => {
    assert.equal(actionOf(NEW, SmpAction.CancelBoth), SmpAction.CancelBoth);
    assert.equal(actionOf(NEW), SmpAction.None);
  });

  it("gives way to the order's own, which may be that they trade", () => {
    assert.equal(actionOf(`${NEW}8000=X|`, SmpAction.CancelBoth), SmpAction.None);
    assert.equal(actionOf(`${NEW}8000=O|`, SmpAction.CancelBoth), SmpAction.CancelResting);
  });
});

describe("accountOf", () => {
  const of = (text: string) => accountOf(new TextEncoder().encode(text), 0, text.length);

  it("is FNV-1a of 32 bits", () => {
    // Test vectors of the FNV reference code.
    assert.deepEqual(["a", "b", "foobar"].map(of), [0xe40c292c, 0xe70c2de5, 0xbf9cf968]);
  });

  it("is never 0, which means no account", () => {
    // Two that the reference code's authors name as mapped to 0.
    assert.equal(of("3pjNqM"), 1);
    assert.equal(accountOf(Uint8Array.of(0xcc, 0x24, 0x31, 0xc4), 0, 4), 1);
  });
});
