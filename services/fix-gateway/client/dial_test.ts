import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixClient } from "./mod.ts";

function options(port: number) {
  return {
    host: "127.0.0.1",
    port,
    senderCompId: "TW",
    targetCompId: "EXCH",
    onMessage: () => {},
    limits: { connectTimeoutSec: 0.2, logonTimeoutSec: 0.2 },
  };
}

/** Fills the queue of a listener that accepts nobody, until a connection gets no answer. */
async function fill(port: number): Promise<{ close(): void }> {
  const conns: Deno.TcpConn[] = [];
  const abort = new AbortController();
  for (let waiting = false; !waiting;) {
    const pending = Deno.connect({ hostname: "127.0.0.1", port, signal: abort.signal });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => timer = setTimeout(resolve, 100, null));
    const conn = await Promise.race([pending, late]);
    clearTimeout(timer);
    waiting = conn === null;
    if (conn === null) pending.then((each) => each.close(), () => {});
    else conns.push(conn);
  }
  abort.abort();
  return {
    close() {
      for (const conn of conns) conn.close();
    },
  };
}

describe("FixClient.connect", () => {
  it("says within its limit that nobody answers", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
    const { port } = listener.addr;
    const queue = await fill(port);
    try {
      await assert.rejects(
        FixClient.connect(options(port)),
        new Error(`Cannot connect to 127.0.0.1:${port}: no answer within 0.2 s`),
      );
    } finally {
      queue.close();
      listener.close();
    }
  });

  it("says that nobody listens", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    await assert.rejects(FixClient.connect(options(port)), (error: Error) => {
      assert.equal(error.message, `Cannot connect to 127.0.0.1:${port}`);
      assert.ok(error.cause instanceof Deno.errors.ConnectionRefused);
      return true;
    });
  });

  it("says within its limit that the Logon was not answered", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepted = listener.accept();
    try {
      await assert.rejects(
        FixClient.connect(options(listener.addr.port)),
        new Error("Cannot log on to EXCH as TW: our Logon was not answered"),
      );
    } finally {
      (await accepted).close();
      listener.close();
    }
  });
});
