/**
 * What the stored commands cause, as soon as they are stored: the reports that each session has to hear, and how each of its
 * messages was answered. Clients are held to it message by message, and wholly in the end. Owns a rebuild of each shard.
 */
import { isMarketEvent, writeReport } from "../../services/fix-gateway/link/event_report.ts";
import { QuoteAcks } from "../../services/fix-gateway/order_entry/mod.ts";
import type { EngineOptions } from "../../services/matcher/engine/mod.ts";
import { Rebuild } from "../../services/matcher/verify/rebuild.ts";
import { FixWriter } from "../../shared/codec/fix/mod.ts";
import type { Event } from "../../shared/codec/wire/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { EventKind } from "../../shared/protocol/mod.ts";
import type { Stored } from "./nats_stream.ts";
import type { Received, Sent } from "./trader.ts";

/** A report that there is, by its text; answers of several shards may read the same. */
interface Line {
  readonly shard: number;
  /** In event order; of the last that reads so. */
  place: number;
  /** Times that it has to be told. */
  due: number;
  /** Times that it was. */
  heard: number;
}

/** One session's reports. */
interface SessionTruth {
  readonly lines: Map<string, Line>;
  /** By identifier of the message that they answer: exactly one in each shard that it concerns, in the end. */
  readonly answers: Map<string, Answer[]>;
  /** Messages that were answered with BusinessMessageReject(j). */
  readonly refused: Map<string, Refusal>;
  readonly sent: Map<string, Sent>;
  /** Reports that have not come. */
  missing: number;
  /** Messages before this one, in order, have all their answers. */
  settled: number;
  readonly lastPlace: Map<number, number>;
  lastSeq: number;
}

interface Answer {
  readonly shard: number;
  readonly what: string;
}

/** A message that was answered with BusinessMessageReject(j). */
interface Refusal {
  /** MsgSeqNum(34) of the message. */
  readonly refSeqNum: number;
  /** The venue has asked for the message again since, which a client may decline: then it may be taken after all. */
  revoked: boolean;
}

/** One shard's rebuild. */
interface ShardTruth {
  readonly rebuild: Rebuild;
  readonly acks: QuoteAcks;
}

const ANSWERS: ReadonlyMap<number, string> = new Map<number, string>([
  [EventKind.OrderAccepted, "accepted"],
  [EventKind.OrderRejected, "rejected"],
  [EventKind.OrderReplaced, "replaced"],
  [EventKind.CancelRejected, "cancel rejected"],
  [EventKind.ReplaceRejected, "replace rejected"],
  [EventKind.MassCancelReported, "mass canceled"],
  [EventKind.QuoteAcknowledged, "quoted"],
  [EventKind.QuotesCanceled, "quotes canceled"],
]);
const MASS_STATUS_REQ_ID = /[ |]584=([^|]*)/;
const IDENTIFIER = /[ |](?:11|117)=([^|]*)/;

/** The identifier of the message that a report answers: MassStatusReqID(584), ClOrdID(11) or QuoteID(117). */
export function answeredBy(line: string): string {
  return (MASS_STATUS_REQ_ID.exec(line) ?? IDENTIFIER.exec(line))?.[1] ?? "";
}

/** The truth of one run. */
export class Told {
  readonly #venue: Venue;
  readonly #shards = new Map<number, ShardTruth>();
  readonly #sessions = new Map<string, SessionTruth>();
  readonly #writer = new FixWriter();
  readonly #decoder = new TextDecoder("latin1");
  #place = 0;

  constructor(venue: Venue, options: readonly EngineOptions[]) {
    this.#venue = venue;
    for (const { senderCompId } of venue.sessions) {
      this.#sessions.set(senderCompId, {
        lines: new Map(),
        answers: new Map(),
        refused: new Map(),
        sent: new Map(),
        missing: 0,
        settled: 0,
        lastPlace: new Map(),
        lastSeq: 0,
      });
    }
    for (const each of options) {
      const acks = new QuoteAcks();
      const { shard } = each;
      const rebuild = new Rebuild(each, (event, cmdSeq, eventIndex, timestampUs) => {
        this.#event(event, { shard, cmdSeq, eventIndex, timestampUs }, acks);
      });
      this.#shards.set(shard, { rebuild, acks });
    }
  }

  /** A shard's. */
  rebuild(shard: number): Rebuild {
    return this.#shards.get(shard)!.rebuild;
  }

  /** A command message is stored. */
  stored(shard: number, { seq, timeUs, payload }: Stored): void {
    this.rebuild(shard).apply(seq, timeUs, payload);
  }

  /** A client sends a message for the first time. */
  sent(name: string, message: Sent): void {
    this.#sessions.get(name)!.sent.set(message.id, message);
  }

  /** A client got a message. Returns what is wrong with that, or null. */
  heard(name: string, received: Received): string | null {
    const session = this.#sessions.get(name)!;
    const { seq, line, msgType, possDup, possResend, id } = received;
    const wrong = (what: string) => `${name} ${what}: ${seq} ${line}`;
    if (seq <= session.lastSeq) return wrong(`got number ${seq} after ${session.lastSeq}`);
    session.lastSeq = seq;
    if (msgType === "j") {
      const refSeqNum = Number(/[ |]45=(\d+)/.exec(line)![1]);
      session.refused.set(id, { refSeqNum, revoked: possDup });
      const isWhole = session.sent.get(id)?.shards === 1;
      if (possDup || !isWhole || !session.answers.has(id)) return null;
      return wrong("was told that a stored message was not taken");
    }
    const known = session.lines.get(line);
    if (known === undefined) return wrong("was told what no stored command caused");
    if (++known.heard > known.due) return possResend ? null : wrong("was told again");
    session.missing--;
    if (known.heard > 1) return null;
    if (known.place <= (session.lastPlace.get(known.shard) ?? 0)) return wrong("was told out of event order");
    if (known.due === 1) session.lastPlace.set(known.shard, known.place);
    return null;
  }

  /** A client was asked for its messages from number `beginSeqNo` on again. */
  askedAgain(name: string, beginSeqNo: number): void {
    for (const refusal of this.#sessions.get(name)!.refused.values()) {
      if (refusal.refSeqNum >= beginSeqNo) refusal.revoked = true;
    }
  }

  /** What a client waits for; null when it has had every report, and an answer to every message. */
  wanting(name: string): string | null {
    const session = this.#sessions.get(name)!;
    const { sent, answers, refused, missing } = session;
    const ordered = [...sent.values()];
    for (; session.settled < ordered.length; session.settled++) {
      const { id, shards } = ordered[session.settled];
      if (!refused.has(id) && (answers.get(id)?.length ?? 0) < shards) return `an answer to ${id}`;
    }
    return missing > 0 ? `${missing} reports` : null;
  }

  /** What is wrong in the end with what a client sent and heard, or null. */
  final(name: string): string | null {
    const { lines, answers, refused, sent } = this.#sessions.get(name)!;
    for (const [line, { due, heard }] of lines) if (heard < due) return `${name} was never told: ${line}`;
    for (const id of answers.keys()) if (!sent.has(id)) return `${name} never sent ${id}, which was answered`;
    for (const { id, shards } of sent.values()) {
      const found = answers.get(id) ?? [];
      const said = refused.get(id);
      const isOnce = new Set(found.map(({ shard }) => shard)).size === found.length;
      const isWhole = found.length === shards && (said === undefined || said.revoked);
      const isRefused = said !== undefined && found.length < shards;
      if (!isOnce || !isWhole && !isRefused) {
        const count = found.length + (said === undefined ? 0 : 1);
        return `${name}: ${count} answers to ${id} (${found.map(({ what }) => what).join(", ")})`;
      }
    }
    return null;
  }

  #event(event: Event, at: Parameters<typeof writeReport>[1], acks: QuoteAcks): void {
    if (isMarketEvent(event) || event.sessionId === 0) return;
    const isAck = event.kind === EventKind.QuoteAcknowledged;
    if (isAck && !acks.add(event, at.cmdSeq, this.#venue)) return;
    const session = this.#sessions.get(this.#venue.sessionById.get(event.sessionId)!.senderCompId)!;
    const writer = this.#writer;
    writer.begin();
    const msgType = writeReport(event, at, this.#venue, acks, writer);
    if (msgType === null) return;
    const body = this.#decoder.decode(writer.body).slice(0, -1).replaceAll("\x01", "|");
    const line = `${msgType} ${body}`;
    const { shard } = at;
    const known = session.lines.get(line);
    if (known === undefined) session.lines.set(line, { shard, place: ++this.#place, due: 1, heard: 0 });
    else known.due++;
    session.missing++;
    const isStatus = MASS_STATUS_REQ_ID.test(line);
    const what = isStatus ? "status" : answerOf(event);
    if (what === null) return;
    const id = answeredBy(line);
    const answers = session.answers.get(id) ?? [];
    if (isStatus && answers.some((each) => each.shard === shard)) return;
    session.answers.set(id, [...answers, { shard, what }]);
  }
}

/** What an event answers to the message that has its identifier; null when it is no answer. */
function answerOf(event: Event): string | null {
  const isRequested = event.origClOrdId.length > 0;
  if (event.kind === EventKind.OrderCanceled) return isRequested ? "canceled" : null;
  return ANSWERS.get(event.kind) ?? null;
}
