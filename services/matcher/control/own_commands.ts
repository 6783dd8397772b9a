/**
 * The venue's own commands on their way into the command stream: numbered without a gap under a gateway id of their own,
 * one message in flight, sent again until it is stored, ended when the engine has applied it. Owns the queue; takes the
 * way out and time from its caller.
 */
import { Command, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import type { PublishFault } from "../../../shared/nats/mod.ts";
import { cmdSubject, NO_SYMBOL } from "../../../shared/protocol/mod.ts";
import type { Logger } from "../../../shared/cli/log.ts";

/** What of an event about phases, algorithms and mass cancels counts for whoever asked. */
export interface VenueEvent {
  readonly kind: number;
  readonly instrumentId: number;
  readonly phase: number;
  readonly previousPhase: number;
  readonly algorithm: number;
  readonly total: number;
  readonly reason: number;
}

/** What the engine made of commands: the last command message, and the events of all. */
export interface Applied {
  readonly cmdSeq: number;
  readonly events: readonly VenueEvent[];
}

/** Sets the fields of a command that has been reset. */
export type FillCommand = (command: Command) => void;

/** What they need from the world. */
export interface OwnCommandsOptions {
  readonly shard: number;
  readonly gatewayId: number;
  readonly bootId: number;
  /** Publishes and hears the answer; false when there is no connection. */
  readonly publish: (
    subject: string,
    bytes: Uint8Array,
    done: (seq: number, fault: PublishFault | null) => void,
  ) => boolean;
  /** Calls `action` once after a while; the result cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void;
  readonly log: Logger;
}

interface Message {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly firstGatewaySeq: number;
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: Error) => void;
  stored: boolean;
}

const RETRY_MS = 250;
/** Messages that wait. */
const MAX_WAITING = 1000;

/** Commands of one boot. */
export class OwnCommands {
  readonly #options: OwnCommandsOptions;
  readonly #writer = new CommandBatchWriter();
  readonly #command = new Command();
  /** The first one is in flight or stored; the others wait. */
  readonly #messages: Message[] = [];
  #nextSeq = 1;
  #inFlight = false;
  #cancelRetry: (() => void) | null = null;
  #warned = false;
  #closed: Error | null = null;

  constructor(options: OwnCommandsOptions) {
    this.#options = options;
  }

  /** Whether everything has been applied. */
  get idle(): boolean {
    return this.#messages.length === 0;
  }

  /**
   * Sends commands, at least one, in order; several messages when one is too small. `symbol` names the subject, null
   * when they concern several. Resolves when the engine has applied all; rejects when that will not be known here.
   */
  async send(symbol: string | null, commands: readonly FillCommand[]): Promise<Applied> {
    if (this.#closed !== null) throw this.#closed;
    if (this.#messages.length >= MAX_WAITING) {
      throw new Error(`Cannot send a command: ${MAX_WAITING} wait for the command stream already`);
    }
    const subject = cmdSubject(this.#options.shard, symbol ?? NO_SYMBOL);
    const parts = await Promise.all(this.#encode(commands).map((encoded) => this.#enqueue(subject, encoded)));
    return { cmdSeq: parts.at(-1)!.cmdSeq, events: parts.flatMap(({ events }) => events) };
  }

  /** The engine has applied the message of this boot that begins with `firstGatewaySeq`. */
  applied(firstGatewaySeq: number, outcome: Applied): void {
    const [first] = this.#messages;
    if (first?.firstGatewaySeq !== firstGatewaySeq) return;
    this.#messages.shift();
    this.#inFlight = false;
    this.#warned = false;
    first.resolve(outcome);
    this.#pump();
  }

  /** The connection is back. */
  reconnected(): void {
    this.#pump();
  }

  /** Sends nothing more; whoever waits is told why. */
  close(reason: Error): void {
    if (this.#closed !== null) return;
    this.#closed = reason;
    this.#cancelRetry?.();
    for (const { reject } of this.#messages.splice(0)) reject(reason);
  }

  #encode(commands: readonly FillCommand[]): { bytes: Uint8Array; firstGatewaySeq: number }[] {
    const { gatewayId, bootId } = this.#options;
    const writer = this.#writer;
    const messages: { bytes: Uint8Array; firstGatewaySeq: number }[] = [];
    let at = 0;
    while (at < commands.length) {
      const firstGatewaySeq = this.#nextSeq;
      writer.begin(gatewayId, bootId, firstGatewaySeq);
      while (at < commands.length && writer.hasRoom) {
        this.#command.reset();
        commands[at++](this.#command);
        writer.append(this.#command);
      }
      this.#nextSeq += writer.count;
      messages.push({ bytes: writer.finish().slice(), firstGatewaySeq });
    }
    return messages;
  }

  #enqueue(subject: string, encoded: { bytes: Uint8Array; firstGatewaySeq: number }): Promise<Applied> {
    return new Promise((resolve, reject) => {
      this.#messages.push({ subject, ...encoded, resolve, reject, stored: false });
      this.#pump();
    });
  }

  #pump(): void {
    const [message] = this.#messages;
    if (this.#closed !== null || this.#inFlight || message === undefined || message.stored) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#inFlight = this.#options.publish(message.subject, message.bytes, (_seq, fault) => {
      if (this.#messages[0] !== message || this.#closed !== null) return;
      this.#inFlight = false;
      // Another copy is harmless: the engine drops what it has applied.
      if (fault === null) message.stored = true;
      else this.#retry(message, fault);
    });
  }

  #retry({ subject }: Message, { code, description }: PublishFault): void {
    const { log, after } = this.#options;
    if (!this.#warned) {
      log.warn("a command of the venue's own waits for the stream", { subject, code, description });
    }
    this.#warned = true;
    this.#cancelRetry = after(RETRY_MS, () => {
      this.#cancelRetry = null;
      this.#pump();
    });
  }
}
