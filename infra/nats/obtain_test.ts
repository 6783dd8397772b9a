import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
// @ts-types="npm:@types/tar-stream@3.1.5"
import tar from "tar-stream";
import { findChecksum } from "./download.ts";
import { cachedExecutable, type NatsExecutable, obtainNatsServer } from "./obtain.ts";
import { archiveStem, isAtLeast, parseVersion, PINNED_VERSION, type Platform } from "./release.ts";

const PLATFORM: Platform = { os: Deno.build.os, arch: Deno.build.arch };
const STEM = archiveStem(PINNED_VERSION, PLATFORM)!;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A program that states a version, as nats-server does. */
const program = (version: string) => `#!/bin/sh\necho "nats-server: v${version}"\n`;

async function tarGz(name: string, content: string): Promise<Uint8Array> {
  const pack = tar.pack();
  pack.entry({ name: `${STEM}/LICENSE` }, "licence");
  pack.entry({ name: `${STEM}/${name}`, mode: 0o755 }, content);
  pack.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of pack) chunks.push(chunk as Uint8Array);
  return gzipSync(Buffer.concat(chunks));
}

/** What the release server answers: path → body, or a body that is cut short. */
type Site = Record<string, Uint8Array | { full: Uint8Array; sent: number }>;

/** A release server that can break off in the middle of an answer, which Deno.serve would not. */
function serve(site: Site): { url: string; requests: string[]; close(): Promise<void> } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const requests: string[] = [];
  const answer = async (conn: Deno.TcpConn) => {
    const buffer = new Uint8Array(8192);
    const count = await conn.read(buffer) ?? 0;
    const path = /^GET (\S+)/.exec(new TextDecoder().decode(buffer.subarray(0, count)))?.[1] ?? "";
    requests.push(path);
    const entry = site[path];
    const body = entry === undefined ? bytesOf("no") : "full" in entry ? entry.full : entry;
    const sent = entry !== undefined && "sent" in entry ? body.subarray(0, entry.sent) : body;
    const status = entry === undefined ? "404 Not Found" : "200 OK";
    const head = bytesOf(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`);
    const whole = Buffer.concat([head, sent]);
    for (let at = 0; at < whole.length;) at += await conn.write(whole.subarray(at));
    conn.close();
  };
  const serving = (async () => {
    for await (const conn of listener) await answer(conn);
  })();
  const { port } = listener.addr;
  const close = async () => {
    listener.close();
    await serving;
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

const folder = `/v${PINNED_VERSION}`;

describe("obtaining nats-server", () => {
  let dir: string;
  let cacheDir: string;
  let bin: string;
  let notes: string[];
  let site: Site;
  let server: ReturnType<typeof serve>;

  beforeEach(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-obtain-" });
    cacheDir = join(dir, "cache");
    bin = join(dir, "bin");
    await Deno.mkdir(bin);
    notes = [];
    site = {};
    server = serve(site);
  });
  afterEach(async () => {
    await server.close();
    await Deno.remove(dir, { recursive: true });
  });

  const install = (name: string, script: string) =>
    Deno.writeTextFile(join(bin, name), script, { mode: 0o755 });
  // The scripts call no program outside the shell but these.
  const obtain = (useGo = true): Promise<NatsExecutable> =>
    obtainNatsServer({
      cacheDir,
      path: bin,
      releaseUrl: server.url,
      useGo,
      progress: { note: (text) => void notes.push(text), download() {} },
    });
  async function publish(archive: string, bytes: Uint8Array, sum = sha256(bytes)): Promise<void> {
    site[`${folder}/SHA256SUMS`] = bytesOf(`${"0".repeat(64)}  other.tar.gz\n${sum}  ${archive}\n`);
    site[`${folder}/${archive}`] = bytes;
    await Promise.resolve();
  }
  const cacheEntries = async () => {
    const names: string[] = [];
    for await (const { name } of Deno.readDir(cacheDir)) names.push(name);
    return names;
  };
  async function failure(useGo = true): Promise<string> {
    try {
      await obtain(useGo);
    } catch (error) {
      return (error as Error).message;
    }
    return assert.fail("expected it to fail");
  }

  it("takes a new enough one from the PATH, and asks nobody else", async () => {
    await install("nats-server", program("2.12.0"));
    assert.deepEqual(await obtain(), { path: join(bin, "nats-server"), version: "2.12.0", source: "path" });
    assert.deepEqual(server.requests, []);
  });

  it("refuses an old one from the PATH, says why, and downloads", async () => {
    await install("nats-server", program("2.9.10"));
    await publish(`${STEM}.tar.gz`, await tarGz("nats-server", program(PINNED_VERSION)));
    const found = await obtain();
    assert.deepEqual(found, { path: cachedExecutable(cacheDir), version: PINNED_VERSION, source: "release" });
    assert.equal(
      notes[0],
      `not used: ${
        join(bin, "nats-server")
      } is 2.9.10 and too old: the streams need features that came with 2.12 ` +
        "(atomic batches, message TTL), and distributions ship 2.9",
    );
  });

  it("uses the cache the next time, without a request", async () => {
    await publish(`${STEM}.tar.gz`, await tarGz("nats-server", program(PINNED_VERSION)));
    await obtain();
    server.requests.length = 0;
    assert.equal((await obtain()).source, "cache");
    assert.deepEqual(server.requests, []);
  });

  it("builds it with Go where Go is present, in the cache folder", async () => {
    await install(
      "go",
      `#!/bin/sh\necho "args $*" >&2\nprintf '#!/bin/sh\\necho "nats-server: v${PINNED_VERSION}"\\n' > "$GOBIN/nats-server"\n` +
        `/bin/chmod 755 "$GOBIN/nats-server"\n`,
    );
    assert.equal((await obtain()).source, "go");
    assert.deepEqual(await cacheEntries(), [`v${PINNED_VERSION}-nats-server`]);
    assert.deepEqual(server.requests, []);
  });

  it("downloads when the build fails", async () => {
    await install("go", "#!/bin/sh\necho 'go: no network' >&2\nexit 1\n");
    await publish(`${STEM}.tar.gz`, await tarGz("nats-server", program(PINNED_VERSION)));
    assert.equal((await obtain()).source, "release");
  });

  it("reads a zip archive where the release has no tar.gz", async () => {
    const entry = { [`${STEM}/nats-server`]: bytesOf(program(PINNED_VERSION)) };
    await publish(`${STEM}.zip`, zipSync(entry));
    assert.equal((await obtain()).source, "release");
  });

  it("replaces a cached file that does not run", async () => {
    await Deno.mkdir(cacheDir);
    await Deno.writeTextFile(cachedExecutable(cacheDir), "#!/bin/sh\necho half", { mode: 0o755 });
    await publish(`${STEM}.tar.gz`, await tarGz("nats-server", program(PINNED_VERSION)));
    assert.equal((await obtain()).source, "release");
    assert.equal((await obtain()).source, "cache");
  });

  it("can be done by several starts at once", async () => {
    await publish(`${STEM}.tar.gz`, await tarGz("nats-server", program(PINNED_VERSION)));
    const found = await Promise.all([obtain(), obtain(), obtain(), obtain()]);
    for (const { path, version } of found) {
      assert.deepEqual([path, version], [cachedExecutable(cacheDir), PINNED_VERSION]);
    }
    assert.deepEqual(await cacheEntries(), [`v${PINNED_VERSION}-nats-server`]);
  });

  describe("when nothing works", () => {
    const prefix = () =>
      `Cannot obtain nats-server 2.12.0 or newer: there is none on the PATH; there is none in the cache ` +
      `(${cachedExecutable(cacheDir)}); `;
    const suffix = `. Install Go, or put nats-server ${PINNED_VERSION} on the PATH.`;
    const noGo = "Go is not on the PATH to build it; the download failed: ";
    const archive = `${STEM}.tar.gz`;

    it("says what was tried and what to do when the release is not there", async () => {
      assert.equal(
        await failure(),
        `${prefix()}${noGo}HTTP 404 from ${server.url}${folder}/SHA256SUMS${suffix}`,
      );
    });

    it("refuses an archive with another checksum, and caches nothing", async () => {
      const bytes = await tarGz("nats-server", program(PINNED_VERSION));
      await publish(archive, bytes, "a".repeat(64));
      assert.equal(
        await failure(),
        `${prefix()}${noGo}${server.url}${folder}/${archive} has checksum ${sha256(bytes)}, but ${
          "a".repeat(64)
        } ` +
          `is published${suffix}`,
      );
      assert.deepEqual(await cacheEntries(), []);
    });

    it("refuses a download that is cut short at any point, and caches nothing", async () => {
      const bytes = await tarGz("nats-server", program(PINNED_VERSION));
      await publish(archive, bytes);
      for (const sent of [0, 1, bytes.length >> 1, bytes.length - 1]) {
        site[`${folder}/${archive}`] = { full: bytes, sent };
        const message = await failure();
        assert.ok(message.includes(`the download failed: `) && message.endsWith(suffix), message);
        assert.deepEqual(await cacheEntries(), []);
      }
    });

    it("refuses an archive without the program, and one whose program states another version", async () => {
      await publish(archive, await tarGz("README", "hello"));
      assert.ok((await failure()).includes(`Cannot unpack ${archive}: it has no nats-server`));
      await publish(archive, await tarGz("nats-server", program("2.15.2")));
      assert.ok((await failure()).includes(`what was made states version 2.15.2, not ${PINNED_VERSION}`));
      assert.deepEqual(await cacheEntries(), []);
    });

    it("says so when the release has no archive for this platform", async () => {
      site[`${folder}/SHA256SUMS`] = bytesOf(`${"0".repeat(64)}  other.tar.gz\n`);
      assert.ok((await failure()).includes(`SHA256SUMS has no checksum for ${STEM}`));
    });

    it("gives go's last line when its build fails too", async () => {
      await install("go", "#!/bin/sh\necho 'go: downloading' >&2\necho 'go: no network' >&2\nexit 1\n");
      assert.ok(
        (await failure()).includes("; go install failed: go: no network; the download failed: HTTP 404"),
      );
    });
  });
});

describe("release names and versions", () => {
  it("compares versions by number", () => {
    assert.deepEqual(
      [["2.12.0", "2.12.0"], ["2.9.10", "2.12.0"], ["2.100.0", "2.12.9"], ["3.0.0", "2.99.99"], [
        "2.12.1",
        "2.12.2",
      ]]
        .map(([a, b]) => isAtLeast(a, b)),
      [true, false, true, true, false],
    );
  });

  it("reads a version as nats-server prints it", () => {
    assert.equal(parseVersion("nats-server: v2.15.3\n"), "2.15.3");
    assert.equal(parseVersion("nats-server: v2.14.0-beta.1\n"), "2.14.0");
    assert.equal(parseVersion("command not found"), null);
  });

  it("names archives as they are published, and none for other platforms", () => {
    assert.equal(archiveStem("2.15.3", { os: "linux", arch: "x86_64" }), "nats-server-v2.15.3-linux-amd64");
    assert.equal(
      archiveStem("2.15.3", { os: "darwin", arch: "aarch64" }),
      "nats-server-v2.15.3-darwin-arm64",
    );
    assert.equal(archiveStem("2.15.3", { os: "solaris", arch: "x86_64" }), null);
  });

  it("finds a checksum only for exactly its file", () => {
    const sums = `${"a".repeat(64)}  x.tar.gz.sig\n${"B".repeat(64)} *x.tar.gz\r\n${"c".repeat(63)}  y.zip\n`;
    assert.deepEqual(findChecksum(sums, "x"), { archive: "x.tar.gz", sha256: "b".repeat(64) });
    assert.equal(findChecksum(sums, "y"), null);
  });
});
