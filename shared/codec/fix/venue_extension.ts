/**
 * The fields that this venue has beyond FIX 4.4, and the messages that may carry them: what clients can ask for, and what
 * they can learn of an instrument, and FIX 4.4 has no word for. Owns the list and its merging into a dictionary table.
 * Reports about orders stay within FIX 4.4. Pure. Source: docs/fix.md, "Fields of the venue's own".
 */
import { DictionaryError, type DictionaryTable } from "./dictionary_table.ts";

/**
 * Lines of fields as in a {@link DictionaryTable}, and the members, all optional, that follow those of a message, by
 * MsgType(35), or of a group of it, by MsgType(35) and the group's tag: `y/146`.
 */
export interface DictionaryExtension {
  readonly fields: readonly string[];
  readonly members: Readonly<Record<string, string>>;
}

/**
 * Numbers below 5000 are those of later FIX versions. 7928, 8000 and its first two instructions are those of CME's iLink;
 * the other instructions and 5530 are ours.
 */
export const VENUE_EXTENSION: DictionaryExtension = {
  fields: [
    "969 MinPriceIncrement FLOAT",
    "1140 MaxTradeVol QTY",
    "1142 MatchAlgorithm STRING",
    "5530 MassActionScope CHAR S=SESSION F=FIRM",
    "7928 SelfMatchPreventionID INT",
    "8000 SelfMatchPreventionInstruction CHAR O=CANCEL_RESTING N=CANCEL_AGGRESSOR B=CANCEL_BOTH D=DECREMENT X=NONE",
  ],
  members: {
    D: "7928 8000",
    G: "7928 8000",
    q: "5530",
    r: "5530",
    AF: "5530",
    "y/146": "969 1140 1142",
    d: "969 1140 1142",
  },
};

/** The table with the extension's fields. Throws {@link DictionaryError} when it has no such message or has a tag already. */
export function extended(table: DictionaryTable, extension: DictionaryExtension): DictionaryTable {
  const known = new Set(table.fields.trim().split("\n").map((line) => line.split(" ", 1)[0]));
  for (const line of extension.fields) {
    const tag = line.split(" ", 1)[0];
    if (known.has(tag)) throw new DictionaryError(`field number ${tag} is defined twice`);
  }
  const lines = table.messages.trim().split("\n");
  for (const [place, members] of Object.entries(extension.members)) {
    const [type, group] = place.split("/");
    const index = lines.findIndex((line) => line.startsWith(`${type} `));
    if (index < 0) throw new DictionaryError(`there is no message ${type} to extend`);
    lines[index] = group === undefined
      ? `${lines[index]} ${members}`
      : withGroupMembers(lines[index], group, members);
  }
  return {
    ...table,
    fields: `${table.fields.trimEnd()}\n${extension.fields.join("\n")}\n`,
    messages: `\n${lines.join("\n")}\n`,
  };
}

/** The line of a message with `members` behind those of its group `tag`. */
function withGroupMembers(line: string, tag: string, members: string): string {
  const opening = new RegExp(` ${tag}!?\\(`).exec(line);
  if (opening === null) throw new DictionaryError(`there is no group ${tag} to extend`);
  let depth = 1;
  let at = opening.index + opening[0].length;
  while (depth > 0) {
    depth += line[at] === "(" ? 1 : line[at] === ")" ? -1 : 0;
    at++;
  }
  return `${line.slice(0, at - 1)} ${members}${line.slice(at - 1)}`;
}
