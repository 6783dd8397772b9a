/** Holds the table of limits in docs/fix.md to the venue file and to what the acceptor keeps. */
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { loadVenue, parseVenue } from "../../../shared/config/mod.ts";
import { BARE_VENUE } from "../../../shared/testing/bare_venue.ts";
import { ECHO_LIMITS } from "../echo/echo_acceptor.ts";

const ROOT = new URL("../../../", import.meta.url);
const DOC = Deno.readTextFileSync(new URL("docs/fix.md", ROOT));
/** Rows of the table, name and value as shipped. */
function rows(): [string, string][] {
  const [, table] = /<!-- limits -->(.*)<!-- \/limits -->/s.exec(DOC) ??
    assert.fail("docs/fix.md has no limits");
  return [...table.matchAll(/^\| `(\w+)` +\| ([\w-]+) +\|/gm)].map(([, name, value]) => [name, value]);
}

describe("the limits in docs/fix.md", () => {
  it("are those that the acceptor keeps", () => {
    const kept = Object.keys(ECHO_LIMITS).filter((name) => name !== "sendingTimeToleranceSec");
    assert.deepEqual(rows().map(([name]) => name).sort(), kept.sort());
  });

  it("have the values that a venue file has which states none, and the one that ships", () => {
    const shipped = loadVenue(fileURLToPath(new URL("infra/venue.yaml", ROOT)));
    for (const { limits } of [parseVenue(BARE_VENUE, "bare"), shipped]) {
      const values: Record<string, unknown> = { ...limits };
      assert.deepEqual(rows().map(([name]) => [name, String(values[name])]), rows());
    }
  });
});
