/**
 * Notices that whoever started the supervisor is gone, so that no venue runs on that nobody can see: `deno task` killed
 * with SIGKILL, or npx, whose SIGTERM stops at the shell between it and `deno task`. Owns which ancestors count.
 *
 * The parent counts. Its own parent counts only under npm (npx, npm run), where it is npm's; else it is the shell that
 * somebody may close behind `nohup deno task up &`. Runs `cat` or `ps`; where there is neither
 * only the parent is looked at.
 */

/** How this process came to be, as far as it matters here. */
export interface Ancestry {
  /** The process that started this one; another (1, or a reaper) once it has ended. */
  parent(): number;
  /** The parent of a running process; null when it cannot be told. */
  parentOf(pid: number): Promise<number | null>;
  /** Whether npm started the parent. */
  readonly underNpm: boolean;
}

const LOOK_EVERY_MS = 1000;

/** The ancestry of this process. */
export function realAncestry(): Ancestry {
  return {
    parent: () => Deno.ppid,
    parentOf: Deno.build.os === "linux" ? readStat : askPs,
    underNpm: Deno.env.get("npm_command") !== undefined,
  };
}

/**
 * Resolves once an ancestor that counts has ended; never when there was none at the start (parent 1: a service manager
 * in a container, or nobody).
 */
export async function ancestorGone(ancestry: Ancestry, lookEveryMs = LOOK_EVERY_MS): Promise<void> {
  const parent = ancestry.parent();
  if (parent <= 1) return await new Promise(() => {});
  const grandparent = ancestry.underNpm ? await ancestry.parentOf(parent) : null;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    if (ancestry.parent() !== parent) return;
    if (grandparent === null) continue;
    const now = await ancestry.parentOf(parent);
    if (now !== null && now !== grandparent) return;
  }
}

/** The fourth field of /proc/<pid>/stat, behind a name in parentheses that may hold anything. Deno itself may not read it. */
async function readStat(pid: number): Promise<number | null> {
  const stat = await outputOf("cat", [`/proc/${pid}/stat`]);
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

async function askPs(pid: number): Promise<number | null> {
  const parent = await outputOf("ps", ["-o", "ppid=", "-p", String(pid)]);
  return parent === null ? null : Number(parent);
}

async function outputOf(command: string, args: string[]): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command(command, { args, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout) : null;
  } catch {
    return null;
  }
}
