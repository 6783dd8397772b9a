/** Holds the table of limits in docs/fix.md to the venue file and to what the acceptor keeps. */
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { loadVenue, parseVenue } from "../../../shared/config/mod.ts";
import { ECHO_LIMITS } from "../echo/echo_acceptor.ts";

const ROOT = new URL("../../../", import.meta.url);
const DOC = Deno.readTextFileSync(new URL("docs/fix.md", ROOT));
const BARE = `name: v
targetCompId: X
firms: [{ id: 1, name: A }]
instruments:
  - { id: 1, symbol: S, algorithm: F, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000" }
sessions:
  - { id: 1, senderCompId: T, firm: A, role: trading, username: u, password: p }
`;

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
    for (const { limits } of [parseVenue(BARE, "bare"), shipped]) {
      const values: Record<string, unknown> = { ...limits };
      assert.deepEqual(rows().map(([name]) => [name, String(values[name])]), rows());
    }
  });
});
