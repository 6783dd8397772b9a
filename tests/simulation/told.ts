/**
 * What the stored commands cause, as soon as they are stored: the reports that each session has to hear, and how each of its
 * messages was answered. Clients are held to it message by message, and wholly in the end. Owns a rebuild of its own.
 */
import { writeReport } from "../../services/fix-gateway/link/event_report.ts";
import { QuoteAcks } from "../../services/fix-gateway/order_entry/mod.ts";
import type { EngineOptions } from "../../services/matcher/engine/mod.ts";
import { Rebuild } from "../../services/matcher/verify/rebuild.ts";
import { FixWriter } from "../../shared/codec/fix/mod.ts";
import type { Event } from "../../shared/codec/wire/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { EventKind } from "../../shared/protocol/mod.ts";
import type { Stored } from "./nats_stream.ts";
import type { Received } from "./trader.ts";

/** One session's reports. */
interface SessionTruth {
  /** Each line, and its place in event order. */
  readonly lines: Map<string, number>;
  /** Answers by ClOrdID of the message that they answer; exactly one each in the end. */
  readonly answers: Map<string, string[]>;
  /** Lines that came, and the number under which each came last. */
  readonly heard: Map<string, number>;
  /** Messages that were answered with BusinessMessageReject(j). */
  readonly refused: Map<string, Refusal>;
  lastPlace: number;
  lastSeq: number;
}

/** A message that was answered with BusinessMessageReject(j). */
interface Refusal {
  /** MsgSeqNum(34) of the message. */
  readonly refSeqNum: number;
  /** The venue has asked for the message again since, which a client may decline: then it may be taken after all. */
  revoked: boolean;
}

const ANSWERS: ReadonlyMap<number, string> = new Map<number, string>([
  [EventKind.OrderAccepted, "accepted"],
  [EventKind.OrderRejected, "rejected"],
  [EventKind.OrderReplaced, "replaced"],
  [EventKind.CancelRejected, "cancel rejected"],
  [EventKind.ReplaceRejected, "replace rejected"],
]);

/** The truth of one run. */
export class Told {
  readonly rebuild: Rebuild;
  readonly #venue: Venue;
  readonly #sessions = new Map<string, SessionTruth>();
  readonly #writer = new FixWriter();
  readonly #acks = new QuoteAcks();
  readonly #decoder = new TextDecoder("latin1");
  #place = 0;

  constructor(venue: Venue, options: EngineOptions) {
    this.#venue = venue;
    for (const { senderCompId } of venue.sessions) {
      this.#sessions.set(senderCompId, {
        lines: new Map(),
        answers: new Map(),
        heard: new Map(),
        refused: new Map(),
        lastPlace: 0,
        lastSeq: 0,
      });
    }
    this.rebuild = new Rebuild(options, (...event) => this.#event(...event));
  }

  /** A command message is stored. */
  stored({ seq, timeUs, payload }: Stored): void {
    this.rebuild.apply(seq, timeUs, payload);
  }

  /** A client got a message. Returns what is wrong with that, or null. */
  heard(name: string, received: Received): string | null {
    const session = this.#sessions.get(name)!;
    const { seq, line, msgType, possDup, possResend, clOrdId } = received;
    const wrong = (what: string) => `${name} ${what}: ${seq} ${line}`;
    if (seq <= session.lastSeq) return wrong(`got number ${seq} after ${session.lastSeq}`);
    session.lastSeq = seq;
    if (msgType === "j") {
      const refSeqNum = Number(/[ |]45=(\d+)/.exec(line)![1]);
      session.refused.set(clOrdId, { refSeqNum, revoked: possDup });
      if (possDup || !session.answers.has(clOrdId)) return null;
      return wrong("was told that a stored message was not taken");
    }
    const place = session.lines.get(line);
    if (place === undefined) return wrong("was told what no stored command caused");
    const before = session.heard.get(line);
    session.heard.set(line, seq);
    if (before !== undefined) return possResend ? null : wrong(`was told what number ${before} said`);
    if (place <= session.lastPlace) return wrong("was told out of event order");
    session.lastPlace = place;
    return null;
  }

  /** A client was asked for its messages from number `beginSeqNo` on again. */
  askedAgain(name: string, beginSeqNo: number): void {
    for (const refusal of this.#sessions.get(name)!.refused.values()) {
      if (refusal.refSeqNum >= beginSeqNo) refusal.revoked = true;
    }
  }

  /** Whether every report there is has come. */
  complete(name: string): boolean {
    const { lines, heard } = this.#sessions.get(name)!;
    return heard.size === lines.size;
  }

  /** What is wrong in the end with what a client sent and heard, or null. */
  final(name: string, sent: readonly string[]): string | null {
    const { lines, heard, answers, refused } = this.#sessions.get(name)!;
    for (const line of lines.keys()) if (!heard.has(line)) return `${name} was never told: ${line}`;
    const known = new Set(sent);
    for (const clOrdId of answers.keys()) {
      if (!known.has(clOrdId)) return `${name} never sent ${clOrdId}, which was answered`;
    }
    for (const clOrdId of sent) {
      const found = answers.get(clOrdId) ?? [];
      const said = refused.get(clOrdId);
      const count = found.length + (said === undefined ? 0 : 1);
      if (count !== 1 && !(count === 2 && said?.revoked === true)) {
        return `${name}: ${count} answers to ${clOrdId} (${found.join(", ")})`;
      }
    }
    return null;
  }

  #event(event: Event, cmdSeq: number, eventIndex: number, timestampUs: number): void {
    if (event.kind >= EventKind.LevelChanged || event.sessionId === 0) return;
    const session = this.#sessions.get(this.#venue.sessionById.get(event.sessionId)!.senderCompId)!;
    const writer = this.#writer;
    writer.begin();
    const at = { shard: 0, cmdSeq, eventIndex, timestampUs };
    const msgType = writeReport(event, at, this.#venue, this.#acks, writer);
    if (msgType === null) return;
    const body = this.#decoder.decode(writer.body).slice(0, -1).replaceAll("\x01", "|");
    session.lines.set(`${msgType} ${body}`, ++this.#place);
    const answer = answerOf(event);
    if (answer === null) return;
    const clOrdId = event.clOrdId.toString();
    const answers = session.answers.get(clOrdId);
    if (answers === undefined) session.answers.set(clOrdId, [answer]);
    else answers.push(answer);
  }
}

/** What an event answers to the message that has its ClOrdID; null when it is no answer. */
function answerOf(event: Event): string | null {
  const isRequested = event.origClOrdId.length > 0;
  if (event.kind === EventKind.OrderCanceled) return isRequested ? "canceled" : null;
  return ANSWERS.get(event.kind) ?? null;
}
