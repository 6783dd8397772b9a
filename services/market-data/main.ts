/**
 * The market-data service: books and trades on `md.…`, copies of execution reports on `drop.…` (docs/market-data.md).
 * Wires and decides nothing. Exit codes: 0 drained, 1 fatal, 78 configuration.
 */
import { parseArgs } from "@std/cli/parse-args";
import { createLogger, errorText, parseLogLevel } from "../../shared/cli/log.ts";
import { ConfigError, loadVenue } from "../../shared/config/mod.ts";
import { connectNats, ensureStreams, streamExtent } from "../../shared/nats/mod.ts";
import { OrderTracer, SpanName } from "../../shared/otel/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";
import { SYSTEM_CLOCK } from "./book_publisher.ts";
import { awaitDepth, depthOf } from "./depth_image.ts";
import { lastBookSeqs, PositionStore } from "./position_store.ts";
import { ShardFollower } from "./shard_follower.ts";

const log = createLogger("market-data", parseLogLevel(Deno.env.get("PITWIRE_LOG_LEVEL") ?? "info"));

async function run(): Promise<void> {
  const args = parseArgs(Deno.args, { string: ["config", "nats"] });
  const config = args.config ?? "infra/venue.yaml";
  const url = args.nats ?? "nats://127.0.0.1:4222";
  const venue = loadVenue(config);
  const nc = await connectNats({
    url,
    name: "pitwire-market-data",
    user: Deno.env.get("PITWIRE_NATS_USER"),
    password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
  });
  await ensureStreams(nc, venue);
  const ended = Promise.withResolvers<void>();
  const tracer = new OrderTracer("market-data", 0);
  const followers: ShardFollower[] = [];
  for (const shard of venue.shards) {
    followers.push(
      new ShardFollower({
        nc,
        shard,
        venue,
        conflationMs: venue.limits.conflationMs,
        positions: await PositionStore.open(nc, shard),
        lastBookSeqs: (symbols) => lastBookSeqs(nc, shard, symbols),
        lastEvSeq: async () => (await streamExtent(nc, evStream(shard))).lastSeq,
        depth: (signal) => awaitDepth(() => depthOf(nc, shard), { shard, log, clock: SYSTEM_CLOCK, signal }),
        traced: (trace, { cmdSeq, eventIndex }) =>
          tracer.startChild(SpanName.Publish, trace, {
            "pitwire.shard": shard,
            "pitwire.cmd_seq": cmdSeq,
            "pitwire.event_index": eventIndex,
          }).end(),
        log,
        clock: SYSTEM_CLOCK,
        onFatal: ended.reject,
      }),
    );
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => ended.resolve());
  Promise.all(followers.map((each) => each.start())).then(() => {
    const line = JSON.stringify({ ready: "market-data", shards: venue.shards });
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  }, ended.reject);
  await ended.promise;
  log.info("draining");
  await Promise.all(followers.map((each) => each.stop()));
  await nc.drain();
}

try {
  await run();
  Deno.exit(0);
} catch (error) {
  log.error(errorText(error));
  Deno.exit(error instanceof ConfigError ? 78 : 1);
}
