import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../../shared/cli/log.ts";
import { CONFIG } from "./fake_world.ts";
import { type LostCommandsPorts, refuseLostCommands } from "./lost_commands.ts";
import { MessageBlock } from "./out_record.ts";
import type { Position } from "./position.ts";
import { startOf } from "./record.ts";

const ME = { gatewayId: 1, bootId: 1 };
const at = (shard: number, cmdSeq: number, eventIndex = 0): Position => ({
  shard,
  cmdSeq,
  eventIndex,
  evSeq: 0,
});

/** A venue whose one session was told so much by its record and by what it sent; CMD_0 ends at 10, CMD_1 at 20. */
function ports(record: readonly Position[] | null, sent: readonly Position[] | null): LostCommandsPorts {
  const header = { session: CONFIG.id, ...ME, incarnation: 1, through: 0, inDurable: 0, number: 1 };
  return {
    records: {
      read: () => Promise.resolve(record && { record: startOf(1, ME, record, 1, 1, 0), revision: 1 }),
      write: () => Promise.reject(new Error("nothing is to be written")),
    },
    out: {
      last: () =>
        Promise.resolve(
          sent && { seq: 1, storedMs: 0, bytes: new MessageBlock().record({ ...header, positions: sent }) },
        ),
      firstSeq: () => Promise.resolve(1),
      publish: () => Promise.reject(new Error("nothing is to be written")),
      page: () => Promise.resolve([]),
      forget: () => {},
    },
    newestCommands: () => Promise.resolve(new Map([[0, 10], [1, 20]])),
  };
}

describe("a gateway that starts", () => {
  const refuse = (record: readonly Position[] | null, sent: readonly Position[] | null) =>
    refuseLostCommands([CONFIG], ports(record, sent), nullLogger);

  it("goes on when the streams hold every command that sessions were told of", async () => {
    await refuse(null, null);
    await refuse([at(0, 11), at(1, 21)], [at(0, 10, 3), at(1, 20, 1)]);
  });

  it("stops when a session's record is ahead of a stream", async () => {
    await assert.rejects(refuse([at(0, 11), at(1, 22)], null), {
      message:
        "Cannot start: TW was told of CMD_1 sequence 21, but it ends at 20: acknowledged orders are lost",
    });
  });

  it("stops when what a session was sent is ahead of a stream, in the middle of a command's events or not", async () => {
    for (const sent of [at(0, 12), at(0, 11, 1)]) {
      await assert.rejects(refuse([at(0, 5)], [sent]), {
        message:
          "Cannot start: TW was told of CMD_0 sequence 11, but it ends at 10: acknowledged orders are lost",
      });
    }
  });

  it("does not judge shards that the venue has not, and sessions that cannot be read", async () => {
    await refuse([at(7, 1000)], null);
    const unreadable = { ...ports(null, null).records, read: () => Promise.reject(new Error("unreadable")) };
    await refuseLostCommands([CONFIG], { ...ports(null, [at(0, 99)]), records: unreadable }, nullLogger);
  });
});

describe("a gateway that starts on older records", () => {
  it("names the stream, the session and both numbers", async () => {
    const told: unknown[] = [];
    const log = {
      ...nullLogger,
      error: (message: string, fields?: object) => void told.push(message, fields),
    };
    const world = ports([at(0, 5)], [at(0, 6)]);
    const header = { session: CONFIG.id, ...ME, incarnation: 2, through: 9, inDurable: 0, number: 1 };
    const bytes = new MessageBlock().record({ ...header, positions: [] });
    const out = { ...world.out, last: () => Promise.resolve({ seq: 4, storedMs: 0, bytes }) };
    await refuseLostCommands([CONFIG], { ...world, out }, log);
    assert.deepEqual(told, [
      "a session's record is older than what the session was sent, or lost: its numbers go on above both",
      {
        stream: "KV_session",
        session: "TW",
        knownTo: "FIXOUT",
        recordIncarnation: 1,
        recordOut: 2,
        incarnation: 2,
        last: 9,
      },
    ]);
  });
});
