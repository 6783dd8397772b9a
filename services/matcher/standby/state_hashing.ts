/**
 * State hashes beside matching: whole when nothing has been applied for a while, in slices of a millisecond between which
 * commands go first; sooner when leader and standby have none in common yet; and every so many command messages as long as
 * that takes no longer than a slice. Owns its timer and the walk that is under way. docs/operations.md, "Standby", says what the hashes are for.
 */
import type { EnginePort } from "../engine_port.ts";

/** What it works with; times have defaults. */
export interface StateHashingOptions {
  readonly engine: Pick<EnginePort, "stateHashSteps">;
  /** The last command message applied. */
  readonly cmdSeq: () => number;
  readonly onHash: (cmdSeq: number, stateHash: string) => void;
  /** Whether there is anybody to compare a hash with; none is made while not. */
  readonly isWanted: () => boolean;
  /** How many command messages lie between two hashes under load. */
  readonly everyMessages?: number;
  /** How long nothing has been applied before a hash is made whatever it takes, ms; at most twice that. */
  readonly idleMs?: number;
  /** How long commands may have to wait, ms. */
  readonly sliceMs?: number;
  readonly clockMs?: () => number;
}

const EVERY_MESSAGES = 5000;
/** The same when one has been asked for: that one is tried, however long the last one was. */
export const ASKED_EVERY = 16;
const IDLE_MS = 250;
const SLICE_MS = 1;

/** One engine's, from its construction to {@link stop}. */
export class StateHashing {
  readonly #options: StateHashingOptions;
  readonly #everyMessages: number;
  readonly #clockMs: () => number;
  readonly #idleTimer: ReturnType<typeof setInterval>;
  #sliceTimer: ReturnType<typeof setTimeout> | undefined;
  /** The place at the last look, and that of the last hash. */
  #seenCmdSeq = -1;
  #hashedCmdSeq = -1;
  /** The place at the last {@link ask}; -1 when what was asked for has been made. */
  #askedCmdSeq = -1;
  #walking = false;
  /** A walk is longer than a slice, as far as is known: no use to begin one under load. */
  #long = false;
  #stopped = false;

  constructor(options: StateHashingOptions) {
    this.#options = options;
    this.#everyMessages = options.everyMessages ?? EVERY_MESSAGES;
    this.#clockMs = options.clockMs ?? (() => performance.now());
    this.#idleTimer = setInterval(() => this.#look(), options.idleMs ?? IDLE_MS);
  }

  /** Command message `cmdSeq` has been applied. */
  applied(cmdSeq: number): void {
    const isAsked = this.#askedCmdSeq >= 0 && cmdSeq % ASKED_EVERY === 0;
    const isDue = isAsked || !this.#long && cmdSeq % this.#everyMessages === 0;
    if (!isDue || !this.#options.isWanted()) return;
    this.#askedCmdSeq = -1;
    const walk = this.#options.engine.stateHashSteps();
    this.#long = !this.#slice(walk, cmdSeq);
  }

  /**
   * Leader and standby have no hash in common yet; to be called again and again until they have. One is made as soon as
   * nothing has been applied between two calls, or {@link ASKED_EVERY} messages later; `anew`: though there was one of this
   * place.
   */
  ask(anew: boolean): void {
    const cmdSeq = this.#options.cmdSeq();
    const idle = cmdSeq === this.#askedCmdSeq;
    this.#askedCmdSeq = cmdSeq;
    if (!idle || this.#walking || cmdSeq === this.#hashedCmdSeq && !anew) return;
    this.#begin(cmdSeq);
  }

  /** Ends it. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#idleTimer);
    clearTimeout(this.#sliceTimer);
  }

  #look(): void {
    const cmdSeq = this.#options.cmdSeq();
    const idle = cmdSeq === this.#seenCmdSeq;
    this.#seenCmdSeq = cmdSeq;
    if (!idle || this.#walking || cmdSeq === this.#hashedCmdSeq || !this.#options.isWanted()) return;
    this.#begin(cmdSeq);
  }

  #begin(cmdSeq: number): void {
    clearTimeout(this.#sliceTimer);
    this.#walking = true;
    this.#goOn(this.#options.engine.stateHashSteps(), cmdSeq, 1);
  }

  #goOn(walk: Iterator<void, string>, cmdSeq: number, slices: number): void {
    // What has been applied meanwhile makes the walk worthless; the next quiet moment begins another.
    this.#walking = !this.#stopped && this.#options.cmdSeq() === cmdSeq;
    if (!this.#walking) return;
    if (this.#slice(walk, cmdSeq)) this.#long = slices > 1;
    else this.#sliceTimer = setTimeout(() => this.#goOn(walk, cmdSeq, slices + 1), 0);
  }

  /** Walks on for a slice; true when that was the end. */
  #slice(walk: Iterator<void, string>, cmdSeq: number): boolean {
    const end = this.#clockMs() + (this.#options.sliceMs ?? SLICE_MS);
    let step = walk.next();
    while (step.done !== true && this.#clockMs() < end) step = walk.next();
    if (step.done !== true) return false;
    this.#walking = false;
    this.#hashedCmdSeq = cmdSeq;
    this.#askedCmdSeq = -1;
    this.#options.onHash(cmdSeq, step.value);
    return true;
  }
}
