/**
 * `deno run tests/fuzz/engine_compare.ts --commands N --seed S`: the fast engine against the reference, for as many
 * random commands as you have patience for. Every 20,000 commands begin a new engine with the next seed. Exit code 1
 * at the first difference, which is printed with the seed that shows it again.
 */
import { parseArgs } from "@std/cli/parse-args";
import { compareEngines } from "../../services/matcher/engine/compare.ts";

const COMMANDS_PER_SEED = 20_000;

const args = parseArgs(Deno.args, { string: ["commands", "seed"] });
const commands = Number(args.commands ?? 1_000_000);
const firstSeed = Number(args.seed ?? Date.now() % 2 ** 31);
if (!Number.isSafeInteger(commands) || commands < 1 || !Number.isSafeInteger(firstSeed)) {
  say(`Cannot compare: expected --commands and --seed as integers, got ${args.commands} and ${args.seed}`);
  Deno.exit(64);
}
say(`comparing engines over ${commands} commands from seed ${firstSeed}`);
for (let done = 0, seed = firstSeed; done < commands; seed++) {
  const count = Math.min(COMMANDS_PER_SEED, commands - done);
  const difference = compareEngines(seed, count);
  if (difference !== null) {
    say(`seed ${difference.seed}: command ${difference.command} differs`);
    say(`fast engine:\n  ${difference.fast.join("\n  ")}`);
    say(`reference:\n  ${difference.reference.join("\n  ")}`);
    Deno.exit(1);
  }
  done += count;
  if (seed % 10 === 0) say(`${done} commands agree`);
}
say(`all ${commands} commands agree`);

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
