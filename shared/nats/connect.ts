/**
 * Opens the one NATS connection of a process, with the options that every service needs, and checks what the server
 * can do. Refuses servers that are too old or have no JetStream. Does I/O.
 */
import type { ConnectionOptions } from "@nats-io/nats-core";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { makeRequestsPrompt } from "./prompt_requests.ts";

export type { NatsConnection };

/** The oldest nats-server that has what the exchange relies on. */
const MIN_SERVER_VERSION = { major: 2, minor: 12 } as const;

/** Where and as whom to connect. */
export interface NatsOptions {
  /** For example `nats://127.0.0.1:4222`; several, separated by commas, for a cluster. */
  readonly url: string;
  /** Shown in the server's connection list. */
  readonly name: string;
  readonly user?: string;
  readonly password?: string;
}

/**
 * Connects, never gives up reconnecting, and notices a dead server within a few seconds; requests do not outwait their
 * connection. The caller closes the connection. Throws an Error whose message is one sentence for people when there is no
 * usable server.
 */
export async function connectNats(options: NatsOptions): Promise<NatsConnection> {
  let nc: NatsConnection;
  try {
    nc = await connect(connectionOptions(options));
  } catch (cause) {
    throw new Error(`Cannot connect to NATS at ${options.url}: ${(cause as Error).message}`, { cause });
  }
  const fault = faultOfServer(nc.info?.version ?? "unknown", nc.info?.jetstream === true);
  if (fault !== null) {
    await nc.close();
    throw new Error(`Cannot use the NATS server at ${options.url}: ${fault}`);
  }
  makeRequestsPrompt(nc);
  return nc;
}

/** The client's options, whatever the connection runs over. Pure. */
export function connectionOptions({ url, name, user, password }: NatsOptions): ConnectionOptions {
  return {
    servers: url.split(","),
    name,
    user,
    pass: password,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
    reconnectJitter: 50,
    pingInterval: 2000,
    maxPingOut: 2,
    timeout: 5000,
    noEcho: true,
    noAsyncTraces: true,
    ignoreAuthErrorAbort: true,
  };
}

/** Why a server of this version, with or without JetStream, cannot be used; null when it can. Pure. */
export function faultOfServer(version: string, jetstream: boolean): string | null {
  const { major, minor } = MIN_SERVER_VERSION;
  const match = /^v?(\d+)\.(\d+)\./.exec(version);
  const ok = match !== null &&
    (Number(match[1]) > major || Number(match[1]) === major && Number(match[2]) >= minor);
  if (!ok) return `expected nats-server ${major}.${minor} or newer, got ${version}`;
  return jetstream ? null : "JetStream is off; start it with -js or a jetstream block in its configuration";
}
