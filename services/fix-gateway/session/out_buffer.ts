/**
 * Owns the bytes on their way to one socket: two buffers, one being filled by the session while the other is
 * being written. Refuses to pass its limit: then it is `overflowing`, takes nothing more, and the connection
 * is to be cut. Pure: whoever writes to the socket calls {@link OutBuffer.take} and {@link
 * OutBuffer.release}.
 */

const INITIAL_BYTES = 4096;
/**
 * A buffer that grew past this is given up once it is empty, so that a burst does not hold memory for ever.
 */
const KEEP_BYTES = 64 * 1024;

/** Outgoing bytes of one connection. */
export class OutBuffer {
  /** Whether bytes were refused: the peer's stream is no longer whole. */
  overflowing = false;
  /** Called when there is something to write (or to cut) and nobody was told yet. */
  wake: (() => void) | null = null;
  /** Bytes that the socket ever took. */
  written = 0;
  readonly #maxBytes: number;
  #filling: Uint8Array = new Uint8Array(INITIAL_BYTES);
  #length = 0;
  #spare: Uint8Array | null = null;
  #inFlight: Uint8Array | null = null;
  /** Bytes of it that are not written yet. */
  #inFlightLength = 0;
  #told = false;

  /** A buffer for at most `maxBytes` not yet written. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes not yet written, those in flight included. */
  get unsent(): number {
    return this.#length + this.#inFlightLength;
  }

  /** Takes a copy of `bytes`; past the limit takes nothing and starts {@link overflowing}. */
  append(bytes: Uint8Array): void {
    if (this.overflowing) return;
    const length = this.#length + bytes.length;
    if (length + this.#inFlightLength > this.#maxBytes) {
      this.overflowing = true;
      this.nudge();
      return;
    }
    if (length > this.#filling.length) this.#grow(length);
    this.#filling.set(bytes, this.#length);
    this.#length = length;
    if (!this.#told) this.nudge();
  }

  /** Calls {@link wake} as if there were something to write: the session wants to be looked at. */
  nudge(): void {
    this.#told = true;
    if (this.wake !== null) this.wake();
  }

  /**
   * Hands over everything appended, to be written as a whole before {@link release}; null when there is
   * nothing.
   */
  take(): Uint8Array | null {
    this.#told = false;
    if (this.#length === 0 || this.#inFlight !== null) return null;
    const taken = this.#filling;
    const length = this.#length;
    this.#inFlight = taken;
    this.#inFlightLength = length;
    this.#filling = this.#spare ?? new Uint8Array(INITIAL_BYTES);
    this.#spare = null;
    this.#length = 0;
    return taken.subarray(0, length);
  }

  /** The socket took `count` more bytes of what {@link take} handed over. */
  wrote(count: number): void {
    this.#inFlightLength -= count;
    this.written += count;
  }

  /** What {@link take} handed over has been written. */
  release(): void {
    const written = this.#inFlight;
    this.#inFlight = null;
    this.#inFlightLength = 0;
    if (written !== null && written.length <= KEEP_BYTES) this.#spare = written;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.max(length, 2 * this.#filling.length));
    grown.set(this.#filling.subarray(0, this.#length));
    this.#filling = grown;
  }
}
