/**
 * How far a session counts as being while messages of it wait for numbers, and whether more was sent meanwhile: messages
 * that waited no longer say which event they tell of, so whoever has the session next may tell it again. Pure.
 */
import type { Progress } from "./out_log.ts";
import type { Source } from "./out_record.ts";
import { later, type Position } from "./position.ts";

/** The freeze of one holding. */
export class Freeze {
  /** Whether something was sent that {@link of} does not count. */
  passed = false;
  #positions: readonly Position[] | null = null;
  #inDurable = Infinity;

  /** Whether anything waits. */
  get on(): boolean {
    return this.#positions !== null;
  }

  /**
   * A message has to wait: the report of `source`, or what is sent while the inbound message is dealt with up to which
   * `now` counts; that one then counts as not dealt with. Reports are in the events, however many wait.
   */
  hold(now: () => Progress, source: Source | null): void {
    if (this.#positions !== null && source !== null) return;
    const { inDurable, positions } = now();
    if (source === null) this.#inDurable = Math.min(this.#inDurable, Math.max(0, inDurable - 1));
    this.#positions ??= positions.map((position) =>
      position.shard === source?.shard ? later(position, { ...source, evSeq: position.evSeq }) : position
    );
  }

  /** Reports count up to `positions` from now on, whatever comes. */
  stop(positions: readonly Position[]): void {
    this.#positions = positions;
  }

  /** What of `now` counts. */
  of({ inDurable, positions }: Progress): Progress {
    return { inDurable: Math.min(inDurable, this.#inDurable), positions: this.#positions ?? positions };
  }

  /** A message was sent. */
  sent(): void {
    if (this.#positions !== null) this.passed = true;
  }

  /** Nothing waits any more. */
  end(): void {
    this.#positions = null;
    this.#inDurable = Infinity;
    this.passed = false;
  }
}
