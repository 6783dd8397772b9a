/**
 * Reads the venue file. Anything wrong with it is a ConfigError whose message is one sentence with file, path,
 * line and value. Reads one file, keeps nothing.
 */
import { dirname, isAbsolute, join } from "node:path";
import { errorText } from "../cli/log.ts";
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

function problemsOf(issues: readonly Issue[], data: unknown): Problem[] {
  return issues.flatMap(({ code, path, message, keys }): Problem[] => {
    const here = path.map((key) => typeof key === "number" ? key : String(key));
    if (code !== "unrecognized_keys") return [{ path: here, expected: message, got: valueAt(data, here) }];
    return (keys ?? []).map((key) => {
      const at = [...here, key];
      return { path: at, expected: "a key that venue files have", got: valueAt(data, at) };
    });
  });
}

/**
 * Validates a venue file's text. `file` is its name in messages, and paths in it are relative to its folder. Throws
 * {@link ConfigError}.
 */
export function parseVenue(text: string, file: string): Venue {
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
  const { venue, problems } = buildVenue(
    parsed.data,
    (path) => isAbsolute(path) ? path : join(dirname(file), path),
  );
  if (problems.length > 0) throw configError(file, problems, lineOf);
  return venue;
}

/** Reads and validates a venue file. Throws {@link ConfigError}, also when the file cannot be read. */
export function loadVenue(path: string): Venue {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw new ConfigError(`Cannot load ${path}: ${errorText(error)}`);
  }
  return parseVenue(text, path);
}
