import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { SnapshotDuty } from "./duty.ts";

/** A duty whose threads only note what they are told. */
function world(everyCommands = 10) {
  const said: string[] = [];
  let fail: (reason: string) => void = () => {};
  let threads = 0;
  const log: Logger = {
    ...nullLogger,
    error: (_message, fields) => void said.push(`error ${fields!.reason}`),
  };
  const duty = new SnapshotDuty({
    everyCommands,
    log,
    startThread: (onFailed) => {
      const name = `thread ${++threads}`;
      fail = onFailed;
      return {
        due: (cmdSeq) => void said.push(`${name} ${cmdSeq}`),
        end: () => void said.push(`${name} ends`),
      };
    },
  });
  const apply = (cmdSeq: number, count: number) =>
    duty.applied(cmdSeq, { gatewayId: 1, bootId: 1, firstGatewaySeq: 1, count });
  return { duty, said, apply, fail: (reason: string) => fail(reason) };
}

describe("a leader's snapshots", () => {
  it("are due after so many commands, however many messages bring them", async () => {
    const { duty, said, apply } = world();
    await duty.start();
    apply(1, 4);
    apply(2, 5);
    assert.deepEqual(said, []);
    apply(3, 4);
    apply(4, 9);
    apply(5, 1);
    assert.deepEqual(said, ["thread 1 3", "thread 1 5"]);
    duty.stop();
    apply(6, 100);
    assert.deepEqual(said.slice(2), ["thread 1 ends"]);
  });

  it("are due at once when the replay brought enough commands, and not before it leads", async () => {
    const { duty, said, apply } = world();
    apply(1, 30);
    apply(2, 30);
    assert.deepEqual(said, []);
    await duty.start();
    assert.deepEqual(said, ["thread 1 2"]);
  });

  it("go on with another thread after one has failed", async () => {
    const { duty, said, apply, fail } = world();
    await duty.start();
    apply(1, 10);
    fail("out of memory");
    apply(2, 9);
    apply(3, 1);
    assert.deepEqual(said, ["thread 1 1", "error out of memory", "thread 2 3"]);
  });
});
