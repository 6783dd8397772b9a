/**
 * One supervised service: starts its program, waits until it is ready, starts it again when it ends unasked, with
 * growing pauses, and gives up loudly when that does not help. Refuses to start again what says that its
 * configuration is wrong (exit code 78) and what ends before it was ever ready. A program that asks to be started again
 * (exit code 75) has not died.
 */
import { errorText, type Logger } from "../../shared/cli/log.ts";
import { EXIT_AGAIN, EXIT_CONFIG } from "../../shared/cli/service_process.ts";
import { Child, type ChildOutput, type Ending, type Launch } from "./child.ts";

/** What a service says about itself when it is ready. */
export type ReadyInfo = Readonly<Record<string, unknown>>;

/** What a service is and how it is started. */
export interface ServiceSpec {
  readonly name: string;
  /** Asked at every start, so that a port that was free to choose stays the same afterwards. */
  readonly launch: () => Launch;
  readonly output: Omit<ChildOutput, "onStdout">;
  /**
   * Waits until a program that prints no ready line is ready. Without it, the first line on standard output must be
   * JSON with a key `ready`. Rejects when that can no longer happen.
   */
  readonly probe?: (child: Child, signal: AbortSignal) => Promise<ReadyInfo>;
  /** Time that draining may take before the program is killed. */
  readonly drainMs: number;
  /** Told the process id at every start. */
  readonly onSpawn?: (pid: number) => void;
}

/** When to try again and when to give up. */
export interface RestartPolicy {
  /** Time from start to ready; longer counts as a death. */
  readonly readyMs: number;
  /** Pause before the first restart; doubled for each further death within the window. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** As many deaths within the window end the venue. */
  readonly maxDeaths: number;
  readonly windowMs: number;
}

/** The policy of `deno task up`. */
export const DEFAULT_POLICY: RestartPolicy = {
  readyMs: 60_000,
  firstPauseMs: 50,
  longestPauseMs: 2_000,
  maxDeaths: 6,
  windowMs: 60_000,
};

/** The pause before the restart after the `deaths`-th death (1 …) within the window, ms. */
export function pauseMs(policy: RestartPolicy, deaths: number): number {
  return Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (deaths - 1));
}

/** "ended with code 1: <its last complaint>" */
export function describeEnding({ code, signal }: Ending, complaint: string): string {
  const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  return complaint === "" ? how : `${how}: ${complaint}`;
}

type Outcome = { ready: ReadyInfo } | { failed: string; final: boolean };

/** A service under supervision. */
export class Service {
  readonly #spec: ServiceSpec;
  readonly #policy: RestartPolicy;
  readonly #log: Logger;
  readonly #onGiveUp: (reason: string) => void;
  readonly #stopping = new AbortController();
  /** The running program; null between two. */
  #child: Child | null = null;
  /** Times of deaths within the window, monotonic ms, oldest first. */
  #deaths: number[] = [];
  /** Settled while the service is ready, pending while it is not. */
  #ready = Promise.withResolvers<ReadyInfo>();
  #watching: Promise<void> = Promise.resolve();

  /** `onGiveUp` is told, once, why the service will not be started again. */
  constructor(spec: ServiceSpec, policy: RestartPolicy, log: Logger, onGiveUp: (reason: string) => void) {
    this.#spec = spec;
    this.#policy = policy;
    this.#log = log;
    this.#onGiveUp = onGiveUp;
    this.#ready.promise.catch(() => {});
  }

  get name(): string {
    return this.#spec.name;
  }

  /** The running program's process id, or null between two. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Resolves when the service is ready, at once when it is; rejects when it has been given up. */
  whenReady(): Promise<ReadyInfo> {
    return this.#ready.promise;
  }

  /** Starts it for the first time. Rejects with one sentence when it is not ready in time or ends before. */
  async start(): Promise<ReadyInfo> {
    const outcome = await this.#launch();
    if ("failed" in outcome) {
      this.#child = null;
      throw new Error(`Cannot start ${this.name}: ${outcome.failed}`);
    }
    this.#watching = this.#watch();
    return outcome.ready;
  }

  /** Sends a signal, and waits for the end of the program when the signal ends it. It is then started again. */
  async kill(signal: Deno.Signal): Promise<void> {
    const child = this.#child;
    if (child === null) throw new Error(`Cannot send ${signal} to ${this.name}: it is not running`);
    if (signal === "SIGKILL") this.#unready();
    child.signal(signal);
    if (["SIGKILL", "SIGTERM", "SIGINT"].includes(signal)) await child.ended;
  }

  /** Ends it and waits until it is ready again. */
  async restart(): Promise<ReadyInfo> {
    await this.kill("SIGTERM");
    return await this.whenReady();
  }

  /** Drains and ends it for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child !== null && !await child.stop(this.#spec.drainMs)) {
      this.#log.warn(`${this.name} was killed: it had not ended after ${this.#spec.drainMs} ms`);
    }
    await this.#watching;
  }

  #unready(): void {
    this.#ready = Promise.withResolvers();
    this.#ready.promise.catch(() => {});
  }

  /** Starts the program and waits until it is ready. A program that fails at that has ended when this returns. */
  async #launch(): Promise<Outcome> {
    const line = Promise.withResolvers<ReadyInfo>();
    line.promise.catch(() => {});
    let child: Child;
    try {
      child = new Child(this.#spec.launch(), {
        ...this.#spec.output,
        onStdout: (text) => this.#hear(text, line.resolve),
      });
    } catch (error) {
      return { failed: errorText(error), final: true };
    }
    this.#child = child;
    this.#spec.onSpawn?.(child.pid);
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), this.#policy.readyMs);
    const late = new Promise<Outcome>((resolve) => {
      const text = `it was not ready after ${this.#policy.readyMs} ms`;
      given.signal.addEventListener("abort", () => resolve({ failed: text, final: false }));
    });
    const probed = this.#spec.probe?.(child, given.signal) ?? line.promise;
    const outcome = await Promise.race<Outcome>([
      probed.then((ready) => ({ ready }), (error) => ({ failed: errorText(error), final: false })),
      child.ended.then((ending) => ({
        failed: describeEnding(ending, child.complaint),
        final: ending.code === EXIT_CONFIG,
      })),
      late,
    ]);
    clearTimeout(timer);
    if ("failed" in outcome) {
      given.abort();
      child.signal("SIGKILL");
      await child.ended;
    } else this.#ready.resolve(outcome.ready);
    return outcome;
  }

  #hear(text: string, ready: (info: ReadyInfo) => void): void {
    try {
      const said = JSON.parse(text);
      if (typeof said === "object" && said !== null && "ready" in said) return ready(said);
    } catch {
      // Not JSON: it is logged below like any other line.
    }
    this.#spec.output.log.info(text);
  }

  /** Follows the program from its first ready moment until it is stopped or given up. */
  async #watch(): Promise<void> {
    while (true) {
      const child = this.#child!;
      const ending = await child.ended;
      this.#child = null;
      if (this.#stopping.signal.aborted) return;
      this.#unready();
      const how = describeEnding(ending, child.complaint);
      if (ending.code === EXIT_CONFIG) return this.#giveUp(how);
      if (ending.code === EXIT_AGAIN && await this.#begin()) continue;
      if (this.#stopping.signal.aborted || !await this.#revive(how)) return;
    }
  }

  /** Starts the program that asked for it, at once. False when it was not ready then, or is to stop. */
  async #begin(): Promise<boolean> {
    const outcome = await this.#launch();
    if ("ready" in outcome) return true;
    this.#child = null;
    return false;
  }

  /** Starts the program again and again until it is ready. False when stopped or given up. */
  async #revive(how: string): Promise<boolean> {
    for (let reason = how;;) {
      const now = performance.now();
      this.#deaths = [...this.#deaths.filter((time) => now - time < this.#policy.windowMs), now];
      const deaths = this.#deaths.length;
      if (deaths >= this.#policy.maxDeaths) {
        const seconds = Math.ceil((now - this.#deaths[0]) / 1000);
        this.#giveUp(`it died ${deaths} times in ${seconds} s; the last time it ${reason}`);
        return false;
      }
      const pause = pauseMs(this.#policy, deaths);
      this.#log.warn(`${this.name} ${reason}; starting it again`, { pauseMs: pause, deaths });
      if (!await this.#pause(pause)) return false;
      const outcome = await this.#launch();
      if ("ready" in outcome) {
        this.#log.info(`${this.name} is ready again`, { pid: this.pid });
        return true;
      }
      this.#child = null;
      if (this.#stopping.signal.aborted) return false;
      if (outcome.final) {
        this.#giveUp(outcome.failed);
        return false;
      }
      reason = outcome.failed;
    }
  }

  #giveUp(reason: string): void {
    const text = `Cannot keep ${this.name} running: ${reason}`;
    this.#log.error(text);
    this.#ready.reject(new Error(text));
    this.#onGiveUp(text);
  }

  /** False when stopped meanwhile. */
  #pause(ms: number): Promise<boolean> {
    const { signal } = this.#stopping;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve(!signal.aborted);
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
    });
  }
}
