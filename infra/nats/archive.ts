/** Takes one file out of a release archive held in memory (tar.gz or zip). No I/O. */
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
// @ts-types="npm:@types/tar-stream@3.1.5"
import tar from "tar-stream";

/** No nats-server is near this size; an archive that claims more is refused. */
const MAX_UNPACKED_BYTES = 256 * 2 ** 20;

function isWanted(entry: string, name: string): boolean {
  return entry === name || entry.endsWith(`/${name}`);
}

async function fromTar(bytes: Uint8Array, name: string): Promise<Uint8Array | null> {
  const extract = tar.extract();
  extract.end(gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }));
  let found: Uint8Array | null = null;
  for await (const entry of extract) {
    if (entry.header.type !== "file" || !isWanted(entry.header.name, name)) {
      entry.resume();
      continue;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    found = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  }
  return found;
}

function fromZip(bytes: Uint8Array, name: string): Uint8Array | null {
  const files = unzipSync(bytes, {
    filter: (file) => isWanted(file.name, name) && file.originalSize <= MAX_UNPACKED_BYTES,
  });
  return Object.values(files)[0] ?? null;
}

/** The bytes of the file called `name` in any folder of the archive. Throws when it is damaged or has no such file. */
export async function unpackOne(archive: string, bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const found = archive.endsWith(".zip") ? fromZip(bytes, name) : await fromTar(bytes, name);
  if (found === null || found.length === 0) throw new Error(`Cannot unpack ${archive}: it has no ${name}`);
  return found;
}
