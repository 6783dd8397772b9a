/**
 * Fetches the pinned release: the published list of checksums, then the archive for this platform, and refuses an
 * archive whose SHA-256 is not the published one. Network only; writes nothing.
 */
import { createHash } from "node:crypto";
import { unpackOne } from "./archive.ts";
import { archiveStem, executableName, type Platform } from "./release.ts";

/** Told how far a download is, in bytes. `total` is 0 when the server does not say. */
export type OnProgress = (received: number, total: number) => void;

/** A release archive is about 10 MB. */
const MAX_ARCHIVE_BYTES = 128 * 2 ** 20;
/** A server that sends nothing for this long is given up. */
const STALL_MS = 30_000;

async function fetchBytes(url: string, onProgress: OnProgress): Promise<Uint8Array> {
  const abort = new AbortController();
  let stall = setTimeout(() => abort.abort(), STALL_MS);
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new Error(`HTTP ${response.status} from ${url}`);
    }
    const total = Number(response.headers.get("content-length") ?? 0);
    const chunks: BlobPart[] = [];
    let received = 0;
    for await (const chunk of response.body) {
      received += chunk.length;
      if (received > MAX_ARCHIVE_BYTES) throw new Error(`more than ${MAX_ARCHIVE_BYTES} bytes from ${url}`);
      chunks.push(chunk);
      onProgress(received, total);
      clearTimeout(stall);
      stall = setTimeout(() => abort.abort(), STALL_MS);
    }
    if (total > 0 && received !== total) throw new Error(`${url} ended after ${received} of ${total} bytes`);
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch (error) {
    if (abort.signal.aborted) {
      throw new Error(`${url} sent nothing for ${STALL_MS / 1000} s`, { cause: error });
    }
    throw error instanceof TypeError ? new Error(`cannot download ${url}: ${error.message}`) : error;
  } finally {
    clearTimeout(stall);
  }
}

/** Finds the archive for `stem` in a SHA256SUMS file: lines of 64 hexadecimal digits, blanks and a file name. */
export function findChecksum(sums: string, stem: string): { archive: string; sha256: string } | null {
  for (const ending of [".tar.gz", ".zip"]) {
    for (const line of sums.split(/\r?\n/)) {
      const match = /^([0-9a-fA-F]{64})[ \t]+\*?(\S+)$/.exec(line.trim());
      if (match?.[2] === stem + ending) return { archive: match[2], sha256: match[1].toLowerCase() };
    }
  }
  return null;
}

/**
 * The executable of release `version` for `platform`, taken from `${baseUrl}/v${version}/`. Throws an Error that
 * says which address failed and how: not found, cut short, wrong checksum, no archive for the platform.
 */
export async function downloadRelease(
  { baseUrl, version, platform, onProgress = () => {} }: {
    baseUrl: string;
    version: string;
    platform: Platform;
    onProgress?: OnProgress;
  },
): Promise<Uint8Array> {
  const stem = archiveStem(version, platform);
  if (stem === null) throw new Error(`no release is published for ${platform.os} ${platform.arch}`);
  const folder = `${baseUrl}/v${version}`;
  const sums = new TextDecoder().decode(await fetchBytes(`${folder}/SHA256SUMS`, () => {}));
  const entry = findChecksum(sums, stem);
  if (entry === null) throw new Error(`${folder}/SHA256SUMS has no checksum for ${stem}`);
  const bytes = await fetchBytes(`${folder}/${entry.archive}`, onProgress);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== entry.sha256) {
    throw new Error(`${folder}/${entry.archive} has checksum ${sha256}, but ${entry.sha256} is published`);
  }
  return await unpackOne(entry.archive, bytes, executableName(platform.os));
}
