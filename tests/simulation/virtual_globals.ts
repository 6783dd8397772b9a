/**
 * Time, timers, chance and TCP as the code under simulation sees them: the global functions lead to the scheduler and the
 * network while they are installed. Owns what they were before. A timer belongs to the process that sets it.
 */
import { nuid } from "@nats-io/nats-core/internal";
import type { Network } from "./network.ts";
import type { Occurrence, Scheduler } from "./scheduler.ts";

/** When every run begins: a Monday morning. */
export const START_MS = Date.UTC(2026, 0, 5, 8);

interface Timer {
  occurrence: Occurrence;
}

type Replaced = readonly [target: object, key: string, value: unknown];

/** A timer as the code of a process knows it. */
class Timers {
  readonly #scheduler: Scheduler;
  readonly #timers = new Map<number, Timer>();
  #next = 1;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  set(action: (...args: unknown[]) => void, delayMs: number, args: unknown[], repeats: boolean): number {
    const id = this.#next++;
    const owner = this.#scheduler.current;
    const delayUs = Math.max(repeats ? 1000 : 0, (Number(delayMs) || 0) * 1000);
    const arm = () =>
      this.#scheduler.after(delayUs + this.#scheduler.random.below(300), owner, "timer", ring);
    const ring = () => {
      const timer = this.#timers.get(id);
      if (timer === undefined) return;
      if (repeats) timer.occurrence = arm();
      else this.#timers.delete(id);
      action(...args);
    };
    this.#timers.set(id, { occurrence: arm() });
    return id;
  }

  clear(id: unknown): void {
    const timer = this.#timers.get(id as number);
    if (timer === undefined) return;
    timer.occurrence.canceled = true;
    this.#timers.delete(id as number);
  }
}

/** Installs them; the returned function puts back what was there. */
export function installVirtualGlobals(scheduler: Scheduler, network: Network): () => void {
  const timers = new Timers(scheduler);
  const { random } = scheduler;
  const RealDate = Date;
  const wallMs = () => START_MS + Math.floor(scheduler.nowUs / 1000);
  class VirtualDate extends RealDate {
    constructor(...args: unknown[]) {
      super(...(args.length === 0 ? [wallMs()] : args) as [number]);
    }
    static override now(): number {
      return wallMs();
    }
  }
  const clear = (id: unknown) => timers.clear(id);
  const fill = (bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return bytes;
  };
  const put: Replaced[] = [
    [globalThis, "Date", VirtualDate],
    [
      globalThis,
      "setTimeout",
      (act: () => void, ms: number, ...args: unknown[]) => timers.set(act, ms, args, false),
    ],
    [
      globalThis,
      "setInterval",
      (act: () => void, ms: number, ...args: unknown[]) => timers.set(act, ms, args, true),
    ],
    [globalThis, "clearTimeout", clear],
    [globalThis, "clearInterval", clear],
    [performance, "now", () => scheduler.nowUs / 1000],
    [Math, "random", () => random.next() / 2 ** 32],
    [crypto, "getRandomValues", fill],
    [Deno, "pid", 1],
    [Deno, "listen", (options: Deno.ListenOptions & { port: number }) => network.listen(options.port)],
    [Deno, "connect", (options: Deno.ConnectOptions) => network.connect(options.port)],
  ];
  const before = put.map(([target, key]) => Object.getOwnPropertyDescriptor(target, key));
  for (const [target, key, value] of put) {
    Object.defineProperty(target, key, { value, configurable: true, writable: true, enumerable: true });
  }
  const unhandled = (event: PromiseRejectionEvent) => {
    if (scheduler.current === null) return;
    event.preventDefault();
    scheduler.exit(scheduler.current, event.reason);
  };
  globalThis.addEventListener("unhandledrejection", unhandled);
  nuid.reset();
  return () => {
    globalThis.removeEventListener("unhandledrejection", unhandled);
    put.forEach(([target, key], index) => {
      const descriptor = before[index];
      if (descriptor === undefined) delete (target as Record<string, unknown>)[key];
      else Object.defineProperty(target, key, descriptor);
    });
  };
}
