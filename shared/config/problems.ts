/** How a faulty venue file is reported: every problem has a path and a value, and all become one sentence. Pure. */

/** Keys and indices from the file's root to a value. */
export type Path = readonly (string | number)[];

/** One fault. `expected` completes the sentence "expected …". */
export interface Problem {
  readonly path: Path;
  readonly expected: string;
  readonly got: unknown;
}

/** Takes a fault of the value at `path`. */
export type Report = (path: Path, expected: string, got: unknown) => void;

/** A configuration that cannot be used; the message is one sentence for the person who wrote it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** `instruments[2].tick` */
function formatPath(path: Path): string {
  const text = path.map((key) => typeof key === "number" ? `[${key}]` : `.${key}`).join("");
  return text === "" ? "the whole file" : text.replace(/^\./, "");
}

const MAX_VALUE_CHARS = 60;

function formatValue(path: Path, value: unknown): string {
  if (path.at(-1) === "password" && value !== undefined) return "a value that is not shown";
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS)}…`;
}

/** The sentence for the first problem, with the number of the others. `line` finds a path's line in the file. */
export function configError(
  file: string,
  problems: readonly Problem[],
  line: (path: Path) => number,
): ConfigError {
  const { path, expected, got } = problems[0];
  const others = problems.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more ${others === 1 ? "problem" : "problems"})`;
  return new ConfigError(
    `Cannot load ${file}: ${formatPath(path)} (line ${line(path)}): expected ${expected}, got ${
      formatValue(path, got)
    }${more}`,
  );
}
