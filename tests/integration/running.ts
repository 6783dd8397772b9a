/** A whole venue for one test: real processes, free ports, a store of its own. Test code only. */
import { fileURLToPath } from "node:url";
import { type RunningVenue, startVenue, type VenueOptions } from "../../infra/venue_process.ts";
import { createLogger, nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { Trader } from "./trader.ts";

/** The venue file of these tests. */
export const CONFIG = fileURLToPath(new URL("venue.yaml", import.meta.url));
/** PITWIRE_TEST_LOG=debug shows the services' logs. */
const LOG_LEVEL = Deno.env.get("PITWIRE_TEST_LOG");

/** A venue and the traders on it; disposing it ends everything and removes the store. */
export class TestVenue implements AsyncDisposable {
  running!: RunningVenue;
  readonly #store: string;
  readonly #options: Partial<VenueOptions>;

  private constructor(store: string, options: Partial<VenueOptions>) {
    this.#store = store;
    this.#options = options;
  }

  /** Starts a venue on an empty store. */
  static async start(options: Partial<VenueOptions> = {}): Promise<TestVenue> {
    const venue = new TestVenue(await Deno.makeTempDir({ prefix: "pitwire-integration-" }), options);
    try {
      await venue.#start();
    } catch (error) {
      await Deno.remove(venue.#store, { recursive: true });
      throw error;
    }
    return venue;
  }

  /** Logs sessions on, in this order. */
  async logon<const Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ [K in keyof Names]: Trader }> {
    const traders = [];
    for (const name of names) traders.push(await Trader.logon(this.running, name));
    return traders as { [K in keyof Names]: Trader };
  }

  /** Stops every process in good order and starts all again on the same store, after what `between` does to it. */
  async restart(between: (store: string) => Promise<void> = async () => {}): Promise<void> {
    await this.running.stop();
    await between(this.#store);
    await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running.stop();
    await Deno.remove(this.#store, { recursive: true });
  }

  async #start(): Promise<void> {
    const { config = CONFIG } = this.#options;
    this.running = await startVenue({
      config,
      store: this.#store,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      log: LOG_LEVEL === undefined ? nullLogger : createLogger("test", "debug"),
      logLevel: LOG_LEVEL === undefined ? "error" : "debug",
      ...this.#options,
      // As it stands now: a test may have changed the file before it starts the venue again.
      venue: loadVenue(config),
    });
  }
}
