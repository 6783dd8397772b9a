import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { createLogger, type Logger, nullLogger } from "../../shared/cli/log.ts";
import { until } from "../../shared/testing/awaited.ts";
import { describeEnding, pauseMs, type RestartPolicy, Service } from "./service.ts";

const POLICY: RestartPolicy = {
  readyMs: 5000,
  firstPauseMs: 5,
  longestPauseMs: 20,
  maxDeaths: 3,
  windowMs: 60_000,
};
const READY = `echo '{"ready":"x","port":7}'`;
/** Runs until a signal. */
const SERVE = "while :; do sleep 0.05; done";

describe("a supervised service", () => {
  let dir: string;
  let gaveUp: string[];
  let started: Service[];
  let lines: { level: string; msg: string }[];
  let log: Logger;

  beforeEach(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-service-" });
    gaveUp = [];
    started = [];
    lines = [];
    log = createLogger("up", "debug", { write: (line) => void lines.push(JSON.parse(line)), now: () => 0 });
  });
  afterEach(async () => {
    for (const each of started) await each.stop();
    await Deno.remove(dir, { recursive: true });
  });

  /** A service whose program is a shell script; `$DIR` is a folder of its own, `$N` counts its starts from 1. */
  function shell(
    script: string,
    policy: Partial<RestartPolicy> = {},
    drainMs = 2000,
    isLast?: (line: string) => boolean,
  ): Service {
    const counting = `N=$(($(cat "$DIR/n" 2>/dev/null || echo 0) + 1)); echo $N > "$DIR/n"; ${script}`;
    const service = new Service(
      {
        name: "x",
        launch: () => ({ command: "sh", args: ["-c", counting], env: { DIR: dir } }),
        output: { stderr: () => {}, log: nullLogger, isLast },
        drainMs,
      },
      { ...POLICY, ...policy },
      log,
      (reason) => void gaveUp.push(reason),
    );
    started.push(service);
    return service;
  }

  const starts = async () => Number(await Deno.readTextFile(join(dir, "n")));

  it("is started again when it asks for it, which is no death", async () => {
    const service = shell(`${READY}; if [ $N -lt 6 ]; then exit 75; fi; ${SERVE}`);
    await service.start();
    await until("the sixth start", async () => await starts() === 6);
    await service.whenReady();
    assert.deepEqual([gaveUp, lines], [[], []]);
  });

  it("is ready when it says so, and tells what it said", async () => {
    assert.deepEqual(await shell(`echo noise; ${READY}; ${SERVE}`).start(), { ready: "x", port: 7 });
  });

  it("is killed, and started again, when it says that it is of no use any more", async () => {
    const service = shell(
      `${READY}; echo 'error: the disk is full' >&2; echo 'error: and now this' >&2; ${SERVE}`,
      {},
      2000,
      (line) => line.endsWith("full"),
    );
    await service.start();
    await until("giving up", () => gaveUp.length > 0);
    assert.match(
      gaveUp[0],
      /^Cannot keep x running: it died 3 times in \d+ s; the last time it was ended by SIGKILL: the disk is full$/,
    );
  });

  it("is started again when it is killed", async () => {
    const service = shell(`${READY}; ${SERVE}`);
    await service.start();
    const before = service.pid;
    await service.kill("SIGKILL");
    await service.whenReady();
    assert.notEqual(service.pid, before);
    assert.equal(await starts(), 2);
    assert.deepEqual(gaveUp, []);
  });

  it("is started again when it ends by itself, also with code 0", async () => {
    const service = shell(`${READY}; if [ $N = 1 ]; then exec 1>&-; sleep 0.02; exit 0; fi; ${SERVE}`);
    await service.start();
    await until("the second start", async () => await starts() >= 2);
    await service.whenReady();
    assert.deepEqual(lines[0], {
      time: "1970-01-01T00:00:00.000Z",
      level: "warn",
      service: "up",
      msg: "x ended with code 0; starting it again",
      pauseMs: 5,
      deaths: 1,
    });
  });

  it("is given up after as many deaths as the policy allows, with its last complaint", async () => {
    const service = shell(`${READY}; echo "error: broken $N" >&2; exit 3`);
    await service.start();
    await assert.rejects(untilGivenUp(service));
    assert.equal(gaveUp.length, 1);
    assert.match(
      gaveUp[0],
      /^Cannot keep x running: it died 3 times in \d+ s; the last time it ended with code 3: broken 3$/,
    );
    assert.equal(await starts(), 3);
  });

  it("is given up all the same while the wall clock is set forward, by an hour at each look", async () => {
    const wall = Date.now;
    let looks = 0;
    Date.now = () => wall() + ++looks * 3_600_000;
    try {
      const service = shell(`${READY}; exit 3`);
      await service.start();
      await assert.rejects(untilGivenUp(service));
      assert.match(gaveUp[0], /^Cannot keep x running: it died 3 times in [1-9] s; the last time /);
      assert.equal(await starts(), 3);
    } finally {
      Date.now = wall;
    }
  });

  it("is given up at once when it says that its configuration is wrong", async () => {
    const service = shell(`if [ $N = 2 ]; then echo "error: bad tick" >&2; exit 78; fi; ${READY}; ${SERVE}`);
    await service.start();
    await service.kill("SIGKILL");
    await assert.rejects(service.whenReady());
    assert.deepEqual(gaveUp, ["Cannot keep x running: ended with code 78: bad tick"]);
    assert.equal(await starts(), 2);
  });

  it("is not started again when it fails before it was ever ready", async () => {
    const own = JSON.stringify({ level: "error", msg: "Cannot listen on port 1" });
    await assert.rejects(shell(`echo '${own}' >&2; exit 1`).start(), {
      message: "Cannot start x: ended with code 1: Cannot listen on port 1",
    });
    assert.equal(await starts(), 1);
  });

  it("is not ready when it stays silent for too long, and is not left running", async () => {
    const service = shell(SERVE, { readyMs: 100 });
    await assert.rejects(service.start(), { message: "Cannot start x: it was not ready after 100 ms" });
    assert.equal(service.pid, null);
  });

  it("says which program is missing", async () => {
    const service = new Service(
      {
        name: "x",
        launch: () => ({ command: join(dir, "none"), args: [], env: {} }),
        output: { stderr: () => {}, log: nullLogger },
        drainMs: 10,
      },
      POLICY,
      log,
      () => {},
    );
    await assert.rejects(service.start(), /^Error: Cannot start x: .*none/);
  });

  it("is asked to end and not started again when stopped", async () => {
    const service = shell(
      `trap 'echo > "$DIR/drained"; exit 0' TERM; ${READY}; while :; do sleep 0.05; done`,
    );
    await service.start();
    await service.stop();
    assert.ok((await Deno.stat(join(dir, "drained"))).isFile);
    assert.equal(await starts(), 1);
    assert.deepEqual(lines, []);
  });

  it("is killed when it does not drain in time, which is logged", async () => {
    const service = shell(`trap '' TERM; ${READY}; while :; do sleep 0.05; done`, {}, 100);
    await service.start();
    await service.stop();
    assert.deepEqual(lines.map((line) => line.msg), ["x was killed: it had not ended after 100 ms"]);
  });

  it("can be stopped while it pauses between two starts", async () => {
    const service = shell(`${READY}; exit 1`, { firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await service.start();
    await until("a pause", () => lines.length > 0);
    await service.stop();
    assert.equal(await starts(), 1);
  });

  it("does not see a Ctrl-C that the terminal sends to everyone", async () => {
    const service = shell(`${READY}; ${SERVE}`);
    await service.start();
    const { stdout } = await new Deno.Command("ps", { args: ["-o", "pgid=", "-p", String(service.pid)] })
      .output();
    assert.equal(Number(new TextDecoder().decode(stdout)), service.pid);
  });

  /** Rejects once the service is given up; restarts in between make it ready for a moment. */
  async function untilGivenUp(service: Service): Promise<void> {
    while (true) {
      await service.whenReady();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
});

describe("restart policy", () => {
  it("doubles the pause up to the longest", () => {
    const policy = { ...POLICY, firstPauseMs: 50, longestPauseMs: 1000 };
    assert.deepEqual([1, 2, 3, 5, 6, 60].map((deaths) => pauseMs(policy, deaths)), [
      50,
      100,
      200,
      800,
      1000,
      1000,
    ]);
  });

  it("describes an ending by code or signal", () => {
    assert.equal(describeEnding({ code: 1, signal: null }, ""), "ended with code 1");
    assert.equal(describeEnding({ code: 137, signal: "SIGKILL" }, "busy"), "was ended by SIGKILL: busy");
  });
});
