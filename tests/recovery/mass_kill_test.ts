/**
 * The gateway dies while messages about all symbols are on their way to several shards: each shard does what was asked
 * once, whatever the other has, and the client hears of all of it.
 */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { connectNats } from "../../shared/nats/mod.ts";
import { EventKind } from "../../shared/protocol/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { TestVenue } from "../integration/running.ts";
import { expectedReports } from "./expected_reports.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { assertAllWhole } from "./session_checks.ts";

const ROUNDS = 300;
const KILL_AT = new Set([60, 130, 220]);
const LIMIT = [[54, "1"], [38, "10"], [40, "2"], [44, "10"]] as const;

/** Orders in two shards, and behind them one message about all of both, or quotes in the first. */
function sendRound(trader: LastingTrader, round: number): void {
  trader.send("D", `a${round}`, [[55, "ACME"], ...LIMIT]);
  trader.send("D", `g${round}`, [[55, "GIZMO"], ...LIMIT]);
  if (round % 3 === 0) trader.send("q", `m${round}`, [[530, "7"]]);
  if (round % 3 !== 1) return;
  const entry = (name: string, symbol: string) =>
    [[299, name], [55, symbol], [132, "9"], [133, "20"], [134, "1"], [135, "1"]] as const;
  trader.sendAs("i", `q${round}`, [
    ...[[117, `q${round}`], [301, "2"], [296, "1"], [302, "s"], [304, "2"], [295, "2"]] as const,
    ...entry("1", "ACME"),
    ...entry("2", "TULIP"),
  ]);
}

describe("kill -9 of the gateway among messages about all symbols", () => {
  it("loses none in any shard, and none takes effect twice", async () => {
    await using venue = await TestVenue.start();
    const { running } = venue;
    const address = { host: running.address.fixHost, port: running.address.fixPort };
    const trader = new LastingTrader(running.venue, "A1");
    await trader.logon(address);
    for (let round = 0; round < ROUNDS; round++) {
      sendRound(trader, round);
      if (KILL_AT.has(round)) {
        await running.kill("gateway", "SIGKILL");
        await within("the next gateway", running.whenReady("gateway"));
        await trader.comeBack(address);
      } else {
        const behind = () => trader.unanswered.length < 30;
        await until("most answers", behind, () => `unanswered: ${trader.unanswered.join(" ")}`);
      }
    }
    await until("all answers", () => trader.unanswered.length === 0, () => trader.unanswered.join(" "));
    const { natsUrl: url, natsUser: user, natsPassword: password } = running.address;
    const nc = await connectNats({ url, name: "test", user, password });
    try {
      await assertAllWhole(nc, running.venue, [trader]);
      const expected = (await expectedReports(nc, running.venue)).get("A1")!;
      const sent = trader.sent.filter((id) => id.startsWith("m"));
      assert.ok(sent.length > 90);
      for (const shard of running.venue.shards) {
        const reported = expected.filter((each) =>
          each.shard === shard && each.kind === EventKind.MassCancelReported
        );
        assert.deepEqual(reported.map(({ clOrdId }) => clOrdId), sent, `shard ${shard}`);
      }
      const acknowledged = expected.filter(({ kind }) => kind === EventKind.QuoteAcknowledged);
      assert.deepEqual(
        acknowledged.map(({ clOrdId }) => clOrdId),
        trader.sent.filter((id) => id.startsWith("q")),
      );
    } finally {
      await nc.close();
    }
  });
});
