/** Finds the commands and flags that a document names. Knows Markdown's code, nothing else of it. Pure. */

/** A `deno task` command as a document has it. */
export interface DocumentedCommand {
  readonly line: number;
  readonly task: string;
  /** Its first argument when that is a word: a subcommand, a part, a suite. Else empty. */
  readonly word: string;
  /** Every `--flag` behind it, those of the line's comment included. */
  readonly flags: readonly string[];
}

const FLAG = /(?<=^|[\s[(|])--[a-z][a-z0-9-]*/g;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** What stands in backticks and in fences, with the line on which it begins; a fence gives its lines one by one. */
function codeIn(markdown: string): { line: number; code: string; fenced: boolean }[] {
  const found: { line: number; code: string; fenced: boolean }[] = [];
  const prose = markdown.replace(/^ *```[^\n]*\n([\s\S]*?)^ *```/gm, (fence, body: string, index: number) => {
    const first = lineAt(markdown, index) + 1;
    for (const [i, code] of body.split("\n").entries()) found.push({ line: first + i, code, fenced: true });
    return fence.replace(/[^\n]/g, " ");
  });
  for (const match of prose.matchAll(/`([^`]+)`/g)) {
    found.push({ line: lineAt(prose, match.index), code: match[1].replace(/\s+/g, " "), fenced: false });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Every `deno task` command of a document, in order. */
export function commandsIn(markdown: string): DocumentedCommand[] {
  return codeIn(markdown).flatMap(({ line, code }) =>
    code.split(/\bdeno task\b/).slice(1).flatMap((rest) => {
      const words = rest.trim().split(/\s+/).filter((word) => word !== "-q" && word !== "--quiet");
      const task = /^[a-z][a-z:-]*[a-z]/.exec(words[0])?.[0];
      if (task === undefined) return [];
      return [{
        line,
        task,
        word: /^[a-z][a-z-]*$/.exec(words[1] ?? "")?.[0] ?? "",
        flags: [...rest.matchAll(FLAG)].map((match) => match[0]).filter((flag) => flag !== "--quiet"),
      }];
    })
  );
}

/** The flags that stand alone in backticks, as in a table of flags: of which command, only the reader knows. */
export function loneFlagsIn(markdown: string): { line: number; flag: string }[] {
  return codeIn(markdown).filter(({ code, fenced }) => !fenced && code.startsWith("--")).flatMap(
    ({ line, code }) => [...code.matchAll(FLAG)].map((match) => ({ line, flag: match[0] })),
  );
}
