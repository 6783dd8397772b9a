/**
 * Reads the venue file. Anything wrong with it is a ConfigError whose message is one sentence with file, path,
 * line and value. Reads one file, keeps nothing.
 */
import { dirname, isAbsolute, join } from "node:path";
import { errorText } from "../cli/log.ts";
import { z } from "zod";
import { isNode, LineCounter, parseDocument } from "yaml";
import { buildVenue } from "./build.ts";
import { ConfigError, configError, type Path, type Problem } from "./problems.ts";
import { venueSchema } from "./schema.ts";
import type { Venue } from "./venue.ts";

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key];
  return value;
}

/** The keys that the object at `path` may have. */
function keysAt(path: Path): string[] {
  let schema: unknown = venueSchema;
  for (const key of [...path, null]) {
    while (
      schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault ||
      schema instanceof z.ZodPrefault
    ) schema = schema.unwrap();
    if (key === null) break;
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodObject) schema = schema.shape[key];
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function problemsOf(issues: readonly Issue[], data: unknown): Problem[] {
  return issues.flatMap(({ code, path, message, keys }): Problem[] => {
    const here = path.map((key) => typeof key === "number" ? key : String(key));
    if (code !== "unrecognized_keys") return [{ path: here, expected: message, got: valueAt(data, here) }];
    return (keys ?? []).map((key) => {
      const at = [...here, key];
      return { path: at, expected: `one of the keys ${keysAt(here).join(", ")}`, got: key };
    });
  });
}

/**
 * Validates a venue file's text. `file` is its name in messages, and paths in it are relative to its folder. Throws
 * {@link ConfigError}.
 */
export function parseVenue(text: string, file: string): Venue {
  return parseFile(text, file).venue;
}

/** A venue, and the content of another file that says the same of it. */
export interface VenueAndCopy {
  readonly venue: Venue;
  /** JSON, which is YAML too. */
  readonly copy: string;
}

/**
 * Like {@link parseVenue}, and writes the file anew for another place: `pathOf` gives each path that it names, from where we
 * are or absolute, another.
 */
export function parseAndCopyVenue(
  text: string,
  file: string,
  pathOf: (path: string) => string,
): VenueAndCopy {
  const { venue, data } = parseFile(text, file);
  // Once through JSON, so that what an alias repeats is there twice, and each path is replaced once.
  const copy = JSON.parse(JSON.stringify(data));
  for (const entry of [copy.sessionDefaults, ...copy.sessions]) {
    if (typeof entry?.dictionary === "string") entry.dictionary = pathOf(pathFrom(file, entry.dictionary));
  }
  return { venue, copy: `${JSON.stringify(copy, null, 1)}\n` };
}

function pathFrom(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

function parseFile(text: string, file: string): { venue: Venue; data: unknown } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors[0];
  if (syntax !== undefined) {
    throw new ConfigError(
      `Cannot load ${file}: line ${lines.linePos(syntax.pos[0]).line}: ${syntax.message}`,
    );
  }
  /** The line of the nearest existing node: a missing value is reported where it should be. */
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  let data: unknown;
  try {
    data = document.toJS();
  } catch (error) {
    throw new ConfigError(`Cannot load ${file}: ${errorText(error)}`);
  }
  const parsed = venueSchema.safeParse(data);
  if (!parsed.success) throw configError(file, problemsOf(parsed.error.issues, data), lineOf);
  const { venue, problems } = buildVenue(parsed.data, (path) => pathFrom(file, path));
  if (problems.length > 0) throw configError(file, problems, lineOf);
  return { venue, data };
}

/** Reads and validates a venue file. Throws {@link ConfigError}, also when the file cannot be read. */
export function loadVenue(path: string): Venue {
  return parseVenue(readVenueFile(path), path);
}

/** A venue file's text. Throws {@link ConfigError} when it cannot be read. */
export function readVenueFile(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw new ConfigError(`Cannot load ${path}: ${errorText(error)}`);
  }
}
