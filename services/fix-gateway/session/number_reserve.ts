/**
 * Owns the bound below which outgoing numbers may be used, when they are reserved durably before use, and the
 * messages that wait, in order, because none are left. Without a reservation every number may be used. Pure.
 * docs/adr/0003-durable-sessions.md.
 */

/** What a message's header and trailer take on the wire, about. */
export const WRAPPING_BYTES = 128;

/** A message without a number yet. */
export interface HeldMessage {
  readonly msgType: string;
  /** Administrative messages are not stored. */
  readonly admin: boolean;
  readonly possResend: boolean;
  readonly routing: Uint8Array | undefined;
  /** Owned. */
  readonly body: Uint8Array;
}

/** The reservation of one session. */
export class NumberReserve {
  /** First number that may not be used. */
  limit = Infinity;
  /** From this number on more are to be reserved: {@link onLow} is called. ≤ `limit`. */
  low = Infinity;
  /** Called, maybe often, while numbers run low. */
  onLow: () => void = () => {};
  /** Called before a message has to wait. */
  onHold: () => void = () => {};
  /** Bytes of waiting messages, about as they will be sent. */
  heldBytes = 0;
  #held: HeldMessage[] = [];

  /** Messages that wait. */
  get heldCount(): number {
    return this.#held.length;
  }

  /** Whether a message that would get number `seq` has to wait. Invariant: while any waits, `seq` is the limit. */
  holds(seq: number): boolean {
    if (seq < this.low) return false;
    this.onLow();
    return seq >= this.limit;
  }

  /** Takes a message that has to wait. */
  hold(message: HeldMessage): void {
    this.onHold();
    this.#held.push(message);
    this.heldBytes += WRAPPING_BYTES + message.body.length;
  }

  /** Takes the messages out, in order, at most `most`. */
  release(most = Infinity): HeldMessage[] {
    const released = this.#held.slice(0, most);
    this.#held = this.#held.slice(released.length);
    for (const { body } of released) this.heldBytes -= WRAPPING_BYTES + body.length;
    return released;
  }
}
