/** Says how far a verification is and how fast: on a terminal in one line that changes, else in a line now and then. Pure. */

const TERMINAL_MS = 200;
const LINES_MS = 5000;
const FIRST_MS = 1000;

/** Where to say it. */
export interface ProgressOptions {
  readonly shard: number;
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly nowMs: () => number;
}

/** Progress of one shard. Silent about what takes less than a second. */
export class VerifyProgress {
  readonly #options: ProgressOptions;
  readonly #startMs: number;
  #nextMs: number;
  #open = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startMs = options.nowMs();
    this.#nextMs = this.#startMs + FIRST_MS;
  }

  /** `applied` of `of` command messages have been applied, those up to `startedAfter` by a snapshot. */
  at(applied: number, of: number, startedAfter: number): void {
    const { nowMs, isTerminal, shard, write } = this.#options;
    const now = nowMs();
    if (now < this.#nextMs) return;
    this.#nextMs = now + (isTerminal ? TERMINAL_MS : LINES_MS);
    const text = `shard ${shard}: ${applied} of ${of} command messages, ${
      rate(applied - startedAfter, now - this.#startMs)
    }`;
    this.#open = isTerminal;
    write(isTerminal ? `\r${text}\x1b[K` : `${text}\n`);
  }

  /** All that could be applied has been: so many messages with so many commands. */
  done(messages: number, commands: number): void {
    const { nowMs, shard, write } = this.#options;
    const elapsedMs = nowMs() - this.#startMs;
    const seconds = (elapsedMs / 1000).toFixed(1);
    if (this.#open) write("\r\x1b[K");
    write(
      `shard ${shard}: ${messages} command messages in ${seconds} s, ${commands} commands, ${
        Math.round(commands / Math.max(0.001, elapsedMs / 1000))
      } commands/s\n`,
    );
  }
}

function rate(count: number, elapsedMs: number): string {
  return `${Math.round(count / Math.max(0.001, elapsedMs / 1000))} messages/s`;
}
