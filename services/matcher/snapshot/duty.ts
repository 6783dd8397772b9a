/**
 * When a leading matcher's snapshots are due, and the thread that takes them. Owns the count of commands and the thread's
 * life; a thread that fails is told of and replaced when the next snapshot is due: matching never waits for it.
 */
import type { Logger } from "../../../shared/cli/log.ts";
import type { EngineOptions } from "../engine/mod.ts";
import type { LeaderDuties, MessageOrigin } from "../leader_duties.ts";

/** What the thread is told first. */
export interface WorkerStart {
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly engine: EngineOptions;
}

/** The thread, as far as it counts here. */
export interface SnapshotThread {
  /** A snapshot is due that includes command message `cmdSeq`. */
  due(cmdSeq: number): void;
  end(): void;
}

/** What the duty works with. */
export interface SnapshotDutyOptions {
  /** Commands, not messages, between two snapshots. */
  readonly everyCommands: number;
  /** Starts the thread; it calls `onFailed` at most once, and does nothing afterwards. */
  readonly startThread: (onFailed: (reason: string) => void) => SnapshotThread;
  readonly log: Logger;
}

/** One matcher's. */
export class SnapshotDuty implements LeaderDuties {
  readonly #options: SnapshotDutyOptions;
  #thread: SnapshotThread | null = null;
  /** Commands since the last snapshot that was due, replayed ones too. */
  #count = 0;
  #cmdSeq = 0;
  #leads = false;

  constructor(options: SnapshotDutyOptions) {
    this.#options = options;
  }

  venueEvent(): void {}

  applied(cmdSeq: number, { count }: MessageOrigin): void {
    this.#cmdSeq = cmdSeq;
    this.#count += count;
    if (this.#leads && this.#count >= this.#options.everyCommands) this.#due();
  }

  start(): Promise<void> {
    this.#leads = true;
    if (this.#count >= this.#options.everyCommands) this.#due();
    return Promise.resolve();
  }

  stop(): void {
    this.#leads = false;
    this.#thread?.end();
    this.#thread = null;
  }

  #due(): void {
    const { startThread, log } = this.#options;
    this.#count = 0;
    this.#thread ??= startThread((reason) => {
      this.#thread = null;
      log.error("the thread that takes snapshots has failed", { reason });
    });
    this.#thread.due(this.#cmdSeq);
  }
}

/** Starts the thread of {@link WorkerStart}; worker.ts is what it runs. */
export function snapshotThread(start: WorkerStart): SnapshotDutyOptions["startThread"] {
  return (onFailed) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      onFailed(event.message);
    });
    worker.postMessage(start);
    return {
      due: (cmdSeq) => worker.postMessage(cmdSeq),
      end: () => worker.terminate(),
    };
  };
}
