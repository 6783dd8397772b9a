/**
 * `deno task test [PART …]`: obtains nats-server, runs each part's tests with `deno test` and ends with one line of
 * totals. Exits with 1 when a test failed, a part could not run, or no test ran at all.
 */
import { join } from "node:path";
import { runCommand } from "../../shared/cli/command.ts";
import { oneOfFlag, readFlags } from "../../shared/cli/flags.ts";
import { createLogger } from "../../shared/cli/log.ts";
import { print } from "../../shared/cli/output.ts";
import { obtainNatsServer } from "../nats/obtain.ts";
import { PROJECT_DIR } from "../supervisor/programs.ts";
import { userCacheDir } from "../supervisor/store.ts";
import { terminalProgress } from "../up/progress.ts";
import { countJunit, type Counts, formatCounts, sum } from "./junit.ts";

interface Part {
  readonly name: string;
  /** Files and folders under the project's root; those without tests are left out. */
  readonly paths: readonly string[];
  /** Whether its files may run at the same time: not when they start processes that compete for time. */
  readonly parallel: boolean;
}

const PARTS: readonly Part[] = [
  { name: "unit", paths: ["infra", "shared", "services", "bench", "tests/tidy_test.ts"], parallel: true },
  { name: "fuzz", paths: ["tests/fuzz"], parallel: true },
  { name: "simulation", paths: ["tests/simulation"], parallel: true },
  { name: "integration", paths: ["tests/integration"], parallel: false },
  { name: "recovery", paths: ["tests/recovery"], parallel: false },
  { name: "acceptance", paths: ["tests/acceptance"], parallel: false },
  { name: "interop", paths: ["tests/interop"], parallel: false },
];

const ENVIRONMENT = ["PITWIRE_*", "OTEL_*", "PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "JAVA_HOME", "CI"];

function say(text: string): void {
  print(`${text}\n`);
}

/** Whether the path is a test file or a folder with one somewhere below. */
async function holdsTests(path: string): Promise<boolean> {
  const { isDirectory } = await Deno.stat(path).catch(() => ({ isDirectory: false }));
  if (!isDirectory) return path.endsWith("_test.ts") && await Deno.stat(path).then(() => true, () => false);
  for await (const { name } of Deno.readDir(path)) if (await holdsTests(join(path, name))) return true;
  return false;
}

async function runPart(part: Part, paths: readonly string[], scratch: string, env: Record<string, string>) {
  const report = join(scratch, `${part.name}.xml`);
  const writable = [join(scratch, ".."), join(PROJECT_DIR, "tests"), join(PROJECT_DIR, "bench", "results")];
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-prompt",
      "--frozen",
      "--allow-read",
      `--allow-write=${writable.join(",")}`,
      "--allow-run",
      "--allow-net=127.0.0.1,localhost",
      `--allow-env=${ENVIRONMENT.join(",")}`,
      "--ignore-env",
      `--junit-path=${report}`,
      ...(part.parallel ? ["--parallel"] : []),
      ...paths,
    ],
    cwd: PROJECT_DIR,
    env,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  const counts = countJunit(await Deno.readTextFile(report).catch(() => ""));
  // A file that does not load, or a leak outside a test, fails the run without failing a test.
  return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

const USAGE = `Runs the tests and ends with one line of totals.

usage: deno task test [PART …]

Parts, all by default: ${PARTS.map((part) => part.name).join(", ")}.
docs/testing.md says what each holds and how to run one file or acceptance script.

  --help  print this

Exit codes: 0 all passed, 1 a test failed, a part could not run or no test ran at all, 2 wrong command line.
`;

function partsOf(args: readonly string[]): string[] | null {
  const flags = readFlags(args, { words: true });
  const names = PARTS.map((part) => part.name);
  return flags && flags.words.map((word) => oneOfFlag("PART", word, names));
}

async function test(wanted: readonly string[]): Promise<number> {
  const log = createLogger("test");
  const progress = terminalProgress(log);
  const cacheDir = join(userCacheDir(Deno.env, Deno.build.os) ?? ".", "pitwire");
  const nats = await obtainNatsServer({ cacheDir, path: Deno.env.get("PATH") ?? "", progress });
  progress.done();
  log.info(`using nats-server ${nats.version}`, { path: nats.path, source: nats.source });

  const scratch = await Deno.makeTempDir({ prefix: "pitwire-test-" });
  const results: { name: string; counts: Counts }[] = [];
  try {
    for (const part of PARTS) {
      if (wanted.length > 0 && !wanted.includes(part.name)) continue;
      const paths: string[] = [];
      for (const path of part.paths) if (await holdsTests(join(PROJECT_DIR, path))) paths.push(path);
      if (paths.length === 0) continue;
      say(`\n== ${part.name}`);
      results.push({
        name: part.name,
        counts: await runPart(part, paths, scratch, { PITWIRE_NATS_SERVER: nats.path }),
      });
    }
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }

  const total = sum(results.map((each) => each.counts));
  say("");
  for (const name of total.skipped) say(`skipped: ${name}`);
  for (const { name, counts } of results) say(`${name}: ${formatCounts(counts)}`);
  say(formatCounts(total));
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

await runCommand({ help: USAGE, read: partsOf, run: test });
