/**
 * A nats-server over a copy of a venue's state folder, on a free port of the loopback interface: whatever becomes of it, the
 * folder stays as it was. Does I/O.
 */
import { join } from "node:path";
import { natsService } from "../../../infra/nats/server.ts";
import { DEFAULT_POLICY, Service } from "../../../infra/supervisor/service.ts";
import { nullLogger } from "../../../shared/cli/log.ts";

/** What to copy and for whom. */
export interface StoreCopyOptions {
  /** State folder of a venue that does not run. */
  readonly store: string;
  readonly natsExecutable: string;
  readonly shards: readonly number[];
}

/** The running copy; dispose it to end nats-server and remove the copy. */
export interface StoreCopy extends AsyncDisposable {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

const DRAIN_MS = 5000;

/** Copies the folder and starts nats-server on the copy. Throws one sentence when either cannot be done. */
export async function openStoreCopy(options: StoreCopyOptions): Promise<StoreCopy> {
  const { store, natsExecutable: executable, shards } = options;
  const dir = await Deno.makeTempDir({ prefix: "pitwire-verify-" });
  const remove = () => Deno.remove(dir, { recursive: true });
  const password = crypto.getRandomValues(new Uint8Array(24)).toHex();
  const access = { user: "verify", password };
  const { spec, address } = natsService({
    executable,
    dir,
    host: "127.0.0.1",
    port: 0,
    wsPort: 0,
    shards,
    ...access,
    logLevel: "error",
    drainMs: DRAIN_MS,
  });
  const service = new Service(spec, DEFAULT_POLICY, nullLogger, () => {});
  try {
    await copyFolder(join(store, "jetstream"), join(dir, "jetstream"));
    await service.start();
  } catch (cause) {
    await remove();
    throw cause;
  }
  return {
    url: address().url,
    ...access,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await remove();
    },
  };
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir(from));
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound ? "it is no venue's" : (cause as Error).message;
    throw new Error(`Cannot read the store at ${from}: ${why}`, { cause });
  }
  // Events before commands: of a store that is still written to, the copy then has the commands of all events.
  for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? 1 : -1)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
