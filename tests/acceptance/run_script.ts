/**
 * Owns the running of one acceptance script against a target: what is sent, what must come back and when,
 * and the report of the first step that failed. It knows neither sockets nor sessions: a target brings
 * them.
 */
import { encode } from "../../services/fix-gateway/session/rig.ts";
import { differenceOf, fieldsOf, visible } from "./compare.ts";
import { repeated, type Script, type Step } from "./language.ts";

/** What came from the other side. */
export type Received =
  | { readonly kind: "message"; readonly bytes: Uint8Array }
  | { readonly kind: "disconnect" }
  | { readonly kind: "nothing" };

/** Our end of one connection. */
export interface Peer {
  send(bytes: Uint8Array): Promise<void>;
  /** The next message, or the end of the connection; nothing when `withinMs` passed without either. */
  receive(withinMs: number): Promise<Received>;
  /** Closes our end; harmless when it is closed. */
  close(): void;
}

/** What a script is run against. */
export interface Target {
  readonly venueCompId: string;
  readonly peerCompId: string;
  /** Fields added to each Logon that the script sends, such as credentials; "" for none. */
  readonly logonFields: string;
  /** Tags that are not compared. */
  readonly ignoredTags: ReadonlySet<number>;
  /** How its messages are read; see FixMessage. FIX 4.4's when absent. */
  readonly dataLengthTags?: Uint16Array;
  /** The target's time, ms since 1970. */
  now(): number;
  connect(): Promise<Peer>;
}

/** How long the end of a script listens for messages that nobody expected, ms. */
const LEFTOVER_MS = 20;
/** Lines of what went before that a failure shows. */
const SHOWN_HISTORY = 8;

/** A step that went otherwise. */
export class ScriptFailure extends Error {
  override readonly name = "ScriptFailure";
}

/**
 * Runs the script to its end; throws a ScriptFailure that shows the step, both messages and what went before.
 */
export async function runScript(script: Script, name: string, target: Target): Promise<void> {
  const run = new Run(target, name);
  try {
    for (const step of script.steps) await run.take(step);
    await run.expectNoMore();
  } finally {
    run.close();
  }
}

class Run {
  readonly #target: Target;
  readonly #name: string;
  readonly #peers = new Map<number, Peer>();
  readonly #sentTimes = new Map<number, string>();
  readonly #history: string[] = [];

  constructor(target: Target, name: string) {
    this.#target = target;
    this.#name = name;
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "connect":
        this.#peers.get(step.connection)?.close();
        this.#peers.set(step.connection, await this.#target.connect());
        return this.#note(step, "connect");
      case "disconnect":
        this.#peer(step).close();
        this.#peers.delete(step.connection);
        return this.#note(step, "disconnect");
      case "send":
        return await this.#send(step, this.#message(step));
      case "send raw":
        return await this.#send(
          step,
          latin1(expanded(step.text, this.#target, this.#target.now()).replaceAll("|", "\x01")),
        );
      case "expect":
        return await this.#expect(step);
      case "expect disconnect": {
        const received = await this.#receive(step, step.withinMs);
        if (received.kind !== "disconnect") {
          throw this.#failure(step, `expected disconnect, got ${shown(received)}`);
        }
        return;
      }
      case "wait": {
        const received = await this.#receive(step, step.ms);
        if (received.kind === "nothing") return;
        throw this.#failure(step, `expected nothing for ${step.ms} ms, got ${shown(received)}`);
      }
    }
  }

  /** Fails when a connection that is still open brought something that no step asked for. */
  async expectNoMore(): Promise<void> {
    for (const [connection, peer] of this.#peers) {
      const received = await peer.receive(LEFTOVER_MS);
      if (received.kind !== "message") continue;
      throw new ScriptFailure(`${this.#name}: connection ${connection} has more: ${shown(received)}`);
    }
  }

  close(): void {
    for (const peer of this.#peers.values()) peer.close();
  }

  #message(step: Step & { readonly kind: "send" }): Uint8Array {
    const { venueCompId, peerCompId, logonFields } = this.#target;
    const now = this.#target.now();
    const isLogon = /(^|\|)35=A(\||$)/.test(step.message) && !step.message.includes("|553=");
    const text = expanded(step.message + (isLogon ? logonFields : ""), this.#target, now);
    let whole = visible(encode(text, peerCompId, venueCompId, now));
    if (step.length !== undefined) whole = summed(whole.replace(/\|9=\d+\|/, `|9=${step.length}|`));
    if (step.checksum !== undefined) whole = whole.replace(/\|10=\d+\|$/, `|10=${step.checksum}|`);
    return latin1(whole.replaceAll("|", "\x01"));
  }

  async #send(step: Step, bytes: Uint8Array): Promise<void> {
    this.#note(step, `sent ${visible(bytes)}`);
    await this.#peer(step).send(bytes);
  }

  async #expect(step: Step & { readonly kind: "expect" }): Promise<void> {
    const received = await this.#receive(step, step.withinMs);
    if (received.kind !== "message") {
      throw this.#failure(step, `expected ${expectedText(step)}, got ${shown(received)}`);
    }
    const { venueCompId, peerCompId, ignoredTags, dataLengthTags } = this.#target;
    const nowMs = this.#target.now();
    const read = { ignoredTags, dataLengthTags };
    const surroundings = { venueCompId, peerCompId, ...read, nowMs, sentTimes: this.#sentTimes };
    const difference = differenceOf(step.fields, received.bytes, step.ordered, surroundings);
    if (difference !== null) throw this.#failure(step, `the message is another one\n${difference}`);
    const fields = fieldsOf(received.bytes);
    const seq = Number(fields.find(({ tag }) => tag === 34)?.value);
    const time = fields.find(({ tag }) => tag === 52)?.value ?? "";
    if (!this.#sentTimes.has(seq)) this.#sentTimes.set(seq, time);
  }

  async #receive(step: Step, withinMs: number): Promise<Received> {
    const received = await this.#peer(step).receive(withinMs);
    if (received.kind !== "nothing") this.#note(step, `got  ${shown(received)}`);
    return received;
  }

  #peer(step: Step): Peer {
    const peer = this.#peers.get(step.connection);
    if (peer === undefined) throw this.#failure(step, `connection ${step.connection} is not open`);
    return peer;
  }

  #note(step: Step, text: string): void {
    this.#history.push(`  line ${step.line}${step.connection === 1 ? "" : ` (${step.connection})`}: ${text}`);
  }

  #failure(step: Step, problem: string): ScriptFailure {
    const history = this.#history.slice(-SHOWN_HISTORY).join("\n");
    return new ScriptFailure(`${this.#name}:${step.line}: ${problem}\n  before:\n${history}`);
  }
}

function expectedText(step: Step & { readonly kind: "expect" }): string {
  return step.fields.map(({ tag, value }) => `${tag}=${value}`).join("|") + ` within ${step.withinMs} ms`;
}

function shown(received: Received): string {
  return received.kind === "message" ? visible(received.bytes) : received.kind;
}

/**
 * `<x*12>` becomes twelve times x, `<SOH>` the delimiter, `<peer>` and `<venue>` CompIDs, `<-2.5>` 2.5 s ago.
 */
function expanded(text: string, target: Target, nowMs: number): string {
  return repeated(text).replaceAll("<SOH>", "\x01").replaceAll("<peer>", target.peerCompId)
    .replaceAll("<venue>", target.venueCompId)
    .replace(/<(-?\d+(?:\.\d+)?)>/g, (_, seconds) => utc(nowMs + Number(seconds) * 1000));
}

function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/-/g, "").replace("T", "-").replace("Z", "");
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The message, "|" for SOH, with the CheckSum that it should have. */
function summed(text: string): string {
  const body = text.replace(/10=\d+\|$/, "");
  const sum = latin1(body.replaceAll("|", "\x01")).reduce((total, byte) => total + byte, 0) % 256;
  return `${body}10=${String(sum).padStart(3, "0")}|`;
}
