/** A small disk for one test, to be filled; needs to mount a file system. Test code only. */
import assert from "node:assert/strict";
import { join } from "node:path";

/** Runs a program; false when it fails or is not there. */
export async function run(command: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

/** Whether this process may mount one. */
export async function mayMount(): Promise<boolean> {
  const folder = await Deno.makeTempDir({ prefix: "pitwire-disk-" });
  const mounted = await run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder);
  if (mounted) await run("umount", folder);
  await Deno.remove(folder);
  return mounted;
}

/** Mounts a disk of so many megabytes for `act`. */
export async function onDisk(megabytes: number, act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "pitwire-disk-" });
  try {
    assert.ok(await run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder));
    await act(folder);
  } finally {
    await run("umount", "-l", folder);
    await Deno.remove(folder);
  }
}

/** Fills the disk to the last byte, with a file that is returned. */
export async function fillDisk(folder: string): Promise<string> {
  const path = join(folder, "filler");
  using file = await Deno.open(path, { write: true, create: true });
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      while (true) await file.write(new Uint8Array(size));
    } catch {
      // As little is left now.
    }
  }
  return path;
}
