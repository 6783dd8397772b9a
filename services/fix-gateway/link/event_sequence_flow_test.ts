/** Live and stored messages in every small interleaving, and in random long ones. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { EventKind } from "../../../shared/protocol/mod.ts";
import {
  Event,
  type EventBatchReader,
  EventBatchWriter,
  joinEventBatches,
} from "../../../shared/codec/wire/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { type EventReceiver, EventSequence } from "./event_sequence.ts";

/** The events of one command, one message or several. */
function messagesOf(cmdSeq: number, events: number, perMessage: number): Uint8Array[] {
  const event = new Event();
  event.kind = EventKind.OrderAccepted;
  event.text.setText("x".repeat(150));
  const writer = new EventBatchWriter(300 + 240 * perMessage);
  writer.begin(0, 1, cmdSeq, cmdSeq);
  for (let i = 0; i < events; i++) writer.append(event);
  return writer.end();
}

class Recorder implements EventReceiver {
  readonly seen: string[] = [];

  group(reader: EventBatchReader, fromIndex: number): void {
    while (reader.nextEvent()) {
      if (reader.eventIndex >= fromIndex) this.seen.push(`${reader.cmdSeq}.${reader.eventIndex}`);
    }
  }
}

/** A live message as NATS hands it out, a Buffer (its slice() is a view), whose memory is used again at once. */
function offer(sequence: EventSequence, message: Uint8Array): void {
  const bytes = Buffer.from(message);
  sequence.live(bytes);
  bytes.fill(0xff);
}

/** The follower's part: reads the stream while the sequence wants it, one message per step. */
class StoredSide {
  stream: Uint8Array[] = [];
  #next = 0;

  constructor(readonly sequence: EventSequence) {}

  /** One step of a backfill. Returns false when there is nothing to do. */
  step(): boolean {
    if (!this.sequence.reading) {
      this.#next = 0;
      return false;
    }
    if (this.#next === 0) this.#next = this.sequence.evSeq + 1;
    if (this.#next > this.stream.length) {
      this.sequence.caughtUp();
      return false;
    }
    this.sequence.stored(this.#next, this.stream[this.#next - 1]);
    this.#next++;
    return true;
  }

  check(): void {
    if (this.stream.length > 0) this.sequence.newestStored(this.stream.length, this.stream.at(-1)!);
  }

  /** What happens in the end: everything is stored and the idle checks run. */
  settle(): void {
    for (let i = 0; i < 3; i++) {
      while (this.step());
      this.check();
    }
  }
}

function expectedOf(counts: readonly number[]): string[] {
  return counts.flatMap((count, i) => Array.from({ length: count }, (_, index) => `${i + 1}.${index}`));
}

describe("EventSequence, live and stored together", () => {
  it("takes each event once and in order in every interleaving of four messages, with every loss", () => {
    const counts = [1, 3, 1];
    const messages = counts.flatMap((count, i) => messagesOf(i + 1, count, 2));
    assert.equal(messages.length, 4);
    let histories = 0;
    for (let lost = 0; lost < 16; lost++) {
      // A history is a string of L (next live message comes), S (next message is stored), R (backfill step), C (check).
      const walk = (history: string, live: number, stored: number, others: number): void => {
        if (live === 4 && stored === 4) {
          replay(history);
          return;
        }
        if (live < 4) walk(history + "L", live + 1, stored, others);
        if (stored < live) walk(history + "S", live, stored + 1, others);
        if (others < 3) {
          walk(history + "R", live, stored, others + 1);
          walk(history + "C", live, stored, others + 1);
        }
      };
      const replay = (history: string): void => {
        histories++;
        const recorder = new Recorder();
        const side = new StoredSide(new EventSequence(0, 700, recorder));
        let live = 0;
        for (const step of history) {
          if (step === "L") {
            if ((lost >> live & 1) === 0) offer(side.sequence, messages[live]);
            live++;
          } else if (step === "S") side.stream.push(messages[side.stream.length]);
          else if (step === "R") side.step();
          else side.check();
        }
        side.settle();
        assert.deepEqual(recorder.seen, expectedOf(counts), `history ${history}, lost ${lost}`);
      };
      walk("", 0, 0, 0);
    }
    console.log(`${histories} histories`);
  });

  it("takes each event once and in order over random histories", () => {
    const first = Number(Deno.env.get("PITWIRE_SEED") ?? "1");
    console.log(`seeds ${first} … ${first + 299} (PITWIRE_SEED)`);
    for (let seed = first; seed < first + 300; seed++) randomHistory(seed);
  });
});

function randomHistory(seed: number): void {
  const random = new SeededRandom(seed);
  const next = (below: number) => random.below(below);
  const counts = Array.from({ length: 60 }, () => next(8));
  const perMessage = 1 + next(4);
  const live = counts.flatMap((count, i) => messagesOf(i + 1, count, perMessage));
  const recorder = new Recorder();
  const side = new StoredSide(new EventSequence(0, next(4000), recorder));
  let published = 0;
  let stored = 0;
  while (stored < live.length) {
    switch (next(8)) {
      case 0:
      case 1:
      case 2: {
        const count = Math.min(1 + next(3), live.length - published);
        const lose = next(10) === 0;
        for (let i = 0; i < count; i++, published++) if (!lose) offer(side.sequence, live[published]);
        break;
      }
      case 3:
        if (published > 0) offer(side.sequence, live[next(published)]);
        break;
      case 4:
        if (stored < published) {
          const part = live.slice(stored, stored + 1 + next(published - stored));
          side.stream.push(joinEventBatches(part, 1 << 20).bytes);
          stored += part.length;
        }
        break;
      case 5:
        side.check();
        break;
      case 6:
        for (let i = next(4); i >= 0; i--) side.step();
        break;
      default:
        if (next(6) === 0) side.sequence.interrupted();
    }
  }
  side.settle();
  assert.deepEqual(recorder.seen, expectedOf(counts), `seed ${seed}`);
}
