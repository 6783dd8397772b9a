/**
 * How long the loop that matches stands still while a snapshot is taken. The loop applies commands of a recorded flow at a
 * steady pace and looks at the clock all the time: what lies between two looks is what nobody could do anything about.
 */
import { Command } from "../../shared/codec/wire/mod.ts";
import { type Engine, EventEncoder } from "../../services/matcher/engine/mod.ts";
import { engineFor, type Flow, load } from "../micro/book_flow.ts";
import { MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";

/** Between two turns of the event loop, ms. */
const TURN_MS = 5;

/** The loop, with its book filled. */
export class MatchingLoop {
  readonly #flow: Flow;
  readonly engine: Engine;
  readonly #sink = new EventEncoder(MAX_MESSAGE_BYTES);
  readonly #command = new Command();
  #next = 0;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.engine = engineFor(flow.options);
    while (this.#next < flow.fill) this.#apply();
  }

  /**
   * Runs until `done`, which it asks every few ms, as it lets timers and messages in; one command each `everyUs` as long
   * as there are any. Returns
   * the longest time between two looks at the clock, ms: asking counts, letting in does not.
   */
  async run(everyUs: number, done: () => boolean): Promise<number> {
    let longest = 0;
    let due = performance.now();
    for (let ended = false; !ended;) {
      let last = performance.now();
      const pause = last + TURN_MS;
      ended = done();
      while (last < pause) {
        const now = performance.now();
        if (now - last > longest) longest = now - last;
        last = now;
        if (now < due) continue;
        due += everyUs / 1000;
        if (this.#next < this.#flow.total) this.#apply();
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return longest;
  }

  #apply(): void {
    const i = this.#next++;
    load(this.#flow, i, this.#command);
    this.#sink.begin(0, 1, i + 1, i);
    this.engine.apply(i + 1, 0, i, this.#command, this.#sink);
    this.#sink.end();
  }
}
