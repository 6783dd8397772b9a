/** Owns where the acceptance scripts are: one file per case in fix44/, read in the order of their names. */
import { parseScript, type Script, ScriptError } from "./language.ts";

const FOLDER = new URL("fix44/", import.meta.url);

/** A script and the name of its file. */
export interface NamedScript {
  readonly name: string;
  readonly script: Script;
}

/** Reads them all. Throws a ScriptError that names file and line. */
export function loadScripts(): NamedScript[] {
  const names = [...Deno.readDirSync(FOLDER)].map((entry) => entry.name).filter((name) =>
    name.endsWith(".fix")
  );
  return names.sort().map((name) => {
    try {
      return { name, script: parseScript(Deno.readTextFileSync(new URL(name, FOLDER))) };
    } catch (cause) {
      throw new ScriptError(`Cannot load tests/acceptance/fix44/${name}`, { cause });
    }
  });
}
