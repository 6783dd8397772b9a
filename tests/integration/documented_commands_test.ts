/** The README and the documents name no task, subcommand or flag that is not there, and the README names every task. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { commandsIn, loneFlagsIn } from "./documented_commands.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)) as {
  tasks: Record<string, string>;
};
/** Flags of programs that are not ours. */
const FOREIGN = /^--(allow-[a-z]+|frozen|v8-flags|max-inlined-bytecode-size(-cumulative)?|flag)$/;
const SERVICES = ["matcher", "fix-gateway", "market-data"].map((name) => `services/${name}/main.ts`);

async function documents(): Promise<{ path: string; text: string }[]> {
  const paths = ["README.md", "CHANGELOG.md"];
  for (const folder of ["docs", "docs/adr"]) {
    for await (const { name } of Deno.readDir(ROOT + folder)) {
      if (name.endsWith(".md")) paths.push(`${folder}/${name}`);
    }
  }
  return await Promise.all(
    paths.sort().map(async (path) => ({ path, text: await Deno.readTextFile(ROOT + path) })),
  );
}

async function output(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 0, `${args.join(" ")}: ${said}`);
  return new TextDecoder().decode(stdout);
}

function has(help: string, word: string): boolean {
  return new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(help);
}

const files = await documents();

describe("commands in documents", () => {
  const helps = new Map<string, string>();

  it("every task of ours says with --help what it takes", async () => {
    for (const [name, command] of Object.entries(tasks)) {
      if (!command.startsWith("deno run ")) continue;
      const help = await output(["task", "--quiet", name, "--help"]);
      assert.match(help, /[Uu]sage: deno task |^deno task /, name);
      helps.set(name, help);
    }
    assert.ok(helps.size > 10);
  });

  it("every task, subcommand and flag that is named is there", () => {
    const wrong: string[] = [];
    let named = 0;
    for (const { path, text } of files) {
      for (const { line, task, word, flags } of commandsIn(text)) {
        named++;
        const help = helps.get(task);
        if (tasks[task] === undefined) wrong.push(`${path}:${line}: deno task ${task}`);
        if (help === undefined) continue;
        for (const each of word === "" ? flags : [word, ...flags]) {
          if (!has(help, each)) wrong.push(`${path}:${line}: deno task ${task} … ${each}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(named > 50, `only ${named} commands were found`);
  });

  it("every flag that is named by itself is some command's", async () => {
    const all = [...helps.values()];
    for (const main of SERVICES) {
      all.push(await output(["run", "--no-prompt", "--allow-env", "--ignore-env", main, "--help"]));
    }
    const wrong = files.flatMap(({ path, text }) =>
      loneFlagsIn(text)
        .filter(({ flag }) => !FOREIGN.test(flag) && !all.some((help) => has(help, flag)))
        .map(({ line, flag }) => `${path}:${line}: ${flag}`)
    );
    assert.deepEqual(wrong, []);
  });

  it("the README names every task", () => {
    const readme = files.find(({ path }) => path === "README.md")!.text;
    const named = new Set(commandsIn(readme).map(({ task }) => task));
    assert.deepEqual(Object.keys(tasks).filter((name) => !named.has(name)), []);
  });
});

describe("finding commands", () => {
  it("takes fences line by line with their comments, and code in prose over lines", () => {
    const text = [
      "Run `deno task",
      "up --demo` or `npx -y deno task test`, not deno task prose.",
      "```sh",
      "deno task -q admin session list   # or --json, --by NAME; see deno task fix:log FILE",
      "SEED=1 deno task order new --qty=5 [--raw] > out",
      "```",
      "`--host ADDRESS` and `a--b`, `deno task`",
    ].join("\n");
    assert.deepEqual(commandsIn(text), [
      { line: 1, task: "up", word: "", flags: ["--demo"] },
      { line: 2, task: "test", word: "", flags: [] },
      { line: 4, task: "admin", word: "session", flags: ["--json", "--by"] },
      { line: 4, task: "fix:log", word: "", flags: [] },
      { line: 5, task: "order", word: "new", flags: ["--qty", "--raw"] },
    ]);
    assert.deepEqual(loneFlagsIn(text), [{ line: 7, flag: "--host" }]);
  });
});
