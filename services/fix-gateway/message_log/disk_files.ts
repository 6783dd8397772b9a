/** Log files on the disk, for their owner's eyes. Decides nothing. Does I/O. */
import type { LogFiles } from "./rotating_file.ts";

/** Files of mode 0600. */
export const diskFiles: LogFiles = {
  async open(path) {
    const file = await Deno.open(path, { append: true, create: true, mode: 0o600 });
    const { size } = await file.stat();
    return {
      bytes: size,
      file: {
        async write(bytes) {
          for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
        },
        close: () => file.close(),
      },
    };
  },
  async move(from, to) {
    try {
      await Deno.rename(from, to);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  },
};

/** Makes the folder, mode 0700, unless it is there. Throws an Error with one sentence. */
export function makeLogFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`Cannot make the folder of message logs ${path}`, { cause });
  }
}
