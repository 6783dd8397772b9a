/**
 * The venue file of a run, and the FIX dictionaries that it names, copied into the state folder: a service that is started
 * again goes by what the venue was started with, whatever has become of the originals. Owns the folder `run`.
 */
import { basename, join, resolve } from "node:path";
import {
  ConfigError,
  loadDictionary,
  parseAndCopyVenue,
  readVenueFile,
  type Venue,
} from "../../shared/config/mod.ts";

/** What the services of a run read. */
export interface VenueCopy {
  /** The copied venue file, and the dictionaries that it names. */
  readonly config: string;
  readonly dictionaries: readonly string[];
}

/** The folder in the state folder, and the copied venue file in it. */
const FOLDER = "run";
const FILE = "venue.json";

/** The venue file that the latest run on a state folder went by; null when none has left one. */
export function copiedVenueFile(dir: string): string | null {
  const path = join(dir, FOLDER, FILE);
  try {
    return Deno.statSync(path).isFile ? path : null;
  } catch {
    return null;
  }
}

/**
 * Copies `config`, which `venue` was loaded from, into the state folder `dir`, in place of what an earlier run had there: file
 * by file and the venue file last, so that there is always a whole one. What is copied holds credentials and is readable by its owner only. Throws one sentence when the file says something else by now,
 * or a dictionary cannot be used ({@link ConfigError}), and when a copy cannot be written.
 */
export function copyVenueFile(config: string, venue: Venue, dir: string): VenueCopy {
  const folder = join(resolve(dir), FOLDER);
  /** Copies of dictionaries by their originals' paths. */
  const dictionaries = new Map<string, string>();
  const read = parseAndCopyVenue(readVenueFile(config), config, (path) => {
    const original = resolve(path);
    const known = dictionaries.get(original);
    if (known !== undefined) return known;
    loadDictionary(path);
    const copy = join(folder, `${dictionaries.size + 1}-${basename(original)}`);
    dictionaries.set(original, copy);
    return copy;
  });
  if (JSON.stringify(read.venue) !== JSON.stringify(venue)) {
    throw new ConfigError(`Cannot start by ${config}: it was changed a moment ago`);
  }
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [original, copy] of dictionaries) whole(copy, (path) => Deno.copyFileSync(original, path));
  const copied = join(folder, FILE);
  whole(copied, (path) => Deno.writeTextFileSync(path, read.copy, { mode: 0o600 }));
  const copies = [...dictionaries.values()];
  for (const { name } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (path !== copied && !copies.includes(path)) Deno.removeSync(path, { recursive: true });
  }
  return { config: copied, dictionaries: copies };
}

/** Puts the file at `path` that `write` makes elsewhere: whoever dies meanwhile leaves the one before it. */
function whole(path: string, write: (beside: string) => void): void {
  const beside = `${path}.new`;
  write(beside);
  Deno.renameSync(beside, path);
}
