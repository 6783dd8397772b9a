/**
 * Pitwire as a {@link Lane}: one FIX session that sends NewOrderSingle messages, alternately buying and selling at one
 * price so that every second order trades. A reply is an order's first ExecutionReport (ExecType New).
 */
import { FixMessage, FixWriter, Framer, FrameStatus } from "../../shared/codec/fix/mod.ts";
import { writeAll } from "./floor_lane.ts";
import type { Lane } from "./load.ts";

/** Where and as whom to log on, and what to trade. */
export interface FixLaneOptions {
  readonly port: number;
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly username: string;
  readonly password: string;
  readonly symbol: string;
  readonly price: string;
  readonly qty: string;
}

const Tag = {
  ClOrdId: 11,
  Symbol: 55,
  Side: 54,
  TransactTime: 60,
  OrderQty: 38,
  OrdType: 40,
  Price: 44,
  ExecType: 150,
};

/** One logged-on session. Dispose it to close the connection. */
export class FixLane implements Lane, Disposable {
  onReplies: (count: number) => void = () => {};
  /** Reports received in all, first or not. */
  reports = 0;
  readonly #options: FixLaneOptions;
  readonly #connection: Deno.TcpConn;
  readonly #writer = new FixWriter();
  readonly #framer = new Framer(64 * 1024);
  readonly #message = new FixMessage();
  readonly #loggedOn: Promise<void>;
  #resolveLoggedOn: () => void = () => {};
  #write: Promise<unknown> = Promise.resolve();
  #msgSeqNum = 1;
  #orders = 0;

  private constructor(options: FixLaneOptions, connection: Deno.TcpConn) {
    this.#options = options;
    this.#connection = connection;
    connection.setNoDelay(true);
    this.#loggedOn = new Promise((resolve) => this.#resolveLoggedOn = resolve);
    this.#read();
  }

  /** Connects and logs on, both numbers at 1. */
  static async connect(options: FixLaneOptions): Promise<FixLane> {
    const lane = new FixLane(options, await Deno.connect({ hostname: "127.0.0.1", port: options.port }));
    const writer = lane.#writer;
    writer.begin();
    writer.int(98, 0);
    writer.int(108, 60);
    writer.text(141, "Y");
    writer.text(553, options.username);
    writer.text(554, options.password);
    await writeAll(lane.#connection, lane.#finish("A").slice());
    await lane.#loggedOn;
    return lane;
  }

  send(count: number): void {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let i = 0; i < count; i++) {
      const bytes = this.#order().slice();
      parts.push(bytes);
      length += bytes.length;
    }
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    this.#write = this.#write.then(() => writeAll(this.#connection, all));
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #order(): Uint8Array {
    const { symbol, price, qty } = this.#options;
    const writer = this.#writer;
    const number = ++this.#orders;
    writer.begin();
    writer.int(Tag.ClOrdId, number);
    writer.text(Tag.Symbol, symbol);
    writer.int(Tag.Side, number % 2 === 1 ? 1 : 2);
    writer.utcTimestamp(Tag.TransactTime, Date.now());
    writer.text(Tag.OrderQty, qty);
    writer.int(Tag.OrdType, 2);
    writer.text(Tag.Price, price);
    return this.#finish("D");
  }

  #finish(msgType: string): Uint8Array {
    const { senderCompId, targetCompId } = this.#options;
    return this.#writer.finish({
      beginString: "FIX.4.4",
      msgType,
      senderCompId,
      targetCompId,
      msgSeqNum: this.#msgSeqNum++,
      sendingTimeMs: Date.now(),
    });
  }

  async #read(): Promise<void> {
    try {
      while (true) {
        const read = await this.#connection.read(this.#framer.writable());
        if (read === null) return;
        this.#framer.commit(read);
        const firsts = this.#drain();
        if (firsts > 0) this.onReplies(firsts);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted)) {
        throw error;
      }
    }
  }

  #drain(): number {
    let firsts = 0;
    for (let status = this.#framer.next(); status !== FrameStatus.NeedMore; status = this.#framer.next()) {
      if (status !== FrameStatus.Frame) {
        throw new Error(`The venue sent a garbled message: ${this.#framer.fault}`);
      }
      this.#message.parse(this.#framer.buffer, this.#framer.start, this.#framer.end);
      const type = this.#message.msgType;
      if (type === "8") {
        this.reports++;
        if (this.#message.charCode(Tag.ExecType) === 48) firsts++;
      } else if (type === "A") this.#resolveLoggedOn();
      else if (type !== "0" && type !== "1") throw new Error(`The venue answered with MsgType(35) ${type}`);
    }
    return firsts;
  }
}
