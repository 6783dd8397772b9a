/** The lines of the NATS client protocol as the server's side reads and writes them. Pure. */

/** What a client says. */
export type ClientLine =
  | { readonly kind: "connect"; readonly options: { readonly echo?: boolean; readonly name?: string } }
  | { readonly kind: "ping" }
  | { readonly kind: "pong" }
  | { readonly kind: "sub"; readonly subject: string; readonly sid: string }
  | { readonly kind: "unsub"; readonly sid: string; readonly max: number }
  | Publish;

/** A message on its way in; `headers` is the whole block, empty when there is none. */
export interface Publish {
  readonly kind: "pub";
  readonly subject: string;
  readonly reply: string;
  readonly headers: string;
  readonly payload: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const CR = 13;
const EMPTY = new Uint8Array();

/** Cuts one connection's bytes into lines. */
export class ClientLines {
  #bytes: Uint8Array = EMPTY;

  /** Takes what arrived, returns what is complete. */
  take(bytes: Uint8Array): ClientLine[] {
    if (this.#bytes.length === 0) this.#bytes = bytes;
    else {
      const joined = new Uint8Array(this.#bytes.length + bytes.length);
      joined.set(this.#bytes);
      joined.set(bytes, this.#bytes.length);
      this.#bytes = joined;
    }
    const lines: ClientLine[] = [];
    for (let line = this.#next(); line !== null; line = this.#next()) lines.push(line);
    return lines;
  }

  #next(): ClientLine | null {
    const bytes = this.#bytes;
    const end = bytes.indexOf(CR);
    if (end === -1 || end + 1 >= bytes.length) return null;
    const text = decoder.decode(bytes.subarray(0, end));
    const space = text.indexOf(" ");
    const word = space === -1 ? text : text.slice(0, space);
    const rest = text.slice(word.length + 1);
    if (word === "PUB" || word === "HPUB") return this.#publish(word === "HPUB", rest.split(" "), end + 2);
    this.#bytes = bytes.subarray(end + 2);
    return simpleLine(word, rest);
  }

  #publish(withHeaders: boolean, parts: string[], start: number): Publish | null {
    const total = Number(parts.at(-1));
    if (this.#bytes.length < start + total + 2) return null;
    const headerBytes = withHeaders ? Number(parts.at(-2)) : 0;
    const replyAt = withHeaders ? 3 : 2;
    const message = this.#bytes.subarray(start, start + total);
    this.#bytes = this.#bytes.subarray(start + total + 2);
    return {
      kind: "pub",
      subject: parts[0],
      reply: parts.length > replyAt ? parts[1] : "",
      headers: decoder.decode(message.subarray(0, headerBytes)),
      payload: message.slice(headerBytes),
    };
  }
}

function simpleLine(word: string, rest: string): ClientLine {
  const parts = rest.split(" ");
  switch (word) {
    case "CONNECT":
      return { kind: "connect", options: JSON.parse(rest) };
    case "PING":
      return { kind: "ping" };
    case "PONG":
      return { kind: "pong" };
    case "SUB":
      return { kind: "sub", subject: parts[0], sid: parts.at(-1)! };
    case "UNSUB":
      return { kind: "unsub", sid: parts[0], max: Number(parts[1] ?? 0) };
    default:
      throw new Error(`the simulated server does not know "${word}"`);
  }
}

/** A message for a subscription. */
export function messageLine(
  subject: string,
  sid: string,
  reply: string,
  headers: string,
  payload: Uint8Array,
): Uint8Array {
  const to = reply === "" ? `${subject} ${sid}` : `${subject} ${sid} ${reply}`;
  const block = encoder.encode(headers);
  const line = headers === ""
    ? `MSG ${to} ${payload.length}\r\n`
    : `HMSG ${to} ${block.length} ${block.length + payload.length}\r\n`;
  const start = encoder.encode(line);
  const bytes = new Uint8Array(start.length + block.length + payload.length + 2);
  bytes.set(start);
  bytes.set(block, start.length);
  bytes.set(payload, start.length + block.length);
  bytes[bytes.length - 2] = CR;
  bytes[bytes.length - 1] = 10;
  return bytes;
}

/** The value of a header; null when it is not there. */
export function headerOf(headers: string, name: string): string | null {
  const at = headers.indexOf(`\r\n${name}:`);
  if (at === -1) return null;
  const start = at + name.length + 3;
  return headers.slice(start, headers.indexOf("\r\n", start)).trim();
}

/** Whether a subject matches a subscription's, which may have wildcards. */
export function matches(pattern: string, subject: string): boolean {
  if (pattern === subject) return true;
  if (!pattern.includes("*") && !pattern.endsWith(">")) return false;
  const wanted = pattern.split(".");
  const have = subject.split(".");
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === ">") return have.length > i;
    if (i >= have.length || wanted[i] !== "*" && wanted[i] !== have[i]) return false;
  }
  return wanted.length === have.length;
}
