/** `deno task fuzz`: see flags.ts for its command line. Prints the seed before it starts; exit code 1 for a fault. */
import { runCommand } from "../../shared/cli/command.ts";
import { print } from "../../shared/cli/output.ts";
import { flagsOf, type FuzzFlags, helpText } from "./flags.ts";
import type { Target } from "./target.ts";
import { allTargets } from "./targets.ts";

const REPORT_EVERY_MS = 10_000;

function say(text: string): void {
  print(`${text}\n`);
}

/** Whether nothing was found. */
function run(target: Target, firstSeed: number, { cases, again }: FuzzFlags, limitMs: number): boolean {
  const startMs = performance.now();
  let told = startMs;
  let done = 0;
  for (; done < cases && performance.now() - startMs < limitMs; done++) {
    const finding = target.attempt((firstSeed + done) % 2 ** 32);
    if (finding !== null) {
      say(`${target.name}: FAULT at seed ${finding.seed}: ${finding.problem}`);
      for (const line of finding.input) say(`  ${line}`);
      say(`again: deno task fuzz --target ${target.name} --seed ${finding.seed} --cases 1${again}`);
      return false;
    }
    if (performance.now() - told >= REPORT_EVERY_MS) {
      told = performance.now();
      say(`${target.name}: ${done + 1} cases`);
    }
  }
  say(`${target.name}: ${done} cases, no fault`);
  return true;
}

function fuzz(flags: FuzzFlags): number {
  const seed = flags.seed ?? Math.floor(Math.random() * 2 ** 31);
  say(`fuzzing ${flags.targets.map(({ name }) => name).join(", ")} from seed ${seed}`);
  const limitMs = flags.seconds * 1000 / flags.targets.length;
  const sound = flags.targets.filter((target) => run(target, seed, flags, limitMs));
  return sound.length === flags.targets.length ? 0 : 1;
}

const targets = allTargets();
await runCommand({ help: helpText(targets), read: (args) => flagsOf(args, targets), run: fuzz });
