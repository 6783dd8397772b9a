import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { connectNats, faultOfServer } from "./connect.ts";

describe("connecting to NATS", () => {
  it("takes servers from 2.12 on that have JetStream", () => {
    for (const version of ["2.12.0", "2.15.3", "v2.12.1-beta", "3.0.0", "2.100.0"]) {
      assert.equal(faultOfServer(version, true), null, version);
    }
  });

  it("refuses older ones, as distributions ship them, and says what it wants", () => {
    for (const version of ["2.9.25", "2.11.9", "1.99.0", "unknown", ""]) {
      assert.equal(faultOfServer(version, true), `expected nats-server 2.12 or newer, got ${version}`);
    }
  });

  it("refuses a server without JetStream", () => {
    assert.match(faultOfServer("2.15.3", false)!, /^JetStream is off;/);
  });

  it("says in one sentence that nobody listens", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `nats://127.0.0.1:${listener.addr.port}`;
    listener.close();
    await assert.rejects(connectNats({ url, name: "test" }), {
      message: `Cannot connect to NATS at ${url}: connection refused`,
    });
  });
});
