/** The rules of the house that a program can check. Each returns one sentence per violation. Pure. */
import { functionsOf } from "./functions.ts";
import {
  codeOf,
  headerOf,
  importsOf,
  isGenerated,
  isPure,
  isTest,
  isTestSupport,
  resolveImport,
  type SourceFile,
} from "./source.ts";

/** All files of the project by path. */
export type Project = ReadonlyMap<string, SourceFile>;

/** Looks at one file; an empty list is good. */
export type Rule = (file: SourceFile, project: Project) => string[];

const MAX_LINES = 300;
const MAX_FUNCTION_LINES = 70;
const MAX_GENERATED_LINES = 20_000;

/** Lists each match of a pattern with its line number. */
function matches(code: string, pattern: RegExp, what: (match: string) => string): string[] {
  return [...code.matchAll(pattern)].map((match) => {
    const line = code.slice(0, match.index).split("\n").length;
    return `line ${line}: ${what(match[0].trim())}`;
  });
}

const fileLength: Rule = (file) => {
  const limit = isGenerated(file) ? MAX_GENERATED_LINES : MAX_LINES;
  const lines = file.text.split("\n").length - 1;
  return lines > limit ? [`has ${lines} lines, more than ${limit}`] : [];
};

const functionLength: Rule = (file) =>
  isTest(file) || isGenerated(file) ? [] : functionsOf(codeOf(file))
    .filter(({ length }) => length > MAX_FUNCTION_LINES)
    .map(({ line, length, text }) =>
      `line ${line}: ${length} lines, more than ${MAX_FUNCTION_LINES}: ${text}`
    );

const fileName: Rule = ({ path }) => {
  const name = path.split("/").at(-1)!;
  if (!/^[a-z0-9]+(_[a-z0-9]+)*\.ts$/.test(name)) return [`is not named in snake_case`];
  if (name === "index.ts") return ["is called index.ts; a folder's door is mod.ts"];
  const vague = /(^|_)(manager|helpers?|utils?|impl|misc|common)(_|\.)/.exec(name);
  return vague === null ? [] : [`has "${vague[2]}" in its name, which says nothing`];
};

const header: Rule = (file) =>
  headerOf(file) === "" && !isTest(file) ? ["does not begin with a comment"] : [];

const vagueNames: Rule = (file) =>
  matches(
    codeOf(file),
    /\b(?:class|interface)\s+\w*(?:Manager|Helper|Utils?|Impl)\b/g,
    (name) => `${name} is vague`,
  );

/** What a pure file must not name: clocks, randomness, environment, I/O. */
const IMPURE = new RegExp(
  [
    /\bDate\.now\b/,
    /\bnew Date\(\s*\)/,
    /\bperformance\b/,
    /\bMath\.random\b/,
    /\bDeno\b/,
    /\bsetTimeout\b/,
    /\bsetInterval\b/,
    /\bqueueMicrotask\b/,
    /\bcrypto\b/,
    /\bprocess\s*\./,
    /\bglobalThis\b/,
    /\bfetch\s*\(/,
    /\bconsole\b/,
    /\bimport\s*\(/,
  ].map((pattern) => pattern.source).join("|"),
  "g",
);

const pureNames: Rule = (file) =>
  isPure(file) ? matches(codeOf(file), IMPURE, (name) => `"${name}" in a file that says it is pure`) : [];

/** Compares and throws; the one module from outside that a pure file may use, for test support. */
const ASSERTIONS = "node:assert/strict";

const pureImports: Rule = (file, project) => {
  if (!isPure(file)) return [];
  return importsOf(file).filter((each) => !each.typeOnly).flatMap(({ specifier }) => {
    if (specifier === ASSERTIONS) return [];
    if (!specifier.startsWith(".")) return [`is pure but imports ${specifier}`];
    const target = project.get(resolveImport(file.path, specifier));
    if (target === undefined) return [`imports ${specifier}, which is not there`];
    return isPure(target) ? [] : [`is pure but imports ${target.path}, which is not`];
  });
};

const testSupport: Rule = (file, project) =>
  isTestSupport(file) ? [] : importsOf(file).flatMap(({ specifier }) => {
    const target = specifier.startsWith(".") ? project.get(resolveImport(file.path, specifier)) : undefined;
    return target === undefined || !isTestSupport(target)
      ? []
      : [`imports ${target.path}, which is for tests only`];
  });

/** Built from two halves, so that this file passes its own rule. */
const UNFINISHED = new RegExp(`\\b(${"TO" + "DO"}|${"FIX" + "ME"}|${"XX" + "X"}|${"HA" + "CK"})\\b`, "g");
const unfinished: Rule = ({ text }) => matches(text, UNFINISHED, (word) => `${word}: file an issue instead`);

/** A document by its path, and behind it the heading that is meant, or the first words of it. */
const NAMED_DOCUMENT = /(?<![\w./-])(docs\/[\w./-]+?\.md)(?:,[\s*]+(?:\/\/ )?"([^"]+)")?/g;
const documents: Rule = ({ text }, project) =>
  [...text.matchAll(NAMED_DOCUMENT)].flatMap(([, path, heading]) => {
    const document = project.get(path);
    if (document === undefined) return [`names ${path}, which is not there`];
    const words = heading?.replace(/\s*\n\s*\*?\s*/g, " ");
    return words === undefined || [`# ${words}`, `**${words}`].some((start) => document.text.includes(start))
      ? []
      : [`names "${words}" of ${path}, which is not there`];
  });

const LINK = /\]\((?!https?:)([\w./-]+\.md)?(?:#([\w-]+))?\)/g;
const links: Rule = (file, project) =>
  !file.path.endsWith(".md") ? [] : [...file.text.matchAll(LINK)].flatMap(([, path, anchor]) => {
    const target = path === undefined ? file.path : resolveImport(file.path, path);
    const text = project.get(target)?.text;
    if (text === undefined) return [`links to ${path}, which is not there`];
    return anchor === undefined || anchorsOf(text).has(anchor)
      ? []
      : [`links to ${target}#${anchor}, which is not there`];
  });

/** What a document's headings are linked to by. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map((match) => match[1].toLowerCase());
  return new Set(headings.map((heading) => heading.replace(/[^\w\s-]/g, "").trim().replace(/\s/g, "-")));
}

const ALL_PERMISSIONS = new RegExp(`(?<=[\\s"'\`])(-${"A"}|--allow-${"all"})(?=[\\s"'\`])`, "g");
const permissions: Rule = ({ text }) =>
  matches(text, ALL_PERMISSIONS, (flag) => `${flag} gives every permission`);

const floats: Rule = (file) =>
  matches(codeOf(file), /\bparseFloat\b/g, () => "parseFloat: decimals never pass a float");

const consoleUse: Rule = (file) =>
  isTest(file) || file.path.startsWith("bench/")
    ? []
    : matches(codeOf(file), /\bconsole\.\w+/g, (call) => `${call}: use a logger or write to stdout`);

const looseTypes: Rule = (file) =>
  matches(codeOf(file), /(?:[:<,|&]\s*|\bas\s+)any\b(?!\s*[:(])/g, () => "any: say which type, or unknown")
    .filter((text) => !file.text.split("\n")[Number(/\d+/.exec(text)![0]) - 2]?.includes("no-explicit-any"));

const urlPaths: Rule = (file) =>
  matches(
    codeOf(file),
    /\bimport\.meta\.url\)\.pathname\b/g,
    () => "a URL's path: fileURLToPath knows about spaces",
  );

const EXPORT = /^export (?:async )?(?:abstract )?(function\*?|class|interface|type|const|let|enum) (\w+)/;

const docstrings: Rule = (file) => {
  if (isTest(file)) return [];
  const lines = file.text.split("\n");
  const documented = new Set<string>();
  return lines.flatMap((line, index) => {
    const match = EXPORT.exec(line);
    if (match === null) return [];
    let above = index - 1;
    while (above >= 0 && /^\/\/ deno-(lint|fmt)-ignore/.test(lines[above])) above--;
    const before = lines[above] ?? "";
    // One docstring may stand over a list of constants, over overloads, and over an enumeration and its type.
    const neighbour = EXPORT.exec(before)?.[2];
    const shared = documented.has(match[2]) || neighbour !== undefined && documented.has(neighbour);
    if (!shared && !before.trimEnd().endsWith("*/")) {
      return [`line ${index + 1}: ${match[2]} has no docstring`];
    }
    documented.add(match[2]);
    return [];
  });
};

/** Rules for TypeScript files, by name. */
export const SOURCE_RULES: Readonly<Record<string, Rule>> = {
  "no file is too long": fileLength,
  "no function is too long": functionLength,
  "files are named in snake_case and for what they hold": fileName,
  "every file says what it is": header,
  "no type has a vague name": vagueNames,
  "pure files read no clock, randomness or environment and do no I/O": pureNames,
  "pure files import only pure files": pureImports,
  "what is for tests is used by tests": testSupport,
  "decimals never pass a float": floats,
  "only tests and benches use the console": consoleUse,
  "types are never loose": looseTypes,
  "paths are no URLs": urlPaths,
  "every export has a docstring": docstrings,
};

/** Rules for every text file: sources, settings, scripts and documents. */
export const TEXT_RULES: Readonly<Record<string, Rule>> = {
  "nothing is left unfinished": unfinished,
  "nothing runs with every permission": permissions,
  "documents that are named are there, with the heading that is meant": documents,
  "links between documents lead somewhere": links,
};
