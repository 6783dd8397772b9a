/**
 * The matcher of one shard as a process: `--config FILE --nats URL --shard N`. Wires and decides nothing. Exit codes:
 * 0 drained, 1 fatal (another matcher leads, the streams contradict each other, no server), 78 configuration.
 */
import { parseArgs } from "@std/cli/parse-args";
import { createLogger, errorText } from "../../shared/cli/log.ts";
import { ConfigError, loadVenue } from "../../shared/config/mod.ts";
import { connectNats, ensureStreams } from "../../shared/nats/mod.ts";
import { OrderTracer, SpanName } from "../../shared/otel/mod.ts";
import { Engine } from "./engine/mod.ts";
import { Matcher } from "./matcher.ts";

const DRAIN_MS = 5000;
const log = createLogger("matcher");

async function run(): Promise<void> {
  const args = parseArgs(Deno.args, { string: ["config", "nats", "shard"] });
  const venue = loadVenue(args.config ?? "infra/venue.yaml");
  const shard = Number(args.shard ?? 0);
  if (!venue.shards.includes(shard)) {
    throw new ConfigError(
      `Cannot start a matcher: --shard must be one of ${venue.shards.join(", ")}, got "${args.shard ?? 0}"`,
    );
  }
  const { maxOpenOrders, clOrdIdHistory } = venue.limits;
  const instruments = venue.instruments.filter((each) => each.shard === shard);
  const nc = await connectNats({
    url: args.nats ?? "nats://127.0.0.1:4222",
    name: `pitwire-matcher-${shard}`,
    user: Deno.env.get("PITWIRE_NATS_USER"),
    password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
  });
  const ended = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => ended.resolve());
  await ensureStreams(nc, venue);
  const tracer = new OrderTracer("matcher", 0);
  const matcher = new Matcher({
    nc,
    shard,
    engine: new Engine({ shard, instruments, maxOpenOrders, clOrdIdHistory }),
    instrumentIds: instruments.map((each) => each.id),
    log,
    onFatal: ended.reject,
    onTraced: (trace, cmdSeq) => {
      const span = tracer.startChild(SpanName.Match, trace, {
        "pitwire.shard": shard,
        "pitwire.cmd_seq": cmdSeq,
      });
      return () => span.end();
    },
  });
  matcher.start().then(() => {
    const { epoch, cmdSeq, evSeq } = matcher.state();
    const line = JSON.stringify({ ready: "matcher", shard, epoch, cmdSeq, evSeq });
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  }, ended.reject);
  await ended.promise;
  log.info("draining", { shard });
  if (!await matcher.drain(DRAIN_MS)) {
    log.warn("not every event was stored in time; the next start stores the rest", { shard });
  }
  await nc.close();
}

try {
  await run();
  Deno.exit(0);
} catch (error) {
  log.error(errorText(error));
  Deno.exit(error instanceof ConfigError ? 78 : 1);
}
