/**
 * Reference data beside the store: a venue file that gives an id another meaning, or a matching rule that would replay the
 * stored commands to another end, is refused before anything is started on the folder, and so is a store whose messages have
 * another layout. Reads and writes one file.
 */
import { join } from "node:path";
import { ConfigError, findChange, type Reference, referenceOf, type Venue } from "../../shared/config/mod.ts";

/** What the folder's earlier runs used; null when there were none. Throws one sentence when the record cannot be read. */
export function recordedReference(dir: string): Reference | null {
  const file = fileOf(dir);
  try {
    return JSON.parse(Deno.readTextFileSync(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw new Error(`Cannot use store ${dir}: ${file} is not readable reference data`, { cause: error });
  }
}

/**
 * Compares the venue with what the folder's earlier runs used. Throws one sentence when an id has changed its meaning (a
 * {@link ConfigError}) or the record cannot be read.
 */
export function checkReference(dir: string, venue: Venue): void {
  const before = recordedReference(dir);
  const change = before === null ? null : findChange(before, referenceOf(venue));
  if (change !== null) throw new ConfigError(`Cannot use store ${dir}: ${change}`);
}

/**
 * Remembers a venue that {@link checkReference} found no fault with: whatever it has now must stay. So call it when nothing
 * else is known to be in the way of a start, and before anything is stored by it.
 */
export function recordReference(dir: string, venue: Venue): void {
  const file = fileOf(dir);
  Deno.writeTextFileSync(`${file}.new`, JSON.stringify(referenceOf(venue), null, 1));
  Deno.renameSync(`${file}.new`, file);
}

function fileOf(dir: string): string {
  return join(dir, "reference.json");
}
