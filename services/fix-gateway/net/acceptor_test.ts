import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { encode, ORDER } from "../session/rig.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { Bench, LOGON, LOGON_REPLY, order } from "./fixture.ts";

describe("acceptor over a real socket", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  it("a client logs on, trades words and logs out", async () => {
    const got: string[] = [];
    const fix = await bench.client({
      onMessage: (message) => got.push(`${message.text(11)} ${message.int(34)}`),
    });
    for (let i = 0; i < 500; i++) order(fix, `o${i}`);
    await until("echoes", () => got.length === 500);
    assert.deepEqual(got, Array.from({ length: 500 }, (_, i) => `o${i} ${i + 2}`));
    assert.equal(await fix.logout("bye"), "logged out");
    assert.deepEqual(bench.echo.heard, ["TW on", "TW off"]);
  });

  it("bytes that come one at a time are the same messages", async () => {
    const peer = await bench.connect();
    const bytes = [LOGON, "35=1|34=2|112=a", "35=1|34=3|112=b"].map((text) =>
      encode(text, "TW", "EXCH", Date.now())
    );
    for (const byte of bytes.flatMap((each) => [...each])) await peer.write(Uint8Array.of(byte));
    assert.deepEqual(await peer.receive(3), [LOGON_REPLY, "35=0|34=2|112=a", "35=0|34=3|112=b"]);
  });

  it("2d, 2m, 2t, 3b: garbled bytes are ignored and show as a gap", async () => {
    const peer = await bench.connect();
    await peer.send(LOGON);
    const damaged = encode("35=1|34=2|112=a", "TW", "EXCH", Date.now());
    damaged[damaged.length - 2] ^= 1;
    await peer.write(damaged);
    await peer.write(new TextEncoder().encode("8=FIX.4.4\x0134=2\x0135=0\x0110=000\x01nonsense"));
    await peer.send("35=1|34=3|112=b");
    assert.deepEqual(await peer.receive(2), [LOGON_REPLY, "35=2|34=2|7=2|16=0"]);
    await peer.send("35=1|34=2|43=Y|122=<0>|112=a");
    assert.deepEqual(await peer.receive(2), ["35=0|34=3|112=a", "35=0|34=4|112=b"]);
  });

  it("a peer that disconnects in the middle of a message leaves a session that can go on", async () => {
    const peer = await bench.connect();
    await peer.send(LOGON);
    await peer.receive(1);
    await peer.write(encode("35=1|34=2|112=a", "TW", "EXCH", Date.now()).subarray(0, 30));
    peer.close();
    await until("the end", () => bench.echo.heard.length === 2);
    const next = await bench.connect();
    await next.send("35=A|34=2|98=0|108=30|553=user|554=secret");
    assert.deepEqual(await next.receive(1), ["35=A|34=2|98=0|108=30"]);
  });

  it("a message over the limit ends the session with a Logout that says so", async () => {
    const peer = await bench.connect();
    await peer.send(LOGON, `35=1|34=2|112=${"x".repeat(5000)}`);
    assert.deepEqual(await peer.receive(3), [
      LOGON_REPLY,
      "35=5|34=2|58=Cannot accept a message of more than 4096 bytes (maxMessageBytes)",
    ]);
  });

  it("a message of too many fields is rejected", async () => {
    const peer = await bench.connect();
    await peer.send(LOGON, `35=D|34=2|${"58=x|".repeat(70)}59=0`, "35=1|34=3|112=a");
    assert.deepEqual((await peer.receive(3)).slice(1), [
      '35=3|34=2|45=2|58=Cannot accept MsgType(35) "D": more than 64 fields (maxFieldsPerMessage)|372=D|373=99',
      "35=0|34=3|112=a",
    ]);
  });

  it("a peer that never reads is cut off; its reports wait in the store", async () => {
    const peer = await bench.connect();
    await peer.send(LOGON);
    await peer.receive(1);
    const session = bench.acceptor.session(1);
    const text = "x".repeat(2000);
    let sent = 0;
    await until("the cut", () => {
      for (let i = 0; i < 100; i++, sent++) {
        session.compose().text(58, text);
        session.send("8");
      }
      return !session.loggedOn;
    });
    assert.deepEqual(bench.reasons, [
      "more than 1048576 bytes wait for a peer that does not read (maxUnsentBytes)",
    ]);
    const seqs: number[] = [];
    const fix = await bench.client({
      numbers: { outgoing: 2, incoming: 2 },
      onMessage: (message) => seqs.push(message.int(34)),
      validate: () => null,
    });
    await until("all reports", () => seqs.length === sent);
    assert.deepEqual(seqs, Array.from({ length: sent }, (_, i) => i + 2));
    await fix.logout();
  });

  it("while the application is busy nothing is read", async () => {
    const fix = await bench.client();
    order(fix, "one");
    await until("the first", () => bench.echo.received === 1);
    let resume = () => {};
    bench.echo.ready = new Promise((resolve) => resume = resolve);
    order(fix, "two");
    await until("the second, which was being read", () => bench.echo.received === 2);
    order(fix, "three");
    await until("the third's departure", () => fix.unsentBytes === 0);
    assert.equal(bench.echo.received, 2);
    bench.echo.ready = null;
    resume();
    await until("the third", () => bench.echo.received === 3);
    await fix.logout();
  });

  it("orders in the same read as a Logout are passed on", async () => {
    const peer = await bench.connect();
    await peer.send(LOGON);
    await peer.receive(1);
    await peer.send(`35=D|34=2|${ORDER}`, "35=5|34=3");
    assert.deepEqual((await peer.receive(3)).map((text) => text.slice(0, 9)), ["35=D|34=2", "35=5|34=3"]);
    assert.equal(bench.echo.completed, 1);
  });

  it("a client that comes back with its numbers gets what it missed, marked PossDup", async () => {
    const first = await bench.client();
    await first.abort();
    await until("the end", () => bench.echo.heard.includes("TW off"));
    const session = bench.acceptor.session(1);
    session.compose().text(58, "missed");
    session.send("8");
    const got: string[] = [];
    const again = await bench.client({
      numbers: first.numbers,
      store: first.store,
      validate: () => null,
      onMessage: (message) => got.push(`${message.text(58)} ${message.int(34)} ${message.text(43)}`),
    });
    await until("the report", () => got.length === 1);
    assert.deepEqual(got, ["missed 2 Y"]);
    await again.logout();
  });

  it("drain says Logout to all and lets them answer", async () => {
    const fix = await bench.client();
    const idle = await bench.connect();
    await bench.acceptor.drain("the venue closes");
    assert.equal(await fix.closed, 'the peer logged out: "the venue closes"');
    assert.deepEqual(await idle.receive(1), []);
  });
});
