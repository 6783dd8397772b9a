/** What an operator sees of a session that nobody holds, and where events end for one whose numbers are lost. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CONFIG, FakeProcess, FakeWorld } from "../../services/fix-gateway/durable/fake_world.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { TestServer } from "../../shared/nats/test_server.ts";
import { eventPlaces, SessionAdmin } from "./sessions.ts";

describe("a session that nobody holds", () => {
  /** [what became of it, its state, who held it, next out, next in, run of the numbers] */
  const cases: [string, (world: FakeWorld) => void, string, number | null, number, number, number][] = [
    ["its gateway died", () => {}, "orphaned", 1, 5, 1, 1],
    ["its record is lost", (world) => world.record = null, "free", null, 131_073, 1, 1],
    ["it is lost but for its commands", (world) => forget(world), "lost", null, 1, 1, 1],
    [
      "it was never used",
      (world) => {
        forget(world);
        world.applied = { incarnation: 0, highest: 0 };
      },
      "unused",
      null,
      1,
      1,
      0,
    ],
  ];
  const forget = (world: FakeWorld) => void Object.assign(world, { record: null, out: [] });
  for (const [what, become, state, gateway, out, into, incarnation] of cases) {
    it(`is shown as ${state} when ${what}`, async () => {
      const world = new FakeWorld();
      await new FakeProcess(world, 1, 1).logon();
      world.leases.clear();
      world.applied = { incarnation: 1, highest: 0 };
      become(world);
      const { ports } = new FakeProcess(world, 3, 1);
      const audit = { write: () => Promise.resolve() };
      // Nobody holds it, so nobody is asked over the connection.
      const admin = new SessionAdmin(null!, { ...ports, audit, wallMs: () => 0 });
      const status = await admin.status(CONFIG);
      const { numbers } = status;
      assert.deepEqual(
        [status.state, status.gateway, numbers.out, numbers.in, numbers.incarnation],
        [state, gateway, out, into, incarnation],
      );
    });
  }
});

describe("where events end", () => {
  it("is behind the last whole group that the stream holds", async () => {
    const server = await TestServer.start();
    const nc = await server.connect();
    const jsm = await jetstreamManager(nc);
    for (const shard of [0, 1]) await jsm.streams.add({ name: `EV_${shard}`, subjects: [`ev.${shard}.>`] });
    const world = new FakeWorld();
    for (let i = 0; i < 3; i++) world.addEvents(CONFIG.id);
    for (const bytes of world.events) await nc.request("ev.0.ACME", bytes);
    assert.deepEqual(await eventPlaces(nc, [0, 1]), [
      { shard: 0, cmdSeq: 4, eventIndex: 0, evSeq: 3 },
      { shard: 1, cmdSeq: 1, eventIndex: 0, evSeq: 0 },
    ]);
    await nc.close();
    await server.dispose();
  });
});
