/** `deno task verify` as a process: on a running venue, on its store, and on stores that were damaged. */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT_DIR } from "../../infra/supervisor/programs.ts";
import { startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { CONFIG } from "../integration/running.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { clOrdIdOf, randomRichMessage } from "./random_orders.ts";

const NATS = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server";
const ORDERS = 200;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the task with the permissions that deno.json gives it. */
function verify(...args: string[]): Promise<Outcome> {
  return verifyWith({}, ...args);
}

async function verifyWith(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const tasks: Record<string, string> =
    JSON.parse(await Deno.readTextFile(join(PROJECT_DIR, "deno.json"))).tasks;
  const [, ...words] = tasks.verify.split(" ");
  const output = await new Deno.Command(Deno.execPath(), {
    args: [...words, ...args],
    cwd: PROJECT_DIR,
    env: { PATH: `${NATS.slice(0, NATS.lastIndexOf("/"))}:${Deno.env.get("PATH")}`, NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}

/** The files of a folder with their contents' digests. */
async function contentsOf(folder: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) lines.push(...await contentsOf(path));
    else {
      const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
      lines.push(`${path} ${new Uint8Array(digest).toHex()}`);
    }
  }
  return lines.sort();
}

describe("deno task verify", () => {
  let folder: string;
  let store: string;
  let running: Outcome;
  /** With another venue file than the running venue's. */
  let runningOther: Outcome;

  beforeAll(async () => {
    folder = await Deno.makeTempDir({ prefix: "pitwire-verify-test-" });
    store = join(folder, "venue");
    const venue = loadVenue(CONFIG);
    const process = await startVenue({
      config: CONFIG,
      venue,
      store,
      natsExecutable: NATS,
      log: nullLogger,
      logLevel: "error",
    });
    try {
      const traders = ["A1", "B1"].map((name) => new LastingTrader(venue, name));
      const { fixHost: host, fixPort: port } = process.address;
      for (const trader of traders) await trader.stay({ host, port });
      const random = new SeededRandom(3);
      for (let i = 0; i < ORDERS; i++) {
        for (const trader of traders) {
          const { msgType, fields } = randomRichMessage(trader.senderCompId, random, i);
          trader.send(msgType, clOrdIdOf(trader.senderCompId, i), fields);
        }
      }
      await until("all answers", () => traders.every(({ unanswered }) => unanswered.length === 0));
      running = await verify("--store", store);
      runningOther = await verify("--store", store, "--config", join(PROJECT_DIR, "infra", "venue.yaml"));
      for (const trader of traders) await trader.logout();
    } finally {
      await process.stop();
    }
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** A copy of the store whose last block of a stream is changed. */
  async function damaged(stream: string, damage: (path: string) => Promise<void>): Promise<string> {
    const copy = await Deno.makeTempDir({ dir: folder });
    await new Deno.Command("cp", { args: ["-r", `${store}/.`, copy] }).output();
    const messages = join(copy, "jetstream", "jetstream", "PITWIRE", "streams", stream, "msgs");
    const blocks: string[] = [];
    for await (const { name } of Deno.readDir(messages)) {
      if (name.endsWith(".blk")) blocks.push(name);
      else await Deno.remove(join(messages, name));
    }
    await damage(join(messages, blocks.sort((a, b) => parseInt(a) - parseInt(b)).at(-1)!));
    return copy;
  }
  const cut = async (path: string) => await Deno.truncate(path, Math.floor((await Deno.stat(path)).size / 2));

  it("finds a running venue good and says that its matchers have the same state", () => {
    assert.equal(running.code, 0, running.stdout + running.stderr);
    assert.match(
      running.stdout,
      /^shard 0: every event is as it must be: \d+ events of \d+ command messages compared$/m,
    );
    assert.match(
      running.stdout,
      /^ {2}state hash [0-9a-f]{16} after command message \d+: the matcher's too$/m,
    );
    assert.match(
      running.stderr,
      /^shard 1: \d+ command messages in [\d.]+ s, \d+ commands, \d+ commands\/s$/m,
    );
  });

  it("ends with 2 for a running venue and another venue file than its own", () => {
    assert.deepEqual([runningOther.code, runningOther.stdout], [2, ""]);
    assert.match(
      runningOther.stderr,
      /^Cannot verify by this venue file: instrument 1 \(ACME\) has maxOrderQty 1000 in the store but 1000000 in the venue file.*; leave --config out to use the file that the store's latest run went by$/m,
    );
  });

  it("finds its store good when it has stopped, and leaves it as it was", async () => {
    const before = await contentsOf(store);
    const { code, stdout, stderr } = await verify("--store", store, "--json");
    assert.equal(code, 0, stdout + stderr);
    const [first, second, ...more] = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(more, []);
    assert.deepEqual([first.shard, first.good, first.tail, second.shard, second.good], [0, true, 0, 1, true]);
    assert.deepEqual([first.hash, first.difference], [null, null]);
    assert.ok(first.trades > 10 && first.events > 100, stdout);
    assert.deepEqual(await contentsOf(store), before);
  });

  it("ends with 0 when only events at the end are gone: they come again from the commands", async () => {
    const { code, stdout } = await verify(
      "--store",
      await damaged("EV_0", cut),
      "--config",
      CONFIG,
      "--shard",
      "0",
    );
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^shard 0: every event is as it must be: \d+ events of \d+ command messages? compared; EV_0 has no events of (command message \d+|the \d+ command messages \d+ to \d+) \(the next start makes them\)$/m,
    );
  });

  it("ends with 2 when there are commands and no events: nothing was compared", async () => {
    const empty = await damaged("EV_0", (path) => Deno.truncate(path, 0));
    const { code, stdout } = await verify("--store", empty, "--shard", "0");
    assert.equal(code, 2, stdout);
    assert.match(
      stdout,
      /^shard 0: NOTHING TO COMPARE: EV_0 has no events of the \d+ command messages 1 to \d+ \(the next start makes them\)$/m,
    );
  });

  it("ends with 1 and the first lost command when commands are gone whose events are there", async () => {
    const { code, stdout } = await verify(
      "--store",
      await damaged("CMD_0", cut),
      "--config",
      CONFIG,
      "--shard",
      "0",
    );
    assert.equal(code, 1, stdout);
    assert.match(
      stdout,
      /^shard 0: DIFFERENT at CMD_0 sequence \d+, EV_0 sequence \d+: EV_0 holds events of a command that/,
    );
  });

  it("names the usual folder of a venue that is stopped, if there is one", async () => {
    const data = join(folder, "data");
    const usual = join(data, "pitwire", loadVenue(CONFIG).name);
    await Deno.mkdir(usual, { recursive: true });
    const why =
      `Cannot get into a venue by ${join(usual, "operator.json")}: no venue runs there; start it with ` +
      "deno task up, or name its folder with --store";
    const say = async () => {
      const { code, stdout, stderr } = await verifyWith({ XDG_DATA_HOME: data }, "--config", CONFIG);
      assert.deepEqual([code, stdout], [2, ""]);
      return stderr;
    };
    assert.equal(await say(), `${why}\n`);
    await Deno.copyFile(join(store, "reference.json"), join(usual, "reference.json"));
    assert.equal(await say(), `${why}, or, to verify a stopped venue, --store ${usual}\n`);
  });

  const CANNOT: readonly (readonly [string, () => Promise<string[]>, RegExp])[] = [
    [
      "a folder that is no venue's",
      () => Promise.resolve(["--store", folder]),
      /it is no venue's state folder/,
    ],
    [
      "another venue file",
      () => Promise.resolve(["--store", store, "--config", join(PROJECT_DIR, "infra", "venue.yaml")]),
      /^Cannot verify .*: instrument \d+ .* in the venue file.*; leave --config out to use the file that the store's latest run went by$/m,
    ],
    [
      "a shard that there is not",
      () => Promise.resolve(["--store", store, "--config", CONFIG, "--shard", "7"]),
      /^Cannot verify shard 7: the venue has no shards but 0, 1$/m,
    ],
    [
      "a store without the stream",
      async () => {
        const copy = await damaged("EV_0", cut);
        await Deno.remove(join(copy, "jetstream", "jetstream", "PITWIRE", "streams", "EV_0"), {
          recursive: true,
        });
        return ["--store", copy, "--config", CONFIG, "--shard", "0"];
      },
      /^Cannot read EV_0: /,
    ],
  ];
  for (const [what, args, says] of CANNOT) {
    it(`ends with 2 and one sentence for ${what}`, async () => {
      const { code, stdout, stderr } = await verify(...await args());
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, says);
    });
  }
});
