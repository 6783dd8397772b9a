import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CONFIG, FakeProcess, FakeWorld } from "./fake_world.ts";
import { knownBoot } from "./known_boot.ts";

describe("what sessions know of a gateway's boot numbers", () => {
  const of = (world: FakeWorld, gatewayId: number) =>
    knownBoot(gatewayId, [CONFIG], new FakeProcess(world, 9, 1).ports);

  it("is the highest of owners, senders and leases that are its own", async () => {
    const world = new FakeWorld();
    assert.equal(await of(world, 1), 0);
    await new FakeProcess(world, 1, 4).logon();
    world.leases.clear();
    assert.equal(await of(world, 1), 4);
    await new FakeProcess(world, 2, 6).logon();
    world.leases.clear();
    assert.deepEqual([await of(world, 1), await of(world, 2)], [0, 6]);
    world.record = null;
    assert.equal(await of(world, 2), 6, "sent messages");
    world.out.length = 0;
    await new FakeProcess(world, 2, 8).logon();
    world.leases.clear();
    world.out.length = 0;
    assert.equal(await of(world, 2), 8, "record");
    world.leases.set(2, 11);
    assert.equal(await of(world, 2), 11);
  });

  it("leaves out what cannot be read", async () => {
    const world = new FakeWorld();
    await new FakeProcess(world, 1, 4).logon();
    world.leases.clear();
    world.record = { text: "{}", revision: 1 };
    assert.equal(await of(world, 1), 4);
    world.out.push({ seq: 99, storedMs: 0, bytes: new Uint8Array(3) });
    assert.equal(await of(world, 1), 0);
  });
});
