import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "@std/testing/bdd";
import { nullLogger } from "../../shared/cli/log.ts";
import { DEFAULT_POLICY, Service } from "../supervisor/service.ts";
import { natsService } from "./server.ts";

describe("the durability of nats-server", () => {
  for (const [durability, line] of [["default", ""], ["power-loss", ", sync_interval: always"]] as const) {
    it(`is what a venue of durability ${durability} asks for`, async () => {
      const dir = await Deno.makeTempDir({ prefix: "pitwire-nats-" });
      const { spec } = natsService({
        executable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
        dir,
        host: "127.0.0.1",
        port: 0,
        wsPort: 0,
        shards: [0],
        user: "svc",
        password: "secret",
        durability,
        logLevel: "error",
        drainMs: 5000,
      });
      const service = new Service(spec, DEFAULT_POLICY, nullLogger, () => {});
      await service.start();
      const conf = await Deno.readTextFile(join(dir, "nats.conf"));
      const [, room] = /, max_file_store: (\d+)/.exec(conf) ?? [];
      assert.ok(Number(room) > 0, conf);
      assert.ok(
        conf.includes(`jetstream { store_dir: "${join(dir, "jetstream")}", max_file_store: ${room}${line} }`),
        conf,
      );
      await service.stop();
      await Deno.remove(dir, { recursive: true });
    });
  }
});
