/** What a venue file may not say, and what its author is told. */
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { BARE_VENUE } from "../testing/bare_venue.ts";
import { ConfigError, parseVenue } from "./mod.ts";

/** The message for BARE_VENUE with one piece of text replaced. */
function fault(from: string, to: string): string {
  assert.ok(BARE_VENUE.includes(from), `no "${from}" in the sound file`);
  try {
    parseVenue(BARE_VENUE.replace(from, to), "venue.yaml");
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  assert.fail(`"${to}" was accepted`);
}

describe("a venue file that is wrong", () => {
  const faults: [name: string, from: string, to: string, message: string][] = [
    [
      "a tick that YAML would read as a float",
      'tick: "0.05"',
      "tick: 0.05",
      'Cannot load venue.yaml: instruments[0].tick (line 5): expected a positive decimal in quotes, such as "0.05", ' +
      "got 0.05",
    ],
    [
      "a tick of zero",
      'tick: "0.05"',
      'tick: "0.00"',
      'Cannot load venue.yaml: instruments[0].tick (line 5): expected a positive decimal in quotes, such as "0.05", ' +
      'got "0.00"',
    ],
    [
      "a tick that its scale cannot hold",
      'tick: "0.05"',
      'tick: "0.005"',
      'Cannot load venue.yaml: instruments[0].tick (line 5): expected no more decimals than priceScale 2, got "0.005"',
    ],
    [
      "a tick so large that the largest price is inexact",
      'tick: "0.05"',
      'tick: "99999999"',
      "Cannot load venue.yaml: instruments[0].tick (line 5): expected at most 4194304 units of 10^-2, got " +
      '"99999999"',
    ],
    [
      "a largest quantity off the lot",
      'maxOrderQty: "1000"',
      'maxOrderQty: "1005"',
      'Cannot load venue.yaml: instruments[0].maxOrderQty (line 5): expected a multiple of lot 10, got "1005"',
    ],
    [
      "a largest quantity over what lots hold",
      'maxOrderQty: "1000"',
      'maxOrderQty: "21474836480"',
      "Cannot load venue.yaml: instruments[0].maxOrderQty (line 5): expected at most 2147483647 lots of 10, got " +
      '"21474836480"',
    ],
    [
      "a symbol with a dot",
      "symbol: S",
      "symbol: BRK.B",
      "Cannot load venue.yaml: instruments[0].symbol (line 5): expected a symbol of 1 to 24 letters A-Z a-z, digits, " +
      '_ - or / (no dot or space: a symbol is one token of a NATS subject), got "BRK.B"',
    ],
    [
      "the symbol that stands for none",
      "symbol: S",
      "symbol: _",
      "Cannot load venue.yaml: instruments[0].symbol (line 5): expected a symbol that does not begin with _: such " +
      'subject tokens are the venue\'s own, got "_"',
    ],
    [
      "a symbol whose event subject would be the one of claims",
      "symbol: S",
      "symbol: _claim",
      "Cannot load venue.yaml: instruments[0].symbol (line 5): expected a symbol that does not begin with _: such " +
      'subject tokens are the venue\'s own, got "_claim"',
    ],
    [
      "a shard that is listed twice",
      "targetCompId: X",
      "targetCompId: X\nshards: [0, 1, 0]",
      "Cannot load venue.yaml: shards[2] (line 3): expected a shard that shards[0] is not, got 0",
    ],
    [
      "an engine that could remember no ClOrdID",
      "targetCompId: X",
      "targetCompId: X\nlimits: { clOrdIdHistory: 0 }",
      "Cannot load venue.yaml: limits.clOrdIdHistory (line 3): expected a whole number from 1 to 8000000, got 0",
    ],
    [
      "messages too short for a Logon with the longest CompIDs and credentials",
      "targetCompId: X",
      "targetCompId: X\nlimits: { maxMessageBytes: 256 }",
      "Cannot load venue.yaml: limits.maxMessageBytes (line 3): expected a whole number from 1024 to 1048576, got 256",
    ],
    [
      "a password with a byte that ends a FIX field",
      "password: p",
      'password: "p\\u0001q"',
      "Cannot load venue.yaml: sessions[0].password (line 7): expected 1 to 64 printable ASCII characters without " +
      "spaces, got a value that is not shown",
    ],
    [
      "a CompID of 33 letters",
      "senderCompId: T",
      `senderCompId: ${"T".repeat(33)}`,
      "Cannot load venue.yaml: sessions[0].senderCompId (line 7): expected a CompID of 1 to 32 letters A-Z a-z, " +
      `digits, _ or -, got "${"T".repeat(33)}"`,
    ],
    [
      "an unknown algorithm",
      "algorithm: F",
      "algorithm: X",
      "Cannot load venue.yaml: instruments[0].algorithm (line 5): expected F (FIFO), C (pro rata), A, O, Q, S, T or K: " +
      'docs/matching.md says what they do, got "X"',
    ],
    [
      "a shard that is not listed",
      "symbol: S",
      "symbol: S, shard: 3",
      "Cannot load venue.yaml: instruments[0].shard (line 5): expected one of shards 0, got 3",
    ],
    [
      "a firm that does not exist",
      "firm: A, role",
      "firm: B, role",
      'Cannot load venue.yaml: sessions[0].firm (line 7): expected one of firms A, got "B"',
    ],
    [
      "an unknown role",
      "role: trading",
      "role: boss",
      "Cannot load venue.yaml: sessions[0].role (line 7): expected trading, drop-copy or market-data, got " +
      '"boss"',
    ],
    [
      "a session that calls itself the venue",
      "senderCompId: T",
      "senderCompId: X",
      "Cannot load venue.yaml: sessions[0].senderCompId (line 7): expected another CompID than the venue's own, got " +
      '"X"',
    ],
    [
      "a second firm with the same id and name",
      "firms: [{ id: 1, name: A }]",
      "firms: [{ id: 1, name: A }, { id: 1, name: A }]",
      "Cannot load venue.yaml: firms[1].id (line 3): expected a value that firms[0] does not have, got 1 (and 1 more " +
      "problem)",
    ],
    [
      "an id that is no id",
      "id: 1, symbol",
      "id: 0, symbol",
      "Cannot load venue.yaml: instruments[0].id (line 5): expected a whole number from 1 to 65535, got 0",
    ],
    [
      "a missing key, and an unknown one",
      "targetCompId: X",
      "targetCompID: X",
      "Cannot load venue.yaml: targetCompId (line 1): expected a CompID of 1 to 32 letters A-Z a-z, digits, _ or -, " +
      "got nothing (and 1 more problem)",
    ],
    [
      "an unknown key",
      "name: v\n",
      "name: v\nnmae: w\n",
      'Cannot load venue.yaml: nmae (line 2): expected one of the keys name, targetCompId, shards, firms, instruments, sessions, sessionDefaults, schedule, durability, limits, got "nmae"',
    ],
    [
      "an unknown key of a firm, whose value does not matter",
      "name: A }",
      "name: A, colour: { red: 1 } }",
      'Cannot load venue.yaml: firms[0].colour (line 3): expected one of the keys id, name, selfMatchPrevention, got "colour"',
    ],
    [
      "heartbeat bounds the wrong way round",
      "name: v\n",
      "name: v\nlimits: { heartBtIntMinSec: 60, heartBtIntMaxSec: 30 }\n",
      "Cannot load venue.yaml: limits.heartBtIntMinSec (line 2): expected at most heartBtIntMaxSec 30, got 60",
    ],
    [
      "a time zone that there is not",
      "password: p",
      'password: p, schedule: { timeZone: Europe/Atlantis, start: "08:00", end: "17:00" }',
      "Cannot load venue.yaml: sessions[0].schedule.timeZone (line 7): expected an IANA time zone, such as " +
      'Europe/Berlin or UTC, got "Europe/Atlantis"',
    ],
    [
      "a time of day that there is not",
      "password: p",
      'password: p, schedule: { timeZone: UTC, start: "24:00", end: "17:00" }',
      "Cannot load venue.yaml: sessions[0].schedule.start (line 7): expected a time of day in quotes, such as " +
      '"08:00" or "17:30:15", got "24:00"',
    ],
    [
      "a week day twice",
      "name: v\n",
      'name: v\nsessionDefaults: { schedule: { timeZone: UTC, start: "08:00", end: "17:00", days: [Mon, Mon] } }\n',
      "Cannot load venue.yaml: sessionDefaults.schedule.days (line 2): expected week days out of Mon, Tue, Wed, " +
      'Thu, Fri, Sat, Sun, each once, got ["Mon","Mon"]',
    ],
    [
      "hours without an end",
      "password: p",
      'password: p, schedule: { timeZone: UTC, start: "08:00" }',
      "Cannot load venue.yaml: sessions[0].schedule.end (line 7): expected a time of day in quotes, such as " +
      '"08:00" or "17:30:15", got nothing',
    ],
    [
      "a smallest pro-rata share where nothing is pro rata",
      "algorithm: F,",
      "algorithm: F, proRataMin: 1,",
      "Cannot load venue.yaml: instruments[0].proRataMin (line 5): expected none with algorithm F: only C, A, O, " +
      "Q and K use it (as algorithm or in switchableTo), got 1",
    ],
    [
      "a setting that is no yes or no",
      "password: p",
      "password: p, userDefinedFields: maybe",
      'Cannot load venue.yaml: sessions[0].userDefinedFields (line 7): expected true or false, got "maybe"',
    ],
    [
      "a password with a space",
      "password: p",
      'password: "p q"',
      "Cannot load venue.yaml: sessions[0].password (line 7): expected 1 to 64 printable ASCII characters without " +
      "spaces, got a value that is not shown",
    ],
  ];
  for (const [name, from, to, message] of faults) {
    it(`refuses ${name}`, () => assert.equal(fault(from, to), message));
  }

  it("names the line of a syntax error", () => {
    assert.match(fault("targetCompId: X", "targetCompId: [X"), /^Cannot load venue\.yaml: line \d+: /);
  });

  it("names the file when aliases would grow beyond measure", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [name, before] of ["ba", "cb", "dc", "ed"]) {
      bomb.push(`${name}: &${name} [${`*${before},`.repeat(9)}]`);
    }
    assert.throws(
      () => parseVenue(bomb.join("\n"), "f"),
      /^ConfigError: Cannot load f: Excessive alias count/,
    );
  });

  it("refuses an empty file and one that is no mapping", () => {
    for (const text of ["", "- 1", "hello"]) {
      assert.throws(
        () => parseVenue(text, "f"),
        /^ConfigError: Cannot load f: the whole file \(line 1\): expected a/,
      );
    }
  });
});
