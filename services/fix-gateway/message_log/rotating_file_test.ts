import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { diskFiles } from "./disk_files.ts";
import { type LogBounds, type LogFiles, RotatingFile } from "./rotating_file.ts";

const BOUNDS: LogBounds = { maxFileBytes: 20, keptFiles: 2, maxWaitingBytes: 40 };

/** A disk in memory whose writes can be held up or fail. */
class FakeDisk implements LogFiles {
  readonly content = new Map<string, string>();
  readonly failures: string[] = [];
  held: Promise<void> | null = null;
  broken = false;
  #openFiles = 0;

  get openFiles(): number {
    return this.#openFiles;
  }

  open(path: string) {
    if (this.broken) return Promise.reject(new Error("no space"));
    this.#openFiles++;
    const bytes = this.content.get(path)?.length ?? 0;
    const write = async (written: Uint8Array) => {
      if (this.held !== null) await this.held;
      if (this.broken) throw new Error("no space");
      this.content.set(path, (this.content.get(path) ?? "") + new TextDecoder().decode(written));
    };
    return Promise.resolve({ bytes, file: { write, close: () => void this.#openFiles-- } });
  }

  move(from: string, to: string): Promise<void> {
    const text = this.content.get(from);
    this.content.delete(from);
    if (text !== undefined) this.content.set(to, text);
    return Promise.resolve();
  }
}

/** Waits for what is on its way in memory. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

function logOn(disk: FakeDisk, bounds = BOUNDS) {
  const retries: (() => void)[] = [];
  const file = new RotatingFile("log", bounds, disk, {
    lostLine: (lines) => new TextEncoder().encode(`${lines} lost\n`),
    failed: (path, error) => disk.failures.push(`${path}: ${(error as Error).message}`),
    delay: () => new Promise((resolve) => retries.push(resolve)),
  });
  const append = (...lines: string[]) => {
    for (const line of lines) file.append(new TextEncoder().encode(`${line}\n`));
  };
  return { file, append, retry: () => retries.shift()!() };
}

describe("a log file", () => {
  it("goes on behind what is there, in order", async () => {
    const disk = new FakeDisk();
    disk.content.set("log", "old\n");
    const { file, append } = logOn(disk);
    append("a", "b");
    await settle();
    append("c");
    await file.close();
    assert.deepEqual([...disk.content], [["log", "old\na\nb\nc\n"]]);
    assert.equal(disk.openFiles, 0);
  });

  it("is put aside when it is full; the oldest goes", async () => {
    const disk = new FakeDisk();
    const { file, append } = logOn(disk);
    for (const line of ["one", "two", "three", "four"]) {
      append(`${line} 123456789`);
      await settle();
    }
    append("5");
    await file.close();
    assert.deepEqual([...disk.content].sort(), [
      ["log", "four 123456789\n5\n"],
      ["log.1", "three 123456789\n"],
      ["log.2", "two 123456789\n"],
    ]);
  });

  it("splits what came at once over files, and gives a line of its own to one that is too long", async () => {
    const disk = new FakeDisk();
    const { file, append } = logOn(disk, { ...BOUNDS, maxWaitingBytes: 1000 });
    append("123456789", "123456789", "x".repeat(30), "end");
    await file.close();
    assert.deepEqual([...disk.content].sort(), [
      ["log", "end\n"],
      ["log.1", "x".repeat(30) + "\n"],
      ["log.2", "123456789\n123456789\n"],
    ]);
  });

  it("says in its place how many lines a slow disk cost", async () => {
    const disk = new FakeDisk();
    const { file, append } = logOn(disk, { ...BOUNDS, maxFileBytes: 1000 });
    const gate = Promise.withResolvers<void>();
    disk.held = gate.promise;
    append("first 123456789", "second 12345678", "third lost", "fourth lost", "5");
    await settle();
    assert.deepEqual([...disk.content], []);
    disk.held = null;
    gate.resolve();
    await settle();
    append("after");
    await file.close();
    assert.equal(disk.content.get("log"), "first 123456789\nsecond 12345678\n2 lost\n5\nafter\n");
  });

  it("says so at its end too", async () => {
    const disk = new FakeDisk();
    const { file, append } = logOn(disk, { ...BOUNDS, maxWaitingBytes: 8 });
    append("1234567", "lost", "lost");
    await file.close();
    assert.equal(disk.content.get("log"), "1234567\n2 lost\n");
  });

  it("counts what a broken disk did not take, complains once, and goes on when it is whole", async () => {
    const disk = new FakeDisk();
    const { file, append, retry } = logOn(disk);
    disk.broken = true;
    append("a", "b");
    await settle();
    append("c");
    retry();
    await settle();
    assert.deepEqual(disk.failures, ["log: no space"]);
    disk.broken = false;
    append("d");
    retry();
    await settle();
    append("e");
    await file.close();
    assert.equal(disk.content.get("log"), "3 lost\nd\ne\n");
    assert.deepEqual(disk.failures, ["log: no space"]);
  });

  it("waits no longer than it should for a disk that takes nothing", async () => {
    const disk = new FakeDisk();
    const { file, append, retry } = logOn(disk);
    disk.held = new Promise(() => {});
    append("a");
    const closed = file.close();
    await settle();
    retry();
    await closed;
    append("b");
    assert.deepEqual([...disk.content], []);
  });

  it("is for its owner's eyes on the disk", async () => {
    const folder = await Deno.makeTempDir({ prefix: "pitwire-log-" });
    try {
      const path = `${folder}/session.log`;
      const file = new RotatingFile(path, BOUNDS, diskFiles, {
        lostLine: () => new Uint8Array(0),
        failed: (_, error) => assert.fail(String(error)),
        delay: () => new Promise(() => {}),
      });
      for (let i = 1; i <= 4; i++) file.append(new TextEncoder().encode(`line ${i} 12345\n`));
      file.append(new TextEncoder().encode("the end\n"));
      await file.close();
      const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
      assert.deepEqual(names, ["session.log", "session.log.1", "session.log.2"]);
      if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
