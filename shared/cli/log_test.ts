import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createLogger, errorText, type LogLevel, parseLogLevel } from "./log.ts";

function recorder(level: LogLevel) {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), now: () => 1_709_164_800_000 };
  return { lines, log: createLogger("matcher", level, sink) };
}

describe("logger", () => {
  it("writes one JSON line with time, level, service, message and fields", () => {
    const { lines, log } = recorder("info");
    log.warn("slow\nconsumer", { session: "TRADER1", pending: 7 });
    assert.deepEqual(lines, [
      '{"time":"2024-02-29T00:00:00.000Z","level":"warn","service":"matcher","msg":"slow\\nconsumer",' +
      '"session":"TRADER1","pending":7}\n',
    ]);
  });

  it("leaves out levels below its own", () => {
    const { lines, log } = recorder("warn");
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    assert.deepEqual(lines.map((line) => JSON.parse(line).msg), ["c", "d"]);
  });

  it("writes an error with its causes, and a bigint, as text", () => {
    const { lines, log } = recorder("debug");
    const error = new Error("cannot connect", { cause: new Error("refused\n  by peer") });
    log.error("lost", { error, seq: 2n ** 60n });
    const { error: text, seq } = JSON.parse(lines[0]!);
    assert.deepEqual([text, seq], ["cannot connect: refused by peer", "1152921504606846976"]);
  });

  it("still writes the message when a field cannot be written", () => {
    const { lines, log } = recorder("info");
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    log.info("hello", { loop });
    assert.equal(JSON.parse(lines[0]!).msg, "hello");
  });

  it("does not let a field take the place of time, level, service or message", () => {
    const { lines, log } = recorder("info");
    log.info("hello", { level: "none", service: "other", msg: "x", time: 0 });
    const { level, service, msg } = JSON.parse(lines[0]!);
    assert.deepEqual([level, service, msg], ["info", "matcher", "hello"]);
  });

  it("does not throw when its sink is gone", () => {
    const log = createLogger("matcher", "info", {
      write: () => {
        throw new Error("broken pipe");
      },
      now: () => 0,
    });
    log.error("ignored");
  });

  it("tells the causes of an error, and no text twice", () => {
    const cause = new Error("no route", { cause: new Error("cable\n  cut") });
    assert.deepEqual([
      errorText(cause),
      errorText(new Error("Cannot connect", { cause })),
      errorText(new Error("Cannot connect: no route (2 attempts)", { cause })),
      errorText(new Error("Cannot connect: no route", { cause })),
      errorText("thrown text"),
    ], [
      "no route: cable cut",
      "Cannot connect: no route: cable cut",
      "Cannot connect: no route (2 attempts): cable cut",
      "Cannot connect: no route: cable cut",
      "thrown text",
    ]);
  });

  it("reads a level, and names the choices when there is no such level", () => {
    assert.equal(parseLogLevel("warn"), "warn");
    assert.throws(() => parseLogLevel("loud"), {
      message: 'Cannot set log level: expected debug, info, warn, error, got "loud"',
    });
  });
});
