/** Writing to the terminal, or to whatever stands in its place. Does I/O. */

/** Writes all bytes, whatever the other end of a pipe takes at once. */
export function writeBytes(file: { writeSync(bytes: Uint8Array): number }, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
}

/** Writes all of a text. */
export function write(file: { writeSync(bytes: Uint8Array): number }, text: string): void {
  writeBytes(file, new TextEncoder().encode(text));
}

/** Writes a text to standard output. */
export function print(text: string): void {
  write(Deno.stdout, text);
}
