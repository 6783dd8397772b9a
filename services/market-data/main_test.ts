import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { NatsConnection } from "@nats-io/nats-core";
import { DepthImageWriter } from "../../shared/codec/wire/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { depthRequestSubject, instrumentsRequestSubject } from "../../shared/protocol/mod.ts";
import { until } from "../../shared/testing/awaited.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const VENUE = path("../../infra/venue.yaml");

/** The service with the permissions that the supervisor gives it. */
function service(args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", `--config=${path("../../deno.json")}`],
      ...["--allow-net=127.0.0.1", `--allow-read=${VENUE}`, "--allow-env=PITWIRE_*,OTEL_*", "--ignore-env"],
      ...[path("./main.ts"), ...args],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function output(args: readonly string[]): Promise<{ code: number; stdout: string; message: string }> {
  const { code, stdout, stderr } = await service(args).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), message: JSON.parse(text(stderr)).msg };
}

describe("the market-data process", () => {
  let server: TestServer;
  let nc: NatsConnection;
  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect("matcher");
  });
  afterAll(async () => {
    await nc.close();
    await server.dispose();
  });

  it("waits for the matcher, says that it is ready in one line, and drains on SIGTERM", async () => {
    const asked = Promise.withResolvers<void>();
    const process = service(["--config", VENUE, "--nats", server.url]);
    const books: string[] = [];
    nc.subscribe(instrumentsRequestSubject(0), {
      callback(_, msg) {
        msg.respond(JSON.stringify({ cmdSeq: 0, instruments: [] }));
      },
    });
    nc.subscribe("md.>", { callback: (_, msg) => void books.push(msg.subject) });
    const stderr = process.stderr.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await stderr.read()).value ?? "", /waiting for the matcher's depth/);
    stderr.cancel();
    nc.subscribe(depthRequestSubject(0), {
      callback(_, msg) {
        const writer = new DepthImageWriter();
        writer.begin(0, 1, 0, 1);
        for (const part of writer.end()) msg.respond(part);
        msg.respond(new Uint8Array(0));
        asked.resolve();
      },
    });
    await asked.promise;
    const stdout = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await stdout.read()).value, '{"ready":"market-data","shards":[0]}\n');
    // The books are on their way from another process: the line may be here first.
    const symbols = loadVenue(VENUE).instruments.map(({ symbol }) => symbol);
    await until("phase and book of each", () => books.length >= 2 * symbols.length);
    const subjects = ["phase", "book"].flatMap((kind) => symbols.map((symbol) => `md.0.${symbol}.${kind}`));
    assert.deepEqual(books, subjects);
    process.kill("SIGTERM");
    assert.equal((await stdout.read()).done, true);
    assert.equal((await process.status).code, 0);
  });

  it("refuses a venue file that is not there with 78, and a missing server with 1", async () => {
    const bad = await output(["--config", `${VENUE}.none`, "--nats", server.url]);
    assert.deepEqual([bad.code, bad.stdout], [78, ""]);
    assert.match(bad.message, /^Cannot load .*venue\.yaml\.none: /);
    const lone = await output(["--config", VENUE, "--nats", "nats://127.0.0.1:1"]);
    assert.deepEqual([lone.code, lone.stdout], [1, ""]);
    assert.match(lone.message, /^Cannot connect to NATS at nats:\/\/127\.0\.0\.1:1: /);
  });

  it("refuses a wrong flag with 2, and explains itself", async () => {
    const wrong = await output(["--shard", "0"]);
    assert.deepEqual(wrong, {
      code: 2,
      stdout: "",
      message: 'Cannot read "--shard": there is no such flag (see --help)',
    });
    const { code, stdout, stderr } = await service(["--help"]).output();
    assert.deepEqual([code, stderr.length], [0, 0]);
    assert.match(
      new TextDecoder().decode(stdout),
      /^The market data of a Pitwire venue.*\n\nUsage: deno run/,
    );
  });
});
