/**
 * A venue's state folder: where it lies, that one venue at a time uses it, and that no process of an earlier run
 * still does. Reads and writes only inside that folder and temporary ones.
 */
import { dirname, join } from "node:path";
import { errorText, type Logger } from "../../shared/cli/log.ts";
import { drainStages } from "./drain_order.ts";
import { type ChildRecord, endLeftover, PROCESSES, running } from "./leftover.ts";

/** An open state folder. */
export interface Store {
  readonly dir: string;
  /** Notes a child, so that the next run can end it if this one is killed. */
  recordChild(name: string, pid: number): void;
  /** Notes the ports of the whole venue, all of which has been started: {@link ChildRecord.ports}. */
  recordPorts(ports: readonly number[]): void;
  /** Lets go of the folder, and removes it when it was temporary. */
  close(): Promise<void>;
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

function readChildren(file: string): ChildRecord[] {
  try {
    return JSON.parse(Deno.readTextFileSync(file));
  } catch {
    return []; // None, or a run that was killed while it wrote.
  }
}

/** How often, and with how many ms between, a lock is asked for that a process just being started may still share. */
const LOCK_ATTEMPTS = 20;
const LOCK_PAUSE_MS = 10;

/** Between fork and exec a child shares every open file, so that a lock may outlive its closing by a moment. */
async function lockSoon(file: Deno.FsFile): Promise<boolean> {
  for (let attempt = 1; !file.tryLockSync(true); attempt++) {
    if (attempt === LOCK_ATTEMPTS) return false;
    await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
  }
  return true;
}

async function openLocked(dir: string): Promise<Deno.FsFile> {
  let file: Deno.FsFile;
  try {
    Deno.mkdirSync(dir, { recursive: true });
    file = Deno.openSync(join(dir, "lock"), { read: true, write: true, create: true });
  } catch (error) {
    throw new Error(`Cannot use store ${dir}: ${errorText(error)}`, { cause: error });
  }
  if (!await lockSoon(file)) {
    file.close();
    const owner = Deno.readTextFileSync(join(dir, "lock")).trim();
    throw new Error(
      `Cannot use store ${dir}: a venue that is running uses it (process ${owner || "unknown"}); ` +
        "stop that one, or start with another store (--store)",
    );
  }
  try {
    file.truncateSync(0);
    file.writeSync(new TextEncoder().encode(`${Deno.pid}\n`));
  } catch (error) {
    file.close();
    throw new Error(`Cannot use store ${dir}: ${errorText(error)}`, { cause: error });
  }
  return file;
}

/** What a run that was killed has left in a folder that is locked. */
interface KilledRun {
  readonly dir: string;
  readonly lock: Deno.FsFile;
  readonly children: readonly ChildRecord[];
}

const CHILDREN = "children.json";
const TEMPORARY = "pitwire-ephemeral-";

/**
 * The temporary folders that runs of this user left because they were killed, locked. Whose folder it is tells the owner of
 * `own`, a folder beside them: what another user's says of processes is nobody's word.
 */
function killedTemporary(own: string): KilledRun[] {
  const around = dirname(own);
  const { uid } = Deno.statSync(own);
  return [...Deno.readDirSync(around)].flatMap(({ name, isDirectory }) => {
    const dir = join(around, name);
    if (!isDirectory || !name.startsWith(TEMPORARY) || dir === own) return [];
    try {
      if (Deno.lstatSync(dir).uid !== uid) return [];
      const lock = Deno.openSync(join(dir, "lock"), { read: true, write: true });
      const children = lock.tryLockSync(true) ? readChildren(join(dir, CHILDREN)) : [];
      if (children.length > 0) return [{ dir, lock, children }];
      lock.close();
    } catch {
      // It begins or ends in good order just now, or cannot be had: left alone.
    }
    return [];
  });
}

/** Ends what killed runs left, which `check` hears of first: when it throws, all goes on. Removes temporary folders. */
async function succeed(
  runs: readonly KilledRun[],
  temporary: boolean,
  log: Logger,
  check: (left: ChildRecord[]) => void,
) {
  check(await running(runs.flatMap(({ children }) => children)));
  for (const { dir, children } of runs) {
    try {
      for (const stage of drainStages(children)) {
        await Promise.all(stage.map((child) => endLeftover(child, log)));
      }
    } catch (error) {
      throw new Error(`Cannot use store ${dir}: ${errorText(error)}`, { cause: error });
    }
    if (temporary) await Deno.remove(dir, { recursive: true });
  }
}

/** Throws when a start is refused; `left` runs on then. */
export type CheckStart = (left: readonly ChildRecord[], dir: string) => void;

/**
 * Opens a state folder, made when missing; null stands for a temporary one. Ends what a killed run left in it, or those on
 * temporary folders, once `check` has found nothing in the way of a start. Throws one sentence when the folder cannot be
 * written, another venue uses it, or a process that a killed run left cannot be ended; and what `check` throws.
 */
export async function openStore(
  path: string | null,
  log: Logger,
  check: CheckStart = () => {},
): Promise<Store> {
  const dir = path ?? await Deno.makeTempDir({ prefix: TEMPORARY });
  const lock = await openLocked(dir);
  const childrenFile = join(dir, CHILDREN);
  let killed: KilledRun[] = [];
  try {
    killed = path === null ? killedTemporary(dir) : [{ dir, lock, children: readChildren(childrenFile) }];
    await succeed(killed, path === null, log, (left) => check(left, dir));
  } catch (error) {
    lock.close();
    if (path === null) await Deno.remove(dir, { recursive: true });
    throw error;
  } finally {
    for (const run of killed) if (run.lock !== lock) run.lock.close();
  }
  const children: ChildRecord[] = [];
  let ports: readonly number[] | undefined;
  let recording = Promise.resolve();
  const record = async (name: string, pid: number) => {
    const started = await PROCESSES.startOf(pid);
    if (started === null) return;
    const index = children.findIndex((each) => each.name === name);
    if (index >= 0) children.splice(index, 1);
    children.push({ name, pid, started });
    write();
  };
  const write = () =>
    Deno.writeTextFileSync(childrenFile, JSON.stringify(children.map((child) => ({ ...child, ports }))));
  const unwritten = (name: string) => (cause: unknown) =>
    log.warn("a process is not recorded: the next start would not end it", { name, cause: errorText(cause) });
  return {
    dir,
    recordChild(name, pid) {
      recording = recording.then(() => record(name, pid)).catch(unwritten(name));
    },
    recordPorts(all) {
      ports = all;
      recording = recording.then(write).catch(unwritten("ports"));
    },
    async close() {
      await recording;
      try {
        Deno.writeTextFileSync(childrenFile, "[]");
      } catch (cause) {
        log.warn("cannot write the store's records", { cause: errorText(cause) });
      }
      lock.close();
      if (path === null) await Deno.remove(dir, { recursive: true });
    },
  };
}
