/**
 * Reference data beside the store: a venue file that gives an id another meaning, or a matching rule that would replay the
 * stored commands to another end, is refused before anything is started on the folder, and so is a store whose messages have
 * another layout. Reads and writes one file.
 */
import { join } from "node:path";
import { ConfigError, findChange, type Reference, referenceOf, type Venue } from "../../shared/config/mod.ts";

/**
 * Compares the venue with what the folder's earlier runs used, and remembers it. Throws one sentence when an id has
 * changed its meaning (a {@link ConfigError}) or the record cannot be read.
 */
export function checkReference(dir: string, venue: Venue): void {
  const file = join(dir, "reference.json");
  const now = referenceOf(venue);
  let before: Reference | null = null;
  try {
    before = JSON.parse(Deno.readTextFileSync(file));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      throw new Error(`Cannot use store ${dir}: ${file} is not readable reference data`, { cause: error });
    }
  }
  const change = before === null ? null : findChange(before, now);
  if (change !== null) throw new ConfigError(`Cannot use store ${dir}: ${change}`);
  Deno.writeTextFileSync(`${file}.new`, JSON.stringify(now, null, 1));
  Deno.renameSync(`${file}.new`, file);
}
