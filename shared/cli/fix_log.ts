/**
 * `deno task fix:log FILE`: a FIX message log as people read it, one line per line of the file; `-` is
 * stdin. Exit codes: 0 done, 1 the file cannot be read, 2 the command line is wrong. Does I/O; what a line
 * becomes is fix_log_lines.ts.
 *
 * Permissions: --allow-read of the file.
 */
import { readableLine } from "./fix_log_lines.ts";
import { errorText } from "./log.ts";

const HELP = `Prints a log of FIX messages with the names of fields and of enumerated values.

Usage: deno task fix:log FILE     ("-" reads from stdin)

Messages may be delimited by SOH, "|", "^A" or "<SOH>"; what stands around them, such as time and direction, is
kept. Passwords are not shown.
`;

/** Writes everything, whatever the pipe takes at once. */
function write(target: { writeSync(bytes: Uint8Array): number }, text: string): void {
  // One byte per character: logs hold bytes, not always UTF-8.
  let rest = Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
  while (rest.length > 0) rest = rest.subarray(target.writeSync(rest));
}

function refuse(problem: string): never {
  write(Deno.stderr, `${problem}\n`);
  Deno.exit(2);
}

async function printLog(path: string): Promise<void> {
  const input = path === "-" ? Deno.stdin.readable : (await Deno.open(path)).readable;
  let rest = "";
  for await (const chunk of input.pipeThrough(new TextDecoderStream("latin1"))) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    if (lines.length > 0) write(Deno.stdout, lines.map(readableLine).join("\n") + "\n");
  }
  if (rest !== "") write(Deno.stdout, readableLine(rest) + "\n");
}

const [path, ...others] = Deno.args;
if (path === "--help") write(Deno.stdout, HELP);
else if (path === undefined) refuse("Cannot print a log: expected FILE, got nothing; see --help");
else if (path.startsWith("--") || others.length > 0) {
  refuse(`Cannot print a log: unknown argument "${others[0] ?? path}"; see --help`);
} else {
  try {
    await printLog(path);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    write(Deno.stderr, `Cannot read ${path}: ${errorText(error)}\n`);
    Deno.exit(1);
  }
}
