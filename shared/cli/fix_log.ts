/**
 * `deno task fix:log FILE`: a FIX message log as people read it, one line per line of the file; `-` is
 * stdin. Exit codes: 0 done, 1 the file cannot be read, 2 the command line is wrong. Does I/O; what a line
 * becomes is fix_log_lines.ts.
 *
 * Permissions: --allow-read of the file.
 */
import { runCommand } from "./command.ts";
import { readableLine } from "./fix_log_lines.ts";
import { oneWord, readFlags } from "./flags.ts";
import { writeBytes } from "./output.ts";

const HELP = `Prints a log of FIX messages with the names of fields and of enumerated values.

Usage: deno task fix:log FILE     ("-" reads from stdin)

Messages may be delimited by SOH, "|", "^A" or "<SOH>"; what stands around them, such as time and direction, is
kept. Passwords are not shown.
`;

/** One byte per character: logs hold bytes, not always UTF-8. */
function printBytes(text: string): void {
  writeBytes(Deno.stdout, Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff));
}

function pathOf(args: readonly string[]): string | null {
  const flags = readFlags(args, { words: true });
  return flags === null ? null : oneWord("print a log", "FILE", flags.words);
}

async function printLog(path: string): Promise<void> {
  const input = path === "-" ? Deno.stdin.readable : (await Deno.open(path)).readable;
  let rest = "";
  for await (const chunk of input.pipeThrough(new TextDecoderStream("latin1"))) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    if (lines.length > 0) printBytes(lines.map(readableLine).join("\n") + "\n");
  }
  if (rest !== "") printBytes(readableLine(rest) + "\n");
}

await runCommand({
  help: HELP,
  read: pathOf,
  run: async (path) => {
    try {
      await printLog(path);
    } catch (cause) {
      if (!(cause instanceof Deno.errors.BrokenPipe)) throw new Error(`Cannot read ${path}`, { cause });
    }
  },
});
