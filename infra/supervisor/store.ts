/**
 * A venue's state folder: where it lies, that one venue at a time uses it, and that no process of an earlier run
 * still does. Reads and writes only inside that folder and a temporary one.
 */
import { join } from "node:path";
import { errorText, type Logger } from "../../shared/cli/log.ts";

/** An open state folder. */
export interface Store {
  readonly dir: string;
  /** Notes a child, so that the next run can end it if this one is killed. */
  recordChild(name: string, pid: number): void;
  /** Lets go of the folder, and removes it when it was temporary. */
  close(): Promise<void>;
}

interface ChildRecord {
  readonly name: string;
  readonly pid: number;
  /** When the process started, as `ps` tells; a pid that was given to another program has another. */
  readonly started: string;
}

/** The user's folder for application data, by the platform's convention. Null when the environment names no home. */
export function userDataDir(env: { get(name: string): string | undefined }, os: string): string | null {
  if (os === "windows") return env.get("LOCALAPPDATA") ?? null;
  const home = env.get("HOME");
  if (os === "darwin") return home === undefined ? null : join(home, "Library", "Application Support");
  return env.get("XDG_DATA_HOME") || (home === undefined ? null : join(home, ".local", "share"));
}

/** The user's folder for things that can be made again. Null when the environment names no home. */
export function userCacheDir(env: { get(name: string): string | undefined }, os: string): string | null {
  if (os === "windows") return env.get("LOCALAPPDATA") ?? null;
  const home = env.get("HOME");
  if (os === "darwin") return home === undefined ? null : join(home, "Library", "Caches");
  return env.get("XDG_CACHE_HOME") || (home === undefined ? null : join(home, ".cache"));
}

/** When a running process was started, in ps's words; null when it has ended. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const args = ["-o", "stat=,lstart=", "-p", String(pid)];
    const { success, stdout } = await new Deno.Command("ps", { args, env: { LC_ALL: "C", TZ: "UTC" } })
      .output();
    const [, state, started] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(new TextDecoder().decode(stdout)) ?? [];
    const isRunning = success && started !== undefined && !state.startsWith("Z"); // Z has ended, unnoticed yet.
    return isRunning ? started : null;
  } catch {
    return null; // No ps on this machine: leftovers are not looked for.
  }
}

const LEFTOVER_LIMIT_MS = 5_000;

async function endLeftover({ name, pid, started }: ChildRecord, log: Logger): Promise<void> {
  if (await startOf(pid) !== started) return;
  log.warn(`ending ${name} (process ${pid}), left by a run that was killed`);
  Deno.kill(pid, "SIGTERM");
  const deadline = Date.now() + LEFTOVER_LIMIT_MS;
  while (await startOf(pid) === started) {
    if (Date.now() > deadline) Deno.kill(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function readChildren(file: string): ChildRecord[] {
  try {
    return JSON.parse(Deno.readTextFileSync(file));
  } catch {
    return []; // None, or a run that was killed while it wrote.
  }
}

function openLocked(dir: string): Deno.FsFile {
  let file: Deno.FsFile;
  try {
    Deno.mkdirSync(dir, { recursive: true });
    file = Deno.openSync(join(dir, "lock"), { read: true, write: true, create: true });
  } catch (error) {
    throw new Error(`Cannot use store ${dir}: ${errorText(error)}`, { cause: error });
  }
  if (!file.tryLockSync(true)) {
    file.close();
    const owner = Deno.readTextFileSync(join(dir, "lock")).trim();
    throw new Error(
      `Cannot use store ${dir}: a venue that is running uses it (process ${owner || "unknown"})`,
    );
  }
  file.truncateSync(0);
  file.writeSync(new TextEncoder().encode(`${Deno.pid}\n`));
  return file;
}

/**
 * Opens a state folder, made when missing; null stands for a temporary one. Throws one sentence when it cannot be
 * written or another venue uses it.
 */
export async function openStore(path: string | null, log: Logger): Promise<Store> {
  const dir = path ?? await Deno.makeTempDir({ prefix: "pitwire-" });
  const lock = openLocked(dir);
  const childrenFile = join(dir, "children.json");
  // Latest first: what reads from nats-server drains while it is still there.
  for (const child of readChildren(childrenFile).toReversed()) await endLeftover(child, log);
  const children: ChildRecord[] = [];
  let recording = Promise.resolve();
  const record = async (name: string, pid: number) => {
    const started = await startOf(pid);
    if (started === null) return;
    const index = children.findIndex((each) => each.name === name);
    if (index >= 0) children.splice(index, 1);
    children.push({ name, pid, started });
    Deno.writeTextFileSync(childrenFile, JSON.stringify(children));
  };
  return {
    dir,
    recordChild: (name, pid) => void (recording = recording.then(() => record(name, pid))),
    async close() {
      await recording;
      Deno.writeTextFileSync(childrenFile, "[]");
      lock.close();
      if (path === null) await Deno.remove(dir, { recursive: true });
    },
  };
}
