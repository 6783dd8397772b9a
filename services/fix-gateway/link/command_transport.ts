/**
 * What the command window needs from the world: a way to publish and a way to say what was given up, and its limits.
 * Pure.
 */

/** What the window does to the world; called in the middle of the window's own methods, must not call back. */
export interface CommandTransport {
  /**
   * Publishes one copy. `bytes` stay unchanged while any copy may still be read. The answer to it is handed to
   * CommandWindow's acknowledged, refused or unanswered under the same `copy`.
   */
  send(subject: string, bytes: Uint8Array, copy: number): void;
  /**
   * A batch is in the stream at `streamSeq`, where the matcher takes it; sequences rise from call to call. `sentOnce`:
   * no other copy of it was ever sent.
   */
  acknowledged(bytes: Uint8Array, streamSeq: number, sentOnce: boolean): void;
  /** A batch is certainly not in the stream and was given up: its senders are to be told why. */
  givenUp(bytes: Uint8Array, reason: string): void;
}

/** The window's times and its bound. */
export interface CommandWindowLimits {
  /** Commands in the window from which {@link CommandWindow.full} holds. */
  readonly maxCommands: number;
  /** A copy without an answer for this long counts as silence. */
  readonly ackTimeoutMs: number;
  /** Wait before the first repeat; doubles up to `maxBackoffMs` until something is acknowledged. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** How long nothing may be acknowledged before batches are given up. */
  readonly giveUpAfterMs: number;
}
