/**
 * Owns the text language of acceptance scripts: reads a script into steps and says which line is wrong. It
 * runs nothing. Pure. The grammar with an example: docs/testing.md.
 */

/**
 * One field of an expected message: the tag, and the value as the script writes it, "|" for SOH within it.
 */
export interface ExpectedField {
  readonly tag: number;
  readonly value: string;
}

/** What a script does or waits for, in order; `line` counts from 1. */
export type Step =
  & { readonly line: number; readonly connection: number }
  & (
    | { readonly kind: "connect" | "disconnect" }
    | {
      readonly kind: "send";
      readonly message: string;
      readonly length?: string;
      readonly checksum?: string;
    }
    | { readonly kind: "send raw"; readonly text: string }
    | {
      readonly kind: "expect";
      readonly fields: readonly ExpectedField[];
      readonly ordered: boolean;
      readonly withinMs: number;
    }
    | { readonly kind: "expect disconnect"; readonly withinMs: number }
    | { readonly kind: "wait"; readonly ms: number }
  );

/** What a script can ask of its surroundings before its first step. */
export type Need = typeof NEEDS[number];
/**
 * `echo`: an application that returns orders; `socket`: a real connection, since the session alone cannot
 * show it; `clock`: a clock that can be moved, since nobody wants to wait so long.
 */
export const NEEDS = ["echo", "socket", "clock"] as const;

/** A script as read. */
export interface Script {
  /** Values by name, as written; whoever runs the script knows the names. */
  readonly settings: ReadonlyMap<string, string>;
  readonly needs: ReadonlySet<Need>;
  readonly steps: readonly Step[];
}

/** How long an expected message or disconnect may take unless the script says otherwise, ms. */
export const DEFAULT_WITHIN_MS = 5000;

/** The text with `<x*12>` written out as twelve times x. */
export function repeated(text: string): string {
  return text.replace(/<(.)\*(\d+)>/g, (_, character, count) => character.repeat(Number(count)));
}

/** A line that is no step. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

/** Reads a script. Throws a ScriptError that names the line. */
export function parseScript(text: string): Script {
  const settings = new Map<string, string>();
  const needs = new Set<Need>();
  const steps: Step[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === "" || content.startsWith("#")) continue;
    const preamble = /^(set|needs) (.*)$/.exec(content);
    if (preamble === null) steps.push(parseStep(content, line));
    else if (steps.length > 0) throw wrong(line, `"${preamble[1]}" before the first step`, content);
    else if (preamble[1] === "set") readSetting(preamble[2], line, settings);
    else needs.add(readNeed(preamble[2], line));
  }
  if (steps.length === 0) throw new ScriptError("Cannot read the script: expected steps, got none");
  return { settings, needs, steps };
}

function readSetting(text: string, line: number, settings: Map<string, string>): void {
  const parts = /^(\w+) (\S+)$/.exec(text);
  if (parts === null) throw wrong(line, "set NAME VALUE", `set ${text}`);
  if (settings.has(parts[1])) throw wrong(line, "each setting once", `set ${text}`);
  settings.set(parts[1], parts[2]);
}

function readNeed(text: string, line: number): Need {
  const need = NEEDS.find((each) => each === text);
  if (need === undefined) throw wrong(line, `needs ${NEEDS.join(" or ")}`, `needs ${text}`);
  return need;
}

function parseStep(content: string, line: number): Step {
  const [, prefix, rest] = /^(?:([1-9]): *)?(.*)$/.exec(content)!;
  const at = { line, connection: prefix === undefined ? 1 : Number(prefix) };
  const [, verb, argument] = /^(\w+) *(.*)$/.exec(rest) ?? [];
  switch (verb) {
    case "connect":
    case "disconnect":
      if (argument !== "") throw wrong(line, verb, content);
      return { ...at, kind: verb };
    case "wait":
      return { ...at, kind: "wait", ms: duration(argument, line) };
    case "send":
      return parseSend(argument, at);
    case "expect":
      return parseExpect(argument, at);
    default:
      throw wrong(line, "connect, disconnect, send, expect or wait", content);
  }
}

interface Place {
  readonly line: number;
  readonly connection: number;
}

function parseSend(text: string, at: Place): Step {
  const raw = /^raw (.+)$/.exec(text);
  if (raw !== null) return { ...at, kind: "send raw", text: raw[1] };
  const [, option, value, message] = /^(?:(length|checksum) (\d+) )?(\d+=.*)$/.exec(text) ?? [];
  if (message === undefined) throw wrong(at.line, "send [length N | checksum N] TAG=VALUE|…", `send ${text}`);
  return { ...at, kind: "send", message, ...(option === undefined ? {} : { [option]: value }) };
}

function parseExpect(text: string, at: Place): Step {
  const [, isOrdered, within, what] = /^(ordered )?(?:within (\S+) )?(.*)$/.exec(text)!;
  const withinMs = within === undefined ? DEFAULT_WITHIN_MS : duration(within, at.line);
  if (what === "disconnect" && isOrdered === undefined) return { ...at, kind: "expect disconnect", withinMs };
  const fields = what.split("|").map((field) => {
    const [, tag, value] = /^(\d+)=(.*)$/.exec(field) ?? [];
    if (tag === undefined) throw wrong(at.line, "expect TAG=VALUE|… or expect disconnect", `expect ${text}`);
    return { tag: Number(tag), value: repeated(value).replaceAll("<SOH>", "|") };
  });
  return { ...at, kind: "expect", fields, ordered: isOrdered !== undefined, withinMs };
}

function duration(text: string, line: number): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  if (number === undefined) throw wrong(line, "a time such as 500ms or 2.5s", text);
  return Number(number) * (unit === "s" ? 1000 : 1);
}

function wrong(line: number, expected: string, got: string): ScriptError {
  return new ScriptError(`Cannot read line ${line}: expected ${expected}, got "${got}"`);
}
