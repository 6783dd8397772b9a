/** What a venue file settles for a FIX session holds in the running gateway, and its messages are logged. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, loadVenue } from "../../shared/config/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { CONFIG, TestVenue } from "./running.ts";
import { connectAs, lineOf } from "./trader.ts";

const OWN_DICTIONARY = fileURLToPath(new URL("../acceptance/dictionaries/own.xml", import.meta.url));
/** Seconds from a Logon to the end of its day. */
const DAY_LEFT_SEC = 10;

describe("settings of a session", () => {
  let dir: string;
  beforeEach(async () => void (dir = await Deno.makeTempDir({ prefix: "pitwire-settings-" })));
  afterEach(() => Deno.remove(dir, { recursive: true }));

  async function start(defaults: object, options: object = {}): Promise<TestVenue> {
    const config = join(dir, "venue.yaml");
    const text = `${await Deno.readTextFile(CONFIG)}\nsessionDefaults: ${JSON.stringify(defaults)}\n`;
    await Deno.writeTextFile(config, text);
    return await TestVenue.start({ config, venue: loadVenue(config), ...options });
  }

  it("numbers that start again daily do, and a report missed before is sent all the same", async () => {
    const end = new Date(Date.now() + DAY_LEFT_SEC * 1000).toISOString().slice(11, 19);
    await using venue = await start({
      schedule: { timeZone: "UTC", start: end, end, resetAtStart: true },
      lastMsgSeqNumProcessed: true,
    });
    const received: string[] = [];
    const connect = (outgoing: number, incoming: number) =>
      connectAs(venue.running, "A1", {
        numbers: { outgoing, incoming },
        onMessage: (message) =>
          received.push([35, 34, 43, 97, 11, 150, 369].map((tag) => message.text(tag) ?? "").join(" ")),
      });
    const first = await connect(1, 1);
    const writer = first.compose();
    for (
      const [tag, value] of [[11, "o"], [55, "ACME"], [54, "1"], [38, "10"], [40, "2"], [44, "10"]] as const
    ) {
      writer.text(tag, value);
    }
    writer.utcTimestamp(60, Date.now());
    first.send("D");
    await until("the report", () => received.length === 1);
    assert.equal(await first.closed, 'the peer logged out: "The session\'s day is over; log on again"');
    const [b] = await venue.logon("B1");
    b.order("hit", { side: "sell", qty: "10", price: "10" });
    await b.next(2);
    const second = await connect(1, 1);
    await until("the missed report", () => received.length === 2);
    assert.deepEqual(received, ["8 2   o 0 2", "8 2   o F 1"]);
    await second.logout();
    const third = await connect(3, 4);
    await third.logout();
    assert.deepEqual(received.length, 2);
  });

  it("messages are held to the dictionary that the venue brings along", async () => {
    await Deno.copyFile(OWN_DICTIONARY, join(dir, "own.xml"));
    await using venue = await start({ dictionary: "own.xml" });
    const answered = Promise.withResolvers<string>();
    const client = await connectAs(venue.running, "A1", {
      onMessage: (message) => answered.resolve(lineOf(message)),
    });
    client.compose().text(58, "hello");
    client.send("U1");
    assert.equal(
      await within("an answer", answered.promise),
      'j 45=2|58=Cannot accept MsgType(35): expected D, F, G, H, q, AF, i, Z, x, c or g, got "U1"|372=U1|380=3',
    );
    await client.logout();
  });

  it("a dictionary that cannot be used keeps the venue from starting, with a sentence", async () => {
    await Deno.writeTextFile(join(dir, "own.xml"), "<fix/>");
    await assert.rejects(start({ dictionary: "own.xml" }), (error: Error) => {
      assert.ok(error instanceof ConfigError, "exit code 78");
      assert.equal(
        error.message,
        `Cannot load FIX dictionary ${join(dir, "own.xml")}: <fix> has no <fields>`,
      );
      return true;
    });
  });

  it("messages are logged as they crossed the wire, passwords masked", async () => {
    const fixLog = join(dir, "fix");
    const venue = await start({}, { fixLog });
    const path = join(fixLog, "FIX.4.4-PITWIRE-A1.gateway-1.log");
    {
      await using _ = venue;
      const [a] = await venue.logon("A1");
      a.order("o", { price: "10" });
      await a.next(1);
    }
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) =>
      /^\d{8}-\d\d:\d\d:\d\d\.\d{3} (IN {2}|OUT )8=FIX\.4\.4\|9=\d+\|35=(.)\|34=(\d+)\|(.*)10=\d{3}\|$/.exec(
        line,
      )
    );
    assert.deepEqual(lines.map((match) => match?.slice(1, 4).join(" ")), [
      "IN   A 1",
      "OUT  A 1",
      "IN   D 2",
      "OUT  8 2",
      "OUT  5 3",
      "IN   5 3",
    ]);
    assert.match(lines[0]![4], /\|553=a1\|554=\*\*\*\|$/);
    assert.deepEqual([...Deno.readDirSync(fixLog)].map(({ name }) => name), [
      "FIX.4.4-PITWIRE-A1.gateway-1.log",
    ]);
    if (Deno.build.os !== "windows") {
      assert.deepEqual([fixLog, path].map((each) => Deno.statSync(each).mode! & 0o777), [0o700, 0o600]);
    }
  });
});
