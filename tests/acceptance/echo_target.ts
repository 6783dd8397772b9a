/** Owns the echo on a socket as a script's target: the gateway's acceptor in this process, on a free port. */
import { EchoApplication } from "../../services/fix-gateway/echo/echo_application.ts";
import { echoSessions } from "../../services/fix-gateway/echo/echo_acceptor.ts";
import { type Acceptor, startAcceptor } from "../../services/fix-gateway/net/acceptor.ts";
import { systemClock } from "../../services/fix-gateway/net/clock.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadDictionaries } from "../../shared/config/mod.ts";
import type { Peer, Target } from "./run_script.ts";
import { type EchoSettings, OTHER_COMP_ID, PEER_COMP_ID, VENUE_COMP_ID } from "./settings.ts";
import { SocketPeer } from "./socket_peer.ts";

/** An echo of its own for one script. */
export class EchoTarget implements Target, AsyncDisposable {
  readonly venueCompId = VENUE_COMP_ID;
  readonly peerCompId = PEER_COMP_ID;
  readonly logonFields = "";
  readonly ignoredTags: ReadonlySet<number> = new Set();
  readonly dataLengthTags: Uint16Array;
  readonly #acceptor: Acceptor;

  private constructor(acceptor: Acceptor, dataLengthTags: Uint16Array) {
    this.#acceptor = acceptor;
    this.dataLengthTags = dataLengthTags;
  }

  /** Starts listening. */
  static async start(settings: EchoSettings): Promise<EchoTarget> {
    const { limits, session, plainAnswers, username, password } = settings;
    const sessions = echoSessions([PEER_COMP_ID, OTHER_COMP_ID], session).map((one) => ({
      ...one,
      username,
      password,
    }));
    const dictionaryOf = loadDictionaries(sessions);
    const acceptor = await startAcceptor({
      hostname: "127.0.0.1",
      port: 0,
      venue: {
        targetCompId: VENUE_COMP_ID,
        sessions,
        sessionByCompId: new Map(sessions.map((session) => [session.senderCompId, session])),
      },
      application: new EchoApplication(session.resetOnLogon),
      clock: systemClock,
      log: nullLogger,
      limits,
      plainAnswers,
      dictionaryOf,
    });
    return new EchoTarget(acceptor, dictionaryOf(sessions[0]).dataLengthTags);
  }

  now(): number {
    return Date.now();
  }

  connect(): Promise<Peer> {
    return SocketPeer.connect(this.#acceptor.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#acceptor.drain("the script ended");
  }
}
