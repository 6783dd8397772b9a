/**
 * Ends processes that an earlier run left behind because it was killed itself: asks, waits, kills, waits, and gives
 * up. Owns nothing but the question which process a record means. Runs `ps` and sends signals.
 */
import type { Logger } from "../../shared/cli/log.ts";

/** A process as a run noted it. */
export interface ChildRecord {
  readonly name: string;
  readonly pid: number;
  /** When the process started, as {@link Processes.startOf} tells; a pid that was given to another program has another. */
  readonly started: string;
  /** The ports of its whole venue; absent until that has been started. */
  readonly ports?: readonly number[];
}

/** The processes of this machine. */
export interface Processes {
  /** When a running process was started, in words that compare; null when it has ended. */
  startOf(pid: number): Promise<string | null>;
  /** Sends a signal. Throws Deno.errors.NotFound when the process has ended. */
  kill(pid: number, signal: Deno.Signal): void;
}

/** The real ones, by `ps`. Where there is no `ps`, no process is found. */
export const PROCESSES: Processes = {
  async startOf(pid) {
    try {
      const args = ["-o", "stat=,lstart=", "-p", String(pid)];
      const { success, stdout } = await new Deno.Command("ps", { args, env: { LC_ALL: "C", TZ: "UTC" } })
        .output();
      const [, state, started] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(new TextDecoder().decode(stdout)) ?? [];
      const isRunning = success && started !== undefined && !state.startsWith("Z"); // Z has ended, unnoticed yet.
      return isRunning ? started : null;
    } catch {
      return null;
    }
  },
  kill: (pid, signal) => Deno.kill(pid, signal),
};

const LOOK_EVERY_MS = 50;
/**
 * Looks after each signal: 2 s to drain in, 5 s to be gone, and what `ps` takes.
 * So short a time to drain in costs nothing: what is killed has stored what it acknowledged.
 */
const LOOKS = { SIGTERM: 40, SIGKILL: 100 } as const;

/** Those of the records whose process still runs. */
export async function running(
  records: readonly ChildRecord[],
  processes: Processes = PROCESSES,
): Promise<ChildRecord[]> {
  const starts = await Promise.all(records.map(({ pid }) => processes.startOf(pid)));
  return records.filter(({ started }, i) => starts[i] === started);
}

/** Whether one of them may listen on the port: one of a venue that was killed before all of it was started may on any. */
export function mayHold(left: readonly ChildRecord[], port: number): boolean {
  return left.some(({ ports }) => ports?.includes(port) ?? true);
}

/**
 * Ends the process of a record, if it is still that process: SIGTERM, and SIGKILL when it has not ended
 * after 40 looks. Throws one sentence when it is still there after 100 more.
 */
export async function endLeftover(
  { name, pid, started }: ChildRecord,
  log: Logger,
  processes: Processes = PROCESSES,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<void> {
  const isThere = async () => await processes.startOf(pid) === started;
  if (!await isThere()) return;
  log.warn(`ending ${name} (process ${pid}), left by a run that was killed`);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      processes.kill(pid, signal);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      throw error;
    }
    for (let look = 0; look < LOOKS[signal]; look++) {
      if (!await isThere()) return;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }
  throw new Error(`${name} (process ${pid}), left by a run that was killed, cannot be ended`);
}
