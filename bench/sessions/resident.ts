/** Owns reading how much memory a process has resident, by asking the operating system's `ps`. Does I/O. */

const KIB = 1024;

/** Resident bytes of process `pid`. Throws when there is no such process. */
export async function residentBytes(pid: number): Promise<number> {
  const command = new Deno.Command("ps", {
    args: ["-o", "rss=", "-p", String(pid)],
    stdout: "piped",
    stderr: "null",
  });
  const { stdout } = await command.output();
  const kibibytes = Number(new TextDecoder().decode(stdout).trim());
  if (kibibytes > 0) return kibibytes * KIB;
  throw new Error(`Cannot read the memory of process ${pid}: it is gone`);
}

/** The least of several readings over `ms` milliseconds: what garbage was about to be collected does not count. */
export async function settledBytes(pid: number, ms: number): Promise<number> {
  let least = Infinity;
  for (const end = performance.now() + ms; performance.now() < end;) {
    least = Math.min(least, await residentBytes(pid));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return least;
}
