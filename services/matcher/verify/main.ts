/**
 * `deno task verify`: whether what a venue has stored is what its commands must have caused. Wires and decides nothing.
 * Exit codes: 0 it is, 1 it is not, 2 it cannot be told, since there is nothing to compare for one.
 *
 * Permissions: --allow-read of venue file, state folder and nats-server, --allow-write and --allow-run for a nats-server on
 * a copy, --allow-net to reach NATS, --allow-env of the variables that name folders and NATS credentials.
 */
import { join } from "node:path";
import { accessOf } from "../../../infra/admin/access.ts";
import { readOperatorFile } from "../../../infra/admin/operator_file.ts";
import { obtainNatsServer } from "../../../infra/nats/obtain.ts";
import { PROJECT_DIR } from "../../../infra/supervisor/programs.ts";
import { userCacheDir } from "../../../infra/supervisor/store.ts";
import { copiedVenueFile } from "../../../infra/supervisor/venue_copy.ts";
import { runCommand } from "../../../shared/cli/command.ts";
import { EXIT_USAGE } from "../../../shared/cli/flags.ts";
import { createLogger, errorText } from "../../../shared/cli/log.ts";
import { print, write } from "../../../shared/cli/output.ts";
import {
  findChange,
  loadVenue,
  type Reference,
  referenceOf,
  type Venue,
} from "../../../shared/config/mod.ts";
import { connectNats, type NatsConnection, storedReferenceChange } from "../../../shared/nats/mod.ts";
import { parseVerifyArgs, USAGE, type VerifyArgs } from "./args.ts";
import { verdictJson, verdictText } from "./print.ts";
import { VerifyProgress } from "./progress.ts";
import { openStoreCopy } from "./store_copy.ts";
import { type Outcome, outcomeOf } from "./verdict.ts";
import { CannotVerifyError, verifyShard } from "./verify_shard.ts";

const EXIT_DIFFERENT = 1;
const EXIT_CANNOT = EXIT_USAGE;

/** The exit code for all shards asked for: that of a different one counts most. */
async function verified(nc: NatsConnection, venue: Venue, args: VerifyArgs): Promise<number> {
  const change = await storedReferenceChange(nc, venue);
  if (change !== null) throw new CannotVerifyError(`Cannot verify by this venue file: ${change}`);
  const shards = args.shard === null ? venue.shards : venue.shards.filter((each) => each === args.shard);
  if (shards.length === 0) {
    throw new CannotVerifyError(
      `Cannot verify shard ${args.shard}: the venue has no shards but ${venue.shards.join(", ")}`,
    );
  }
  const outcomes = new Set<Outcome>();
  for (const shard of shards) {
    const progress = new VerifyProgress({
      shard,
      write: (text) => write(Deno.stderr, text),
      isTerminal: Deno.stderr.isTerminal(),
      nowMs: () => performance.now(),
    });
    const verdict = await verifyShard({
      nc,
      venue,
      shard,
      onProgress: (applied, of, startedAfter) => progress.at(applied, of, startedAfter),
    });
    progress.done(verdict.rebuild.cmdSeq - verdict.startedAfter, verdict.rebuild.commands);
    print(args.json ? verdictJson(verdict) : verdictText(verdict));
    outcomes.add(outcomeOf(verdict));
  }
  if (outcomes.has("different")) return EXIT_DIFFERENT;
  return outcomes.has("nothing") ? EXIT_CANNOT : 0;
}

/** The running venue's connection and venue file; null when none runs on the folder. */
async function running(store: string): Promise<{ nc: NatsConnection; config: string } | null> {
  try {
    const access = readOperatorFile(store);
    return { nc: await connectNats({ ...access, name: "pitwire-verify" }), config: access.config };
  } catch {
    return null;
  }
}

async function verifiedCopy(store: string, args: VerifyArgs): Promise<number> {
  const venue = loadVenue(args.config ?? copiedVenueFile(store) ?? join(PROJECT_DIR, "infra", "venue.yaml"));
  const change = changeOf(store, venue);
  if (change !== null) throw new CannotVerifyError(`Cannot verify ${store}: ${change}`);
  const log = createLogger("verify");
  const nats = await obtainNatsServer({
    cacheDir: `${userCacheDir(Deno.env, Deno.build.os) ?? "."}/pitwire`,
    path: Deno.env.get("PATH") ?? "",
    progress: { note: (text: string) => log.info(text), download() {} },
  });
  await using copy = await openStoreCopy({ store, natsExecutable: nats.path, shards: venue.shards });
  const nc = await connectNats({ ...copy, name: "pitwire-verify" });
  try {
    return await verified(nc, venue, args);
  } finally {
    await nc.close();
  }
}

/** Why this venue file is not the store's, or null. */
function changeOf(store: string, venue: Venue): string | null {
  try {
    const before: Reference = JSON.parse(Deno.readTextFileSync(join(store, "reference.json")));
    return findChange(before, referenceOf(venue));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return "it is no venue's state folder";
    return errorText(cause);
  }
}

async function run(args: VerifyArgs): Promise<number> {
  if (args.store !== null) {
    const found = await running(args.store);
    if (found === null) return await verifiedCopy(args.store, args);
    try {
      return await verified(found.nc, loadVenue(args.config ?? found.config), args);
    } finally {
      await found.nc.close();
    }
  }
  const access = accessOf(args);
  const venue = loadVenue(access.config);
  const nc = await connectNats({ ...access, name: "pitwire-verify" });
  try {
    return await verified(nc, venue, args);
  } finally {
    await nc.close();
  }
}

await runCommand({
  help: USAGE,
  read: parseVerifyArgs,
  run,
  codeOf: () => EXIT_CANNOT,
});
