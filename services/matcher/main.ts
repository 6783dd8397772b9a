/**
 * The matcher process of one shard: commands in, events out, on NATS. Wires and decides nothing. Exit codes: 0 drained,
 * 1 fatal (another matcher leads, the streams contradict each other, no server), 2 wrong flags, 75 the standby leads as an
 * operator asked for, 78 configuration.
 *
 * Permissions: --allow-net (connects to NATS), --allow-read of the venue file and, since a thread may run only what it may
 * read, of services/matcher, shared and infra/std, --allow-env of PITWIRE_NATS_USER,
 * PITWIRE_NATS_PASSWORD and PITWIRE_LOG_LEVEL, and --ignore-env: libraries look for variables of their own.
 */
import { createLogger } from "../../shared/cli/log.ts";
import { endOnSignals, EXIT_AGAIN, runService, sayReady } from "../../shared/cli/service_process.ts";
import { ConfigError, loadVenue, type Venue } from "../../shared/config/mod.ts";
import {
  checkStoredReference,
  connectNats,
  ensureStreams,
  type NatsConnection,
} from "../../shared/nats/mod.ts";
import { OrderTracer, SpanName } from "../../shared/otel/mod.ts";
import { Control } from "./control/control.ts";
import type { EngineOptions } from "./engine/mod.ts";
import { allDuties } from "./leader_duties.ts";
import { Matcher } from "./matcher.ts";
import {
  engineRulesDigest,
  natsCommandLog,
  NatsSnapshotStore,
  type RestoredEngine,
  restoreEngine,
  SnapshotDuty,
  snapshotInterval,
  snapshotThread,
} from "./snapshot/mod.ts";

const HELP = `The matcher of one shard of a Pitwire venue.

Usage: deno run --allow-net --allow-read --allow-env --ignore-env services/matcher/main.ts [flags]

  --config FILE       venue file (default infra/venue.yaml)
  --nats URL          NATS server (default nats://127.0.0.1:4222)
  --shard N           one of the venue's shards (default 0)
  --standby           follow while another matcher leads, and lead when none does
  --help              this text

Prints one line of JSON when it has replayed its commands and leads or stands by:
{"ready":"matcher","shard":…,"role":"leader","epoch":…,…}.
PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD are the credentials for NATS, PITWIRE_LOG_LEVEL is debug, info, warn or
error.
`;

const DRAIN_MS = 5000;
const log = createLogger("matcher");

interface Flags {
  readonly config?: string;
  readonly nats?: string;
  readonly shard?: string;
  readonly standby: boolean;
}

async function run(flags: Flags): Promise<number> {
  const venue = loadVenue(flags.config ?? "infra/venue.yaml");
  const shard = shardOf(venue, flags);
  const { maxOpenOrders, clOrdIdHistory } = venue.limits;
  const instruments = venue.instruments.filter((each) => each.shard === shard);
  const server = {
    url: flags.nats ?? "nats://127.0.0.1:4222",
    user: Deno.env.get("PITWIRE_NATS_USER"),
    password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
  };
  const nc = await connected(server, venue, shard);
  const ended = endOnSignals();
  const made = { shard, instruments, maxOpenOrders, clOrdIdHistory };
  const { engine, ...from } = await restored(nc, made);
  const { firms, sessions, schedule } = venue;
  const directory = { shard, instruments, firms, sessions };
  const tracer = new OrderTracer("matcher", 0);
  const snapshots = new SnapshotDuty({
    everyCommands: snapshotInterval(venue.limits),
    from: from.cmdSeq,
    startThread: snapshotThread({ ...server, engine: made }),
    // Started again, it would lead with the same book again.
    onDifferent: (reason) => ended.reject(new ConfigError(reason)),
    log,
  });
  let said = false;
  const ready = (role: "leader" | "standby") => {
    const { epoch, cmdSeq, evSeq } = matcher.state();
    if (!said) sayReady("matcher", { shard, role, epoch, cmdSeq, evSeq });
    said = true;
  };
  let code = 0;
  const matcher = new Matcher({
    nc,
    shard,
    engine,
    from,
    instruments,
    rules: engineRulesDigest(made),
    log,
    onFatal: ended.reject,
    standby: flags.standby,
    onStandingBy: () => {
      snapshots.standBy();
      ready("standby");
    },
    onHandedOver: () => {
      code = EXIT_AGAIN;
      ended.resolve();
    },
    duties: allDuties(
      new Control({ nc, engine, directory, schedule, log, onFatal: ended.reject }),
      snapshots,
    ),
    onTraced: (trace, cmdSeq) => {
      const attributes = { "pitwire.shard": shard, "pitwire.cmd_seq": cmdSeq };
      const span = tracer.startChild(SpanName.Match, trace, attributes);
      return () => span.end();
    },
  });
  matcher.start().then(() => ready("leader"), ended.reject);
  await ended.promise;
  log.info("draining", { shard });
  if (!await matcher.drain(DRAIN_MS) && code === 0) {
    log.warn("not every event was stored in time; the next start stores the rest", { shard });
  }
  await nc.close();
  return code;
}

/** A connection to the server of streams that are this venue's. */
async function connected(
  server: { readonly url: string },
  venue: Venue,
  shard: number,
): Promise<NatsConnection> {
  const nc = await connectNats({ ...server, name: `pitwire-matcher-${shard}` });
  await checkStoredReference(nc, venue);
  await ensureStreams(nc, venue);
  return nc;
}

function shardOf({ shards }: Venue, flags: Flags): number {
  const asked = flags.shard ?? "0";
  const shard = shards.find((each) => String(each) === asked);
  if (shard !== undefined) return shard;
  throw new ConfigError(
    `Cannot start a matcher: --shard must be one of ${shards.join(", ")}, got "${asked}"`,
  );
}

/** The engine from the newest good snapshot. */
async function restored(nc: NatsConnection, engine: EngineOptions): Promise<RestoredEngine> {
  const store = await NatsSnapshotStore.open(nc, engine.shard);
  return await restoreEngine({ store, commands: natsCommandLog(nc, engine.shard), engine, log });
}

await runService({ log, help: HELP, names: ["config", "nats", "shard"], switches: ["standby"], run });
