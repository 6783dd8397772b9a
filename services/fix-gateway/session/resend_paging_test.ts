import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { PAGE_BYTES, RESEND_BYTES_PER_SECOND, RESEND_WATERMARK_BYTES } from "./resend.ts";
import { loggedOn } from "./rig.ts";
import { MemoryStore, type SessionStore, type StoredPage } from "./store.ts";

/** A store that answers each read when it is told to. */
class SlowStore implements SessionStore {
  readonly waiting: { answer: () => void; fail: () => void }[] = [];
  readonly #inner = new MemoryStore();

  append(seq: number, msgType: string, sendingTimeMs: number, possResend: boolean, body: Uint8Array): void {
    this.#inner.append(seq, msgType, sendingTimeMs, possResend, body);
  }

  read(from: number, to: number, maxBytes: number): Promise<StoredPage> {
    return new Promise((resolve, reject) => {
      const answer = () => resolve(this.#inner.read(from, to, maxBytes));
      this.waiting.push({ answer, fail: () => reject(new Error("disk gone")) });
    });
  }

  clear(): void {
    this.#inner.clear();
  }
}

const settled = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
const seqOf = (text: string) => Number(/34=(\d+)/.exec(text)![1]);

describe("8: large and slow resends", () => {
  it("stop while the peer does not read, and go on when it does", () => {
    const rig = loggedOn({ limits: { maxUnsentBytes: 1 << 22 } });
    for (let i = 0; i < 1000; i++) rig.report("x".repeat(1000));
    rig.sent();
    const wire = rig.session.state.outbound.wire!;
    rig.driver.receive(rig.session, rig.parse("35=2|34=2|7=2|16=0"), rig.nowMs);
    assert.ok(wire.unsent > RESEND_WATERMARK_BYTES, `${wire.unsent} bytes`);
    assert.ok(wire.unsent < RESEND_WATERMARK_BYTES + 2 * PAGE_BYTES, `${wire.unsent} bytes`);
    rig.report("live");
    const sent = rig.sent().map(seqOf);
    const live = sent.indexOf(1002);
    assert.ok(live > 0 && live < 300, `the live message is number ${live} on the wire`);
    assert.deepEqual(sent.toSpliced(live, 1), Array.from({ length: 1000 }, (_, i) => i + 2));
  });

  it("come at once up to a second's share of bytes, then at that rate, and live messages between", () => {
    const rig = loggedOn({ limits: { maxUnsentBytes: 1 << 24 } });
    const count = Math.ceil(2.5 * RESEND_BYTES_PER_SECOND / 4100);
    for (let i = 0; i < count; i++) rig.report("x".repeat(4096));
    rig.sent();
    const share = RESEND_BYTES_PER_SECOND / 4100;
    const page = Math.ceil(PAGE_BYTES / 4100) + 1;
    const within = (sent: number, expected: number) => {
      assert.ok(sent >= expected && sent <= expected + page, `${sent} messages, expected ${expected}`);
    };
    const sent = rig.receiveAll("35=2|34=2|7=2|16=0").map(seqOf);
    within(sent.length, Math.floor(share));
    rig.report("live");
    assert.deepEqual(rig.sent().map(seqOf), [count + 2]);
    sent.push(...rig.advanceTo(1).map(seqOf));
    within(sent.length, Math.floor(2 * share));
    sent.push(...rig.advanceTo(2).map(seqOf));
    assert.deepEqual(sent, Array.from({ length: count }, (_, i) => i + 2));
  });

  it("wait for a store that reads later, while live traffic goes on", async () => {
    const store = new SlowStore();
    const rig = loggedOn({ store });
    rig.report("two");
    rig.sent();
    assert.deepEqual(rig.receiveAll("35=2|34=2|7=1|16=0", "35=1|34=3|112=x"), ["35=0|34=3|112=x"]);
    assert.equal(store.waiting.length, 1);
    store.waiting[0].answer();
    await settled();
    assert.deepEqual(rig.sent(), ["35=4|34=1|43=Y|122=<0>|36=2|123=Y", "35=8|34=2|43=Y|122=<0>|58=two"]);
  });

  it("a page that comes after the connection ended goes nowhere", async () => {
    const store = new SlowStore();
    const rig = loggedOn({ store });
    rig.report("two");
    rig.receiveAll("35=2|34=2|7=2|16=0", "35=5|34=3");
    rig.disconnect();
    assert.deepEqual(rig.accept("35=A|34=4|98=0|108=30"), ["35=A|34=4|98=0|108=30"]);
    store.waiting[0].answer();
    await settled();
    assert.deepEqual(rig.sent(), []);
  });

  it("a store that cannot be read ends the connection, with the reason", async () => {
    const store = new SlowStore();
    const rig = loggedOn({ store });
    rig.report("two");
    rig.receiveAll("35=2|34=2|7=2|16=0");
    store.waiting[0].fail();
    await settled();
    assert.equal(rig.session.closeReason, "the store of sent messages cannot be read");
    assert.deepEqual(rig.logged, ["warn cannot read sent messages"]);
  });

  it("what the store has forgotten is gap-filled", () => {
    const rig = loggedOn({ store: new MemoryStore(64 * 1024) });
    for (let i = 0; i < 600; i++) rig.report("x");
    rig.sent();
    const sent = rig.receiveAll("35=2|34=2|7=1|16=0");
    assert.equal(sent[0], "35=4|34=1|43=Y|122=<0>|36=514|123=Y");
    assert.deepEqual(sent.slice(1).map(seqOf), Array.from({ length: 88 }, (_, i) => 514 + i));
  });

  it("ranges asked for one after the other are all answered; too many at once end the session", async () => {
    const store = new SlowStore();
    const rig = loggedOn({ store });
    for (let i = 0; i < 20; i++) rig.report(`${i + 2}`);
    rig.sent();
    rig.receiveAll("35=2|34=2|7=2|16=3", "35=2|34=3|7=4|16=5");
    for (let i = 0; i < 2; i++) {
      store.waiting[i].answer();
      await settled();
    }
    assert.deepEqual(rig.sent().map(seqOf), [2, 3, 4, 5]);
    for (let i = 0; i < 8; i++) {
      assert.deepEqual(rig.receiveAll(`35=2|34=${4 + i}|7=${6 + i}|16=${6 + i}`), []);
    }
    assert.deepEqual(rig.receiveAll("35=2|34=12|7=14|16=14"), [
      "35=5|34=22|58=Cannot resend from 14: asked for more than 8 ranges at the same time",
    ]);
  });
});
