/**
 * What a session sent and its stream may not hold yet: gathered in blocks, made into records, one record on its way at
 * a time. Owns the unstored messages and what each record may claim. Does no I/O: whoever publishes takes a record and
 * says what became of it. Pure. docs/adr/0003-durable-sessions.md.
 *
 * A record's place and watermark are the session's newest ones only when it holds everything that was sent; a record
 * with more behind it claims no more than its own messages prove.
 */
import type { StoredMessage } from "../session/mod.ts";
import { MessageBlock, sizeOf, type Source } from "./out_record.ts";
import { later, type Position } from "./position.ts";

/**
 * Bytes of messages per record at most; a larger message has one of its own. A record takes what came since the last was
 * stored, so it is small when little is sent, and large when storing takes long: one on its way at a time has to carry
 * what a saturated session sends. Below nats-server's default max_payload.
 */
export const RECORD_BYTES = 480 * 1024;

/** How far a session is, as a record claims it. */
export interface Progress {
  readonly inDurable: number;
  readonly positions: readonly Position[];
}

/** The unstored messages of one session. */
export class OutLog {
  /** Every message up to this number that was ever appended is stored; moved by {@link stored}. */
  storedThrough: number;
  incarnation: number;
  /** What the newest stored record claims, or what the owner started from. */
  confirmed: Progress;
  readonly #session: number;
  readonly #gatewayId: number;
  readonly #bootId: number;
  #number = 0;
  /** In number order; the last is being filled. */
  #blocks: MessageBlock[] = [];
  #bytes = 0;
  /** The record on its way, what it claims, and its messages' block. */
  #flight: { record: Uint8Array; claims: Progress; block: MessageBlock; through: number } | null = null;
  #claimDue = false;

  /** A log of what `owner` sends, who starts from `confirmed`; all numbers up to `through` are of before. */
  constructor(
    session: number,
    owner: { readonly gatewayId: number; readonly bootId: number },
    incarnation: number,
    confirmed: Progress,
    through: number,
  ) {
    this.#session = session;
    this.#gatewayId = owner.gatewayId;
    this.#bootId = owner.bootId;
    this.incarnation = incarnation;
    this.confirmed = confirmed;
    this.storedThrough = through;
  }

  /** Bytes not stored yet, those on their way included. */
  get unstoredBytes(): number {
    return this.#bytes + (this.#flight?.block.byteLength ?? 0);
  }

  /** Whether everything is stored and nothing is on its way. */
  get idle(): boolean {
    return this.#flight === null && this.#blocks.length === 0 && !this.#claimDue;
  }

  /** Whether more than one record is waiting, so that the next is not to be put off. */
  get hurried(): boolean {
    return this.#blocks.length > 1;
  }

  /** Keeps a copy of a sent message. */
  append(
    seq: number,
    msgType: string,
    sendingTimeMs: number,
    possResend: boolean,
    source: Source | null,
    body: Uint8Array,
  ): void {
    let block = this.#blocks.at(-1);
    const size = sizeOf(msgType, body);
    if (block === undefined || block.byteLength > 0 && block.byteLength + size > RECORD_BYTES) {
      block = new MessageBlock();
      this.#blocks.push(block);
    }
    block.append(seq, msgType, sendingTimeMs, possResend, source, body);
    this.#bytes += size;
  }

  /**
   * The next record, which is then on its way; null when one is already, or there is nothing to say. `now` is how far
   * the session is with everything that was appended.
   */
  take(now: Progress): Uint8Array | null {
    if (this.#flight !== null || this.#blocks.length === 0 && !this.#claimDue) return null;
    this.#claimDue = false;
    const block = this.#blocks.shift() ?? new MessageBlock();
    this.#bytes -= block.byteLength;
    const claims = this.#blocks.length === 0 ? now : {
      inDurable: this.confirmed.inDurable,
      positions: this.confirmed.positions,
    };
    return this.#launch(block, { ...claims, positions: proven(claims.positions, block) });
  }

  /** The record on its way is stored. */
  stored(): void {
    const flight = this.#flight!;
    this.#flight = null;
    this.confirmed = flight.claims;
    this.storedThrough = flight.through;
  }

  /** Adds the unstored messages of [from, to] to `into`, bodies borrowed. */
  collect(from: number, to: number, into: StoredMessage[]): void {
    this.#flight?.block.collect(from, to, into);
    for (const block of this.#blocks) block.collect(from, to, into);
  }

  /** The numbers start again: what is not on its way is dropped, and a record that says so becomes due. */
  restart(incarnation: number, from: Progress): void {
    this.incarnation = incarnation;
    this.#blocks = [];
    this.#bytes = 0;
    if (this.#flight !== null) this.#flight = { ...this.#flight, claims: from, through: 0 };
    this.confirmed = from;
    this.storedThrough = 0;
    this.#claimDue = true;
  }

  #launch(block: MessageBlock, claims: Progress): Uint8Array {
    const through = block.count > 0 ? block.lastSeq : this.storedThrough;
    const record = block.record({
      session: this.#session,
      gatewayId: this.#gatewayId,
      bootId: this.#bootId,
      incarnation: this.incarnation,
      through,
      inDurable: claims.inDurable,
      positions: claims.positions,
      number: ++this.#number,
    });
    this.#flight = { record, claims, block, through };
    return record;
  }
}

/** The places that a block's messages prove, added to those that were claimed. */
function proven(positions: readonly Position[], block: MessageBlock): Position[] {
  return positions.map((position) => {
    const source = block.sources.get(position.shard);
    if (source === undefined) return position;
    const { shard, cmdSeq, eventIndex } = source;
    return later(position, { shard, cmdSeq, eventIndex: eventIndex + 1, evSeq: position.evSeq });
  });
}
