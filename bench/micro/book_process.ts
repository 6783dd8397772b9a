/**
 * Runs the benches of the book in a process of their own, with the V8 flags and variables of a matcher. Run as a
 * program it is that process: the scale as its argument, one result per line.
 */
import { fileURLToPath } from "node:url";
import { MATCHER_ENV, MATCHER_V8_FLAGS } from "../../infra/supervisor/programs.ts";
import { print } from "../../shared/cli/output.ts";
import type { BenchResult } from "../result.ts";
import { run as book } from "./book.ts";
import { run as bookOnly } from "./book_only.ts";

/** All figures of both; `scale` shrinks the runs. Throws Error when the process fails. */
export async function runBook(scale: number): Promise<BenchResult[]> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      MATCHER_V8_FLAGS,
      fileURLToPath(import.meta.url),
      String(scale),
    ],
    env: { ...MATCHER_ENV },
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("Cannot run the benches of the book: their process failed");
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

if (import.meta.main) {
  const scale = Number(Deno.args[0]);
  for (const result of [...bookOnly(scale), ...book(scale)]) {
    print(`${JSON.stringify(result)}\n`);
  }
}
