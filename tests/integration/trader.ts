/** A FIX client for tests: sends order messages, keeps what comes as readable lines. Test code only. */
import type { FixMessage } from "../../shared/codec/fix/mod.ts";
import { FixClient, type FixClientOptions } from "../../services/fix-gateway/client/mod.ts";
import type { RunningVenue } from "../../infra/venue_process.ts";
import { until, within } from "../../shared/testing/awaited.ts";

/** Fields of an order message; what is absent is left out, apart from the defaults that {@link Trader} names. */
export interface OrderFields {
  readonly symbol?: string;
  readonly side?: "buy" | "sell";
  readonly qty?: string;
  /** Absent: a market order. */
  readonly price?: string;
  /** TimeInForce(59). */
  readonly tif?: string;
  readonly orderId?: string;
  /** OrdType(40); limit when a price is given, else market. */
  readonly type?: string;
  /** Further fields, `99=9.5|111=10`. */
  readonly terms?: string;
}

/** Tags that a line leaves out: the header, the time of the transaction, the trailer. */
const LEFT_OUT = new Set([8, 9, 35, 34, 49, 52, 56, 43, 122, 60, 10]);

/** `MsgType tag=value|…` of a message. */
export function lineOf(message: FixMessage): string {
  const decoder = new TextDecoder("latin1");
  const fields = [];
  for (let i = 0; i < message.fieldCount; i++) {
    if (LEFT_OUT.has(message.tags[i])) continue;
    const value = decoder.decode(message.buffer.subarray(message.valueStart[i], message.valueEnd[i]));
    fields.push(`${message.tags[i]}=${value}`);
  }
  return `${message.msgType} ${fields.join("|")}`;
}

/** Logs a session on with the credentials of the venue file. */
export function connectAs(
  { address, venue }: RunningVenue,
  senderCompId: string,
  options: Pick<FixClientOptions, "numbers" | "onMessage">,
): Promise<FixClient> {
  const { username, password } = venue.sessionByCompId.get(senderCompId)!;
  const { fixHost: host, fixPort: port } = address;
  return FixClient.connect({
    host,
    port,
    senderCompId,
    targetCompId: venue.targetCompId,
    username,
    password,
    ...options,
  });
}

/** One logged-on session of the venue. */
export class Trader {
  readonly senderCompId: string;
  /** Lines of what came and was not taken by {@link next}. */
  readonly lines: string[] = [];
  /** Every message as `tag=value` pairs, whole, in the order of arrival. */
  readonly messages: Map<number, string>[] = [];
  #client!: FixClient;

  private constructor(senderCompId: string) {
    this.senderCompId = senderCompId;
  }

  /** Logs on with the credentials of the venue file, both numbers from 1. */
  static async logon(running: RunningVenue, senderCompId: string): Promise<Trader> {
    const trader = new Trader(senderCompId);
    trader.#client = await within(
      `Logon of ${senderCompId}`,
      connectAs(running, senderCompId, { onMessage: (message) => trader.#keep(message) }),
    );
    return trader;
  }

  /** NewOrderSingle(D) for ACME, 10 lots, limit when a price is given, day. */
  order(clOrdId: string, fields: OrderFields): void {
    this.#send("D", clOrdId, null, { qty: "10", ...fields });
  }

  /** OrderCancelRequest(F). */
  cancel(clOrdId: string, origClOrdId: string, fields: OrderFields): void {
    this.#send("F", clOrdId, origClOrdId, fields);
  }

  /** OrderCancelReplaceRequest(G). */
  replace(clOrdId: string, origClOrdId: string, fields: OrderFields): void {
    this.#send("G", clOrdId, origClOrdId, { qty: "10", ...fields });
  }

  /** OrderStatusRequest(H). */
  status(clOrdId: string, fields: OrderFields): void {
    this.#send("H", clOrdId, null, fields);
  }

  /** A message of any type from fields as `tag=value|…`. */
  raw(msgType: string, fields: string): void {
    const writer = this.#client.compose();
    for (const field of fields.split("|").filter((each) => each !== "")) {
      const equals = field.indexOf("=");
      writer.text(Number(field.slice(0, equals)), field.slice(equals + 1));
    }
    this.#client.send(msgType);
  }

  /** Waits for the next `count` messages and takes their lines. */
  async next(count: number): Promise<string[]> {
    await until(
      `${count} messages to ${this.senderCompId}`,
      () => this.lines.length >= count,
      () => `came: ${this.lines.join("\n")}`,
    );
    return this.lines.splice(0, count);
  }

  /** Logs out; resolves when the connection is closed. */
  async logout(): Promise<void> {
    await within(`Logout of ${this.senderCompId}`, this.#client.logout());
  }

  /** Resolves with the reason when the session has ended. */
  get closed(): Promise<string> {
    return this.#client.closed;
  }

  #send(msgType: string, clOrdId: string, origClOrdId: string | null, fields: OrderFields): void {
    const writer = this.#client.compose();
    const { symbol = "ACME", side = "buy", qty, price, tif, orderId, terms } = fields;
    if (orderId !== undefined) writer.text(37, orderId);
    if (origClOrdId !== null) writer.text(41, origClOrdId);
    writer.text(11, clOrdId);
    writer.text(55, symbol);
    writer.text(54, side === "buy" ? "1" : "2");
    if (msgType !== "H") writer.utcTimestamp(60, Date.now());
    if (qty !== undefined) writer.text(38, qty);
    if (msgType === "D" || msgType === "G") {
      writer.text(40, fields.type ?? (price === undefined ? "1" : "2"));
      if (price !== undefined) writer.text(44, price);
      if (tif !== undefined) writer.text(59, tif);
    }
    for (const field of terms?.split("|") ?? []) {
      writer.text(Number(field.slice(0, field.indexOf("="))), field.slice(field.indexOf("=") + 1));
    }
    this.#client.send(msgType);
  }

  #keep(message: FixMessage): void {
    this.lines.push(lineOf(message));
    const fields = new Map<number, string>();
    for (let i = 0; i < message.fieldCount; i++) {
      fields.set(message.tags[i], message.text(message.tags[i]) ?? "");
    }
    this.messages.push(fields);
  }
}
