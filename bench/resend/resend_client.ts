/**
 * Owns the client that asks for everything again, in a worker of its own so that it does not slow the client whose
 * latency is measured: logs on with given numbers, sends one ResendRequest for all of it, and reads until the last
 * message has come, each exactly once and in order.
 */
import { FixMessage, FixWriter, Framer, FrameStatus } from "../../shared/codec/fix/mod.ts";
import { writeAll } from "../end_to_end/floor_lane.ts";

/** What the worker is told. */
export interface ResendOrder {
  readonly port: number;
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly username: string;
  readonly password: string;
  /** MsgSeqNum(34) of the Logon. */
  readonly nextSeq: number;
}

/** What it tells when all has come. */
export interface ResendOutcome {
  /** Application messages resent. */
  readonly messages: number;
  /** Numbers asked for. */
  readonly numbers: number;
  readonly milliseconds: number;
  /** What was wrong, or null. */
  readonly problem: string | null;
}

/** Does what was ordered. Rejects when the connection ends before. */
async function resend(order: ResendOrder): Promise<ResendOutcome> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port: order.port });
  try {
    return await new Resend(conn, order).run();
  } finally {
    conn.close();
  }
}

class Resend {
  readonly #conn: Deno.TcpConn;
  readonly #order: ResendOrder;
  readonly #writer = new FixWriter();
  readonly #framer = new Framer(64 * 1024);
  readonly #message = new FixMessage();
  #seq: number;
  /** The number due next of the range, and its last. */
  #due = 1;
  #last = 0;
  #messages = 0;
  #problem: string | null = null;

  constructor(conn: Deno.TcpConn, order: ResendOrder) {
    this.#conn = conn;
    this.#order = order;
    this.#seq = order.nextSeq;
  }

  async run(): Promise<ResendOutcome> {
    const { username, password } = this.#order;
    const writer = this.#writer;
    writer.begin();
    writer.int(98, 0);
    writer.int(108, 300);
    writer.text(553, username);
    writer.text(554, password);
    await this.#send("A");
    let begin = 0;
    while (this.#problem === null && (this.#last === 0 || this.#due <= this.#last)) {
      const count = await this.#conn.read(this.#framer.writable());
      if (count === null) {
        throw new Error(`The gateway closed the connection at number ${this.#due} of ${this.#last}`);
      }
      this.#framer.commit(count);
      for (let status = this.#framer.next(); status !== FrameStatus.NeedMore; status = this.#framer.next()) {
        this.#message.parse(this.#framer.buffer, this.#framer.start, this.#framer.end);
        if (this.#message.msgType !== "A") this.#take();
        else if (this.#last === 0) {
          this.#last = this.#message.int(34) - 1;
          begin = performance.now();
          writer.begin();
          writer.int(7, 1);
          writer.int(16, 0);
          await this.#send("2");
        }
      }
    }
    return {
      messages: this.#messages,
      numbers: this.#last,
      milliseconds: performance.now() - begin,
      problem: this.#problem,
    };
  }

  #take(): void {
    const message = this.#message;
    if (message.text(43) !== "Y") return;
    const seq = message.int(34);
    if (seq !== this.#due) this.#problem ??= `number ${seq} came where ${this.#due} was due`;
    if (message.msgType === "4") this.#due = message.int(36);
    else {
      this.#due = seq + 1;
      this.#messages++;
    }
  }

  #send(msgType: string): Promise<void> {
    const { senderCompId, targetCompId } = this.#order;
    const bytes = this.#writer.finish({
      beginString: "FIX.4.4",
      msgType,
      senderCompId,
      targetCompId,
      msgSeqNum: this.#seq++,
      sendingTimeMs: Date.now(),
    });
    return writeAll(this.#conn, bytes.slice());
  }
}

/** The worker's side of a message port, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<ResendOrder>) => void) | null;
  postMessage(outcome: ResendOutcome): void;
}

if (!("Window" in globalThis) && "postMessage" in globalThis) {
  const scope = globalThis as unknown as Scope;
  scope.onmessage = ({ data }) =>
    void resend(data).then(
      (outcome) => scope.postMessage(outcome),
      (error) => scope.postMessage({ messages: 0, numbers: 0, milliseconds: 0, problem: String(error) }),
    );
}
