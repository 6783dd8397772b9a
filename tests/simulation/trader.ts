/**
 * A simulated client: the real FIX client, which comes back with its numbers and what it sent whenever its connection
 * ends, and tells of every application message that it sends and gets. Owns its numbers and tells whoever keeps its record.
 */
import { FixClient, type SequenceNumbers } from "../../services/fix-gateway/client/mod.ts";
import { MemoryStore } from "../../services/fix-gateway/session/mod.ts";
import type { FixMessage } from "../../shared/codec/fix/mod.ts";
import { messageLine } from "../../shared/testing/message_line.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { randomOrder } from "./order_flow.ts";
import { answeredBy } from "./told.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";

/** One message as it came. */
export interface Received {
  readonly seq: number;
  readonly possDup: boolean;
  readonly possResend: boolean;
  readonly msgType: string;
  /** MsgType and body, `8 37=…|11=…`. */
  readonly line: string;
  /** Identifier of the message that it answers. */
  readonly id: string;
}

/** One message that was sent, and sent again perhaps. */
export interface Sent {
  readonly id: string;
  /** In how many shards it is answered, once in each. */
  readonly shards: number;
}

const AGAIN_MS = 60;
const HAS_TRANSACT_TIME = new Set(["D", "F", "G", "q"]);

/** One session's client. */
export class Trader {
  readonly senderCompId: string;
  /** Messages sent. */
  count = 0;
  /** Why connections ended or were refused. */
  readonly ends: string[] = [];
  /** Whether it sends orders. */
  trades = true;
  /** Hears of each message when it is sent first. */
  onSent: (sent: Sent) => void = () => {};
  /** Hears of each application message as it comes. */
  onReceived: (received: Received) => void = () => {};
  /** Hears of a MsgSeqNum(34) on the wire that goes back without PossDupFlag(43). */
  onNumber: (what: string) => void = () => {};
  /** Hears of each ResendRequest(2). */
  onAskedAgain: (beginSeqNo: number) => void = () => {};
  /** The newest number of the peer's that was no repeat. */
  #newestSeq = 0;
  readonly #venue: Venue;
  readonly #random: SeededRandom;
  readonly #ports: readonly number[];
  readonly #store = new MemoryStore(64 * 1024 * 1024);
  #numbers: SequenceNumbers = { outgoing: 1, incoming: 1 };
  #client: FixClient | null = null;

  constructor(venue: Venue, senderCompId: string, ports: readonly number[], random: SeededRandom) {
    this.#venue = venue;
    this.senderCompId = senderCompId;
    this.#ports = ports;
    this.#random = random;
  }

  /** Whether the session is logged on. */
  get loggedOn(): boolean {
    return this.#client?.loggedOn === true;
  }

  /** Logs on wherever it may, for good, and trades every `everyMs` or so. */
  start(everyMs: number): void {
    this.#stay();
    const trade = () => {
      if (this.trades) { for (let left = 1 + this.#random.below(3); left > 0; left--) this.#send(); }
      setTimeout(trade, 1 + this.#random.below(2 * everyMs));
    };
    trade();
  }

  /** Cuts the connection. */
  cut(): void {
    this.#client?.abort();
  }

  async #stay(): Promise<void> {
    for (;;) {
      try {
        this.ends.push(await this.#session());
      } catch (error) {
        this.ends.push(error instanceof Error ? error.message : String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** From Logon to the end of the connection; returns why it ended. */
  async #session(): Promise<string> {
    const { username, password } = this.#venue.sessionByCompId.get(this.senderCompId)!;
    const client = await FixClient.connect({
      host: "127.0.0.1",
      port: this.#random.pick(this.#ports),
      senderCompId: this.senderCompId,
      targetCompId: this.#venue.targetCompId,
      username,
      password,
      resetOnLogon: false,
      heartBtIntSec: 5,
      numbers: this.#numbers,
      store: this.#store,
      limits: { logonTimeoutSec: 5 },
      onMessage: (message) => this.#keep(message),
      tap: {
        received: (message) => this.#onWire(message),
        sent: (bytes) => this.#onSent(bytes),
        garbled: () => {},
      },
    });
    this.#client = client;
    const reason = await client.closed;
    this.#numbers = client.numbers;
    this.#client = null;
    return reason;
  }

  #send(): void {
    const client = this.#client;
    if (client?.loggedOn !== true) return;
    const nowMs = Date.now();
    const { senderCompId } = this;
    const shards = this.#venue.shards.length;
    const message = randomOrder(senderCompId, this.#random, this.count++, nowMs, shards);
    const { msgType, id: [idTag, id] } = message;
    const writer = client.compose();
    writer.text(idTag, id);
    if (HAS_TRANSACT_TIME.has(msgType)) writer.utcTimestamp(60, nowMs);
    for (const [tag, value] of message.fields) writer.text(tag, value);
    this.onSent({ id, shards: message.shards });
    client.send(msgType);
  }

  /** A number that was used stays used, also when the Logon that used it was never answered. */
  #onSent(bytes: Uint8Array): void {
    const fields = new TextDecoder("latin1").decode(bytes).split("\x01");
    const seq = Number(fields.find((field) => field.startsWith("34="))!.slice(3));
    if (seq >= this.#numbers.outgoing) this.#numbers = { ...this.#numbers, outgoing: seq + 1 };
  }

  #onWire(message: FixMessage): void {
    if (message.msgType === "2") this.onAskedAgain(message.int(7));
    if (message.text(43) === "Y") return;
    const seq = message.int(34);
    if (seq <= this.#newestSeq) {
      this.onNumber(`got number ${seq} after ${this.#newestSeq} without PossDupFlag`);
    }
    this.#newestSeq = seq;
  }

  #keep(message: FixMessage): void {
    const { msgType } = message;
    const line = messageLine(message);
    this.onReceived({
      seq: message.int(34),
      possDup: message.text(43) === "Y",
      possResend: message.text(97) === "Y",
      msgType,
      line,
      id: msgType === "j" ? message.text(379) ?? "" : answeredBy(line),
    });
  }
}
