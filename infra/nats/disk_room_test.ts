import { jetstream, jetstreamManager, StorageType } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { nullLogger } from "../../shared/cli/log.ts";
import { fillDisk, mayMount, onDisk } from "../../shared/testing/small_disk.ts";
import { DEFAULT_POLICY, Service } from "../supervisor/service.ts";
import { diskRoom } from "./disk_room.ts";
import { natsService } from "./server.ts";

const ignore = !await mayMount();
const MIB = 1 << 20;
const CREDENTIALS = { user: "u", password: "p" };

function natsOn(dir: string): { service: Service; opened: () => Promise<NatsConnection> } {
  const { spec, address } = natsService({
    executable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
    dir,
    host: "127.0.0.1",
    port: 0,
    wsPort: 0,
    shards: [0],
    ...CREDENTIALS,
    logLevel: "error",
    drainMs: 5000,
  });
  const quiet = { ...spec, output: { ...spec.output, log: nullLogger } };
  const service = new Service(quiet, DEFAULT_POLICY, nullLogger, () => {});
  const { user, password: pass } = CREDENTIALS;
  return { service, opened: () => connect({ servers: address().url, user, pass, reconnect: false }) };
}

describe("the room that nats-server has", () => {
  it(
    "is three quarters of what is free and of what lies there already",
    { ignore },
    () =>
      onDisk(8, async (disk) => {
        assert.equal(diskRoom(disk, disk), 6 * MIB);
        assert.equal(diskRoom(disk, join(disk, "a")), 6 * MIB);
        await Deno.mkdir(join(disk, "a", "b"), { recursive: true });
        await Deno.writeFile(join(disk, "a", "b", "c"), new Uint8Array(4 * MIB));
        assert.equal(diskRoom(disk, disk), 6 * MIB);
        assert.equal(diskRoom(disk, join(disk, "a")), 6 * MIB);
        await Deno.writeFile(join(disk, "other"), new Uint8Array(2 * MIB));
        assert.equal(diskRoom(disk, join(disk, "a")), 4.5 * MIB);
      }),
  );

  it("is not known where there is no such disk", () => assert.equal(diskRoom("/no/such", "/no/such"), null));

  it("stays when it is started again on a full disk: what is sent once there is room again is taken", {
    ignore,
  }, () =>
    onDisk(32, async (disk) => {
      const { service, opened } = natsOn(disk);
      await service.start();
      try {
        const before = await opened();
        const settings = { name: "S", subjects: ["s"], storage: StorageType.File, max_bytes: 8 * MIB };
        await (await jetstreamManager(before)).streams.add(settings);
        await assert.rejects(
          (await jetstreamManager(before)).streams.add({
            ...settings,
            name: "T",
            subjects: ["t"],
            max_bytes: 24 * MIB,
          }),
          /insufficient storage resources available/,
        );
        for (let i = 0; i < 4; i++) await jetstream(before).publish("s", new Uint8Array(MIB / 2));
        await before.close();
        const filler = await fillDisk(disk);
        await service.kill("SIGKILL");
        await service.whenReady();
        await Deno.remove(filler);
        const after = await opened();
        assert.equal((await jetstream(after).publish("s", "x")).seq, 5);
        await after.close();
      } finally {
        await service.stop();
      }
    }));

  it(
    "is all taken once a stream without a size fills it: nats-server runs on, and takes more after a purge",
    {
      ignore,
    },
    () =>
      onDisk(16, async (disk) => {
        const { service, opened } = natsOn(disk);
        await service.start();
        try {
          const { pid } = service;
          const nc = await opened();
          const jsm = await jetstreamManager(nc);
          await jsm.streams.add({ name: "S", subjects: ["s"], storage: StorageType.File });
          const filling = async () => {
            for (let i = 0; i < 32; i++) await jetstream(nc).publish("s", new Uint8Array(MIB / 2));
          };
          for (let i = 0; i < 2; i++) await assert.rejects(filling(), { message: "insufficient resources" });
          await jsm.streams.purge("S");
          await jetstream(nc).publish("s", "x");
          assert.equal(service.pid, pid);
          await nc.close();
        } finally {
          await service.stop();
        }
      }),
  );
});
