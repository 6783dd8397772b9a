/**
 * A whole running venue as one object: nats-server, matchers, market-data and gateway as supervised processes.
 * Behind `deno task up`, and used by integration tests and benches. Decides the order of starting and draining;
 * knows nothing of command lines.
 */
import { resolve } from "node:path";
import type { Logger, LogLevel } from "../shared/cli/log.ts";
import type { Venue } from "../shared/config/mod.ts";
import { removeOperatorFile, writeOperatorFile } from "./admin/operator_file.ts";
import { natsService } from "./nats/server.ts";
import {
  demoSpec,
  gatewaySpec,
  marketDataSpec,
  matcherName,
  matcherSpec,
  SCRIPTS,
  type Scripts,
  type Surroundings,
} from "./supervisor/programs.ts";
import { drainStages } from "./supervisor/drain_order.ts";
import { type ShardRoles, shardRoles } from "./supervisor/leader.ts";
import { mayHold } from "./supervisor/leftover.ts";
import { claimPort, type WantedPort } from "./supervisor/ports.ts";
import { checkReference, recordReference } from "./supervisor/reference.ts";
import {
  DEFAULT_POLICY,
  type ReadyInfo,
  type RestartPolicy,
  Service,
  type ServiceSpec,
} from "./supervisor/service.ts";
import { openStore, type Store } from "./supervisor/store.ts";
import { copyVenueFile, type VenueCopy } from "./supervisor/venue_copy.ts";

export type { ShardRoles } from "./supervisor/leader.ts";

/** What to run and where. */
export interface VenueOptions {
  /** Path of the venue file that `venue` was loaded from; the services load a copy of it (supervisor/venue_copy.ts). */
  readonly config: string;
  readonly venue: Venue;
  /** State folder; null is a temporary one that is removed at the end. */
  readonly store: string | null;
  /** Path of a nats-server (infra/nats/obtain.ts). */
  readonly natsExecutable: string;
  /** Where the FIX gateway listens; NATS always listens on the loopback interface. */
  readonly host?: string;
  /** TCP ports; 0, the default, picks a free one. */
  readonly fixPort?: number;
  readonly natsPort?: number;
  readonly wsPort?: number;
  /** Folder of the gateway's message logs; none are written without one. */
  readonly fixLog?: string | null;
  /** Runs two matchers for each shard: one leads, the other follows it and takes over when it is gone. */
  readonly standby?: boolean;
  /** Runs the simulated traders as well. */
  readonly demo?: boolean;
  /** OTLP endpoint such as http://127.0.0.1:4318; tracing is off without one. */
  readonly otlp?: string | null;
  /** One order in this many is traced. */
  readonly traceSample?: number;
  readonly logLevel?: LogLevel;
  readonly log: Logger;
  readonly policy?: RestartPolicy;
  /** Time that each service gets to drain, ms. */
  readonly drainMs?: number;
  /** Other programs in the services' places, for tests. */
  readonly scripts?: Partial<Scripts>;
}

/** Where a venue is reached and where its state lies. */
export interface VenueAddress {
  readonly fixHost: string;
  readonly fixPort: number;
  readonly natsUrl: string;
  readonly websocketUrl: string;
  /** Credentials of the services, new at every start; guests need none. */
  readonly natsUser: string;
  readonly natsPassword: string;
  readonly store: string;
}

/**
 * A venue that trades. `nats`, `matcher`, `market-data`, `gateway` and `demo` name its services; `matcher-0`, `matcher-1` …
 * the matchers of several shards; the second of a pair is `matcher-b`, `matcher-0-b` ….
 */
export interface RunningVenue {
  readonly venue: Venue;
  readonly address: VenueAddress;
  /** Resolves with the reason when a service has been given up; the caller then stops the venue. */
  readonly failed: Promise<string>;
  /** Sends a signal to a service's process; after SIGKILL or SIGTERM the supervisor starts it again. */
  kill(service: string, signal?: Deno.Signal): Promise<void>;
  /** Ends a service's process in good order and waits until its successor is ready. */
  restart(service: string): Promise<ReadyInfo>;
  /** Resolves when the service is ready, at once when it is. */
  whenReady(service: string): Promise<ReadyInfo>;
  pid(service: string): number | null;
  /** Who leads each shard now; waits while nobody does. Empty for a venue without standbys. */
  roles(): Promise<ShardRoles[]>;
  /** Drains gateway, market-data, matcher and nats in this order and lets go of the store. Idempotent. */
  stop(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const NATS_USER = "pitwire";
const DRAIN_MS = 10_000;

function wantedPorts({ host, fixPort, natsPort, wsPort }: VenueOptions): WantedPort[] {
  return [
    { what: "FIX", flag: "--fix-port", hostname: host ?? LOOPBACK, port: fixPort ?? 0 },
    { what: "NATS", flag: "--nats-port", hostname: LOOPBACK, port: natsPort ?? 0 },
    { what: "NATS over WebSocket", flag: "--ws-port", hostname: LOOPBACK, port: wsPort ?? 0 },
  ];
}

function randomPassword(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toHex();
}

/** The services of one venue, in starting order, with what they tell each other. */
class Crew {
  readonly services: Service[] = [];
  readonly #failed = Promise.withResolvers<string>();
  readonly #options: VenueOptions;
  readonly #store: Store;
  readonly #password = randomPassword();
  readonly #host: string;
  #fixPort: number;
  #nats = { url: "", websocket: "" };
  /** What the services read in place of the venue file and its dictionaries; {@link start} sets it. */
  #copy: VenueCopy = { config: "", dictionaries: [] };

  constructor(options: VenueOptions, store: Store) {
    this.#options = options;
    this.#store = store;
    this.#host = options.host ?? LOOPBACK;
    this.#fixPort = options.fixPort ?? 0;
  }

  get failed(): Promise<string> {
    return this.#failed.promise;
  }

  get address(): VenueAddress {
    return {
      fixHost: this.#host,
      fixPort: this.#fixPort,
      natsUrl: this.#nats.url,
      websocketUrl: this.#nats.websocket,
      natsUser: NATS_USER,
      natsPassword: this.#password,
      store: this.#store.dir,
    };
  }

  /** Where the venue that has been started listens. */
  get ports(): number[] {
    return [this.#fixPort, Number(new URL(this.#nats.url).port), Number(new URL(this.#nats.websocket).port)];
  }

  service(name: string): Service {
    const found = this.services.find((each) => each.name === name);
    if (found !== undefined) return found;
    const names = this.services.map((each) => each.name).join(", ");
    throw new Error(`Cannot find service "${name}": expected one of ${names}`);
  }

  /** Starts everything by `copy`; rejects with one sentence as soon as one service cannot be started. */
  async start(copy: VenueCopy): Promise<void> {
    this.#copy = copy;
    const { venue, demo } = this.#options;
    const nats = natsService({
      executable: this.#options.natsExecutable,
      dir: this.#store.dir,
      host: LOOPBACK,
      port: this.#options.natsPort ?? 0,
      wsPort: this.#options.wsPort ?? 0,
      shards: venue.shards,
      user: NATS_USER,
      password: this.#password,
      durability: venue.durability,
      logLevel: this.#options.logLevel ?? "info",
      drainMs: this.#options.drainMs ?? DRAIN_MS,
      onSpawn: (pid) => this.#store.recordChild("nats", pid),
    });
    await this.#launch(nats.spec);
    this.#nats = nats.address();
    const access = { url: this.#nats.url, user: NATS_USER, password: this.#password, config: copy.config };
    writeOperatorFile(this.#store.dir, access);
    const around = this.#surroundings();
    const only = venue.shards.length === 1;
    const [gateway] = await Promise.all([
      this.#launch(gatewaySpec(around)),
      this.#launch(marketDataSpec(around)),
      ...venue.shards.map((shard) => this.#launchMatchers(shard, only, around)),
    ]);
    const port = Number(gateway.port);
    if (!(port >= 1 && port <= 65535)) {
      throw new Error(`Cannot use gateway: its ready line has port ${gateway.port}`);
    }
    this.#fixPort = port;
    if (demo === true) await this.#launch(demoSpec(around));
  }

  /** Drains in the order of the flow: nobody is stopped before those who feed it. */
  async stop(): Promise<void> {
    for (const stage of drainStages(this.services)) await Promise.all(stage.map((each) => each.stop()));
    removeOperatorFile(this.#store.dir);
    await this.#store.close();
  }

  /** See {@link RunningVenue.roles}. */
  async roles(): Promise<ShardRoles[]> {
    const { venue, standby } = this.#options;
    if (standby !== true) return [];
    const access = { url: this.#nats.url, user: NATS_USER, password: this.#password };
    const only = venue.shards.length === 1;
    return await Promise.all(venue.shards.map((shard) => {
      const pair = [matcherName(shard, only), matcherName(shard, only, true)] as const;
      return shardRoles(access, shard, pair, (name) => this.service(name).pid);
    }));
  }

  async #launchMatchers(shard: number, only: boolean, around: Surroundings): Promise<void> {
    const pair = this.#options.standby === true;
    await this.#launch(matcherSpec(shard, only, around, pair ? "first" : "alone"));
    if (pair) await this.#launch(matcherSpec(shard, only, around, "second"));
  }

  #surroundings(): Surroundings {
    const options = this.#options;
    return {
      config: this.#copy.config,
      natsUrl: () => this.#nats.url,
      natsUser: NATS_USER,
      natsPassword: this.#password,
      fixHost: this.#host,
      fixPort: () => this.#fixPort,
      dictionaries: this.#copy.dictionaries,
      fixLog: typeof options.fixLog === "string" ? resolve(options.fixLog) : null,
      otlp: options.otlp ?? null,
      traceSample: options.traceSample ?? 100,
      logLevel: options.logLevel ?? "info",
      drainMs: options.drainMs ?? DRAIN_MS,
      scripts: { ...SCRIPTS, ...options.scripts },
      onSpawn: (name, pid) => this.#store.recordChild(name, pid),
    };
  }

  #launch(spec: ServiceSpec): Promise<ReadyInfo> {
    const { policy, log } = this.#options;
    const service = new Service(spec, policy ?? DEFAULT_POLICY, log, this.#failed.resolve);
    this.services.push(service);
    return service.start();
  }
}

/** Starts a venue and returns when it trades. Throws one sentence, with nothing left running, when it cannot. */
export async function startVenue(options: VenueOptions): Promise<RunningVenue> {
  const ports = wantedPorts(options);
  let copy: VenueCopy;
  const store = await openStore(options.store, options.log, (left, dir) => {
    checkReference(dir, options.venue);
    for (const wanted of ports) if (!mayHold(left, wanted.port)) claimPort(wanted);
    copy = copyVenueFile(options.config, options.venue, dir);
  });
  const crew = new Crew(options, store);
  try {
    ports.forEach(claimPort); // Those too that a killed run might have held, which opening the store has ended.
    recordReference(store.dir, options.venue);
    await crew.start(copy!);
    store.recordPorts(crew.ports);
  } catch (error) {
    await crew.stop();
    throw error;
  }
  let stopped: Promise<void> | null = null;
  return {
    venue: options.venue,
    address: crew.address,
    failed: crew.failed,
    kill: (service, signal = "SIGKILL") => crew.service(service).kill(signal),
    restart: (service) => crew.service(service).restart(),
    whenReady: (service) => crew.service(service).whenReady(),
    pid: (service) => crew.service(service).pid,
    roles: () => crew.roles(),
    stop: () => stopped ??= crew.stop(),
  };
}
