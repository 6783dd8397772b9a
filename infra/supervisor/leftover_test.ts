import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createLogger } from "../../shared/cli/log.ts";
import { endLeftover, mayHold, PROCESSES, type Processes } from "./leftover.ts";

const RECORD = { name: "matcher", pid: 77, started: "Monday" };

/** What `endLeftover` did and said, when looks at the process give `starts` in turn, the last one for ever. */
async function end(starts: (string | null)[], refusal: Partial<Record<string, Error>> = {}) {
  const signals: string[] = [];
  const warnings: string[] = [];
  const processes: Processes = {
    startOf: (pid) => {
      assert.equal(pid, RECORD.pid);
      return Promise.resolve(starts.length > 1 ? starts.shift()! : starts[0]);
    },
    kill: (_, signal) => {
      signals.push(signal);
      const error = refusal[signal];
      if (error !== undefined) throw error;
    },
  };
  const log = createLogger("up", "warn", {
    write: (line) => void warnings.push(JSON.parse(line).msg),
    now: () => 0,
  });
  const outcome = await endLeftover(RECORD, log, processes, 0).then(
    () => "ended",
    (error) => error.message,
  );
  return { outcome, signals, warnings: warnings.length };
}

describe("a process that a killed run left", () => {
  const gone = new Deno.errors.NotFound("no such process");

  it("is asked to end", async () => {
    assert.deepEqual(await end(["Monday", "Monday", null]), {
      outcome: "ended",
      signals: ["SIGTERM"],
      warnings: 1,
    });
  });

  it("is left alone when it has ended, and when another has its number", async () => {
    const nothing = { outcome: "ended", signals: [], warnings: 0 };
    assert.deepEqual([await end([null]), await end(["Tuesday"])], [nothing, nothing]);
  });

  it("may end between the look at it and the signal", async () => {
    const once = { outcome: "ended", signals: ["SIGTERM"], warnings: 1 };
    assert.deepEqual(await end(["Monday"], { SIGTERM: gone }), once);
    assert.deepEqual(await end(["Monday"], { SIGKILL: gone }), { ...once, signals: ["SIGTERM", "SIGKILL"] });
  });

  it("may be followed by another that gets its number", async () => {
    assert.deepEqual(await end(["Monday", "Tuesday"]), {
      outcome: "ended",
      signals: ["SIGTERM"],
      warnings: 1,
    });
  });

  it("is killed once when it does not end, and given up when that does not help", async () => {
    const looks = Array.from({ length: 41 }, () => "Monday");
    assert.deepEqual((await end([...looks.slice(1), null])).signals, ["SIGTERM"]);
    assert.deepEqual((await end([...looks, null])).signals, ["SIGTERM", "SIGKILL"]);
    assert.deepEqual(await end(["Monday"]), {
      outcome: "matcher (process 77), left by a run that was killed, cannot be ended",
      signals: ["SIGTERM", "SIGKILL"],
      warnings: 1,
    });
  });

  it("is not taken for ended when it may not be signalled", async () => {
    const refusal = { SIGTERM: new Deno.errors.PermissionDenied("not yours") };
    assert.equal((await end(["Monday"], refusal)).outcome, "not yours");
  });
});

describe("what a killed run left", () => {
  it("may hold its venue's ports, any when they are not known, and none when nothing is left", () => {
    const known = { ...RECORD, ports: [9878, 4222] };
    const held = [[known], [RECORD], [known, RECORD], []].map((left) =>
      [9878, 5].map((port) => mayHold(left, port))
    );
    assert.deepEqual(held, [[true, false], [true, true], [true, true], [false, false]]);
  });
});

describe("the processes of this machine", () => {
  it("have a start while they run, the same at every look, and none afterwards", async () => {
    const process = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
    const first = await PROCESSES.startOf(process.pid);
    const second = await PROCESSES.startOf(process.pid);
    PROCESSES.kill(process.pid, "SIGKILL");
    await process.status;
    assert.equal(first, second);
    assert.notEqual(first, null);
    assert.equal(await PROCESSES.startOf(process.pid), null);
    assert.throws(() => PROCESSES.kill(process.pid, "SIGTERM"), Deno.errors.NotFound);
  });
});
