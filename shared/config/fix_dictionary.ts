/**
 * Owns the loading of the FIX dictionaries that a venue brings along, in QuickFIX's XML format. Refuses one that is too
 * large, contradicts itself, is for another version, or lacks what the session layer speaks: with one sentence that
 * names file and element. Reads files.
 */
import { Dictionary, DictionaryError, FIX44, tableOf } from "../codec/fix/mod.ts";
import type { FixSession } from "../protocol/instruments.ts";
import { parseXml } from "./dictionary_xml.ts";
import { ConfigError } from "./problems.ts";

/** Five times the largest dictionary of any FIX version. */
export const MAX_DICTIONARY_BYTES = 8 * 1024 * 1024;
const BEGIN_STRING = "FIX.4.4";
/** Fields that the session layer reads or writes in every header. */
const HEADER_TAGS = [8, 9, 35, 34, 43, 49, 52, 56, 97, 122];
const TRAILER_TAGS = [10];
const SESSION_MESSAGES = ["0", "1", "2", "3", "4", "5", "A"];

/** Makes a dictionary of a file's text; `file` is its name in messages. Throws {@link ConfigError}. */
export function parseDictionary(text: string, file: string): Dictionary {
  try {
    const dictionary = new Dictionary(tableOf(parseXml(text)));
    refuseUnfit(dictionary);
    return dictionary;
  } catch (cause) {
    if (!(cause instanceof DictionaryError)) throw cause;
    throw new ConfigError(`Cannot load FIX dictionary ${file}: ${cause.problem}`);
  }
}

/** Reads a dictionary. Throws {@link ConfigError}, also when the file cannot be read. */
export function loadDictionary(path: string): Dictionary {
  let text: string;
  try {
    const { size } = Deno.statSync(path);
    if (size > MAX_DICTIONARY_BYTES) {
      throw new DictionaryError(`expected at most ${MAX_DICTIONARY_BYTES} bytes, got ${size}`);
    }
    text = Deno.readTextFileSync(path);
  } catch (cause) {
    const why = cause instanceof DictionaryError
      ? cause.problem
      : cause instanceof Error
      ? cause.message
      : cause;
    throw new ConfigError(`Cannot load FIX dictionary ${path}: ${why}`);
  }
  return parseDictionary(text, path);
}

/** Loads every dictionary that sessions name, each once. The result says which one a session's messages are held to. */
export function loadDictionaries(sessions: readonly FixSession[]): (session: FixSession) => Dictionary {
  const loaded = new Map<string, Dictionary>();
  for (const { settings } of sessions) {
    const path = settings?.dictionary ?? null;
    if (path !== null && !loaded.has(path)) loaded.set(path, loadDictionary(path));
  }
  return ({ settings }) => loaded.get(settings?.dictionary ?? "") ?? FIX44;
}

/** Every message is put together once, so that what is wrong with one shows now. */
function refuseUnfit(dictionary: Dictionary): void {
  const { beginString, header, trailer } = dictionary;
  if (beginString !== BEGIN_STRING) {
    throw new DictionaryError(`<fix> is for ${beginString}, expected ${BEGIN_STRING}`);
  }
  for (
    const [where, scope, tags] of [["header", header, HEADER_TAGS], [
      "trailer",
      trailer,
      TRAILER_TAGS,
    ]] as const
  ) {
    const missing = tags.find((tag) => scope.indexOf(tag) < 0);
    if (missing !== undefined) throw new DictionaryError(`<${where}> has no field of number ${missing}`);
  }
  for (const type of SESSION_MESSAGES) {
    const message = dictionary.message(type);
    if (message === undefined) throw new DictionaryError(`<messages> has no message of msgtype ${type}`);
    if (!message.admin) {
      throw new DictionaryError(`message ${message.name} has the category app, expected admin`);
    }
  }
  for (const [type, name] of dictionary.messageNames) {
    try {
      dictionary.message(type);
    } catch (cause) {
      throw cause instanceof DictionaryError
        ? new DictionaryError(`message ${name}: ${cause.problem}`)
        : cause;
    }
  }
}
