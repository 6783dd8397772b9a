/**
 * Test support: what the tests of the network layer share: an acceptor with an echo on a free port, and peers that
 * speak bytes.
 */
import { nullLogger } from "../../../shared/cli/log.ts";
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { Application, BusinessReject, SessionPort } from "../application.ts";
import { FixClient, type FixClientOptions } from "../client/mod.ts";
import { encode, shown, splitMessages } from "../session/rig.ts";
import { type Acceptor, type AcceptorLimits, startAcceptor } from "./acceptor.ts";
import { type NetClock, systemClock } from "./clock.ts";

/** A Logon that starts at 1, whatever was before, and its answer. */
export const LOGON = "35=A|34=1|98=0|108=30|141=Y|553=user|554=secret";
export const LOGON_REPLY = "35=A|34=1|98=0|108=30|141=Y";

/** Small, so that each limit is soon met. */
const LIMITS: AcceptorLimits = {
  heartBtIntMinSec: 0,
  heartBtIntMaxSec: 300,
  sendingTimeToleranceSec: 120,
  logonTimeoutSec: 1,
  maxQueuedMessages: 1000,
  maxUnsentBytes: 1 << 20,
  maxMessageBytes: 4096,
  maxFieldsPerMessage: 64,
  maxConnections: 4,
  logonsPerMinutePerAddress: 3,
  maxGroupEntries: 16,
  unsentTimeoutSec: 30,
  maxResendRepeats: 20,
  maxMessagesPerSecond: 100_000,
  overRateAnswer: "reject",
};
const firm = { id: 1, name: "firm" };
const SESSIONS: FixSession[] = ["TW", "OTHER"].map((senderCompId, index) => ({
  id: index + 1,
  senderCompId,
  firm,
  role: "trading",
  username: "user",
  password: "secret",
}));

/** Sends every application message back with its body as it came. */
export class Echo implements Application {
  ready: Promise<void> | null = null;
  readonly heard: string[] = [];
  received = 0;
  /** How many were received when a read was last complete. */
  completed = 0;

  loggedOn(session: SessionPort): void {
    this.heard.push(`${session.config.senderCompId} on`);
  }

  loggedOut(session: SessionPort): void {
    this.heard.push(`${session.config.senderCompId} off`);
  }

  receive(session: SessionPort, message: FixMessage): BusinessReject | null {
    this.received++;
    const writer = session.compose();
    for (let i = 0; i < message.fieldCount; i++) {
      const tag = message.tags[i];
      if ([8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122].includes(tag)) continue;
      writer.bytes(tag, message.buffer, message.valueStart[i], message.valueEnd[i]);
    }
    session.send(message.msgType);
    return null;
  }

  readComplete(): void {
    this.completed = this.received;
  }
}

/** A peer that speaks bytes. */
export class RawPeer {
  readonly #conn: Deno.TcpConn;
  #rest = new Uint8Array(0);
  #open = true;

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
  }

  static async connect(port: number): Promise<RawPeer> {
    return new RawPeer(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#conn.write(bytes.subarray(at));
  }

  send(...messages: string[]): Promise<void> {
    const bytes = messages.map((text) => encode(text, "TW", "EXCH", Date.now()));
    return this.write(Uint8Array.from(bytes.flatMap((each) => [...each])));
  }

  /** The next `count` messages; fewer when the peer closes before. */
  async receive(count: number): Promise<string[]> {
    for (;;) {
      const messages = splitMessages(this.#rest);
      if (messages.length >= count) {
        const taken = messages.slice(0, count);
        this.#rest = this.#rest.slice(taken.reduce((sum, each) => sum + each.length, 0));
        return taken.map(shown);
      }
      const chunk = new Uint8Array(4096);
      const read = await this.#conn.read(chunk).catch(() => null);
      if (read === null) return messages.map(shown);
      const grown = new Uint8Array(this.#rest.length + read);
      grown.set(this.#rest);
      grown.set(chunk.subarray(0, read), this.#rest.length);
      this.#rest = grown;
    }
  }

  /** Closes, once. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#conn.close();
  }
}

/** An acceptor `EXCH` with the sessions TW and OTHER, and whoever connects to it. */
export class Bench {
  readonly echo: Echo = new Echo();
  /** Reasons of ended connections, as logged. */
  readonly reasons: string[] = [];
  acceptor!: Acceptor;
  readonly #peers: RawPeer[] = [];

  static async start(limits: Partial<AcceptorLimits> = {}, clock: NetClock = systemClock): Promise<Bench> {
    const bench = new Bench();
    const note = (_message: string, fields?: Readonly<Record<string, unknown>>) => {
      if (fields?.reason !== undefined) bench.reasons.push(String(fields.reason));
    };
    bench.acceptor = await startAcceptor({
      hostname: "127.0.0.1",
      port: 0,
      venue: {
        targetCompId: "EXCH",
        sessions: SESSIONS,
        sessionByCompId: new Map(SESSIONS.map((session) => [session.senderCompId, session])),
      },
      application: bench.echo,
      clock,
      log: { ...nullLogger, info: note, warn: note },
      limits: { ...LIMITS, ...limits },
    });
    return bench;
  }

  async connect(): Promise<RawPeer> {
    const peer = await RawPeer.connect(this.acceptor.port);
    this.#peers.push(peer);
    return peer;
  }

  client(options: Partial<FixClientOptions> = {}): Promise<FixClient> {
    return FixClient.connect({
      host: "127.0.0.1",
      port: this.acceptor.port,
      senderCompId: "TW",
      targetCompId: "EXCH",
      username: "user",
      password: "secret",
      onMessage: () => {},
      ...options,
    });
  }

  async stop(): Promise<void> {
    for (const peer of this.#peers) peer.close();
    await this.acceptor.drain("the test ends");
  }
}

/** Sends a small order. */
export function order(fix: FixClient, clOrdId: string): void {
  const writer = fix.compose();
  writer.text(11, clOrdId);
  writer.text(55, "INTC");
  writer.charCode(54, 0x31);
  writer.utcTimestamp(60, Date.now());
  writer.int(38, 100);
  writer.charCode(40, 0x31);
  fix.send("D");
}
