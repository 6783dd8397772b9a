/**
 * How much nats-server may store, so that it sets streams aside as it would by itself, and goes by the same when it is started
 * again while the disk is full: by itself it would then store nothing until it is started once more. Runs `df`, reads sizes.
 */
import { join } from "node:path";

/** Three quarters, as nats-server itself counts. */
const SHARE = 3 / 4;

/**
 * Bytes that may lie in `folder`, which need not be there, on the disk of `dir`: three quarters of what lies there and of what
 * is free together. Null where `df` cannot tell.
 */
export function diskRoom(dir: string, folder: string): number | null {
  const free = freeBytes(dir);
  return free === null ? null : Math.floor(SHARE * (free + sizeOf(folder)));
}

function freeBytes(dir: string): number | null {
  try {
    const { success, stdout } = new Deno.Command("df", { args: ["-Pk", dir], env: { LC_ALL: "C" } })
      .outputSync();
    if (!success) return null;
    const [, available] = /\s(\d+)\s+\d+%\s[^\n]*\s*$/.exec(new TextDecoder().decode(stdout)) ?? [];
    return available === undefined ? null : 1024 * Number(available);
  } catch {
    return null;
  }
}

/** Bytes of the files in a folder and in those in it; 0 when it is not there. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  try {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      bytes += isDirectory ? sizeOf(path) : Deno.statSync(path).size;
    }
  } catch {
    // It is not there, or nothing that nats-server can use: it says so itself.
  }
  return bytes;
}
