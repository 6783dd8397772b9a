/**
 * Owns the messages that fuzzing starts from: corpus/, one file per message type, one whole message per line with "|"
 * for SOH, valid as they stand. Reads files; changes nothing.
 */
const FOLDER = new URL("corpus/", import.meta.url);

/** Every message of the corpus as one character per byte, in the order of file names and lines. */
export function loadCorpus(): string[] {
  const names = [...Deno.readDirSync(FOLDER)].map((entry) => entry.name).sort();
  return names.flatMap((name) => {
    const lines = Deno.readTextFileSync(new URL(name, FOLDER)).trimEnd().split("\n");
    return lines.map((line) => line.replaceAll("|", "\x01"));
  });
}
