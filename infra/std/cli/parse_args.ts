/**
 * `@std/cli/parse-args` over npm minimist: the signature and the documented behaviour of the original that this
 * project relies on, so that the import map can point back to it (docs/dependencies.md). It refuses nothing that
 * the original accepts, except nested `a.b` flags, which it hands on as minimist reads them. No I/O.
 */
// @ts-types="npm:@types/minimist@1.2.5"
import minimist from "minimist";

/** Options of {@link parseArgs}: the flags by kind, as the original declares them. */
export interface ParseOptions<
  B extends string = string,
  S extends string = string,
  C extends string = string,
> {
  /** Flags that take no value; false when absent. */
  boolean?: readonly B[];
  /** Flags whose value stays text. */
  string?: readonly S[];
  /** Flags that may be given more than once; always an array, empty when absent. */
  collect?: readonly C[];
  /** Flags that `--no-NAME` turns off; `--no-NAME` of any other flag is an unknown flag called `no-NAME`. */
  negatable?: readonly string[];
  /** Values of absent flags. */
  default?: Record<string, unknown>;
  /** Other names of a flag. */
  alias?: Record<string, string | readonly string[]>;
  /** Puts everything after `--` into the result's `--`, not into `_`. */
  "--"?: boolean;
  /** Puts everything from the first positional argument on into `_`. */
  stopEarly?: boolean;
  /** Called for a flag or positional argument that no option names; false drops it. `value` is what follows "=". */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** What {@link parseArgs} returns: positional arguments in `_`, each declared flag under its name. */
export type Args<B extends string = string, S extends string = string, C extends string = string> =
  & { _: (string | number)[]; "--"?: string[] }
  & { [K in Exclude<B, C>]: boolean }
  & { [K in Exclude<S, C>]?: string }
  & { [K in C]: string[] }
  & { [flag: string]: unknown };

function aliasTable(alias: ParseOptions["alias"]): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const [name, others] of Object.entries(alias ?? {})) {
    const all = [name, ...(typeof others === "string" ? [others] : others)];
    for (const each of all) table.set(each, all);
  }
  return table;
}

const HIDDEN = "=true";

/** Rewrites `--no-x` of a flag that is not negatable, so that minimist does not take it for `x = false`. */
function hideForeignNegations(args: readonly string[], negatable: ReadonlySet<string>): string[] {
  const rewritten: string[] = [];
  let open = true;
  for (const arg of args) {
    if (arg === "--") open = false;
    const name = /^--no-([^=]+)$/.exec(arg)?.[1];
    rewritten.push(open && name !== undefined && !negatable.has(name) ? arg + HIDDEN : arg);
  }
  return rewritten;
}

function settle(value: unknown, collected: boolean, isString: boolean): unknown {
  if (collected) return value === undefined ? [] : Array.isArray(value) ? value : [value];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return isString && last !== undefined ? String(last) : last;
}

/**
 * Reads command-line arguments into flags. The last value of a repeated flag counts unless it is collected.
 * Source: the documentation of `@std/cli/parse-args`.
 */
export function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends string = never,
>(args: readonly string[], options: ParseOptions<B, S, C> = {}): Args<B, S, C> {
  const names = aliasTable(options.alias);
  const spellings = (list: readonly string[] | undefined) =>
    new Set((list ?? []).flatMap((name) => names.get(name) ?? [name]));
  const negatable = spellings(options.negatable);
  const collect = spellings(options.collect);
  const strings = spellings(options.string);
  const unknown = options.unknown;
  const rewritten = hideForeignNegations(args, negatable);
  const hidden = new Set(rewritten.filter((arg, i) => arg !== args[i]));
  const parsed = minimist(rewritten, {
    boolean: [...(options.boolean ?? [])],
    string: [...(options.string ?? [])],
    alias: options.alias as Record<string, string | string[]>,
    default: options.default as Record<string, unknown>,
    "--": options["--"] ?? false,
    stopEarly: options.stopEarly ?? false,
    unknown: unknown === undefined ? undefined : (arg: string) => {
      const flag = /^--?([^=]+)(?:=(.*))?$/s.exec(arg);
      if (flag === null || arg === "-") return unknown(arg) !== false;
      const name = flag[1]!;
      if (collect.has(name) || negatable.has(name)) return true;
      const [shown, value] = hidden.has(arg) ? [arg.slice(0, -HIDDEN.length), undefined] : [arg, flag[2]];
      return unknown(shown, name, value) !== false;
    },
  }) as Record<string, unknown>;
  for (const name of new Set([...Object.keys(parsed), ...collect])) {
    if (name !== "_" && name !== "--") {
      parsed[name] = settle(parsed[name], collect.has(name), strings.has(name));
    }
  }
  return parsed as Args<B, S, C>;
}
