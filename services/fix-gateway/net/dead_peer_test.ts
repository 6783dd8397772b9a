/** Peers that stop: ones that take no bytes, and ones that are gone while their connection seems to stand. */
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { until } from "../../../shared/testing/awaited.ts";
import { Bench, LOGON, LOGON_REPLY, RawPeer } from "./fixture.ts";

/** Carries bytes between its clients and `port`, until told to swallow them: both ends then hear nothing more. */
class Proxy implements Disposable {
  swallowing = false;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #conns: Deno.TcpConn[] = [];

  constructor(port: number) {
    this.#carryOne(port).catch(() => {});
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  [Symbol.dispose](): void {
    this.#listener.close();
    for (const conn of this.#conns) conn.close();
  }

  async #carryOne(port: number): Promise<void> {
    const near = await this.#listener.accept();
    const far = await Deno.connect({ hostname: "127.0.0.1", port });
    this.#conns.push(near, far);
    await Promise.all([this.#pump(near, far), this.#pump(far, near)]);
  }

  async #pump(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
    const chunk = new Uint8Array(4096);
    for (let count = await from.read(chunk); count !== null; count = await from.read(chunk)) {
      for (let at = 0; at < count && !this.swallowing;) at += await to.write(chunk.subarray(at, count));
    }
  }
}

describe("a peer that stops", () => {
  it("reading, with bytes waiting for it, is disconnected after unsentTimeoutSec; nothing it missed is lost", async () => {
    const bench = await Bench.start({ unsentTimeoutSec: 1, maxUnsentBytes: 64 * 1024 * 1024 });
    try {
      const peer = await bench.connect();
      await peer.send(LOGON.replace("108=30", "108=0"));
      await peer.receive(1);
      const session = bench.acceptor.session(1);
      const text = "x".repeat(4000);
      const sent = 3500;
      for (let i = 0; i < sent; i++) {
        session.compose().text(58, text);
        session.send("8");
      }
      const startMs = performance.now();
      await until("the end", () => bench.reasons.length > 0);
      assert.match(
        bench.reasons.join(),
        /^\d+ bytes wait for a peer that took none in 1 s \(unsentTimeoutSec\)$/,
      );
      assert.ok(performance.now() - startMs >= 1000);
      let received = 0;
      const fix = await bench.client({
        numbers: { outgoing: 2, incoming: 2 },
        onMessage: () => received++,
        validate: () => null,
      });
      await until("all reports", () => received === sent);
      await fix.logout();
    } finally {
      await bench.stop();
    }
  });

  it("without a word behind a connection that stands is found by TestRequest; the session can log on again", async () => {
    const bench = await Bench.start();
    try {
      using proxy = new Proxy(bench.acceptor.port);
      const peer = await RawPeer.connect(proxy.port);
      await peer.send(LOGON.replace("108=30", "108=1"));
      assert.deepEqual(await peer.receive(1), [LOGON_REPLY.replace("108=30", "108=1")]);
      proxy.swallowing = true;
      await until("the end", () => bench.reasons.length > 0);
      assert.deepEqual(bench.reasons, ["silent after our TestRequest"]);
      const next = await bench.connect();
      await next.send(LOGON);
      assert.deepEqual(await next.receive(1), [LOGON_REPLY]);
      peer.close();
    } finally {
      await bench.stop();
    }
  });
});
