/**
 * nats-server as a supervised service: writes its configuration, finds out the ports that it picked, and calls it
 * ready when JetStream answers on a real connection. Ports that were free to choose stay the same over restarts.
 */
import { join } from "node:path";
import { connect } from "@nats-io/transport-node";
import { createLogger, type LogLevel } from "../../shared/cli/log.ts";
import type { Durability } from "../../shared/config/mod.ts";
import { type Child, type ForeignLine, passThrough } from "../supervisor/child.ts";
import type { ReadyInfo, ServiceSpec } from "../supervisor/service.ts";
import { renderConf } from "./conf.ts";
import { StoreLimit } from "./given_up.ts";

/** What to run, where, and for whom. */
export interface NatsServiceOptions {
  readonly executable: string;
  /** Folder for JetStream's files, the configuration and the ports file; made when missing. */
  readonly dir: string;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly wsPort: number;
  /** The venue's shards: guests may read their events and market data. */
  readonly shards: readonly number[];
  readonly user: string;
  readonly password: string;
  /** `power-loss` syncs every write to the disk before it is acknowledged; slow. */
  readonly durability?: Durability;
  readonly logLevel: LogLevel;
  readonly drainMs: number;
  readonly onSpawn?: (pid: number) => void;
}

/** Where clients connect; known once the server was ready. */
export interface NatsAddress {
  readonly url: string;
  readonly websocket: string;
}

const LEVELS: Record<string, LogLevel> = { INF: "debug", WRN: "warn", ERR: "error", FTL: "error" };

/** Warnings that are no news: the password is new at every start, and the server listens on the loopback interface. */
const EXPECTED = ["Plaintext passwords detected", "Websocket not configured with TLS"];

/** Reads a line like `[7] 2026/01/31 12:00:00.000000 [INF] Server is ready`; start-up information becomes debug. */
export function parseNatsLine(line: string): ForeignLine {
  const match = /^\[\d+\] \S+ \S+ \[([A-Z]{3})\](.*)$/.exec(line);
  if (match === null) return { level: "warn", message: line };
  const message = match[2].trim();
  const expected = EXPECTED.some((start) => message.startsWith(start));
  return { level: expected ? "debug" : LEVELS[match[1]] ?? "debug", message };
}

const POLL_MS = 20;

function pause(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function readPortsFile(dir: string, pid: number): Promise<NatsAddress | null> {
  for await (const { name } of Deno.readDir(dir)) {
    if (!name.endsWith(`_${pid}.ports`)) continue;
    try {
      const { nats, websocket } = JSON.parse(await Deno.readTextFile(join(dir, name)));
      return { url: nats[0], websocket: websocket[0] };
    } catch {
      return null; // Still being written.
    }
  }
  return null;
}

/** Waits until JetStream answers; a server that recovers a large store takes its time. */
async function waitForJetStream(
  url: string,
  options: NatsServiceOptions,
  signal: AbortSignal,
): Promise<void> {
  const { user, password } = options;
  while (true) {
    try {
      const nc = await connect({ servers: url, user, pass: password, reconnect: false, timeout: 1000 });
      try {
        const answer = await nc.request("$JS.API.INFO", "", { timeout: 1000 });
        if (!("error" in answer.json<object>())) return;
      } finally {
        await nc.close();
      }
    } catch {
      // Not there yet.
    }
    await pause(signal);
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The service. `address` is meaningful once it has been ready. */
export function natsService(options: NatsServiceOptions): { spec: ServiceSpec; address: () => NatsAddress } {
  const { dir, host, shards, user, password } = options;
  const confFile = join(dir, "nats.conf");
  const portsDir = join(dir, "ports");
  const storeDir = join(dir, "jetstream");
  let address: NatsAddress = { url: "", websocket: "" };
  let { port, wsPort } = options;
  const log = createLogger("nats", options.logLevel);
  const limit = new StoreLimit(dir, storeDir, log);

  const launch = () => {
    Deno.mkdirSync(portsDir, { recursive: true });
    for (const { name } of Deno.readDirSync(portsDir)) Deno.removeSync(join(portsDir, name));
    const free = (number: number) => number === 0 ? -1 : number;
    const syncAlways = options.durability === "power-loss";
    const ports = { port: free(port), wsPort: free(wsPort) };
    const maxStoreBytes = limit.atStart();
    const conf = { host, ...ports, shards, storeDir, maxStoreBytes, syncAlways, portsDir, user, password };
    Deno.writeTextFileSync(confFile, renderConf(conf), { mode: 0o600 });
    return { command: options.executable, args: ["-c", confFile], env: {} };
  };

  const probe = async (child: Child, signal: AbortSignal): Promise<ReadyInfo> => {
    let found = await readPortsFile(portsDir, child.pid);
    for (; found === null; found = await readPortsFile(portsDir, child.pid)) await pause(signal);
    await waitForJetStream(found.url, options, signal);
    address = found;
    port = portOf(found.url);
    wsPort = portOf(found.websocket);
    return { ready: "nats", ...found };
  };

  const isLast = (line: string) => limit.isLast(line);
  const output = { stderr: passThrough, log, foreign: parseNatsLine, isLast };
  const { drainMs, onSpawn } = options;
  return { spec: { name: "nats", launch, output, probe, drainMs, onSpawn }, address: () => address };
}
