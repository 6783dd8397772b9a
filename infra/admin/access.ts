/**
 * How an operator's tool gets into a running venue: by its state folder, or by a NATS address with the credentials that
 * the environment holds. Reads files and PITWIRE_NATS_USER, PITWIRE_NATS_PASSWORD and the variables that name folders.
 */
import { join } from "node:path";
import { UsageError } from "../../shared/cli/flags.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { PROJECT_DIR } from "../supervisor/programs.ts";
import { userDataDir } from "../supervisor/store.ts";
import { type OperatorAccess, readOperatorFile } from "./operator_file.ts";

/** What the command line says of the venue; null for what it leaves out. */
export interface AccessFlags {
  /** State folder. */
  readonly store: string | null;
  /** Venue file. */
  readonly config: string | null;
  /** NATS, in place of a state folder. */
  readonly nats: string | null;
}

const SHIPPED_CONFIG = join(PROJECT_DIR, "infra", "venue.yaml");

/** Where the venue is and how to get in. Throws one sentence when that cannot be told or no venue runs there. */
export function accessOf({ store, config, nats }: AccessFlags): OperatorAccess {
  if (nats !== null) {
    const [user, password] = ["PITWIRE_NATS_USER", "PITWIRE_NATS_PASSWORD"].map((name) => Deno.env.get(name));
    if (user === undefined || password === undefined) {
      throw new UsageError("Cannot use --nats: PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD are not set");
    }
    return { url: nats, user, password, config: config ?? SHIPPED_CONFIG };
  }
  const access = readOperatorFile(store ?? defaultStore(config));
  return config === null ? access : { ...access, config };
}

/** The state folder that `deno task up` chooses for a venue file, null for the shipped one. Throws one sentence. */
export function defaultStore(config: string | null): string {
  const data = userDataDir(Deno.env, Deno.build.os);
  if (data === null) {
    throw new UsageError("Cannot find the state folder: no home folder is known; use --store");
  }
  return join(data, "pitwire", loadVenue(config ?? SHIPPED_CONFIG).name);
}
