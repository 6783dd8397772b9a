import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { DEFAULT_FIX_SETTINGS } from "../protocol/mod.ts";
import { BARE_VENUE } from "../testing/bare_venue.ts";
import { loadVenue, parseVenue } from "./mod.ts";

describe("venue file", () => {
  it("turns tick, lot and largest quantity into integer units", () => {
    const { instruments } = parseVenue(BARE_VENUE, "venue.yaml");
    assert.deepEqual(instruments, [{
      id: 1,
      symbol: "S",
      shard: 0,
      priceScale: 2,
      tickUnits: 5,
      qtyScale: 0,
      lotUnits: 10,
      algorithm: "F",
      proRataMin: 1,
      maxOrderQtyLots: 100,
      tick: "0.05",
      lot: "10",
    }]);
  });

  it("indexes instruments, firms and sessions", () => {
    const venue = parseVenue(BARE_VENUE, "venue.yaml");
    assert.equal(venue.instrumentBySymbol.get("S"), venue.instruments[0]);
    assert.equal(venue.instrumentById.get(1), venue.instruments[0]);
    assert.equal(venue.sessionByCompId.get("T"), venue.sessions[0]);
    assert.equal(venue.sessionById.get(1), venue.sessions[0]);
    assert.equal(venue.firmById.get(1), venue.sessions[0].firm);
  });

  it("gives a session the settings that it names, then the venue's, then the usual ones", () => {
    const hours = '{ timeZone: Europe/Berlin, start: "08:00", end: "17:30:05", days: [Fri, Mon] }';
    const text = BARE_VENUE.replace(
      "password: p }",
      "password: p, userDefinedFields: false, nextExpectedMsgSeqNum: false, dictionary: own.xml }\n" +
        "  - { id: 2, senderCompId: U, firm: A, role: trading, username: u, password: p, schedule: null }",
    ) +
      `sessionDefaults: { userDefinedFields: true, extensions: false, lastMsgSeqNumProcessed: true, schedule: ${hours} }\n`;
    assert.deepEqual(parseVenue(text, "etc/venue.yaml").sessions.map(({ settings }) => settings), [
      {
        lastMsgSeqNumProcessed: true,
        nextExpectedMsgSeqNum: false,
        userDefinedFields: false,
        resetOnLogon: false,
        extensions: false,
        schedule: {
          timeZone: "Europe/Berlin",
          startSec: 28_800,
          endSec: 63_005,
          days: [1, 5],
          resetAtStart: false,
        },
        dictionary: "etc/own.xml",
      },
      {
        lastMsgSeqNumProcessed: true,
        nextExpectedMsgSeqNum: true,
        userDefinedFields: true,
        resetOnLogon: false,
        extensions: false,
        schedule: null,
        dictionary: null,
      },
    ]);
    assert.deepEqual(parseVenue(BARE_VENUE, "venue.yaml").sessions[0].settings, DEFAULT_FIX_SETTINGS);
  });

  it("syncs every write only when it is asked to", () => {
    assert.equal(parseVenue(BARE_VENUE, "venue.yaml").durability, "default");
    assert.equal(parseVenue(`${BARE_VENUE}durability: power-loss\n`, "venue.yaml").durability, "power-loss");
    assert.throws(
      () => parseVenue(`${BARE_VENUE}durability: async\n`, "venue.yaml"),
      /durability \(line 8\): expected default or power-loss, got "async"/,
    );
  });

  it("names a file that cannot be read", () => {
    assert.throws(
      () => loadVenue("no/such/venue.yaml"),
      /^ConfigError: Cannot load no\/such\/venue\.yaml: No such/,
    );
  });

  it("ships a venue that loads, with equities FIFO, futures of the family and sessions of every role", () => {
    const venue = loadVenue(fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url)));
    const count = (algorithm: string) =>
      venue.instruments.filter((each) => each.algorithm === algorithm).length;
    assert.ok(count("F") >= 3 && count("C") >= 2);
    assert.ok(count("K") > 0 && count("Q") > 0 && count("O") > 0);
    const makers = venue.instruments.flatMap(({ rules }) => rules?.leadMarketMakers ?? []);
    assert.ok(makers.length >= 2 && makers.every(({ firmId }) => venue.firmById.has(firmId)));
    const traders = venue.sessions.filter((each) => each.role === "trading");
    assert.ok(new Set(traders.map((each) => each.firm.id)).size >= 2);
    assert.ok(venue.sessions.some((each) => each.role === "drop-copy"));
    assert.ok(venue.sessions.some((each) => each.role === "market-data"));
  });
});
