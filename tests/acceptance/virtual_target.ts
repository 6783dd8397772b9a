/**
 * Owns the pure session as a script's target: framing, session, driver and the echo, without a socket,
 * under a clock that moves only while the script waits. What an acceptor adds (limits of connections, two
 * connections at once) is not here.
 */
import { EchoApplication } from "../../services/fix-gateway/echo/echo_application.ts";
import { echoSessions } from "../../services/fix-gateway/echo/echo_acceptor.ts";
import {
  authenticationFault,
  dictionaryCheck,
  Driver,
  firstMessageFault,
  MemoryStore,
  OutBuffer,
  Session,
} from "../../services/fix-gateway/session/mod.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadDictionaries } from "../../shared/config/mod.ts";
import { FixMessage, FixWriter, Framer, FrameStatus } from "../../shared/codec/fix/mod.ts";
import type { Peer, Received, Target } from "./run_script.ts";
import { type EchoSettings, PEER_COMP_ID, VENUE_COMP_ID } from "./settings.ts";

/** 2026-01-05 08:00:00 UTC: where the clock starts. */
const START_MS = Date.UTC(2026, 0, 5, 8);
/** How often the session is looked at, as the acceptor does, ms. */
const TICK_MS = 50;

/** One session under virtual time. */
export class VirtualTarget implements Target {
  readonly venueCompId = VENUE_COMP_ID;
  readonly peerCompId = PEER_COMP_ID;
  readonly logonFields = "";
  readonly ignoredTags: ReadonlySet<number> = new Set();
  readonly settings: EchoSettings;
  readonly session: Session;
  readonly driver: Driver;
  readonly dataLengthTags: Uint16Array;
  nowMs = START_MS;

  constructor(settings: EchoSettings) {
    this.settings = settings;
    const { username, password, limits, plainAnswers } = settings;
    const { userDefinedFields, resetOnLogon } = settings.session;
    const config = { ...echoSessions([PEER_COMP_ID], settings.session)[0], username, password };
    const dictionary = loadDictionaries([config])(config);
    this.dataLengthTags = dictionary.dataLengthTags;
    this.session = new Session({
      config,
      venueCompId: VENUE_COMP_ID,
      role: "acceptor",
      limits,
      clock: this,
      log: nullLogger,
      store: new MemoryStore(),
      validate: dictionaryCheck(dictionary, userDefinedFields, limits.maxGroupEntries),
      dataLengthTags: this.dataLengthTags,
      adminWriter: new FixWriter(),
      plainAnswers,
    });
    this.driver = new Driver(new EchoApplication(resetOnLogon), new FixMessage());
  }

  now(): number {
    return this.nowMs;
  }

  wallMs(): number {
    return this.nowMs;
  }

  monotonicMs(): number {
    return this.nowMs;
  }

  connect(): Promise<Peer> {
    return Promise.resolve(new VirtualPeer(this));
  }
}

class VirtualPeer implements Peer {
  readonly #target: VirtualTarget;
  readonly #inbound: Framer;
  readonly #outbound = new Framer(1 << 20);
  readonly #wire: OutBuffer;
  readonly #message = new FixMessage();
  /** Whether the session speaks over this connection. */
  #attached = false;
  #ended = false;

  constructor(target: VirtualTarget) {
    const { maxMessageBytes, maxUnsentBytes } = target.settings.limits;
    this.#target = target;
    this.#inbound = new Framer(maxMessageBytes);
    this.#wire = new OutBuffer(maxUnsentBytes);
  }

  send(bytes: Uint8Array): Promise<void> {
    this.#inbound.push(bytes);
    for (let status = this.#inbound.next(); status !== FrameStatus.NeedMore; status = this.#inbound.next()) {
      if (this.#ended) continue;
      if (status === FrameStatus.Frame) this.#take();
      else if (!this.#attached) this.#ended = true;
      this.#settle();
    }
    return Promise.resolve();
  }

  receive(withinMs: number): Promise<Received> {
    const deadline = this.#target.nowMs + withinMs;
    for (;;) {
      const status = this.#outbound.next();
      if (status === FrameStatus.Frame) {
        const { buffer, start, end } = this.#outbound;
        return Promise.resolve({ kind: "message", bytes: buffer.slice(start, end) });
      }
      if (this.#ended) return Promise.resolve({ kind: "disconnect" });
      if (this.#target.nowMs >= deadline) return Promise.resolve({ kind: "nothing" });
      this.#advance(Math.min(TICK_MS, deadline - this.#target.nowMs));
    }
  }

  close(): void {
    if (this.#attached) this.#target.driver.detach(this.#target.session);
    this.#attached = false;
    this.#ended = true;
  }

  #advance(ms: number): void {
    this.#target.nowMs += ms;
    if (!this.#attached) return;
    this.#target.driver.proceed(this.#target.session, this.#target.nowMs);
    this.#settle();
  }

  #take(): void {
    const { session, driver, nowMs, settings } = this.#target;
    const { buffer, start, end } = this.#inbound;
    this.#message.dataLengthTags = this.#target.dataLengthTags;
    this.#message.parse(buffer, start, end);
    if (this.#attached) return driver.receive(session, this.#message, nowMs);
    const { sendingTimeToleranceSec } = settings.limits;
    const config = this.#message.text(49) === PEER_COMP_ID ? session.config : undefined;
    const fault = firstMessageFault(this.#message, VENUE_COMP_ID, sendingTimeToleranceSec, nowMs) ??
      authenticationFault(this.#message, config);
    if (fault !== null || config === undefined || session.connected) {
      this.#ended = true;
      return;
    }
    this.#attached = true;
    driver.accept(session, this.#message, this.#wire, nowMs);
  }

  /** The peer takes every byte at once; a session that wants to close is closed. */
  #settle(): void {
    const { session, driver, nowMs } = this.#target;
    for (let bytes = this.#wire.take(); bytes !== null; bytes = this.#wire.take()) {
      this.#outbound.push(bytes);
      this.#wire.release();
      if (this.#attached) driver.proceed(session, nowMs);
    }
    if (this.#attached && session.closeReason !== "") this.close();
  }
}
