/**
 * The market-data process: books and trades on `md.…`, copies of execution reports on `drop.…` (docs/market-data.md).
 * Wires and decides nothing. Exit codes: 0 drained, 1 fatal, 2 wrong flags, 78 configuration.
 *
 * Permissions: --allow-net (connects to NATS), --allow-read of the venue file, --allow-env of PITWIRE_NATS_USER,
 * PITWIRE_NATS_PASSWORD and PITWIRE_LOG_LEVEL, and --ignore-env: libraries look for variables of their own.
 */
import { createLogger } from "../../shared/cli/log.ts";
import { endOnSignals, runService, sayReady } from "../../shared/cli/service_process.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { checkStoredReference, connectNats, ensureStreams, streamExtent } from "../../shared/nats/mod.ts";
import { OrderTracer, SpanName } from "../../shared/otel/mod.ts";
import { cmdStream, evStream } from "../../shared/protocol/mod.ts";
import { SYSTEM_CLOCK } from "./conflated_publisher.ts";
import { awaitDepth, depthOf } from "./depth_image.ts";
import { lastSeqs, PositionStore } from "./position_store.ts";
import { ShardFollower } from "./shard_follower.ts";
import { StreamRestorer } from "./stream_restorer.ts";

const HELP = `The market data of a Pitwire venue: books, trades and drop copies of all its shards.

Usage: deno run --allow-net --allow-read --allow-env --ignore-env services/market-data/main.ts [flags]

  --config FILE       venue file (default infra/venue.yaml)
  --nats URL          NATS server (default nats://127.0.0.1:4222)
  --help              this text

Prints one line of JSON when every book is published: {"ready":"market-data","shards":[…]}.
PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD are the credentials for NATS, PITWIRE_LOG_LEVEL is debug, info, warn or
error.
`;

const log = createLogger("market-data");

async function run(config: string, url: string): Promise<void> {
  const venue = loadVenue(config);
  const nc = await connectNats({
    url,
    name: "pitwire-market-data",
    user: Deno.env.get("PITWIRE_NATS_USER"),
    password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
  });
  await checkStoredReference(nc, venue);
  await ensureStreams(nc, venue);
  const ended = endOnSignals();
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
        lastSeqs: (kind, symbols) => lastSeqs(nc, shard, kind, symbols),
        lastEvSeq: async () => (await streamExtent(nc, evStream(shard))).lastSeq,
        lastCmdSeq: async () => (await streamExtent(nc, cmdStream(shard))).lastSeq,
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
  const restorer = new StreamRestorer({
    nc,
    ensure: () => ensureStreams(nc, venue),
    onRestored: () => followers.forEach((each) => each.repeat()),
    log,
  });
  Promise.all(followers.map((each) => each.start())).then(() => {
    sayReady("market-data", { shards: venue.shards });
  }, ended.reject);
  await ended.promise;
  log.info("draining");
  restorer.stop();
  await Promise.all(followers.map((each) => each.stop()));
  await nc.drain();
}

await runService({
  log,
  help: HELP,
  names: ["config", "nats"],
  run: ({ config, nats }) => run(config ?? "infra/venue.yaml", nats ?? "nats://127.0.0.1:4222"),
});
