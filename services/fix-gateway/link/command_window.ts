/**
 * The window of command batches between the gateway and one shard's command stream: numbers them, sends them in
 * order, and keeps each until the stream has it. Go-back-N over publishes: after a refusal, a silence or a lost
 * connection everything from the first unacknowledged batch is sent again in order. Decides nothing about orders and
 * does no I/O. Pure. docs/architecture.md, "Commands".
 *
 * Why this loses nothing and doubles nothing. The matcher takes a batch when its first number is the next one that it
 * expects of this gateway and boot, drops numbers that it has seen, and refuses a batch behind a gap.
 *
 *  1. Sending a batch again under the same number is harmless: the second copy is dropped as seen.
 *  2. When batch k is refused by the stream while k+1 was stored, k+1 stands behind a gap and the matcher refuses that
 *     copy. So the acknowledgement of k+1 counts only behind that of k: batches leave the window from the front, only
 *     for copies of the current round (a round re-sends everything that is left), and only when the stream sequences
 *     of the acknowledgements rise. An acknowledgement of an earlier round proves nothing and only settles that copy.
 *  3. A number may be given to another command only when no copy of the first one is, or can later come to be, in the
 *     stream where the matcher would take it. Giving up therefore takes a suffix of the window, the longest one such
 *     that every copy that was ever sent of its batches is settled and no copy of its first batch was stored. The
 *     first batch's number is then nowhere in the stream; stored copies of the later ones stand behind that gap and
 *     were refused; nothing is on its way. Their numbers are used again by what comes next. Batches in front of the
 *     suffix keep their numbers, so no sent batch is ever renumbered.
 *  4. A batch with a copy of unknown fate (its connection was lost, its answer never came) is never given up: saying
 *     "not available" for an order that may trade would be a lie. It is sent again until the stream answers. So is a
 *     batch in which a client repeats a message: an earlier gateway may have stored that.
 */
import { setFirstGatewaySeq } from "../../../shared/codec/wire/mod.ts";
import type { CommandTransport, CommandWindowLimits } from "./command_transport.ts";

/** Copies without an answer that are remembered, times the batches in the window; past it their fate is unknown. */
const MAX_OPEN_COPIES_PER_BATCH = 8;

/** One batch in the window. */
interface Batch {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly commands: number;
  readonly firstSeq: number;
  /** Copies sent. */
  copies: number;
  /** Copies sent whose answer has not come. */
  openCopies: number;
  /** A copy's answer will never come, or an earlier gateway may have stored it. */
  unknownFate: boolean;
  /** Some copy was stored (not necessarily where the matcher takes it). */
  stored: boolean;
  /** The stream sequence that the current round's copy got; 0 before. */
  roundStreamSeq: number;
  sentAtMs: number;
}

interface Copy {
  readonly batch: Batch;
  readonly round: number;
}

/** The window of one shard. Times are milliseconds of one monotonic clock, given by the caller. */
export class CommandWindow {
  readonly #limits: CommandWindowLimits;
  readonly #transport: CommandTransport;
  /** In number order; the first is the oldest unacknowledged one. */
  #batches: Batch[] = [];
  readonly #copies = new Map<number, Copy>();
  #nextSeq = 1;
  #nextCopy = 1;
  #round = 1;
  /** How many of {@link #batches} the current round has sent. */
  #sent = 0;
  #connected: boolean;
  /** When the next round may start; NaN while the current round is good. */
  #retryAtMs = NaN;
  #backoffMs: number;
  #lastFault = "the stream did not answer";
  /** Since when the front batch has been waiting without anything being acknowledged. */
  #stalledSinceMs = 0;
  /** Batches were given up and nothing has been acknowledged since: the next fault gives up at once. */
  #degraded = false;
  /** The give-up time has passed and was acted on; later faults act again, the clock does not. */
  #giveUpTried = false;
  /** Number of the first batch that failed in this round; Infinity while the round is good. */
  #faultSeq = Infinity;
  #commands = 0;
  #lastStreamSeq = 0;

  /** A window that starts at number 1. `connected`: whether publishing is possible now. */
  constructor(limits: CommandWindowLimits, transport: CommandTransport, connected: boolean) {
    this.#limits = limits;
    this.#transport = transport;
    this.#connected = connected;
    this.#backoffMs = limits.minBackoffMs;
  }

  /** Commands that are not acknowledged. */
  get commands(): number {
    return this.#commands;
  }

  /** Whether the caller is to stop reading sockets. */
  get full(): boolean {
    return this.#commands >= this.#limits.maxCommands;
  }

  /** The stream sequence of the newest acknowledged batch; 0 before the first. */
  get lastStreamSeq(): number {
    return this.#lastStreamSeq;
  }

  /** When {@link tick} is next needed; Infinity for not before another call. */
  get deadlineMs(): number {
    if (this.#batches.length === 0) return Infinity;
    const giveUp = this.#giveUpTried ? Infinity : this.#giveUpAtMs;
    if (!this.#connected) return giveUp;
    if (!Number.isNaN(this.#retryAtMs)) return Math.min(giveUp, this.#retryAtMs);
    return Math.min(giveUp, this.#batches[0].sentAtMs + this.#limits.ackTimeoutMs);
  }

  /** Takes a batch of `commands` commands, numbers it, sends it when possible. Keeps `bytes`. `repeats`: see 4. */
  enqueue(subject: string, bytes: Uint8Array, commands: number, nowMs: number, repeats = false): void {
    setFirstGatewaySeq(bytes, this.#nextSeq);
    if (this.#batches.length === 0) this.#progressAt(nowMs);
    this.#batches.push({
      subject,
      bytes,
      commands,
      firstSeq: this.#nextSeq,
      copies: 0,
      openCopies: 0,
      unknownFate: repeats,
      stored: false,
      roundStreamSeq: 0,
      sentAtMs: 0,
    });
    this.#nextSeq += commands;
    this.#commands += commands;
    if (this.#connected && Number.isNaN(this.#retryAtMs)) this.#sendFrom(this.#sent, nowMs);
    else if (this.#degraded) this.#giveUp();
  }

  /** The stream stored a copy at `streamSeq`. */
  acknowledged(copy: number, streamSeq: number, nowMs: number): void {
    const known = this.#settle(copy);
    if (known === undefined) return;
    known.batch.stored = true;
    if (known.round !== this.#round || known.batch.firstSeq >= this.#faultSeq) return;
    known.batch.roundStreamSeq = streamSeq;
    this.#releaseFront(nowMs);
  }

  /** The stream answered a copy with an error: it is certainly not stored. */
  refused(copy: number, reason: string, nowMs: number): void {
    const known = this.#settle(copy);
    if (known === undefined) return;
    this.#lastFault = reason;
    if (known.round === this.#round) this.#fault(known.batch.firstSeq, nowMs);
    if (nowMs >= this.#giveUpAtMs) this.#giveUp();
  }

  /** No answer to a copy will come any more: it may be stored, now or later. */
  unanswered(copy: number): void {
    const known = this.#settle(copy);
    if (known !== undefined) known.batch.unknownFate = true;
  }

  /** The connection is gone; what was sent and not answered may or may not be stored. */
  disconnected(nowMs: number): void {
    this.#connected = false;
    this.#lastFault = "the connection to the stream is lost";
    this.#loseCopies();
    if (this.#batches.length > 0) this.#fault(this.#batches[0].firstSeq, nowMs);
    if (nowMs >= this.#giveUpAtMs) this.#giveUp();
  }

  /** The connection is back: a new round starts at once. */
  reconnected(nowMs: number): void {
    this.#connected = true;
    this.#startRound(nowMs);
  }

  /** Does what is due: notices silence, starts the next round, gives up. */
  tick(nowMs: number): void {
    if (this.#batches.length === 0) return;
    if (this.#connected && Number.isNaN(this.#retryAtMs)) {
      const front = this.#batches[0];
      if (nowMs - front.sentAtMs >= this.#limits.ackTimeoutMs) {
        this.#lastFault = "the stream did not answer";
        this.#fault(front.firstSeq, nowMs);
      }
    }
    if (nowMs >= this.#giveUpAtMs) this.#giveUp();
    if (this.#connected && nowMs >= this.#retryAtMs) this.#startRound(nowMs);
  }

  get #giveUpAtMs(): number {
    if (this.#degraded) return this.#stalledSinceMs;
    return this.#stalledSinceMs + this.#limits.giveUpAfterMs;
  }

  #progressAt(nowMs: number): void {
    this.#stalledSinceMs = nowMs;
    this.#giveUpTried = false;
  }

  #settle(copy: number): Copy | undefined {
    const known = this.#copies.get(copy);
    if (known === undefined) return undefined;
    this.#copies.delete(copy);
    known.batch.openCopies--;
    return known;
  }

  #releaseFront(nowMs: number): void {
    let released = 0;
    while (released < this.#batches.length) {
      const front = this.#batches[released];
      if (front.roundStreamSeq === 0) break;
      if (front.roundStreamSeq <= this.#lastStreamSeq) {
        // Stored before its predecessor: the matcher refused that copy.
        this.#fault(front.firstSeq, nowMs);
        break;
      }
      this.#lastStreamSeq = front.roundStreamSeq;
      this.#commands -= front.commands;
      this.#transport.acknowledged(front.bytes, front.roundStreamSeq, front.copies === 1);
      released++;
    }
    if (released === 0) return;
    this.#batches.splice(0, released);
    this.#sent -= released;
    this.#progressAt(nowMs);
    this.#degraded = false;
    this.#backoffMs = this.#limits.minBackoffMs;
  }

  #fault(firstSeq: number, nowMs: number): void {
    if (!Number.isNaN(this.#retryAtMs)) {
      this.#faultSeq = Math.min(this.#faultSeq, firstSeq);
      return;
    }
    this.#faultSeq = firstSeq;
    this.#retryAtMs = nowMs + this.#backoffMs;
    this.#backoffMs = Math.min(this.#backoffMs * 2, this.#limits.maxBackoffMs);
  }

  #clearFault(): void {
    this.#retryAtMs = NaN;
    this.#faultSeq = Infinity;
  }

  #startRound(nowMs: number): void {
    this.#round++;
    if (this.#copies.size > MAX_OPEN_COPIES_PER_BATCH * (this.#batches.length + 1)) this.#loseCopies();
    this.#clearFault();
    for (const batch of this.#batches) batch.roundStreamSeq = 0;
    this.#sendFrom(0, nowMs);
  }

  #sendFrom(index: number, nowMs: number): void {
    for (let i = index; i < this.#batches.length; i++) {
      const batch = this.#batches[i];
      const copy = this.#nextCopy++;
      batch.openCopies++;
      batch.copies++;
      batch.sentAtMs = nowMs;
      this.#copies.set(copy, { batch, round: this.#round });
      this.#transport.send(batch.subject, batch.bytes, copy);
    }
    this.#sent = this.#batches.length;
  }

  /** Answers to the copies sent so far are not waited for any more. */
  #loseCopies(): void {
    for (const { batch } of this.#copies.values()) {
      batch.unknownFate = true;
      batch.openCopies = 0;
    }
    this.#copies.clear();
  }

  /** Gives up the longest suffix that is certainly not stored where the matcher would take it (rule 3). */
  #giveUp(): void {
    this.#giveUpTried = true;
    const batches = this.#batches;
    let first = batches.length;
    for (let i = batches.length - 1; i >= 0; i--) {
      const batch = batches[i];
      if (batch.openCopies > 0 || batch.unknownFate) break;
      if (!batch.stored) first = i;
    }
    if (first === batches.length) return;
    const givenUp = batches.splice(first);
    this.#nextSeq = givenUp[0].firstSeq;
    this.#sent = Math.min(this.#sent, batches.length);
    this.#degraded = true;
    if (batches.length === 0) this.#clearFault();
    for (const batch of givenUp) {
      this.#commands -= batch.commands;
      this.#transport.givenUp(batch.bytes, this.#lastFault);
    }
  }
}
