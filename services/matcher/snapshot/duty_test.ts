import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import assert from "node:assert/strict";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { SnapshotDuty, snapshotInterval, STANDBY_COMPARES_MS } from "./duty.ts";

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
    from: 100,
    log,
    onDifferent: (reason) => void said.push(`different: ${reason}`),
    startThread: (onFailed) => {
      const name = `thread ${++threads}`;
      fail = onFailed;
      return {
        compare: ({ from }) => void said.push(`${name} compares from ${from}`),
        due: ({ cmdSeq, unlessSince }) => void said.push(`${name} ${cmdSeq} unless since ${unlessSince}`),
        end: () => void said.push(`${name} ends`),
      };
    },
  });
  const apply = (cmdSeq: number, count: number) =>
    duty.applied(cmdSeq, { gatewayId: 1, bootId: 1, firstGatewaySeq: 1, count });
  return { duty, said, apply, fail: (reason: string) => fail(reason) };
}

describe("snapshots", () => {
  it("are due before the command stream is full, however seldom the venue file wants them", () => {
    const limits = (snapshotEveryCommands: number, cmdStreamBytes: number) => ({
      snapshotEveryCommands,
      cmdStreamBytes,
    });
    assert.deepEqual(
      [limits(100_000, 2 ** 30), limits(100_000, 2 ** 20), limits(500, 2 ** 20)].map(snapshotInterval),
      [100_000, 655, 500],
    );
  });

  it("of a standby are due after so many commands, however many messages bring them", () => {
    const { duty, said, apply } = world();
    duty.standBy();
    apply(101, 4);
    apply(102, 5);
    assert.deepEqual(said, []);
    apply(103, 4);
    apply(104, 9);
    apply(105, 1);
    assert.deepEqual(said, ["thread 1 103 unless since Infinity", "thread 1 105 unless since Infinity"]);
    duty.stop();
    apply(106, 100);
    assert.deepEqual(said.slice(2), ["thread 1 ends"]);
  });

  it("of a leader are due half an interval later, unless another process has taken one meanwhile", async () => {
    const { duty, said, apply } = world();
    await duty.start();
    apply(101, 14);
    assert.deepEqual(said, []);
    apply(102, 1);
    apply(103, 10);
    assert.deepEqual(said, ["thread 1 102 unless since 100", "thread 1 103 unless since 102"]);
  });

  it("are due at once when the replay brought enough commands, and not before it leads or stands by", async () => {
    const { duty, said, apply } = world();
    apply(101, 30);
    apply(102, 30);
    assert.deepEqual(said, []);
    await duty.start();
    assert.deepEqual(said, ["thread 1 compares from 100", "thread 1 102 unless since 100"]);
  });

  it("come behind the comparison of what was replayed, which is made once, and not of nothing", async () => {
    const replayed = world();
    replayed.apply(101, 1);
    await replayed.duty.start();
    replayed.apply(102, 14);
    assert.deepEqual(replayed.said, ["thread 1 compares from 100", "thread 1 102 unless since 100"]);
    const fresh = world();
    await fresh.duty.start();
    fresh.apply(101, 1);
    assert.deepEqual(fresh.said, []);
  });

  it("of a standby: the comparison is made a while later, though it leads by then, or before what is due", async () => {
    using time = new FakeTime(0);
    const leads = world();
    leads.apply(101, 1);
    leads.duty.standBy();
    await leads.duty.start();
    time.tick(STANDBY_COMPARES_MS - 1);
    assert.deepEqual(leads.said, []);
    time.tick(1);
    assert.deepEqual(leads.said, ["thread 1 compares from 100"]);
    const busy = world();
    busy.apply(101, 1);
    busy.duty.standBy();
    busy.apply(102, 10);
    time.tick(STANDBY_COMPARES_MS);
    assert.deepEqual(busy.said, ["thread 1 compares from 100", "thread 1 102 unless since Infinity"]);
    const gone = world();
    gone.apply(101, 1);
    gone.duty.standBy();
    gone.duty.stop();
    time.tick(STANDBY_COMPARES_MS);
    assert.deepEqual(gone.said, []);
    leads.duty.stop();
    busy.duty.stop();
  });

  it("go on with another thread after one has failed", () => {
    const { duty, said, apply, fail } = world();
    duty.standBy();
    apply(101, 10);
    fail("out of memory");
    apply(102, 9);
    apply(103, 1);
    assert.deepEqual(said, [
      "thread 1 101 unless since Infinity",
      "error out of memory",
      "thread 2 103 unless since Infinity",
    ]);
  });
});
