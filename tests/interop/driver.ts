/**
 * Drives FIX engines written by others as client processes, over a line protocol on stdin and stdout:
 * we say `send 35=D|11=…|`, `logout`, `expect N` (the number that the venue's next message should have, when logged
 * out), `quit`; they say `on`, `off`, `app …|` (received application message), `groups …` (QuickFIX/J, behind it: its
 * repeating groups), `admin …|` (received session message), `sent …|` (what they sent, Logon left out since it holds a
 * password), `error …`.
 */
import { TextLineStream } from "./text_lines.ts";

/** How long any awaited line may take. */
const DEADLINE_MS = 20_000;

/** Where and as whom a client logs on. */
export interface Account {
  readonly host: string;
  readonly port: number;
  readonly targetCompId: string;
  readonly senderCompId: string;
  readonly username: string;
  readonly password: string;
  /**
   * An existing folder for the engine's store and log: the session then goes on with its numbers at every Logon, and
   * what is sent while there is no connection is kept for the next. Without it, every Logon begins a new session.
   */
  readonly folder?: string;
  /** A file with the dictionary for both ways (default: the engine's own of FIX 4.4). */
  readonly dictionary?: string;
}

/** An engine that is built and can be started, or the reason why it is not there. */
export type Engine =
  | { readonly name: string; readonly command: (account: Account) => { path: string; args: string[] } }
  | { readonly name: string; readonly missing: string };

/** A FIX message as tag → value (these messages repeat no tag), in order. */
export type Fields = Map<number, string>;

/** One running client. Dispose it to end the process. */
export class ForeignClient implements AsyncDisposable {
  readonly name: string;
  readonly #process: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: string[] = [];
  #arrived: () => void = () => {};
  #ended = false;

  /** With `onLine`, each line is handed to it at once, and {@link next} finds none. */
  constructor(engine: Engine, account: Account, onLine?: (line: string) => void) {
    if ("missing" in engine) throw new Error(`Cannot start ${engine.name}: ${engine.missing}`);
    this.name = `${engine.name} ${account.senderCompId}`;
    const { path, args } = engine.command(account);
    this.#process = new Deno.Command(path, { args, stdin: "piped", stdout: "piped", stderr: "inherit" })
      .spawn();
    this.#stdin = this.#process.stdin.getWriter();
    this.#collect(onLine ?? ((line) => this.#lines.push(line)));
  }

  async #collect(take: (line: string) => void): Promise<void> {
    const lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
    for await (const line of lines) {
      take(line);
      this.#arrived();
    }
    this.#ended = true;
    this.#arrived();
  }

  /**
   * The next line of this kind, without the kind. What they sent and session messages before it are skipped, but
   * a Reject(3) in either direction is an error: both dictionaries must agree with every message.
   */
  async next(kind: "on" | "off" | "app" | "admin"): Promise<string> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (true) {
      const line = this.#lines.shift();
      if (line === undefined) {
        if (this.#ended) throw new Error(`${this.name} ended while "${kind}" was awaited`);
        await this.#line(deadline, kind);
        continue;
      }
      if (line === kind || line.startsWith(`${kind} `)) return line.slice(kind.length + 1);
      const skipped = line.startsWith("sent ") || line.startsWith("admin ") || line.startsWith("groups ");
      if (!skipped || line.includes("|35=3|")) {
        throw new Error(`${this.name}: expected "${kind}", got "${line}"`);
      }
    }
  }

  /** The next application message as fields. */
  async message(): Promise<Fields> {
    return fieldsOf(await this.next("app"));
  }

  /** Sends a message given as `35=D|11=…|`. */
  async send(body: string): Promise<void> {
    await this.#write(`send ${body}`);
  }

  /** Sends messages, in order, with one write. */
  async sendAll(bodies: readonly string[]): Promise<void> {
    if (bodies.length > 0) await this.#write(bodies.map((body) => `send ${body}`).join("\n"));
  }

  /** Starts the Logout handshake. */
  async logout(): Promise<void> {
    await this.#write("logout");
  }

  /** Has the engine, logged out, take `number` for that of the venue's next message. */
  async expect(number: number): Promise<void> {
    await this.#write(`expect ${number}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) {
      await this.#write("quit").catch(() => {});
      await this.#stdin.close().catch(() => {});
    }
    await this.#process.status;
  }

  async #write(line: string): Promise<void> {
    await this.#stdin.write(new TextEncoder().encode(line + "\n"));
  }

  #line(deadline: AbortSignal, kind: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`${this.name}: no "${kind}" within ${DEADLINE_MS} ms`));
      deadline.addEventListener("abort", late, { once: true });
      this.#arrived = () => {
        deadline.removeEventListener("abort", late);
        resolve();
      };
    });
  }
}

/** Splits `8=FIX.4.4|9=…|10=…|`. */
export function fieldsOf(text: string): Fields {
  const fields: Fields = new Map();
  for (const field of text.split("|")) {
    if (field === "") continue;
    const equals = field.indexOf("=");
    fields.set(Number(field.slice(0, equals)), field.slice(equals + 1));
  }
  return fields;
}
