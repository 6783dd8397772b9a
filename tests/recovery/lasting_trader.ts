/**
 * A FIX client that outlives its connections: it comes back with its numbers and what it sent, as a trading firm's engine
 * does, and keeps every application message that it got. Test code only.
 */
import { FixClient, type SequenceNumbers } from "../../services/fix-gateway/client/mod.ts";
import { MemoryStore } from "../../services/fix-gateway/session/mod.ts";
import type { FixMessage } from "../../shared/codec/fix/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { DEADLINE_MS, until } from "../../shared/testing/awaited.ts";
import { messageLine } from "../../shared/testing/message_line.ts";

/** One message as it came. */
export interface Received {
  readonly seq: number;
  readonly possDup: boolean;
  readonly possResend: boolean;
  readonly sendingTimeMs: number;
  /** NaN when absent. */
  readonly origSendingTimeMs: number;
  /** MsgType and body, `8 37=…|11=…`. */
  readonly line: string;
  readonly clOrdId: string;
}

/** Where a gateway listens. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
}

const RETRY_MS = 20;

/** One session's client. */
export class LastingTrader {
  readonly senderCompId: string;
  readonly received: Received[] = [];
  /** ClOrdIDs of all orders and requests sent. */
  readonly sent: string[] = [];
  /** ClOrdIDs of reports and rejects that came. */
  readonly answered: Set<string> = new Set();
  /** Why connections ended. */
  readonly ends: string[] = [];
  readonly #venue: Venue;
  #store = new MemoryStore(256 * 1024 * 1024);
  #numbers: SequenceNumbers = { outgoing: 1, incoming: 1 };
  #client: FixClient | null = null;
  /** Where it logs on by itself whenever its connection ends; null: nowhere. */
  #home: GatewayAddress | null = null;
  /** Why it could not come back by itself. */
  #failure: unknown = null;

  constructor(venue: Venue, senderCompId: string) {
    this.#venue = venue;
    this.senderCompId = senderCompId;
  }

  /** The numbers as they stand. */
  get numbers(): SequenceNumbers {
    return this.#client?.numbers ?? this.#numbers;
  }

  /** Whether the session is logged on. */
  get loggedOn(): boolean {
    return this.#client?.loggedOn === true;
  }

  /** Another client of the same session that goes on where this one stands now: both believe to be the one. */
  twin(): LastingTrader {
    const twin = new LastingTrader(this.#venue, this.senderCompId);
    twin.#numbers = this.numbers;
    twin.#store = this.#store;
    return twin;
  }

  /** Logs on with the numbers of before; rejects when it is refused. */
  async logon({ host, port }: GatewayAddress, reset = false): Promise<void> {
    const session = this.#venue.sessionByCompId.get(this.senderCompId)!;
    if (reset) this.#store.clear();
    const client = await FixClient.connect({
      host,
      port,
      senderCompId: this.senderCompId,
      targetCompId: this.#venue.targetCompId,
      username: session.username,
      password: session.password,
      resetOnLogon: reset,
      numbers: this.#numbers,
      store: this.#store,
      onMessage: (message) => this.#keep(message),
    });
    this.#client = client;
    client.closed.then((reason) => {
      this.ends.push(reason);
      this.#numbers = client.numbers;
      if (this.#client === client) this.#client = null;
      if (this.#home !== null) this.comeBack(this.#home).catch((error) => this.#failure = error);
    });
  }

  /** Logs on, and again by itself whenever the connection ends, until {@link logout}. */
  async stay(address: GatewayAddress): Promise<void> {
    this.#home = address;
    await this.comeBack(address);
  }

  /** Resolves when the session is logged on; for a client that stays. */
  back(): Promise<void> {
    return until(`${this.senderCompId}'s Logon`, () => {
      if (this.#failure !== null) throw this.#failure;
      return this.loggedOn;
    });
  }

  /** Logs on as soon as a gateway takes it. */
  async comeBack(address: GatewayAddress): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    await until(`the end of ${this.senderCompId}'s old connection`, () => this.#client === null);
    for (;;) {
      try {
        await this.logon(address);
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Logs out; resolves when the connection is closed. */
  async logout(): Promise<void> {
    this.#home = null;
    await this.#client?.logout();
    await until("the end of the connection", () => this.#client === null);
  }

  /** Cuts the connection. */
  async cut(): Promise<void> {
    await this.#client?.abort();
    await until("the end of the connection", () => this.#client === null);
  }

  /** Sends an order message with these fields in order; nothing when not logged on. */
  send(msgType: string, clOrdId: string, fields: readonly (readonly [number, string])[]): void {
    const client = this.#client;
    if (client?.loggedOn !== true) return;
    const writer = client.compose();
    writer.text(11, clOrdId);
    writer.utcTimestamp(60, Date.now());
    for (const [tag, value] of fields) writer.text(tag, value);
    client.send(msgType);
    this.sent.push(clOrdId);
  }

  /** Sends a message of any type that calls itself `id`, with these fields in order; nothing when not logged on. */
  sendAs(msgType: string, id: string, fields: readonly (readonly [number, string])[]): void {
    const client = this.#client;
    if (client?.loggedOn !== true) return;
    const writer = client.compose();
    for (const [tag, value] of fields) writer.text(tag, value);
    client.send(msgType);
    this.sent.push(id);
  }

  /** Messages sent that have no answer. */
  get unanswered(): string[] {
    return this.sent.filter((clOrdId) => !this.answered.has(clOrdId));
  }

  #keep(message: FixMessage): void {
    const clOrdId = message.text(message.msgType === "j" ? 379 : 11) ?? message.text(117) ?? "";
    this.answered.add(clOrdId);
    this.received.push({
      seq: message.int(34),
      possDup: message.text(43) === "Y",
      possResend: message.text(97) === "Y",
      sendingTimeMs: message.utcTimestampMs(52),
      origSendingTimeMs: message.utcTimestampMs(122),
      line: messageLine(message),
      clOrdId,
    });
  }
}
