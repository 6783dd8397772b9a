import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { encode } from "../session/rig.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { Bench, LOGON, LOGON_REPLY } from "./fixture.ts";

describe("who may log on, over a real socket", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  const strangers: [string, string, string][] = [
    [
      "1c: an unknown SenderCompID",
      "35=A|34=1|49=XX|98=0|108=30|553=user|554=secret",
      "unknown SenderCompID(49)",
    ],
    ["1c: another TargetCompID", "35=A|34=1|56=XX|98=0|108=30|553=user|554=secret", "wrong TargetCompID(56)"],
    [
      "1c: a wrong password",
      "35=A|34=1|98=0|108=30|553=user|554=secreT",
      "wrong Username(553) or Password(554)",
    ],
    ["1c: no password", "35=A|34=1|98=0|108=30|553=user", "wrong Username(553) or Password(554)"],
    [
      "1c: a longer password",
      "35=A|34=1|98=0|108=30|553=user|554=secretsecret",
      "wrong Username(553) or Password(554)",
    ],
    ["1d: a late Logon", `${LOGON}|52=<-121>`, "SendingTime(52) missing or too far from our clock"],
    ["1d: another BeginString", `8=FIX.4.2|${LOGON}`, "wrong BeginString(8)"],
    ["1e: no Logon", "35=0|34=1", "the first message is no Logon"],
  ];
  for (const [what, first, reason] of strangers) {
    it(`${what}: disconnect without a word, reason logged, session untouched`, async () => {
      const peer = await bench.connect();
      await peer.send(first);
      assert.deepEqual(await peer.receive(1), []);
      assert.deepEqual(bench.reasons, [reason]);
      const good = await bench.connect();
      await good.send("35=A|34=1|98=0|108=30|553=user|554=secret");
      assert.deepEqual(await good.receive(1), ["35=A|34=1|98=0|108=30"]);
    });
  }

  it("1d: a Logon of wrong length: disconnect", async () => {
    const peer = await bench.connect();
    const text = String.fromCharCode(...encode(LOGON, "TW", "EXCH", Date.now()));
    await peer.write(new TextEncoder().encode(text.replace(/9=\d+/, "9=40")));
    assert.deepEqual(await peer.receive(1), []);
  });

  it("1b: a second Logon is disconnected, the first undisturbed", async () => {
    const [first, second] = [await bench.connect(), await bench.connect()];
    await first.send(LOGON);
    assert.deepEqual(await first.receive(1), [LOGON_REPLY]);
    await second.send(LOGON);
    assert.deepEqual(await second.receive(1), []);
    await first.send("35=1|34=2|112=a");
    assert.deepEqual(await first.receive(1), ["35=0|34=2|112=a"]);
    assert.deepEqual(bench.reasons, ["TW is logged on already"]);
  });

  it("1c: an address that tries too often is not even heard", async () => {
    for (let i = 0; i < 4; i++) {
      const peer = await bench.connect();
      await peer.send("35=A|34=1|98=0|108=30|553=user|554=guess");
      assert.deepEqual(await peer.receive(1), []);
    }
    const wrong = "wrong Username(553) or Password(554)";
    assert.deepEqual(bench.reasons, [
      wrong,
      wrong,
      wrong,
      "more than 3 Logons in a minute from this address (logonsPerMinutePerAddress)",
    ]);
  });

  it("a connection without a Logon is closed in time", async () => {
    const peer = await bench.connect();
    assert.deepEqual(await peer.receive(1), []);
    assert.deepEqual(bench.reasons, ["no Logon in 1 s (logonTimeoutSec)"]);
  });

  it("more connections than allowed are closed at once", async () => {
    for (let i = 0; i < 4; i++) await bench.connect();
    await until("four connections", () => bench.acceptor.connectionCount === 4);
    assert.deepEqual(await (await bench.connect()).receive(1), []);
    assert.equal(bench.acceptor.connectionCount, 4);
  });

  it("a refused Logon tells the client why", async () => {
    await assert.rejects(
      bench.client({ heartBtIntSec: 301 }),
      /^Error: Cannot log on to EXCH as TW: the peer answered our Logon with MsgType\(35\) "5": "Cannot accept HeartBtInt/,
    );
  });
});
