/** Which nats-server this project runs: the pinned release, the oldest that will do, and how both are named. Pure. */

/** The release that is built or downloaded. docs/operations.md says how to change it. */
export const PINNED_VERSION = "2.15.3";

/** The oldest release that is accepted from the PATH. */
export const OLDEST_VERSION = "2.12.0";

/** Why anything older than {@link OLDEST_VERSION} is refused. */
export const WHY_NOT_OLDER =
  "the streams need features that came with 2.12 (atomic batches, message TTL), and distributions ship 2.9";

/** Where releases are published; the file names are under `v<version>/`. */
export const RELEASE_URL = "https://github.com/nats-io/nats-server/releases/download";

/** The Go package that `go install` builds. */
export const GO_PACKAGE = "github.com/nats-io/nats-server/v2";

/** The version in `nats-server --version` output, or null when the text is none. */
export function parseVersion(text: string): string | null {
  return /\bv?(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? null;
}

/** Whether version `a` is at least `b`, both as `major.minor.patch`. */
export function isAtLeast(a: string, b: string): boolean {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let i = 0; i < 3; i++) {
    if (left[i] !== right[i]) return left[i] > right[i];
  }
  return true;
}

/** A platform in Deno's names: linux, darwin, windows …; x86_64, aarch64. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

const OS_NAMES: Readonly<Record<string, string>> = {
  linux: "linux",
  darwin: "darwin",
  windows: "windows",
  freebsd: "freebsd",
};
const ARCH_NAMES: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

/** A release archive's name without its ending; null when no release is published for the platform. */
export function archiveStem(version: string, { os, arch }: Platform): string | null {
  const known = os in OS_NAMES && arch in ARCH_NAMES;
  return known ? `nats-server-v${version}-${OS_NAMES[os]}-${ARCH_NAMES[arch]}` : null;
}

/** The executable's file name. */
export function executableName(os: Platform["os"]): string {
  return os === "windows" ? "nats-server.exe" : "nats-server";
}
