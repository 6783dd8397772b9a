/** What a venue file may say of how instruments trade and firms avoid themselves, and what it may not. */
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { DEFAULT_TRADING_RULES, rulesOf, type TradingRules } from "../protocol/mod.ts";
import { ConfigError, parseVenue } from "./mod.ts";

/** A venue whose instrument has `algorithm` and these keys too; its tick is 0.05 and its lot 10. */
function venueOf(algorithm: string, keys = "", firm = ""): string {
  return `name: v
targetCompId: X
firms: [{ id: 1, name: A${firm} }, { id: 7, name: B }]
instruments:
  - { id: 1, symbol: S, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000",
      algorithm: ${algorithm}${keys === "" ? "" : `, ${keys}`} }
sessions:
  - { id: 1, senderCompId: T, firm: A, role: trading, username: u, password: p }
`;
}

function rulesFrom(algorithm: string, keys: string): Partial<TradingRules> | undefined {
  return parseVenue(venueOf(algorithm, keys), "venue.yaml").instruments[0].rules;
}

/** The message, without the place of the instrument. */
function fault(text: string): string {
  try {
    parseVenue(text, "venue.yaml");
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.replace(/^Cannot load venue\.yaml: (instruments\[0\]\.)?/, "");
  }
  assert.fail("it was accepted");
}

const MAKERS = "leadMarketMakers: [{ firm: B, percent: 60 }, { firm: A, percent: 40 }]";

/** Each key that only some algorithms use, with a value, and those. */
const KEYS: [key: string, text: string, users: string][] = [
  ["proRataMin", "proRataMin: 2", "CAOQK"],
  ["topMin", 'topMin: "20"', "AOQSK"],
  ["topMax", 'topMax: "50"', "AOQSK"],
  ["fifoPercent", "fifoPercent: 40", "K"],
  ["leadMarketMakers", MAKERS, "QSTK"],
];

describe("trading rules of the venue file", () => {
  it("become integers, and firms their ids", () => {
    const keys = `proRataMin: 2, topMin: "20", topMax: "50", fifoPercent: 40, ${MAKERS}, protectionTicks: 8,
      bandTicks: 100, volatilityAuctionSec: 30, referencePrice: "100.05", postOnly: reprice`;
    const [instrument] = parseVenue(venueOf("K", keys), "venue.yaml").instruments;
    assert.equal(instrument.proRataMin, 2);
    assert.deepEqual(instrument.rules, {
      topMinLots: 2,
      topMaxLots: 5,
      fifoPercent: 40,
      leadMarketMakers: [{ firmId: 7, percent: 60 }, { firmId: 1, percent: 40 }],
      protectionTicks: 8,
      bandTicks: 100,
      volatilityAuctionSec: 30,
      referencePriceTicks: 2001,
      postOnly: "reprice",
    });
  });

  it("are the usual ones where the file says nothing", () => {
    for (const algorithm of "FCAOQSTK") {
      const [instrument] = parseVenue(venueOf(algorithm), "venue.yaml").instruments;
      assert.deepEqual([instrument.algorithm, instrument.proRataMin], [algorithm, 1]);
      assert.ok(!("rules" in instrument) && !("switchableTo" in instrument));
      assert.deepEqual(rulesOf(instrument), DEFAULT_TRADING_RULES);
    }
  });

  for (const [key, text, users] of KEYS) {
    it(`have ${key} exactly with the algorithms that use it: ${users}`, () => {
      const [first, rest] = [[...users].slice(0, -1).join(", "), users.at(-1)];
      const only = first === "" ? `${rest} uses` : `${first} and ${rest} use`;
      for (const algorithm of "FCAOQSTK") {
        if (users.includes(algorithm)) parseVenue(venueOf(algorithm, text), "venue.yaml");
        else {
          assert.ok(
            fault(venueOf(algorithm, text)).startsWith(
              `${key} (line 6): expected none with algorithm ${algorithm}: only ${only} it (as algorithm or in ` +
                "switchableTo), got ",
            ),
            fault(venueOf(algorithm, text)),
          );
        }
        const [other] = users;
        parseVenue(
          venueOf(algorithm, `switchableTo: [F, ${other === "F" ? "C" : other}], ${text}`),
          "venue.yaml",
        );
      }
    });
  }

  it("keep what an operator may switch to, none at all too", () => {
    const listed = (keys: string) => parseVenue(venueOf("F", keys), "v").instruments[0].switchableTo;
    assert.deepEqual(listed("switchableTo: [K, C]"), ["K", "C"]);
    assert.deepEqual(listed("switchableTo: []"), []);
  });

  it("take a whole book of lead market makers", () => {
    assert.deepEqual(rulesFrom("T", "leadMarketMakers: [{ firm: A, percent: 100 }]"), {
      leadMarketMakers: [{ firmId: 1, percent: 100 }],
    });
  });

  const faults: [what: string, keys: string, message: string][] = [
    ["a quantity off the lot", 'topMin: "15"', 'topMin (line 6): expected a multiple of lot 10, got "15"'],
    [
      "a quantity off the scale",
      'topMax: "10.5"',
      'topMax (line 6): expected a multiple of lot 10, got "10.5"',
    ],
    [
      "more lots than there can be",
      'topMax: "21474836480"',
      'topMax (line 6): expected at most 2147483647 lots of 10, got "21474836480"',
    ],
    [
      "a number that is no text",
      "topMin: 20",
      'topMin (line 6): expected a positive decimal in quotes, such as "0.05", got 20',
    ],
    [
      "a price off the tick",
      'referencePrice: "100.01"',
      'referencePrice (line 6): expected a multiple of tick 0.05, got "100.01"',
    ],
    [
      "more ticks than there can be",
      'referencePrice: "107374182.40"',
      'referencePrice (line 6): expected at most 2147483647 ticks of 0.05, got "107374182.40"',
    ],
    [
      "more than all",
      "fifoPercent: 101",
      "fifoPercent (line 6): expected a whole number from 0 to 100, got 101",
    ],
    [
      "lead market makers with more than all",
      "leadMarketMakers: [{ firm: A, percent: 60 }, { firm: B, percent: 41 }]",
      "leadMarketMakers (line 6): expected at most 100 percent together, got 101",
    ],
    [
      "a lead market maker that is no firm",
      "leadMarketMakers: [{ firm: C, percent: 60 }]",
      'leadMarketMakers[0].firm (line 6): expected one of firms A, B, got "C"',
    ],
    [
      "a lead market maker twice",
      "leadMarketMakers: [{ firm: A, percent: 6 }, { firm: A, percent: 4 }]",
      'leadMarketMakers[1].firm (line 6): expected a firm that leadMarketMakers[0] does not have, got "A"',
    ],
    [
      "a lead market maker with nothing",
      "leadMarketMakers: [{ firm: A, percent: 0 }]",
      "leadMarketMakers[0].percent (line 6): expected a whole number from 1 to 100, got 0",
    ],
    [
      "no lead market maker in a list of them",
      "leadMarketMakers: []",
      "leadMarketMakers (line 6): expected a list of lead market makers, each with firm and percent, got []",
    ],
    [
      "a protection of nothing",
      "protectionTicks: 0",
      "protectionTicks (line 6): expected a whole number from 1 to 2147483647, got 0",
    ],
    [
      "an auction that nothing calls",
      "volatilityAuctionSec: 30",
      "volatilityAuctionSec (line 6): expected none without bandTicks: nothing would call such an auction, got 30",
    ],
    [
      "an unknown fate of post-only orders",
      "postOnly: cancel",
      'postOnly (line 6): expected reject or reprice, got "cancel"',
    ],
    [
      "an algorithm twice",
      "switchableTo: [F, F]",
      "switchableTo (line 6): expected a list of algorithms out of F, C, A, O, Q, S, T, K, each once, got " +
      '["F","F"]',
    ],
    [
      "an algorithm that there is not",
      "switchableTo: [X]",
      "switchableTo[0] (line 6): expected a list of algorithms out of F, C, A, O, Q, S, T, K, each once, got " +
      '"X"',
    ],
  ];
  for (const [what, keys, message] of faults) {
    it(`have not ${what}`, () => assert.equal(fault(venueOf("K", keys)), message));
  }
});

describe("a firm's self-match prevention", () => {
  const actions = ["none", "cancel-resting", "cancel-aggressor", "cancel-both", "decrement"];

  it("is one of five, none of them unless the file says so", () => {
    for (const [code, name] of actions.entries()) {
      const { firms } = parseVenue(venueOf("F", "", `, selfMatchPrevention: ${name}`), "v");
      assert.deepEqual(firms, [{ id: 1, name: "A", smpAction: code }, { id: 7, name: "B" }]);
    }
  });

  it("is no other", () => {
    assert.equal(
      fault(venueOf("F", "", ", selfMatchPrevention: cancel")),
      "firms[0].selfMatchPrevention (line 3): expected none, cancel-resting, cancel-aggressor, cancel-both or " +
        'decrement, got "cancel"',
    );
  });
});
