import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import assert from "node:assert/strict";
import { nullLogger } from "../../shared/cli/log.ts";
import { type PublishDone, WRONG_LAST_SEQUENCE } from "../../shared/nats/mod.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { EventStore } from "./event_store.ts";
import type { EventStream, EventStreamHooks } from "./event_stream.ts";
import { assertOneLine, eventMessage, groupsOf } from "./test_kit.ts";

const BUSY = 10077;
/** After this long without an answer a publish is reported unknown, and a look fails. */
const TIMEOUT_MS = 5000;
const PARTS = 60;

/**
 * A server and the network in front of it: messages take their time, in order on one connection; what was sent before
 * a loss of the connection may still arrive, long after; answers to it never do.
 */
class ModelStream implements EventStream {
  connected = true;
  readonly messages: Uint8Array[] = [];
  /** Grows when the connection is lost. */
  #connection = 0;
  #arrivalMs = 0;
  readonly #inFlight = new Set<PublishDone>();

  constructor(readonly hooks: EventStreamHooks, readonly random: SeededRandom) {}

  publish(_subject: string, bytes: Uint8Array, expected: number, done: PublishDone): void {
    assert.ok(this.connected);
    this.#inFlight.add(done);
    const end: PublishDone = (seq, fault) => {
      if (this.#inFlight.delete(done)) done(seq, fault);
    };
    setTimeout(() => end(0, { kind: "unknown", code: 0, description: "no answer in time" }), TIMEOUT_MS);
    this.#exchange(() => this.#store(bytes, expected), ([seq, code]) => {
      end(seq, code === 0 ? null : { kind: "refused", code, description: "" });
    });
  }

  lastSeq(): Promise<number> {
    return this.#ask(() => this.messages.length);
  }

  bytesAt(seq: number): Promise<Uint8Array | null> {
    return this.#ask(() => this.messages[seq - 1] ?? null);
  }

  close(): void {
    this.connected = false;
    this.#connection++;
  }

  flap(ms: number): void {
    if (!this.connected) return;
    this.connected = false;
    this.#connection++;
    const lost = [...this.#inFlight];
    this.#inFlight.clear();
    for (const done of lost) done(0, { kind: "unknown", code: 0, description: "the connection was lost" });
    this.hooks.onDisconnect();
    setTimeout(() => {
      this.connected = true;
      this.#arrivalMs = 0;
      this.hooks.onReconnect();
    }, ms);
  }

  #store(bytes: Uint8Array, expected: number): [seq: number, code: number] {
    if (this.random.oneIn(8)) return [0, BUSY];
    if (expected !== this.messages.length) return [0, WRONG_LAST_SEQUENCE];
    this.messages.push(bytes);
    return [this.messages.length, 0];
  }

  #ask<T>(read: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    setTimeout(() => reject(new Error("timeout")), TIMEOUT_MS);
    this.#exchange(read, resolve);
    return promise;
  }

  /** Lets `serve` happen at the server after a while and `hear` get its result here, if the connection holds. */
  #exchange<T>(serve: () => T, hear: (result: T) => void): void {
    const connection = this.#connection;
    const mayBeLost = this.random.oneIn(2);
    this.#arrivalMs = Math.max(this.#arrivalMs, Date.now() + this.#delayMs());
    setTimeout(() => {
      if (connection !== this.#connection && mayBeLost) return;
      const result = serve();
      setTimeout(() => {
        if (connection === this.#connection) hear(result);
      }, this.#delayMs());
    }, this.#arrivalMs - Date.now());
  }

  #delayMs(): number {
    return this.random.oneIn(20) ? this.random.below(8000) : this.random.below(40);
  }
}

async function run(seed: number): Promise<void> {
  using time = new FakeTime(0);
  const random = new SeededRandom(seed);
  let stream!: ModelStream;
  const faults: string[] = [];
  const store = new EventStore({
    shard: 0,
    lastSeq: 0,
    log: nullLogger,
    open: (hooks) => stream = new ModelStream(hooks, random),
    onFenced: (error) => faults.push(error.message),
    onFatal: (error) => faults.push(error.message),
    onStored: () => {},
  });
  for (let cmdSeq = 1; cmdSeq <= PARTS; cmdSeq++) {
    store.store(eventMessage(cmdSeq), "A");
    if (random.oneIn(4)) stream.flap(random.below(300));
    await time.tickAsync(random.below(200));
  }
  let idle = false;
  store.idle().then(() => idle = true);
  for (let minute = 0; minute < 10 && !idle; minute++) await time.tickAsync(60_000);
  assert.deepEqual(faults, []);
  assert.ok(idle, "not everything was stored");
  assertOneLine(stream.messages.flatMap(groupsOf), PARTS);
  assert.deepEqual([store.lastSeq, store.unstoredBytes], [stream.messages.length, 0]);
  store.close();
}

describe("storing events over a bad network", () => {
  const first = Number(Deno.env.get("PITWIRE_SEED") ?? 1);
  it("stores each once and in order, and takes nothing for another matcher's", async () => {
    console.log(`seeds ${first} … ${first + 299} (PITWIRE_SEED)`);
    for (let seed = first; seed < first + 300; seed++) {
      try {
        await run(seed);
      } catch (cause) {
        throw new Error(`seed ${seed} (PITWIRE_SEED)`, { cause });
      }
    }
  });
});
