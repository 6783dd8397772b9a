/**
 * Verifies a venue: that which runs, or a copy of the store of one that does not. Owns by which venue file, and that this file
 * is the one that the streams were written by. Changes nothing of the venue's. Does I/O.
 */
import { join } from "node:path";
import { accessOf, defaultStore } from "../../../infra/admin/access.ts";
import { type OperatorAccess, readOperatorFile } from "../../../infra/admin/operator_file.ts";
import { obtainNatsServer } from "../../../infra/nats/obtain.ts";
import { PROJECT_DIR } from "../../../infra/supervisor/programs.ts";
import { recordedReference } from "../../../infra/supervisor/reference.ts";
import { userCacheDir } from "../../../infra/supervisor/store.ts";
import { copiedVenueFile } from "../../../infra/supervisor/venue_copy.ts";
import { createLogger, errorText } from "../../../shared/cli/log.ts";
import {
  type ChangeRemedies,
  findChange,
  loadVenue,
  referenceOf,
  type Venue,
} from "../../../shared/config/mod.ts";
import { connectNats, type NatsConnection, storedReferenceChange } from "../../../shared/nats/mod.ts";
import type { VerifyArgs } from "./args.ts";
import { Interruption } from "./interruption.ts";
import { openStoreCopy } from "./store_copy.ts";
import type { Verdict } from "./verdict.ts";
import { CannotVerifyError, verifyShard } from "./verify_shard.ts";

/** Hears of a shard's verification as it goes on. */
export interface VenueListener {
  begin(shard: number): void;
  /** See {@link VerifyOptions.onProgress}. */
  progress(applied: number, of: number, startedAfter: number): void;
  /** The shard that was begun last is done. */
  end(verdict: Verdict): void;
}

/** Verifies the shards asked for, one after the other. Throws one sentence when one of them cannot be verified. */
export async function verifyVenue(args: VerifyArgs, listener: VenueListener): Promise<void> {
  if (args.store !== null) {
    const found = await running(args.store);
    if (found === null) return await verifyCopy(args.store, args, listener);
    await using connection = closing(found.nc);
    return await verifyShards(connection.nc, loadVenue(args.config ?? found.config), args, listener);
  }
  const access = accessToRunning(args);
  const venue = loadVenue(access.config);
  await using connection = closing(await connectNats({ ...access, name: "pitwire-verify" }));
  await verifyShards(connection.nc, venue, args, listener);
}

async function verifyShards(
  nc: NatsConnection,
  venue: Venue,
  args: VerifyArgs,
  listener: VenueListener,
): Promise<void> {
  const { shard: only } = args;
  const change = await storedReferenceChange(nc, venue, remediesOf(args));
  if (change !== null) throw new CannotVerifyError(`Cannot verify by this venue file: ${change}`);
  const shards = only === null ? venue.shards : venue.shards.filter((each) => each === only);
  if (shards.length === 0) {
    throw new CannotVerifyError(
      `Cannot verify shard ${only}: the venue has no shards but ${venue.shards.join(", ")}`,
    );
  }
  for (const shard of shards) {
    listener.begin(shard);
    const onProgress = (applied: number, of: number, startedAfter: number) =>
      listener.progress(applied, of, startedAfter);
    listener.end(await verifyShard({ nc, venue, shard, onProgress }));
  }
}

/** Nothing is to be undone, and no store to be started with: the venue was run by another file, or by another release. */
function remediesOf({ config, nats }: VerifyArgs): ChangeRemedies {
  const otherFile = config !== null && nats === null
    ? "leave --config out to use the file that the store's latest run went by"
    : "name the file that the venue runs by with --config";
  return { otherFile, otherRelease: "verify it with that release" };
}

/** As {@link accessOf}, which knows of running venues only: names the store of the default one when that is stopped. */
function accessToRunning(args: VerifyArgs): OperatorAccess {
  try {
    return accessOf(args);
  } catch (error) {
    if (args.nats !== null) throw error;
    const store = defaultStore(args.config);
    if (recordedReference(store) === null) throw error;
    const text = `${errorText(error)}, or, to verify a stopped venue, --store ${store}`;
    throw new Error(text, { cause: error });
  }
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

async function verifyCopy(store: string, args: VerifyArgs, listener: VenueListener): Promise<void> {
  const venue = loadVenue(args.config ?? copiedVenueFile(store) ?? join(PROJECT_DIR, "infra", "venue.yaml"));
  const before = recordedReference(store);
  const change = before === null
    ? "it is no venue's state folder"
    : findChange(before, referenceOf(venue), remediesOf(args));
  if (change !== null) throw new CannotVerifyError(`Cannot verify ${store}: ${change}`);
  const log = createLogger("verify");
  const nats = await obtainNatsServer({
    cacheDir: `${userCacheDir(Deno.env, Deno.build.os) ?? "."}/pitwire`,
    path: Deno.env.get("PATH") ?? "",
    progress: { note: (text: string) => log.info(text), download() {} },
  });
  using interruption = new Interruption();
  await using copy = await openStoreCopy({ store, natsExecutable: nats.path, shards: venue.shards });
  await using connection = closing(await connectNats({ ...copy, name: "pitwire-verify" }));
  await interruption.either(verifyShards(connection.nc, venue, args, listener));
}

function closing(nc: NatsConnection): { readonly nc: NatsConnection } & AsyncDisposable {
  return { nc, [Symbol.asyncDispose]: () => nc.close() };
}
