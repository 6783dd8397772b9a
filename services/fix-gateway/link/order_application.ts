/**
 * What runs on top of the FIX sessions: each message about orders or quotes becomes a command on its way to the stream
 * (one for each shard that it concerns), or is answered at once when it cannot become one; requests for reference data
 * go to who answers them. Owns the command in hand and the root span of sampled orders. Reports come back by way of the
 * router, not through here.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Logger } from "../../../shared/cli/log.ts";
import { Command, TRACE_BYTES } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import { type OrderTracer, SpanName } from "../../../shared/otel/mod.ts";
import { CommandKind, type Instrument } from "../../../shared/protocol/mod.ts";
import type { Application, BusinessReject, SessionPort } from "../application.ts";
import {
  BusinessRejectReason,
  type MassTranslation,
  QuoteEntries,
  translate,
  translateMass,
  translateQuotes,
} from "../order_entry/mod.ts";
import { APPLICATION_NOT_AVAILABLE } from "./unavailable.ts";

/** Where commands go; {@link CommandPublisher} in production. */
export interface CommandSink {
  readonly ready: Promise<void> | null;
  /**
   * `command` is borrowed for the call; `instrument` is null when the venue lists no such symbol. Throws a RangeError
   * when the command cannot be encoded; nothing has become of it then.
   */
  add(instrument: Instrument | null, command: Command): void;
  /** As {@link add}, for a command that concerns all symbols of a shard: nothing moves past it. */
  addAcross(shard: number, command: Command): void;
  flush(): void;
}

/** Who answers requests that need no command; `message` is borrowed for the call. */
export interface ReferenceDesk {
  /** Answers through `session` and returns null, or says what the message is refused with. */
  receive(session: SessionPort, message: FixMessage): BusinessReject | null;
  loggedOut(session: SessionPort): void;
}

const NO_ATTRIBUTES = {};

/** What the application needs. */
export interface OrderApplicationOptions {
  readonly venue: Venue;
  readonly commands: CommandSink;
  readonly reference: ReferenceDesk;
  readonly tracer: OrderTracer;
  readonly log: Logger;
  /** Which run of a session's numbers its messages belong to; 0 when they are not remembered (the default). */
  readonly incarnationOf?: (sessionId: number) => number;
  /** Hears of every Logon that was answered. */
  readonly onLoggedOn?: (session: SessionPort) => void;
}

/** The application of a gateway. */
export class OrderApplication implements Application {
  readonly #options: OrderApplicationOptions;
  readonly #command = new Command();
  readonly #entries = new QuoteEntries();
  #stopping = false;

  constructor(options: OrderApplicationOptions) {
    this.#options = options;
  }

  /** Null while the command streams keep up. */
  get ready(): Promise<void> | null {
    return this.#options.commands.ready;
  }

  /**
   * From now on new messages are answered with a BusinessMessageReject: the gateway is stopping. Those that are sent again
   * are taken: an earlier gateway may have stored them, which only the matcher can tell.
   */
  stop(): void {
    this.#stopping = true;
  }

  loggedOn(session: SessionPort): void {
    this.#options.onLoggedOn?.(session);
  }

  /** Passes on what came in the same read before the connection ended: that read is never completed. */
  loggedOut(session: SessionPort): void {
    this.#options.commands.flush();
    this.#options.reference.loggedOut(session);
  }

  receive(session: SessionPort, message: FixMessage): BusinessReject | null {
    if (this.#stopping && !isSentAgain(message)) {
      return {
        reason: APPLICATION_NOT_AVAILABLE,
        refId: refIdOf(message),
        text: "Cannot take the message: the gateway is stopping; it was not processed",
      };
    }
    let translation: MassTranslation;
    try {
      if (isReferenceRequest(message.msgType)) return this.#options.reference.receive(session, message);
      translation = this.#translate(session, message);
    } catch (error) {
      return this.#failed(session, message, error);
    }
    if (translation.kind === "business-reject") return translation;
    const command = this.#command;
    command.incarnation = this.#options.incarnationOf?.(session.config.id) ?? 0;
    const trace = this.#options.tracer.startOrder(SpanName.Order, NO_ATTRIBUTES);
    if (trace === null) return this.#add(session, message, translation);
    trace.span.setAttributes({
      "pitwire.session": session.config.senderCompId,
      "pitwire.msg_type": message.msgType,
      "pitwire.cl_ord_id": command.clOrdId.toString(),
      "pitwire.symbol": translation.kind === "command" ? translation.instrument?.symbol ?? "" : "",
    });
    command.trace.set(trace.bytes, 0, TRACE_BYTES);
    const refusal = this.#add(session, message, translation);
    trace.span.end();
    return refusal;
  }

  readComplete(): void {
    this.#options.commands.flush();
  }

  #translate(session: SessionPort, message: FixMessage): MassTranslation {
    const { venue } = this.#options;
    switch (message.msgType) {
      case "q":
      case "AF":
        return translateMass(message, session.config, venue, this.#command);
      case "i":
      case "Z":
        return translateQuotes(message, session.config, venue, this.#command, this.#entries);
      default:
        return translate(message, session.config, venue, this.#command);
    }
  }

  #add(
    session: SessionPort,
    message: FixMessage,
    translation: Exclude<MassTranslation, { kind: "business-reject" }>,
  ): BusinessReject | null {
    const { commands } = this.#options;
    const command = this.#command;
    try {
      if (translation.kind === "command") {
        commands.add(translation.instrument, command);
        return null;
      }
      const { shards } = translation;
      for (const shard of shards) {
        if (command.kind === CommandKind.MassQuote) this.#entries.select(shard, shards[0], command.entries);
        commands.addAcross(shard, command);
      }
      return null;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.#failed(session, message, error);
    }
  }

  /** The answer to a message that a fault of ours keeps out of the stream: it costs nobody else anything. */
  #failed(session: SessionPort, message: FixMessage, error: unknown): BusinessReject {
    this.#options.log.error("an order message could not be made a command", {
      session: session.config.senderCompId,
      msgSeqNum: message.int(34),
      error,
    });
    return {
      reason: BusinessRejectReason.Other,
      refId: refIdOf(message),
      text: "Cannot take the message: the gateway failed on it; it was not processed",
    };
  }
}

/** PossDupFlag(43) is `Y`. */
function isSentAgain(message: FixMessage): boolean {
  return message.text(43) === "Y";
}

function isReferenceRequest(msgType: string): boolean {
  return msgType === "x" || msgType === "c" || msgType === "g";
}

/** BusinessRejectRefID(379): what the message calls itself. */
function refIdOf(message: FixMessage): string | undefined {
  for (const tag of [11, 117, 584, 320, 335]) {
    const text = message.text(tag);
    if (text !== undefined) return text;
  }
  return undefined;
}
