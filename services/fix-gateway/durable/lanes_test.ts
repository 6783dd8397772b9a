import { beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixWriter } from "../../../shared/codec/fix/mod.ts";
import { Event, EventBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { EventKind } from "../../../shared/protocol/mod.ts";
import { type LanePorts, LaneSet } from "./lanes.ts";
import type { HistoryReceiver } from "./ports.ts";

const SESSION = 7;
const LIVE = { shard: 0, cmdSeq: 6, eventIndex: 0, evSeq: 0 };

/** The stored message of one command with one event of the session. */
function message(cmdSeq: number): Uint8Array {
  const writer = new EventBatchWriter(4096);
  writer.begin(0, 1, cmdSeq, 1_000_000);
  const event = new Event();
  event.kind = EventKind.OrderAccepted;
  event.sessionId = SESSION;
  writer.append(event);
  return writer.end()[0];
}

describe("the reports that a session missed", () => {
  /** Where readings began, and who reads now. */
  let readings: number[];
  let receiver: HistoryReceiver;
  let heard: string[];

  beforeEach(() => {
    readings = [];
    heard = [];
    strained = false;
    crowded = false;
  });

  /** Whether the session can take live reports, and missed ones. */
  let strained: boolean;
  let crowded: boolean;

  /** A session that has had the reports of commands 1 and 2, which lay in EV_0 up to `evSeq`. */
  function begin(evSeq: number): LaneSet {
    const writer = new FixWriter();
    const ports: LanePorts = {
      history: {
        read(_shard, from, to) {
          readings.push(from);
          receiver = to;
          const tell = (what: string) => () => void heard.push(what);
          return { pause: tell("pause"), resume: tell("resume"), stop: () => void heard.push("stop") };
        },
      },
      positions: () => [LIVE],
      isReported: () => true,
      report: () => "8",
    };
    const lanes = new LaneSet(SESSION, [{ shard: 0, cmdSeq: 3, eventIndex: 0, evSeq }], ports, 1000, {
      compose: () => writer,
      report: (_msgType, _possResend, { cmdSeq }) => void heard.push(`report ${cmdSeq}`),
      crowded: () => crowded,
      strained: () => strained,
      behind: (shard) => void heard.push(`behind in ${shard}`),
      missing: (_shard, from, to) => void heard.push(`${from} to ${to} missing`),
      displaced: (_shard, error) => void heard.push(`displaced: ${error.message}`),
      failed: (_shard, error) => void heard.push(`failed: ${error.message}`),
    });
    lanes.begin(false, new Map());
    return lanes;
  }
  const store = (...commands: number[]) => commands.forEach((each) => receiver.stored(each, message(each)));

  it("are made from where the session stood", () => {
    begin(2);
    store(3, 4, 5);
    assert.deepEqual(readings, [2]);
    assert.deepEqual(heard, ["report 3", "report 4", "report 5", "stop"]);
  });

  it("are those too that come while it can take none: they are made from where the events stood", () => {
    const lanes = begin(2);
    store(3, 4, 5);
    heard = [];
    const live = (cmdSeq: number) => {
      const port = lanes.port(0, cmdSeq, 0);
      if (port === null) return void heard.push(`${cmdSeq} is left to the stored events`);
      port.compose();
      port.send("8");
    };
    live(6);
    strained = true;
    crowded = true;
    live(7);
    store(7);
    live(8);
    strained = false;
    crowded = false;
    lanes.pace();
    live(9);
    store(8);
    live(10);
    assert.deepEqual(readings, [2, 5]);
    assert.deepEqual(heard, [
      "report 6",
      "behind in 0",
      "pause",
      "8 is left to the stored events",
      "report 7",
      "resume",
      "report 8",
      "stop",
      "report 9",
      "report 10",
    ]);
  });

  it("wait again and again while it can just not keep up, which is told once until it does", () => {
    const lanes = begin(2);
    store(3, 4, 5);
    heard = [];
    /** The report of `command` comes while the session is strained, and is made when it is not. */
    const wave = (command: number) => {
      strained = true;
      const port = lanes.port(0, command, 0)!;
      port.compose();
      port.send("8");
      strained = false;
      store(command);
    };
    wave(6);
    crowded = true;
    lanes.pace();
    crowded = false;
    wave(7);
    lanes.pace();
    wave(8);
    assert.deepEqual(heard, [
      "behind in 0",
      "report 6",
      "stop",
      "report 7",
      "stop",
      "behind in 0",
      "report 8",
      "stop",
    ]);
  });

  it("stop within a stored message when the session can take no more, and go on there", () => {
    const lanes = begin(2);
    crowded = true;
    store(3);
    assert.deepEqual(heard, ["pause"]);
    crowded = false;
    lanes.pace();
    store(4, 5);
    assert.deepEqual(heard, ["pause", "report 3", "resume", "report 4", "report 5", "stop"]);
  });

  it("are looked for from the beginning when the stream ends before that place, or its events lie elsewhere", () => {
    begin(90);
    receiver.failed(new Error("it ends at 40"));
    store(1, 2, 3, 4, 5);
    assert.deepEqual(readings, [90, 0]);
    assert.deepEqual(heard, ["stop", "displaced: it ends at 40", "report 3", "report 4", "report 5", "stop"]);
  });

  it("are not looked for a third time", () => {
    begin(90);
    receiver.failed(new Error("it ends at 40"));
    receiver.failed(new Error("it is gone"));
    assert.deepEqual(readings, [90, 0]);
    assert.deepEqual(heard, ["stop", "displaced: it ends at 40", "stop", "failed: it is gone"]);
  });

  it("are not called lost when only older events are gone", () => {
    begin(90);
    receiver.failed(new Error("it ends at 40"));
    receiver.missing(1, 1);
    store(2, 3, 4, 5);
    assert.deepEqual(heard.slice(2), ["report 3", "report 4", "report 5", "stop"]);
  });

  it("are called lost when their events are gone, wherever they lay", () => {
    begin(2);
    receiver.missing(3, 3);
    store(4, 5);
    assert.deepEqual(heard, ["report 4", "3 to 3 missing", "report 5", "stop"]);
    heard = [];
    begin(90);
    receiver.failed(new Error("it ends at 40"));
    receiver.missing(1, 4);
    store(5);
    assert.deepEqual(heard.slice(2), ["report 5", "1 to 4 missing", "stop"]);
  });
});
