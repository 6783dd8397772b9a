/**
 * A trading firm whose FIX engine was written by others: it comes back by itself with the numbers of its own store. Keeps
 * every application message that the engine handed over, and how long it was without the venue. Test code only.
 */
import { type Account, type Engine, fieldsOf, ForeignClient } from "../interop/driver.ts";
import { HEADER_AND_TRAILER } from "../../shared/testing/message_line.ts";
import type { Received } from "./lasting_trader.ts";
import { clOrdIdOf, type OrderMessage } from "./random_orders.ts";

/** Time without the venue after a kill, ms. */
export interface Outage {
  /** To the engine's next Logon. */
  readonly logonMs: number;
  /** To the next report. */
  readonly reportMs: number;
}

/** One session's engine. Dispose it to end its process. */
export class ForeignTrader implements AsyncDisposable {
  readonly senderCompId: string;
  readonly received: Received[] = [];
  /** ClOrdIDs and MsgTypes of all orders and requests, in order. */
  readonly sent: Map<string, string> = new Map();
  /** Logouts in either direction, and what the engine complained about. */
  readonly ends: string[] = [];
  readonly outages: Outage[] = [];
  readonly #client: ForeignClient;
  readonly #unanswered = new Set<string>();
  #loggedOn = false;
  /** When the venue was taken from it; NaN while it is there. */
  #killedAtMs = NaN;
  /** When it logged on again after that; NaN until then. */
  #backAtMs = NaN;

  constructor(engine: Engine, account: Account) {
    this.senderCompId = account.senderCompId;
    this.#client = new ForeignClient(engine, account, (line) => this.#hear(line));
  }

  get loggedOn(): boolean {
    return this.#loggedOn;
  }

  /** Whether reports come, after all kills so far. */
  get trading(): boolean {
    return this.#loggedOn && Number.isNaN(this.#killedAtMs);
  }

  /** Whether it is logged on, after all kills so far. */
  get back(): boolean {
    return this.trading || !Number.isNaN(this.#backAtMs);
  }

  /** Messages sent that have no answer. */
  get unanswered(): string[] {
    return [...this.#unanswered];
  }

  /** Begins an outage; one that has not ended goes on. */
  killed(): void {
    if (Number.isNaN(this.#killedAtMs)) this.#killedAtMs = performance.now();
    this.#backAtMs = NaN;
  }

  /** Sends messages at once, whether there is a connection or not. */
  async send(messages: readonly OrderMessage[]): Promise<void> {
    const now = new Date().toISOString().replace(/-/g, "").replace("T", "-").slice(0, -1);
    const bodies = messages.map(({ msgType, fields }) => {
      const clOrdId = clOrdIdOf(this.senderCompId, this.sent.size);
      this.sent.set(clOrdId, msgType);
      this.#unanswered.add(clOrdId);
      return `35=${msgType}|11=${clOrdId}|60=${now}|${
        fields.map(([tag, value]) => `${tag}=${value}|`).join("")
      }`;
    });
    await this.#client.sendAll(bodies);
  }

  /** Starts the Logout handshake. */
  async logout(): Promise<void> {
    await this.#client.logout();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]();
  }

  #hear(line: string): void {
    if (line.startsWith("app ")) this.#keep(line.slice(4));
    else if (line === "on") {
      this.#loggedOn = true;
      if (!Number.isNaN(this.#killedAtMs)) this.#backAtMs = performance.now();
    } else if (line === "off") this.#loggedOn = false;
    else if (line.startsWith("error ") || line.includes("|35=5|")) this.ends.push(line);
  }

  #keep(text: string): void {
    if (!Number.isNaN(this.#backAtMs)) {
      const since = this.#killedAtMs;
      this.outages.push({ logonMs: this.#backAtMs - since, reportMs: performance.now() - since });
      this.#killedAtMs = this.#backAtMs = NaN;
    }
    const fields = fieldsOf(text);
    const body = text.split("|").filter((field) =>
      field !== "" && !HEADER_AND_TRAILER.has(Number(field.slice(0, field.indexOf("="))))
    );
    const clOrdId = fields.get(fields.get(35) === "j" ? 379 : 11) ?? "";
    this.#unanswered.delete(clOrdId);
    this.received.push({
      seq: Number(fields.get(34)),
      possDup: fields.get(43) === "Y",
      possResend: fields.get(97) === "Y",
      sendingTimeMs: utcTimestampMs(fields.get(52)),
      origSendingTimeMs: utcTimestampMs(fields.get(122)),
      line: `${fields.get(35)} ${body.join("|")}`,
      clOrdId,
    });
  }
}

/** `YYYYMMDD-HH:MM:SS.sss` as ms since the epoch; NaN when absent. */
export function utcTimestampMs(text: string | undefined): number {
  return Date.parse(`${text?.replace(/^(\d{4})(\d\d)(\d\d)-/, "$1-$2-$3T")}Z`);
}
