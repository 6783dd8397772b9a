/**
 * Owns the outgoing half of a session: the next MsgSeqNum(34), the writers, the header, and what goes to the
 * store and to the wire. It decides nothing about when to send. Pure.
 * Source: FIX 4.4 Vol. 2, "Sequence Numbers", "Possible Duplicates", "Possible Resends".
 */
import { type FixHeader, FixWriter } from "../../../shared/codec/fix/mod.ts";
import { NumberReserve } from "./number_reserve.ts";
import type { OutBuffer } from "./out_buffer.ts";
import type { MessageTap, SessionClock } from "./ports.ts";
import type { SessionStore, StoredMessage } from "./store.ts";
import { BEGIN_STRING, Tag, YES } from "./tags.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The sending side of one session. */
export class Outbound {
  /** MsgSeqNum(34) of the next new message; ≥ 1, only a reset makes it smaller. */
  nextSeq = 1;
  /** When something was last put on the wire, ms; heartbeats count from it. */
  lastSentMs = 0;
  /** The connection's bytes; null while there is no connection. */
  wire: OutBuffer | null = null;
  /** Whether application messages go to the wire (between Logon and Logout) or only to the store. */
  transmitting = false;
  /** LastMsgSeqNumProcessed(369) of the next messages; undefined leaves it out. */
  lastProcessed: number | undefined = undefined;

  /** Hears what goes to the wire. */
  tap: MessageTap | null = null;
  readonly store: SessionStore;
  readonly reserve: NumberReserve = new NumberReserve();
  readonly #admin: FixWriter;
  readonly #clock: SessionClock;
  #application: FixWriter | null = null;
  readonly #header: Writable<FixHeader>;

  /**
   * `admin` may be shared by many sessions, since an administrative message is finished where it is begun.
   */
  constructor(
    senderCompId: string,
    targetCompId: string,
    store: SessionStore,
    admin: FixWriter,
    clock: SessionClock,
  ) {
    this.store = store;
    this.#admin = admin;
    this.#clock = clock;
    this.#header = {
      beginString: BEGIN_STRING,
      msgType: "",
      senderCompId,
      targetCompId,
      msgSeqNum: 0,
      sendingTimeMs: 0,
      possDup: false,
      possResend: false,
      origSendingTimeMs: undefined,
      lastMsgSeqNumProcessed: undefined,
      extra: undefined,
    };
  }

  /** The application's writer, empty. */
  compose(): FixWriter {
    const writer = this.#application ??= new FixWriter();
    writer.begin();
    return writer;
  }

  /**
   * Numbers and stores what {@link compose} holds; transmits it when the session is logged on. `routing`:
   * encoded header fields.
   */
  sendApplication(msgType: string, now: number, possResend: boolean, routing?: Uint8Array): void {
    const writer = this.#application;
    if (writer === null) throw new Error(`Cannot send MsgType(35) ${msgType}: nothing was composed`);
    if (this.reserve.holds(this.nextSeq)) {
      this.reserve.hold({ msgType, admin: false, possResend, routing, body: writer.body.slice() });
      return;
    }
    const seq = this.nextSeq++;
    const wallMs = this.#clock.wallMs();
    // The route ends the header, so a message made of both is the same one again.
    const stored = routing === undefined ? writer.body : joined(routing, writer.body);
    this.store.append(seq, msgType, wallMs, possResend, stored);
    if (!this.transmitting) return;
    this.#transmit(writer, msgType, seq, now, wallMs, false, possResend, undefined, routing);
  }

  /**
   * An empty writer for an administrative message; complete it with {@link sendAdmin} before anything else.
   */
  composeAdmin(): FixWriter {
    this.#admin.begin();
    return this.#admin;
  }

  /** Numbers and transmits what {@link composeAdmin} holds. `routing` is encoded header fields, if any. */
  sendAdmin(msgType: string, now: number, routing?: Uint8Array): void {
    if (this.reserve.holds(this.nextSeq)) {
      this.reserve.hold({ msgType, admin: true, possResend: false, routing, body: this.#admin.body.slice() });
      return;
    }
    const wallMs = this.#clock.wallMs();
    this.#transmit(this.#admin, msgType, this.nextSeq++, now, wallMs, false, false, undefined, routing);
  }

  /**
   * Numbers below `limit` may be used, and from `low` on more are to be asked for; what waited is sent, in order, as far
   * as they reach.
   */
  reserved(limit: number, low: number, now: number): void {
    this.reserve.limit = limit;
    this.reserve.low = low;
    for (const { msgType, admin, possResend, routing, body } of this.reserve.release(limit - this.nextSeq)) {
      const writer = admin ? this.composeAdmin() : this.compose();
      writer.rawBody(body);
      if (admin) this.sendAdmin(msgType, now, routing);
      else this.sendApplication(msgType, now, possResend, routing);
    }
  }

  /**
   * A stored message again, under its old number. When the clock was set back meanwhile its OrigSendingTime(122) is
   * SendingTime(52): FIX allows no later one.
   */
  resend(message: StoredMessage, now: number): void {
    const writer = this.composeAdmin();
    writer.rawBody(message.body);
    const { msgType, seq, possResend, sendingTimeMs } = message;
    const wallMs = this.#clock.wallMs();
    const originalMs = Math.min(sendingTimeMs, wallMs);
    this.#transmit(writer, msgType, seq, now, wallMs, true, possResend, originalMs, undefined);
  }

  /** One SequenceReset-GapFill in place of the messages `from` to `through`. */
  gapFill(from: number, through: number, now: number): void {
    const writer = this.composeAdmin();
    writer.int(Tag.NewSeqNo, through + 1);
    writer.charCode(Tag.GapFillFlag, YES);
    const wallMs = this.#clock.wallMs();
    this.#transmit(writer, "4", from, now, wallMs, true, false, wallMs, undefined);
  }

  /** Both the numbers and the store as at the session's first day. */
  reset(): void {
    this.nextSeq = 1;
    this.reserve.release();
    this.store.clear();
  }

  #transmit(
    writer: FixWriter,
    msgType: string,
    seq: number,
    now: number,
    wallMs: number,
    possDup: boolean,
    possResend: boolean,
    origSendingTimeMs: number | undefined,
    extra: Uint8Array | undefined,
  ): void {
    if (this.wire === null) return;
    const header = this.#header;
    header.msgType = msgType;
    header.msgSeqNum = seq;
    header.sendingTimeMs = wallMs;
    header.possDup = possDup;
    header.possResend = possResend;
    header.origSendingTimeMs = origSendingTimeMs;
    header.lastMsgSeqNumProcessed = this.lastProcessed;
    header.extra = extra;
    const bytes = writer.finish(header);
    this.wire.append(bytes);
    if (this.tap !== null && !this.wire.overflowing) this.tap.sent(bytes);
    this.lastSentMs = now;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}
