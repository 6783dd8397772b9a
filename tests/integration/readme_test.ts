/** The README's sections that show commands and what they print, typed as they stand there on a new venue, are true. */
import { it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { loadVenue } from "../../shared/config/mod.ts";
import { TestVenue } from "./running.ts";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
/** What a command prints beyond this is left out. */
const AND_SO_ON = "…";

/** The commands of a section that show what they print. */
function stepsOf(title: string): { command: string; prints: string[] }[] {
  const section = Deno.readTextFileSync(path("README.md")).split(`## ${title}\n`)[1].split("\n## ")[0];
  const steps: { command: string; prints: string[] }[] = [];
  for (const line of section.split("\n")) {
    if (line.startsWith("deno task ")) steps.push({ command: line, prints: [] });
    else if (line.startsWith("# ")) steps.at(-1)!.prints.push(line.slice(2));
  }
  return steps.filter(({ prints }) => prints.length > 0);
}

it("the README's first trade and its auction are true to the letter", async () => {
  const config = path("infra/venue.yaml");
  await using venue = await TestVenue.start({ config, venue: loadVenue(config) });
  const { fixPort, store } = venue.running.address;
  const steps = [...stepsOf("A first trade"), ...stepsOf("An auction, and why it traded so")];
  assert.equal(steps.length, 10);
  for (const { command, prints } of steps) {
    const [, task, name, ...args] = command.replace("STORE", store).split(" ");
    if (name === "order") args.push("--port", `${fixPort}`);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [task, "--quiet", "--config", path("deno.json"), name, ...args],
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const printed = text(stdout).trimEnd().split("\n");
    const expected = prints.filter((line) => line !== AND_SO_ON);
    if (expected.length < prints.length) printed.length = expected.length;
    assert.deepEqual([code, printed, text(stderr)], [0, expected, ""], command);
  }
});
