/**
 * When a matcher's snapshots are due, and the thread that takes them and first compares what the start has replayed. Owns
 * the count of commands and the thread's life; a thread that fails is told of and replaced when the next snapshot is due:
 * matching never waits for it.
 *
 * A standby takes them when there is one: a leader's are due half an interval later, and it takes none when another
 * process has taken one since its last was due.
 */
import type { Logger } from "../../../shared/cli/log.ts";
import type { VenueLimits } from "../../../shared/config/mod.ts";
import type { EngineOptions } from "../engine/mod.ts";
import type { LeaderDuties, MessageOrigin } from "../leader_duties.ts";

/** What the thread needs. */
export interface WorkerStart {
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly engine: EngineOptions;
}

/** To the thread first. */
export interface ThreadStart extends WorkerStart {
  /** One 64-bit whole number: the command message of the newest snapshot that was asked for, set before that is sent. */
  readonly newestDue: SharedArrayBuffer;
}

/** To the thread: what {@link ReplayToCompare} says. */
export interface CompareReplay {
  readonly from: number;
}

/** From the thread: the replay is another than what was stored. */
export interface ReplayDiffers {
  readonly reason: string;
}

/** A snapshot that is due. */
export interface SnapshotDue {
  /** The last command message that it is to include. */
  readonly cmdSeq: number;
  /** Not any more when another process has taken one behind this command message. */
  readonly unlessSince: number;
}

/** What a start has replayed. */
export interface ReplayToCompare {
  /** The command message that the matcher's engine stood behind before. */
  readonly from: number;
  /** The replay gave other events than were stored: a sentence. The matcher's book cannot be trusted. */
  readonly onDifferent: (reason: string) => void;
}

/** The thread, as far as it counts here. */
export interface SnapshotThread {
  compare(replay: ReplayToCompare): void;
  due(due: SnapshotDue): void;
  end(): void;
}

/** Bytes of the command stream that one command is reckoned to take, a long one with its message. */
const COMMAND_BYTES = 400;
/** Intervals that the command stream must have room for: up to one and a half behind the newest snapshot, as many before. */
const INTERVALS = 4;

/** Commands between two snapshots: as the venue file says, or fewer when its command stream would be full before. */
export function snapshotInterval(
  { snapshotEveryCommands, cmdStreamBytes }: Pick<VenueLimits, "snapshotEveryCommands" | "cmdStreamBytes">,
): number {
  return Math.min(snapshotEveryCommands, Math.floor(cmdStreamBytes / (INTERVALS * COMMAND_BYTES)));
}

/**
 * How long a standby waits before it has its replay compared, ms, whether it leads by then or not: what starts beside it, or
 * hands over to it, is to have the processors first.
 */
export const STANDBY_COMPARES_MS = 3000;

/** What the duty works with. */
export interface SnapshotDutyOptions {
  /** Commands, not messages, between two snapshots. */
  readonly everyCommands: number;
  /** The command message that the matcher's engine stood behind at the start. */
  readonly from: number;
  /** Starts the thread; it calls `onFailed` at most once, and does nothing afterwards. */
  readonly startThread: (onFailed: (reason: string) => void) => SnapshotThread;
  /** As {@link ReplayToCompare.onDifferent}. */
  readonly onDifferent: (reason: string) => void;
  readonly log: Logger;
}

/** One matcher's. */
export class SnapshotDuty implements LeaderDuties {
  readonly #options: SnapshotDutyOptions;
  #thread: SnapshotThread | null = null;
  /** Commands since the last snapshot that was due, replayed ones too. */
  #count = 0;
  #cmdSeq = 0;
  /** The command message after which one was last due, or with which the count began. */
  #since = 0;
  #role: "none" | "standby" | "leader" = "none";
  /** Whether something was replayed that no thread has been given to compare. */
  #toCompare = false;
  #compareTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SnapshotDutyOptions) {
    this.#options = options;
    this.#since = options.from;
  }

  venueEvent(): void {}

  applied(cmdSeq: number, { count }: MessageOrigin): void {
    this.#cmdSeq = cmdSeq;
    this.#count += count;
    this.#look();
  }

  /** The matcher follows another that leads. */
  standBy(): void {
    this.#role = "standby";
    this.#toCompare = this.#cmdSeq > 0;
    this.#compareTimer = setTimeout(() => this.#compare(), STANDBY_COMPARES_MS);
    this.#look();
  }

  start(): Promise<void> {
    if (this.#role === "none") {
      this.#toCompare = this.#cmdSeq > 0;
      this.#compare();
    }
    this.#role = "leader";
    this.#count -= this.#options.everyCommands / 2;
    this.#look();
    return Promise.resolve();
  }

  stop(): void {
    this.#role = "none";
    clearTimeout(this.#compareTimer);
    this.#thread?.end();
    this.#thread = null;
  }

  #look(): void {
    if (this.#role === "none" || this.#count < this.#options.everyCommands) return;
    this.#compare();
    this.#thread ??= this.#start();
    const unlessSince = this.#role === "leader" ? this.#since : Infinity;
    this.#thread.due({ cmdSeq: this.#cmdSeq, unlessSince });
    this.#since = this.#cmdSeq;
    this.#count = 0;
  }

  #compare(): void {
    if (!this.#toCompare) return;
    this.#toCompare = false;
    const { from, onDifferent } = this.#options;
    this.#thread ??= this.#start();
    this.#thread.compare({ from, onDifferent });
  }

  #start(): SnapshotThread {
    const { startThread, log } = this.#options;
    return startThread((reason) => {
      this.#thread = null;
      log.error("the thread that takes snapshots has failed", { reason });
    });
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
    const newestDue = new BigInt64Array(new SharedArrayBuffer(8));
    worker.postMessage({ ...start, newestDue: newestDue.buffer } satisfies ThreadStart);
    let onDifferent: ReplayToCompare["onDifferent"] = () => {};
    worker.addEventListener(
      "message",
      (event: MessageEvent<ReplayDiffers>) => onDifferent(event.data.reason),
    );
    return {
      compare: ({ from, onDifferent: told }) => {
        onDifferent = told;
        worker.postMessage({ from } satisfies CompareReplay);
      },
      due: (due) => {
        Atomics.store(newestDue, 0, BigInt(due.cmdSeq));
        worker.postMessage(due);
      },
      end: () => worker.terminate(),
    };
  };
}
