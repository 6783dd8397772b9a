/**
 * The bench of idle sessions: how much a gateway's memory grows when many clients are logged on and say nothing but
 * Heartbeats. Whole venue, real sockets; the clients' memory is not counted.
 */
import { join } from "node:path";
import { startVenue } from "../../infra/venue_process.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import {
  compIdOf,
  PASSWORD,
  sessionVenue,
  USERNAME,
  VENUE_COMP_ID,
} from "../../shared/testing/session_venue.ts";
import { FixClient } from "../../services/fix-gateway/client/mod.ts";
import type { EndToEndOptions } from "../end_to_end/run.ts";
import type { BenchResult } from "../result.ts";
import { settledBytes } from "./resident.ts";

const SESSIONS = 1000;
const QUICK_SESSIONS = 20;
const AT_A_TIME = 50;
const SETTLE_MS = 5000;
const MiB = 2 ** 20;
/** The project's bar for 1,000 sessions. */
const BAR_BYTES = 100e6;

/** Logs clients on and compares the gateway's memory before and after. */
export async function runSessions({ natsExecutable, log, quick }: EndToEndOptions): Promise<BenchResult[]> {
  const count = quick ? QUICK_SESSIONS : SESSIONS;
  const folder = await Deno.makeTempDir({ prefix: "pitwire-sessions-" });
  const config = join(folder, "venue.yaml");
  await Deno.writeTextFile(config, sessionVenue(Array(count + 1).fill({}), { maxConnections: count + 17 }));
  const running = await startVenue({
    config,
    venue: loadVenue(config),
    store: null,
    natsExecutable,
    log,
    logLevel: "error",
  });
  const clients: FixClient[] = [];
  try {
    const { fixPort } = running.address;
    const pid = running.pid("gateway")!;
    const settleMs = quick ? 500 : SETTLE_MS;
    await (await logOn(fixPort, count + 1)).logout();
    const before = await settledBytes(pid, settleMs);
    for (let first = 1; first <= count; first += AT_A_TIME) {
      const numbers = Array.from({ length: Math.min(AT_A_TIME, count + 1 - first) }, (_, i) => first + i);
      clients.push(...await Promise.all(numbers.map((number) => logOn(fixPort, number))));
    }
    const after = await settledBytes(pid, settleMs);
    if (!clients.every((client) => client.loggedOn)) {
      throw new Error("Cannot measure: a client was logged out");
    }
    return [
      { name: "gateway before", unit: "MiB", value: before / MiB },
      { name: `gateway with ${count} idle sessions`, unit: "MiB", value: after / MiB },
      {
        name: `growth for ${count} sessions`,
        unit: "MB",
        value: (after - before) / 1e6,
        bar: BAR_BYTES * count / SESSIONS / 1e6,
      },
      { name: "growth per session", unit: "KiB", value: (after - before) / count / 1024 },
    ];
  } finally {
    await Promise.all(clients.map((client) => client.abort()));
    await running.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

function logOn(port: number, number: number): Promise<FixClient> {
  return FixClient.connect({
    host: "127.0.0.1",
    port,
    senderCompId: compIdOf(number),
    targetCompId: VENUE_COMP_ID,
    username: USERNAME,
    password: PASSWORD,
    onMessage: () => {},
  });
}
