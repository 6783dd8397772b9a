/**
 * How each service is run: its script, its arguments and the permissions it gets, which are no wider than it needs.
 * Decides nothing about when.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LogLevel } from "../../shared/cli/log.ts";
import { type Launch, usualOutput } from "./child.ts";
import type { ServiceSpec } from "./service.ts";

/** The project's root folder. */
export const PROJECT_DIR = fileURLToPath(new URL("../../", import.meta.url));

/** Scripts of the services, relative to {@link PROJECT_DIR} or absolute. */
export interface Scripts {
  readonly matcher: string;
  readonly marketData: string;
  readonly gateway: string;
  readonly demo: string;
}

/** The services' own scripts. */
export const SCRIPTS: Scripts = {
  matcher: "services/matcher/main.ts",
  marketData: "services/market-data/main.ts",
  gateway: "services/fix-gateway/main.ts",
  demo: "infra/demo/traders.ts",
};

/** What a thread runs has to be readable, unlike what a process runs: the folders of the one that takes snapshots. */
const SNAPSHOT_THREAD: readonly string[] = ["services/matcher", "shared", "infra/std"];

/** How far V8 inlines in a matcher, and in the benches of its engine: docs/benchmarks.md, "The book". */
export const MATCHER_V8_FLAGS =
  "--v8-flags=--max-inlined-bytecode-size=1500,--max-inlined-bytecode-size-cumulative=4000";

/**
 * Large arrays in pages of 2 MiB, where the kernel gives them to who asks (`madvise`): glibc asks when told so, and
 * others ignore it. For a matcher and the benches of its engine: docs/benchmarks.md, "The book".
 */
export const MATCHER_ENV: Readonly<Record<string, string>> = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };

/** What all services are told. */
export interface Surroundings {
  /** Venue file. */
  readonly config: string;
  readonly natsUrl: () => string;
  readonly natsUser: string;
  readonly natsPassword: string;
  /** Where the FIX gateway listens. */
  readonly fixHost: string;
  readonly fixPort: () => number;
  /** Folder of the gateway's message logs, null for none. */
  readonly fixLog: string | null;
  /** FIX dictionaries that the venue file names, for the gateway to read. */
  readonly dictionaries: readonly string[];
  /** OTLP endpoint, or null for no tracing. */
  readonly otlp: string | null;
  /** One order in this many is traced. */
  readonly traceSample: number;
  readonly logLevel: LogLevel;
  readonly drainMs: number;
  readonly scripts: Scripts;
  readonly onSpawn: (name: string, pid: number) => void;
}

function environment(name: string, around: Surroundings): Record<string, string> {
  const env: Record<string, string> = {
    PITWIRE_NATS_USER: around.natsUser,
    PITWIRE_NATS_PASSWORD: around.natsPassword,
    PITWIRE_LOG_LEVEL: around.logLevel,
    NO_COLOR: "1",
  };
  if (around.otlp !== null) {
    env.OTEL_DENO = "true";
    env.OTEL_DENO_CONSOLE = "ignore";
    env.OTEL_EXPORTER_OTLP_ENDPOINT = around.otlp;
    env.OTEL_SERVICE_NAME = `pitwire-${name}`;
    env.PITWIRE_TRACE_SAMPLE = String(around.traceSample);
  }
  return env;
}

interface Program {
  readonly name: string;
  readonly script: string;
  readonly args: () => readonly string[];
  /** Addresses it may connect to or listen on. */
  readonly net: () => readonly string[];
  /** Folder that it may read and write; none when absent. */
  readonly folder?: string | null;
  /** Files that it may read beside the venue file. */
  readonly files?: readonly string[];
  /** Flags of Deno's own, beside the permissions. */
  readonly runtime?: readonly string[];
  /** Variables beside those of every service. */
  readonly env?: Readonly<Record<string, string>>;
}

function denoService(program: Program, around: Surroundings): ServiceSpec {
  const { name, script, args, net, folder = null, files = [], runtime = [], env = {} } = program;
  const readable = [around.config, ...files, ...(folder === null ? [] : [folder])];
  for (const path of readable) {
    if (!path.includes(",")) continue;
    throw new Error(
      `Cannot let ${name} read ${path}: Deno's permission flags cannot name a path with a comma`,
    );
  }
  const launch = (): Launch => ({
    command: Deno.execPath(),
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      ...runtime,
      `--config=${join(PROJECT_DIR, "deno.json")}`,
      `--allow-net=${net().join(",")}`,
      `--allow-read=${readable.join(",")}`,
      ...(folder === null ? [] : [`--allow-write=${folder}`]),
      "--allow-env=PITWIRE_*,OTEL_*",
      "--ignore-env",
      join(PROJECT_DIR, script),
      ...args(),
    ],
    env: { ...environment(name, around), ...env },
    cwd: PROJECT_DIR,
  });
  const { drainMs, logLevel } = around;
  return {
    name,
    launch,
    drainMs,
    output: usualOutput(name, logLevel),
    onSpawn: (pid) => around.onSpawn(name, pid),
  };
}

const natsAddress = (url: string): string => new URL(url).host;

/** Host and port as permissions name them; port 0 stands for listening on a free one, and allows nothing else. */
const address = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** What a matcher of a shard is called; `matcher` when the venue has one shard. The second of a pair has a `b` behind. */
export function matcherName(shard: number, only: boolean, second = false): string {
  return `${only ? "matcher" : `matcher-${shard}`}${second ? "-b" : ""}`;
}

/** How a matcher is run: alone, or as one of a pair of which one leads and the other stands by. */
export type MatcherPlace = "alone" | "first" | "second";

/** The matcher of a shard, `only` when there is no other shard. */
export function matcherSpec(
  shard: number,
  only: boolean,
  around: Surroundings,
  place: MatcherPlace = "alone",
): ServiceSpec {
  const { config, natsUrl, scripts } = around;
  const standby = place === "alone" ? [] : ["--standby"];
  return denoService({
    name: matcherName(shard, only, place === "second"),
    script: scripts.matcher,
    args: () => ["--config", config, "--nats", natsUrl(), "--shard", String(shard), ...standby],
    net: () => [natsAddress(natsUrl())],
    files: SNAPSHOT_THREAD.map((path) => join(PROJECT_DIR, path)),
    runtime: [MATCHER_V8_FLAGS],
    env: MATCHER_ENV,
  }, around);
}

/** The market-data service; one follows all shards. */
export function marketDataSpec(around: Surroundings): ServiceSpec {
  const { config, natsUrl, scripts } = around;
  return denoService({
    name: "market-data",
    script: scripts.marketData,
    args: () => ["--config", config, "--nats", natsUrl()],
    net: () => [natsAddress(natsUrl())],
  }, around);
}

/** The FIX gateway; number 1, the only one so far. */
export function gatewaySpec(around: Surroundings): ServiceSpec {
  const { config, natsUrl, fixHost, fixPort, fixLog, scripts } = around;
  const args =
    () => ["--config", config, "--nats", natsUrl(), "--host", fixHost, "--port", String(fixPort())];
  const logs = fixLog === null ? [] : ["--fix-log", fixLog];
  return denoService({
    name: "gateway",
    script: scripts.gateway,
    args: () => [...args(), "--gateway-id", "1", ...logs],
    net: () => [natsAddress(natsUrl()), address(fixHost, fixPort())],
    folder: fixLog,
    files: around.dictionaries,
  }, around);
}

/** The simulated traders of `--demo`: a FIX client like any other. */
export function demoSpec(around: Surroundings): ServiceSpec {
  const { config, fixHost, fixPort, scripts } = around;
  return denoService({
    name: "demo",
    script: scripts.demo,
    args: () => ["--config", config, "--host", fixHost, "--port", String(fixPort())],
    net: () => [address(fixHost, fixPort())],
  }, around);
}
