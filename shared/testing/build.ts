/** Builds of programs in other languages that tests and benches play against. Does I/O. Test code only. */

/** Runs a build in `cwd`. Returns null when it worked, else a line that says what did not. */
export async function failureOfBuild(path: string, args: string[], cwd: string): Promise<string | null> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(path, { args, cwd }).output();
    if (success) return null;
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return `${path} failed: ${text.trim().split("\n").slice(0, 3).join(" ")}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${path} is not installed`;
    throw error;
  }
}
