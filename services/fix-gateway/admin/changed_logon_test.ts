/** What an operator reads and sets after a gateway died is what the next Logon begins with. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CONFIG, FakeProcess, FakeWorld } from "../durable/fake_world.ts";
import { UNKNOWN_NUMBERS } from "../durable/outdated_record.ts";
import { type NumberChange, numbersOf } from "./change.ts";
import { type ChangePorts, changeSession, readSession } from "./change_session.ts";

/** The first number that a gateway which died after its first four could not have used. */
const RESERVED = 5;

/** A session whose gateway died with commands on their way, of which matchers have applied those up to `highest`. */
async function died(highest: number): Promise<FakeWorld> {
  const world = new FakeWorld();
  await new FakeProcess(world, 1, 1).logon();
  world.leases.clear();
  world.applied = { incarnation: 1, highest };
  return world;
}

/** What an operator's process reaches. */
function portsTo(world: FakeWorld): ChangePorts {
  const { ports } = new FakeProcess(world, 3, 1);
  world.leases.clear();
  return { ...ports, audit: { write: () => Promise.resolve() }, wallMs: () => 5000 };
}

async function shown(world: FakeWorld): Promise<number> {
  return numbersOf((await readSession(CONFIG.id, portsTo(world))).session!).out;
}

function set(world: FakeWorld, out: number) {
  const change: NumberChange = { kind: "set", out, in: null, force: false };
  const session = { id: CONFIG.id, senderCompId: "TW" };
  return changeSession({ session, change, by: "me", via: "admin" }, portsTo(world));
}

/** The number with which a Logon at the gateway's next run begins. */
async function begun(world: FakeWorld, boot: number): Promise<number> {
  const process = new FakeProcess(world, 1, boot);
  assert.equal(await process.logon(), null);
  return process.durable.numbers!.out;
}

describe("after a gateway's death", () => {
  for (const highest of [0, 3, 2000]) {
    const lifted = RESERVED + (highest > 0 ? UNKNOWN_NUMBERS : 0);

    it(`an operator is shown the number that is gone on with, with ${highest} commands applied`, async () => {
      const world = await died(highest);
      assert.equal(await shown(world), lifted);
      assert.equal(await begun(world, 2), lifted);
    });

    it(`a Logon begins with the number that an operator set, with ${highest} commands applied`, async () => {
      const world = await died(highest);
      const out = lifted + 1000;
      assert.equal((await set(world, out)).kind, "changed");
      assert.equal(await shown(world), out);
      assert.equal(await begun(world, 2), out);
    });
  }

  it("a number that may have been used is not set", async () => {
    const least = RESERVED + UNKNOWN_NUMBERS;
    assert.deepEqual(await set(await died(3), least - 1), {
      kind: "refused",
      reason: `Cannot set the next outgoing number: expected at least ${least}, got ${
        least - 1
      }; numbers go back only when that is forced`,
    });
  });

  it("a session goes on where an operator says though its record and sent messages are lost", async () => {
    const world = await died(3);
    Object.assign(world, { record: null, out: [] });
    const session = { id: CONFIG.id, senderCompId: "TW" };
    const change: NumberChange = { kind: "set", out: 70, in: 4, force: false };
    const changed = await changeSession({ session, change, by: "me", via: "admin" }, portsTo(world));
    assert.equal(changed.kind, "changed");
    assert.equal(await begun(world, 2), 70);
  });
});
