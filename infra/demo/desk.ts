/** One trader at one FIX session: sends what the trader wants, at a bounded rate, and logs on again when cut off. Does I/O. */
import type { FixMessage } from "../../shared/codec/fix/mod.ts";
import type { Logger } from "../../shared/cli/log.ts";
import { FixClient } from "../../services/fix-gateway/client/mod.ts";
import type { FixSession } from "../../shared/protocol/mod.ts";
import { type DemoRequest, type DemoTrader, writeRequest } from "./requests.ts";

/** Where the gateway is and who trades there. */
export interface DeskOptions {
  readonly host: string;
  readonly port: number;
  readonly targetCompId: string;
  readonly session: FixSession;
  readonly trader: DemoTrader;
  /** Time between two messages, ms. */
  readonly intervalMs: number;
  readonly log: Logger;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5000;
/** A gateway that does not read so much is left alone for a while. */
const MAX_UNSENT_BYTES = 65536;
/** Time that the answers to the last cancels get, ms. */
const LEAVE_MS = 500;

/** Keeps one trader trading until {@link leave}. */
export class Desk {
  /** Resolves at the first Logon. */
  readonly ready: Promise<void>;
  readonly #options: DeskOptions;
  readonly #ended: Promise<void>;
  #client: FixClient | null = null;
  #leaving = false;
  #wake: () => void = () => {};
  #tellReady: () => void = () => {};

  constructor(options: DeskOptions) {
    this.#options = options;
    this.ready = new Promise((resolve) => this.#tellReady = resolve);
    this.#ended = this.#run();
  }

  /** Cancels what rests, logs out and ends. */
  async leave(): Promise<void> {
    this.#leaving = true;
    this.#wake();
    if (this.#client !== null) {
      for (const request of this.#options.trader.leave()) this.#send(this.#client, request);
      await this.#pause(LEAVE_MS);
      await this.#client?.logout();
    }
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { session, log } = this.#options;
    let backoffMs = FIRST_BACKOFF_MS;
    let first = true;
    while (!this.#leaving) {
      try {
        const client = await this.#connect();
        this.#client = client;
        backoffMs = FIRST_BACKOFF_MS;
        if (!first) { for (const request of this.#options.trader.recall()) this.#send(client, request); }
        first = false;
        this.#tellReady();
        const timer = setInterval(() => this.#trade(client), this.#options.intervalMs);
        const reason = await client.closed;
        clearInterval(timer);
        this.#client = null;
        if (!this.#leaving) log.warn("session ended", { session: session.senderCompId, reason });
      } catch (cause) {
        log.warn("no session yet", { session: session.senderCompId, cause });
      }
      if (this.#leaving) return;
      await this.#pause(backoffMs);
      backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
    }
  }

  #connect(): Promise<FixClient> {
    const { host, port, targetCompId, session, trader } = this.#options;
    return FixClient.connect({
      host,
      port,
      targetCompId,
      senderCompId: session.senderCompId,
      username: session.username,
      password: session.password,
      heartBtIntSec: 10,
      resetOnLogon: true,
      onMessage(message: FixMessage) {
        if (message.msgType !== "8" && message.msgType !== "9") return;
        trader.heard({
          clOrdId: message.text(11) ?? "",
          origClOrdId: message.text(41) ?? "",
          ordStatus: message.text(39) ?? "",
          execType: message.text(150) ?? "",
        });
      },
    });
  }

  #trade(client: FixClient): void {
    if (this.#leaving || !client.loggedOn || client.unsentBytes > MAX_UNSENT_BYTES) return;
    const request = this.#options.trader.next(Date.now());
    if (request !== null) this.#send(client, request);
  }

  #send(client: FixClient, request: DemoRequest): void {
    const msgType = writeRequest(request, Date.now(), client.compose());
    client.send(msgType);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
