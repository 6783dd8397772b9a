/** That somebody wants a command to end which has something to put away first. Listens to signals. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** While it is not disposed of, signals do not end the process. */
export class Interruption implements Disposable {
  readonly #come = Promise.withResolvers<never>();
  readonly #listener = () => this.#come.reject(new Error("Cannot go on: it was interrupted"));

  constructor() {
    this.#come.promise.catch(() => {});
    for (const signal of SIGNALS) Deno.addSignalListener(signal, this.#listener);
  }

  /** What `work` comes to; rejects at the first signal, at once when it has come already. */
  either<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#come.promise, work]);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, this.#listener);
  }
}
