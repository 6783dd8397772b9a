/** Every limit that a venue file may state is one that the services take: a venue with the least of each trades. */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadVenue, parseVenue } from "../../shared/config/mod.ts";
import { CONFIG, TestVenue } from "./running.ts";

/** The least that the venue file takes. Times and rates stay as they are: a busy machine would make them a matter of luck. */
const LEAST = {
  maxMessageBytes: 1024,
  maxFieldsPerMessage: 32,
  maxGroupEntries: 1,
  maxUnsentBytes: 65536,
  maxQueuedMessages: 1,
  maxConnections: 1,
  logonsPerMinutePerAddress: 1,
  maxResendRepeats: 1,
  maxOpenOrders: 16,
  clOrdIdHistory: 1,
  snapshotEveryCommands: 100,
  cmdStreamBytes: 1048576,
  evStreamBytes: 1048576,
  conflationMs: 1,
  maxInFlightCommands: 1,
};

describe("the least limits", () => {
  let dir: string;
  let config: string;
  const text = (limits: object) => `${Deno.readTextFileSync(CONFIG)}\nlimits: ${JSON.stringify(limits)}\n`;
  beforeAll(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-limits-" });
    config = join(dir, "venue.yaml");
    await Deno.writeTextFile(config, text(LEAST));
  });
  afterAll(() => Deno.remove(dir, { recursive: true }));

  it("are the least that the venue file takes", () => {
    for (const [key, least] of Object.entries(LEAST)) {
      assert.throws(() => parseVenue(text({ ...LEAST, [key]: least - 1 }), "v"), new RegExp(key), key);
    }
  });

  it("let orders be entered and canceled", async () => {
    await using venue = await TestVenue.start({ config, venue: loadVenue(config) });
    const [a] = await venue.logon("A1");
    for (let round = 1; round <= 20; round++) {
      a.order(`n${round}`, { price: "10" });
      a.cancel(`c${round}`, `n${round}`, {});
      const reports = await a.next(2);
      assert.deepEqual(reports.map((line) => / (150=.)/.exec(line.replaceAll("|", " "))?.[1]), [
        "150=0",
        "150=4",
      ]);
    }
  });
});
