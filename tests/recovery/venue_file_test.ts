/**
 * A venue file that is edited while the venue runs: services that die go on with the file that the venue was started with, and
 * one that is started with the edited file refuses, with a sentence.
 */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { readOperatorFile } from "../../infra/admin/operator_file.ts";
import { PROJECT_DIR } from "../../infra/supervisor/programs.ts";
import type { RunningVenue } from "../../infra/venue_process.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { CONFIG, TestVenue } from "../integration/running.ts";
import { connectTo } from "./damage_store.ts";
import { rebuiltTruth } from "./truth.ts";

/** By the edited file prices would be ten times what they are, and most orders too large. */
const EDITS = [['tick: "0.01"', 'tick: "0.1"'], ['maxOrderQty: "1000"', 'maxOrderQty: "5"']] as const;
const SERVICES = ["nats", "matcher-0", "matcher-0-b", "market-data", "gateway"];
/** One that does not refuse is ended. */
const RUN_MS = 30_000;

/** Runs a service with a venue file to its end. */
async function run({ address }: RunningVenue, script: string, config: string, ...flags: string[]) {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", `--config=${join(PROJECT_DIR, "deno.json")}`],
      ...["--allow-net=127.0.0.1", "--allow-read", "--allow-env=PITWIRE_*,OTEL_*", "--ignore-env"],
      ...[join(PROJECT_DIR, script), "--config", config, "--nats", address.natsUrl, ...flags],
    ],
    env: { PITWIRE_NATS_USER: address.natsUser, PITWIRE_NATS_PASSWORD: address.natsPassword },
    stdin: "null",
    stdout: "null",
    signal: AbortSignal.timeout(RUN_MS),
  }).output();
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1)!;
  return { code, said: JSON.parse(said).msg };
}

describe("a venue file that is edited while the venue runs", () => {
  let dir: string;
  let config: string;
  let venue: TestVenue;

  beforeAll(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-edited-" });
    config = join(dir, "venue.yaml");
    await Deno.copyFile(CONFIG, config);
    venue = await TestVenue.start({ config, venue: loadVenue(config), standby: true });
  });
  afterAll(async () => {
    await venue[Symbol.asyncDispose]();
    await Deno.remove(dir, { recursive: true });
  });

  it("means nothing to services that die: books, prices and quantities go on as they were", async () => {
    const { running } = venue;
    const [a] = await venue.logon("A1");
    a.order("a1", { price: "10.07", qty: "100" });
    await a.next(1);
    await a.logout();
    let text = await Deno.readTextFile(config);
    for (const [from, to] of EDITS) text = text.replace(from, to);
    await Deno.writeTextFile(config, text);
    for (const service of SERVICES) {
      await running.kill(service);
      await running.whenReady(service);
    }
    const [b] = await venue.logon("B1");
    b.order("b1", { side: "sell", price: "10.07", qty: "40" });
    const [, filled] = await b.next(2);
    assert.equal(
      filled,
      "8 37=0-2-0|527=0-2-1|11=b1|17=0-2-1|150=F|39=2|55=ACME|54=2|38=40|40=2|44=10.07|59=0|32=40|31=10.07|151=0|14=40|" +
        "6=10.07|851=2",
    );
    await b.logout();
    const nc = await connectTo(running);
    await rebuiltTruth(nc, running.venue);
    await nc.close();
    const operators = loadVenue(readOperatorFile(running.address.store).config);
    assert.equal(operators.instruments[0].tick, "0.01");
  });

  it("is refused by every service that is started with it", async () => {
    const why =
      "Cannot use the venue's streams: instrument 1 (ACME) has tick 0.01 in the store but 0.1 in the venue file (and 1 more); " +
      "undo the change, or start with another store (--store)";
    const scripts = [
      ["services/matcher/main.ts"],
      ["services/matcher/main.ts", "--shard", "1", "--standby"],
      ["services/market-data/main.ts"],
      ["services/fix-gateway/main.ts", "--port", "0", "--gateway-id", "2"],
    ];
    const ends = scripts.map(([script, ...flags]) => run(venue.running, script, config, ...flags));
    assert.deepEqual(await Promise.all(ends), scripts.map(() => ({ code: 78, said: why })));
  });
});
