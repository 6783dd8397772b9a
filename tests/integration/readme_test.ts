/** The README's first trade, typed as it stands there, prints what stands there. */
import { it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { loadVenue } from "../../shared/config/mod.ts";
import { TestVenue } from "./running.ts";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** The `deno task order` commands of the section, each with the lines that it prints. */
function firstTrade(): { command: string; prints: string[] }[] {
  const section = Deno.readTextFileSync(path("README.md")).split("## A first trade")[1].split("\n## ")[0];
  const steps: { command: string; prints: string[] }[] = [];
  for (const line of section.split("\n")) {
    if (line.startsWith("deno task order ")) steps.push({ command: line, prints: [] });
    else if (line.startsWith("# ")) steps.at(-1)!.prints.push(line.slice(2));
  }
  return steps;
}

it("the README's first trade is true to the letter", async () => {
  const config = path("infra/venue.yaml");
  await using venue = await TestVenue.start({ config, venue: loadVenue(config) });
  const steps = firstTrade();
  assert.equal(steps.length, 4);
  for (const { command, prints } of steps) {
    const args = command.split(" ").slice(1);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        args[0],
        "--quiet",
        "--config",
        path("deno.json"),
        ...args.slice(1),
        "--port",
        `${venue.running.address.fixPort}`,
      ],
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.deepEqual([code, text(stdout).trimEnd().split("\n"), text(stderr)], [0, prints, ""], command);
  }
});
