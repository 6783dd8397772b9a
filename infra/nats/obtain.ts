/**
 * Finds or makes a nats-server: on the PATH, in the cache, built with Go, downloaded; in this order. What is built
 * or downloaded is put into the cache by one rename after it has proved its version, so that neither an interrupted
 * nor a concurrent start can leave or use half a file.
 */
import { join } from "node:path";
import { errorText } from "../../shared/cli/log.ts";
import { downloadRelease, type OnProgress } from "./download.ts";
import {
  executableName,
  GO_PACKAGE,
  isAtLeast,
  OLDEST_VERSION,
  parseVersion,
  PINNED_VERSION,
  type Platform,
  RELEASE_URL,
  WHY_NOT_OLDER,
} from "./release.ts";

/** Told what is being done, for a person who waits. */
export interface ObtainProgress {
  /** A step has begun, or there is something to say about one. */
  note(text: string): void;
  download: OnProgress;
}

/** Where to look and where to keep. */
export interface ObtainOptions {
  /** Folder of executables that are kept between runs; made when missing. */
  readonly cacheDir: string;
  /** PATH to search for nats-server and go. */
  readonly path: string;
  readonly platform?: Platform;
  readonly releaseUrl?: string;
  /** False leaves Go out, even where it is present. */
  readonly useGo?: boolean;
  readonly progress?: ObtainProgress;
}

/** An executable nats-server of at least {@link OLDEST_VERSION}. */
export interface NatsExecutable {
  readonly path: string;
  readonly version: string;
  readonly source: "path" | "cache" | "go" | "release";
}

const SILENT: ObtainProgress = { note() {}, download() {} };
const PATH_SEPARATOR = Deno.build.os === "windows" ? ";" : ":";

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}

/** The first file called `name` in the folders of `path`, or null. */
async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(PATH_SEPARATOR)) {
    if (folder !== "" && await isFile(join(folder, name))) return join(folder, name);
  }
  return null;
}

/** The version that the executable itself states, or null when it does not run. */
async function versionOf(executable: string): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command(executable, { args: ["--version"], stdin: "null" })
      .output();
    return success ? parseVersion(new TextDecoder().decode(stdout)) : null;
  } catch {
    return null;
  }
}

type Attempt = { found: NatsExecutable } | { failed: string };

async function fromPath({ path, platform = Deno.build }: ObtainOptions): Promise<Attempt> {
  const executable = await findOnPath(executableName(platform.os), path);
  if (executable === null) return { failed: "there is none on the PATH" };
  const version = await versionOf(executable);
  if (version === null) return { failed: `${executable} does not state a version` };
  if (!isAtLeast(version, OLDEST_VERSION)) {
    return { failed: `${executable} is ${version} and too old: ${WHY_NOT_OLDER}` };
  }
  return { found: { path: executable, version, source: "path" } };
}

async function fromCache(cached: string): Promise<Attempt> {
  if (!await isFile(cached)) return { failed: `there is none in the cache (${cached})` };
  const version = await versionOf(cached);
  if (version === PINNED_VERSION) return { found: { path: cached, version, source: "cache" } };
  return { failed: `the cached ${cached} does not run as ${PINNED_VERSION}` };
}

/** Runs `go install` into `folder`, noting every line that go prints. Throws with go's last line. */
async function buildWithGo(
  go: string,
  folder: string,
  name: string,
  progress: ObtainProgress,
): Promise<string> {
  progress.note(
    `building nats-server ${PINNED_VERSION} with ${go}; this takes a minute or two the first time`,
  );
  const child = new Deno.Command(go, {
    args: ["install", "-v", `${GO_PACKAGE}@v${PINNED_VERSION}`],
    env: { GOBIN: folder, GOOS: "", GOARCH: "", CGO_ENABLED: "0" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let last = "";
  let packages = 0;
  let rest = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      last = line.trim() || last;
      if (++packages % 50 === 0) progress.note(`go: ${packages} packages fetched or built`);
    }
  }
  const { success } = await child.status;
  if (!success) throw new Error(rest.trim() || last || "go install failed");
  return join(folder, name);
}

/** Makes an executable with `make` in a folder of its own and moves it into the cache once it has proved itself. */
async function intoCache(
  cacheDir: string,
  cached: string,
  source: NatsExecutable["source"],
  make: (folder: string) => Promise<string>,
): Promise<NatsExecutable> {
  await Deno.mkdir(cacheDir, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: cacheDir, prefix: "making-" });
  try {
    const made = await make(folder);
    const version = await versionOf(made);
    if (version !== PINNED_VERSION) {
      throw new Error(`what was made states version ${version ?? "none"}, not ${PINNED_VERSION}`);
    }
    await Deno.rename(made, cached);
    return { path: cached, version, source };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs one way of obtaining it; a failure becomes text for the final error. */
async function attempt(what: string, obtain: () => Promise<NatsExecutable>): Promise<Attempt> {
  try {
    return { found: await obtain() };
  } catch (error) {
    return { failed: `${what} failed: ${errorText(error)}` };
  }
}

/** The file in the cache for the pinned version. */
export function cachedExecutable(cacheDir: string, platform: Platform = Deno.build): string {
  return join(cacheDir, `v${PINNED_VERSION}-${executableName(platform.os)}`);
}

/** A usable nats-server. Throws one Error that lists everything that was tried and says what to do. */
export async function obtainNatsServer(options: ObtainOptions): Promise<NatsExecutable> {
  const { cacheDir, path, platform = Deno.build, releaseUrl = RELEASE_URL, progress = SILENT } = options;
  const cached = cachedExecutable(cacheDir, platform);
  const name = executableName(platform.os);
  const ways: (() => Promise<Attempt>)[] = [
    () => fromPath(options),
    () => fromCache(cached),
    async () => {
      const go = options.useGo === false
        ? null
        : await findOnPath(platform.os === "windows" ? "go.exe" : "go", path);
      if (go === null) return { failed: "Go is not on the PATH to build it" };
      const build = (folder: string) => buildWithGo(go, folder, name, progress);
      return attempt("go install", () => intoCache(cacheDir, cached, "go", build));
    },
    () => {
      progress.note(`downloading nats-server ${PINNED_VERSION} from ${releaseUrl}`);
      return attempt("the download", () =>
        intoCache(cacheDir, cached, "release", async (folder) => {
          const onProgress = progress.download;
          const bytes = await downloadRelease({
            baseUrl: releaseUrl,
            version: PINNED_VERSION,
            platform,
            onProgress,
          });
          await Deno.writeFile(join(folder, name), bytes, { mode: 0o755 });
          return join(folder, name);
        }));
    },
  ];
  const failures: string[] = [];
  for (const way of ways) {
    const result = await way();
    if ("found" in result) return result.found;
    failures.push(result.failed);
    if (/too old|does not/.test(result.failed)) progress.note(`not used: ${result.failed}`);
  }
  throw new Error(
    `Cannot obtain nats-server ${OLDEST_VERSION} or newer: ${failures.join("; ")}. ` +
      `Install Go, or put nats-server ${PINNED_VERSION} on the PATH.`,
  );
}
