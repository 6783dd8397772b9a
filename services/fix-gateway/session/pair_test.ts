import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FixMessage, Framer, FrameStatus } from "../../../shared/codec/fix/mod.ts";
import { numbers, Rig } from "./rig.ts";

/** Two rigs and the bytes between them. */
class Pair {
  readonly client = new Rig({ role: "initiator", limits: { maxQueuedMessages: 4 }, lenient: true });
  readonly venue = new Rig({ limits: { maxQueuedMessages: 4 }, lenient: true });
  readonly #next: (limit: number) => number;
  #toVenue = new Framer(1 << 16);
  #toClient = new Framer(1 << 16);
  readonly #message = new FixMessage();

  constructor(next: (limit: number) => number) {
    this.#next = next;
  }

  connect(): void {
    this.#toVenue = new Framer(1 << 16);
    this.#toClient = new Framer(1 << 16);
    this.client.dial(30, false);
  }

  /** The connection is lost: what is under way is gone. */
  cut(): void {
    for (const rig of [this.client, this.venue]) rig.disconnect();
  }

  /** Carries bytes in pieces until nothing moves; after so many pieces the connection is lost. */
  carry(cutAfterPieces = Infinity): void {
    for (let moved = true; moved;) {
      moved = false;
      for (const from of [this.client, this.venue]) {
        const bytes = from.takeBytes();
        for (let at = 0; at < bytes.length;) {
          if (cutAfterPieces-- === 0) return this.cut();
          const piece = bytes.subarray(at, at + 1 + this.#next(200));
          at += piece.length;
          moved = true;
          this.#hand(from === this.client ? this.venue : this.client, piece);
        }
      }
    }
  }

  #hand(to: Rig, piece: Uint8Array): void {
    const framer = to === this.venue ? this.#toVenue : this.#toClient;
    framer.push(piece);
    while (framer.next() === FrameStatus.Frame) {
      this.#message.parse(framer.buffer, framer.start, framer.end);
      if (!to.session.connected) to.admit(this.#message);
      else to.driver.receive(to.session, this.#message, to.nowMs);
    }
  }
}

describe("initiator against acceptor", () => {
  it("log on, exchange, log out", () => {
    const pair = new Pair(numbers(1));
    pair.connect();
    pair.carry();
    pair.client.report("a");
    pair.venue.report("b");
    pair.carry();
    assert.deepEqual(pair.client.heard, ["logged on", "8 2"]);
    assert.deepEqual(pair.venue.heard, ["logged on", "8 2"]);
    pair.client.session.logout("done");
    pair.carry();
    assert.equal(pair.client.session.closeReason, "logged out");
    assert.equal(pair.venue.session.closeReason, 'the peer logged out: "done"');
  });

  const seeds = Array.from({ length: 60 }, (_, i) => 1000 + i);
  it(`seeds ${seeds[0]} to ${seeds.at(-1)}: connections lost anywhere, each message arrives once and in order`, () => {
    for (const seed of seeds) {
      const next = numbers(seed);
      const pair = new Pair(next);
      const sent = { client: 0, venue: 0 };
      for (let round = 0; round < 20; round++) {
        if (!pair.client.session.connected) pair.connect();
        for (let i = next(6); i > 0; i--) pair.client.report(`${sent.client++}`);
        for (let i = next(6); i > 0; i--) pair.venue.report(`${sent.venue++}`);
        pair.carry(next(3) === 0 ? next(12) : Infinity);
      }
      if (!pair.client.session.connected) pair.connect();
      for (let i = 0; i < 3; i++) {
        pair.carry();
        pair.client.report(`${sent.client++}`);
        pair.venue.report(`${sent.venue++}`);
        pair.carry();
      }
      const whole = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);
      assert.deepEqual(pair.venue.texts, whole(sent.client), `seed ${seed}: what the client sent`);
      assert.deepEqual(pair.client.texts, whole(sent.venue), `seed ${seed}: what the venue sent`);
    }
  });
});
