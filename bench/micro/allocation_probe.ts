/**
 * A program for allocation_test.ts: a million commands through a warm engine, between two forced collections. Run with
 * `--v8-flags=--expose-gc,--trace-gc` and one argument: `views` or `messages` (book_replay.ts), or `object`, which makes
 * one object per command on top of `views`. Says on standard error by how many bytes the heap grew.
 */
import { memoryUsage } from "node:process";
import { record, TRADING } from "./book.ts";
import { playerOf } from "./book_replay.ts";

const WARM = 300_000;
const MEASURED = 1_000_000;
const KEPT = 64;

const [mode] = Deno.args;
const collect = (globalThis as { gc?: () => void }).gc!;
const flow = record({ ...TRADING, commands: WARM + MEASURED });
const player = playerOf(flow, mode === "messages" ? "messages" : "views");
const first = flow.fill + WARM;
player.play(flow.fill, first);
const kept: { index: number }[] = Array.from({ length: KEPT }, () => ({ index: 0 }));
collect();
const before = memoryUsage().heapUsed;
if (mode === "object") {
  for (let i = first; i < flow.total; i++) {
    player.play(i, i + 1);
    kept[i % KEPT] = { index: i };
  }
} else {
  player.play(first, flow.total);
}
collect();
Deno.stderr.writeSync(
  new TextEncoder().encode(`heap grew by ${memoryUsage().heapUsed - before} bytes\n`),
);
