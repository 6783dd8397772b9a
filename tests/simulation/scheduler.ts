/**
 * The virtual world of one simulation run: a clock, a queue of everything that is going to happen, and the processes to
 * which it happens. One thing happens at a time; before the next, all that promises alone can do has been done. So what
 * runs belongs to one process, which may be killed (nothing happens to it any more) or paused (it happens later), and
 * the whole run is a function of the seed. Owns the digest of the run. Knows nothing of what the processes are.
 */
import { createHash, type Hash } from "node:crypto";
import { setImmediate } from "node:timers";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";

/** One process from its start to its end; a restart is another one. */
export interface Process {
  readonly name: string;
  alive: boolean;
  paused: boolean;
  /** What came due while it was paused, in order. */
  readonly held: Occurrence[];
  /** Threads, which are killed, paused and resumed with it; each may end alone. */
  readonly threads: Set<Process>;
  /** Called once, when the process is killed or exits: what its kernel does then. */
  readonly atEnd: (() => void)[];
  /** Its supervisor's ears. */
  readonly onExit: (error: unknown) => void;
}

/** Something that happens to a process, or to the world when `owner` is null. */
export interface Occurrence {
  readonly atUs: number;
  readonly order: number;
  readonly owner: Process | null;
  readonly kind: string;
  readonly act: () => void;
  canceled: boolean;
}

/** Resolves when everything that waits for promises alone has been done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** One run's world. */
export class Scheduler {
  readonly random: SeededRandom;
  /** Virtual time, µs since the beginning of the run. */
  nowUs = 0;
  /** To whom things happen now; null: to the world. */
  current: Process | null = null;
  /** Occurrences so far. */
  steps = 0;
  /** Hears of each occurrence before it happens; null: nobody. */
  onStep: ((line: string) => void) | null = null;
  readonly #hash: Hash = createHash("sha256");
  readonly #heap: Occurrence[] = [];
  #order = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  /** A new process. */
  spawn(name: string, onExit: (error: unknown) => void): Process {
    return { name, alive: true, paused: false, held: [], threads: new Set(), atEnd: [], onExit };
  }

  /** A new thread of a process. */
  spawnThread(process: Process, name: string, onExit: (error: unknown) => void): Process {
    const thread = this.spawn(name, onExit);
    thread.paused = process.paused;
    process.threads.add(thread);
    return thread;
  }

  /** `act` will happen to `owner` in `delayUs`. */
  after(delayUs: number, owner: Process | null, kind: string, act: () => void): Occurrence {
    const atUs = this.nowUs + Math.max(0, Math.round(delayUs));
    const occurrence = { atUs, order: ++this.#order, owner, kind, act, canceled: false };
    this.#push(occurrence);
    return occurrence;
  }

  /** The process ends without a word: all that it knew is gone. */
  kill(process: Process): void {
    if (!process.alive) return;
    process.alive = false;
    process.held.length = 0;
    for (const act of process.atEnd) act();
    for (const thread of process.threads) this.kill(thread);
  }

  /** The process ends by itself. */
  exit(process: Process, error: unknown): void {
    if (!process.alive) return;
    this.kill(process);
    process.onExit(error);
  }

  /** Nothing happens to the process until {@link resume}. */
  pause(process: Process): void {
    process.paused = true;
    for (const thread of process.threads) this.pause(thread);
  }

  /** What came due meanwhile happens now, in order. */
  resume(process: Process): void {
    process.paused = false;
    const held = process.held.splice(0);
    for (const occurrence of held) {
      this.#push({ ...occurrence, atUs: this.nowUs, order: ++this.#order });
    }
    for (const thread of process.threads) this.resume(thread);
  }

  /** Puts a line into the digest. */
  note(line: string): void {
    this.#hash.update(`${line}\n`);
    this.onStep?.(line);
  }

  /** Puts bytes into the digest. */
  noteBytes(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The digest of the whole run; once, at its end. */
  digest(): string {
    return this.#hash.digest("hex").slice(0, 32);
  }

  /**
   * Lets things happen until `done` says so, looked at after each; false when the queue is empty or `limitUs` is over
   * before.
   */
  async run(done: () => boolean, limitUs: number): Promise<boolean> {
    while (!done()) {
      const next = this.#pop();
      if (next === undefined) return false;
      if (next.atUs > limitUs) {
        this.#push(next);
        this.nowUs = limitUs;
        return false;
      }
      this.nowUs = Math.max(this.nowUs, next.atUs);
      await this.#happen(next);
    }
    return true;
  }

  async #happen(next: Occurrence): Promise<void> {
    const { owner } = next;
    if (next.canceled || owner !== null && !owner.alive) return;
    if (owner?.paused === true) {
      owner.held.push(next);
      return;
    }
    this.steps++;
    this.note(`${this.nowUs} ${owner?.name ?? "world"} ${next.kind}`);
    if (owner === null) return next.act();
    this.current = owner;
    try {
      next.act();
      await settled();
    } catch (error) {
      this.exit(owner, error);
    } finally {
      this.current = null;
    }
  }

  #push(occurrence: Occurrence): void {
    const heap = this.#heap;
    let at = heap.push(occurrence) - 1;
    while (at > 0) {
      const parent = at - 1 >> 1;
      if (!isEarlier(occurrence, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = occurrence;
  }

  #pop(): Occurrence | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isEarlier(heap[child + 1], heap[child])) child++;
      if (!isEarlier(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isEarlier(a: Occurrence, b: Occurrence): boolean {
  return a.atUs < b.atUs || a.atUs === b.atUs && a.order < b.order;
}
