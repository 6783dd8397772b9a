/** Says how far a long replay is: on a terminal in one line that changes, else in a line now and then. Pure. */

const FIRST_MS = 1000;
const TERMINAL_MS = 200;
const LINES_MS = 5000;

/** Progress of one replay. Says nothing when it is short. */
export class ReplayProgress {
  readonly #write: (text: string) => void;
  readonly #isTerminal: boolean;
  readonly #now: () => number;
  #nextMs: number;
  #shown = false;

  /** `now` in milliseconds. */
  constructor(write: (text: string) => void, isTerminal: boolean, now: () => number) {
    this.#write = write;
    this.#isTerminal = isTerminal;
    this.#now = now;
    this.#nextMs = now() + FIRST_MS;
  }

  /** `applied` of `of` messages have been replayed. */
  at(applied: number, of: number): void {
    const now = this.#now();
    if (now < this.#nextMs) return;
    this.#nextMs = now + (this.#isTerminal ? TERMINAL_MS : LINES_MS);
    this.#shown = true;
    const text = `replayed ${applied} of ${of} command messages`;
    this.#write(this.#isTerminal ? `\r${text}\x1b[K` : `${text}\n`);
  }

  /** Clears the line. */
  done(): void {
    if (this.#shown && this.#isTerminal) this.#write("\r\x1b[K");
  }
}
