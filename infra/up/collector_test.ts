import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { collectorFault } from "./collector.ts";

describe("the collector of traces", () => {
  it("is there when its port takes a connection", async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    for (const name of ["127.0.0.1", "localhost"]) {
      assert.equal(await collectorFault(`http://${name}:${listener.addr.port}/v1`), null, name);
    }
  });

  it("is missed when its port takes none, or its name is none", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    assert.match(await collectorFault(`http://127.0.0.1:${port}`) ?? "", /^Connection refused/);
    assert.match(await collectorFault("https://collector.invalid") ?? "", /./);
  });
});
