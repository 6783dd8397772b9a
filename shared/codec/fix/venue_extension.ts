/**
 * The fields that this venue has beyond FIX 4.4, and the messages that may carry them: what clients can ask for and FIX
 * 4.4 has no word for. Owns the list and its merging into a dictionary table. Only requests are extended; what the venue
 * sends stays within FIX 4.4. Pure. Source: docs/fix.md, "Fields of the venue's own".
 */
import { DictionaryError, type DictionaryTable } from "./dictionary_table.ts";

/** Lines of fields as in a {@link DictionaryTable}, and by MsgType(35) the members that follow its own, all optional. */
export interface DictionaryExtension {
  readonly fields: readonly string[];
  readonly members: Readonly<Record<string, string>>;
}

/** Numbers and first two instructions are those of CME's iLink; the other instructions are ours. */
export const VENUE_EXTENSION: DictionaryExtension = {
  fields: [
    "5530 MassActionScope CHAR 0=SESSION 1=FIRM",
    "7928 SelfMatchPreventionID INT",
    "8000 SelfMatchPreventionInstruction CHAR O=CANCEL_RESTING N=CANCEL_AGGRESSOR B=CANCEL_BOTH D=DECREMENT X=NONE",
  ],
  members: { D: "7928 8000", G: "7928 8000", q: "5530", AF: "5530" },
};

/** The table with the extension's fields. Throws {@link DictionaryError} when it has no such message or has a tag already. */
export function extended(table: DictionaryTable, extension: DictionaryExtension): DictionaryTable {
  const known = new Set(table.fields.trim().split("\n").map((line) => line.split(" ", 1)[0]));
  for (const line of extension.fields) {
    const tag = line.split(" ", 1)[0];
    if (known.has(tag)) throw new DictionaryError(`field number ${tag} is defined twice`);
  }
  const lines = table.messages.trim().split("\n");
  for (const [type, members] of Object.entries(extension.members)) {
    const index = lines.findIndex((line) => line.startsWith(`${type} `));
    if (index < 0) throw new DictionaryError(`there is no message ${type} to extend`);
    lines[index] += ` ${members}`;
  }
  return {
    ...table,
    fields: `${table.fields.trimEnd()}\n${extension.fields.join("\n")}\n`,
    messages: `\n${lines.join("\n")}\n`,
  };
}
