/**
 * Owns the shape of a FIX dictionary in memory: fields, messages with flattened components, nested groups, header and
 * trailer, ready for validation and naming. Loads the compact table that dictionary_table.ts describes; refuses a
 * table with a reference to nowhere. Pure. Source: FIX 4.4 Vol. 1 to 6 by way of the table.
 */
import { dataFieldPairs, DictionaryError, type DictionaryTable, type FieldType } from "./dictionary_table.ts";

/** One field. */
export interface FieldDef {
  readonly tag: number;
  readonly name: string;
  readonly type: FieldType;
  /** Enumerated values with their names, null when any value goes. */
  readonly values: ReadonlyMap<string, string> | null;
  /** Bit per one-byte value allowed, 8 words; null when not enumerated. */
  readonly charMask: Uint32Array | null;
}

/** One place in a message, header, trailer or group. */
export interface Member {
  readonly tag: number;
  readonly required: boolean;
  readonly field: FieldDef;
  /** The group that this field counts, null for a plain field. */
  readonly group: Scope | null;
}

/** Tags below have a table slot; others are looked up in a map. */
const SLOT_COUNT = 1024;
/** Data fields have a place in a table by tag. */
const MAX_DATA_TAG = 0xffff;
/** More than any message has with all its components. */
const MAX_MEMBERS = 10_000;

/** The fields of a message body, header, trailer or group entry, in the order of the specification. */
export class Scope {
  /** Of a group: the first field of each entry, which marks where entries begin. */
  readonly delimiterTag: number;
  readonly required: readonly Member[];
  readonly #slots = new Uint16Array(SLOT_COUNT);
  readonly #others = new Map<number, number>();

  constructor(readonly members: readonly Member[]) {
    this.delimiterTag = members.length === 0 ? 0 : members[0].tag;
    this.required = members.filter((member) => member.required);
    members.forEach((member, index) => {
      if (this.indexOf(member.tag) >= 0) {
        throw new DictionaryError(`${member.field.name}(${member.tag}) stands twice in one place`);
      }
      if (member.tag < SLOT_COUNT) this.#slots[member.tag] = index + 1;
      else this.#others.set(member.tag, index);
    });
  }

  /** Position of `tag` in {@link members}, -1 when it is not defined here (nested groups do not count). */
  indexOf(tag: number): number {
    if (tag >= 0 && tag < SLOT_COUNT) return this.#slots[tag] - 1;
    const index = this.#others.get(tag);
    return index === undefined ? -1 : index;
  }

  /** The member `tag`, undefined when it is not defined here. */
  member(tag: number): Member | undefined {
    return this.members[this.indexOf(tag)];
  }

  /** Whether `tag` is defined in a group below this scope. */
  nests(tag: number): boolean {
    return this.members.some(({ group }) => group !== null && (group.indexOf(tag) >= 0 || group.nests(tag)));
  }
}

/** One message. */
export interface MessageDef {
  readonly type: string;
  readonly name: string;
  /** Whether the session layer owns it. */
  readonly admin: boolean;
  readonly body: Scope;
}

/** A loaded dictionary; immutable. Message bodies are put together when first asked for. */
export class Dictionary {
  readonly beginString: string;
  readonly fields: ReadonlyMap<number, FieldDef>;
  readonly header: Scope;
  readonly trailer: Scope;
  /** Every MsgType with its name. */
  readonly messageNames: ReadonlyMap<string, string>;

  /** By tag: the length tag that stands right in front when it is a data field, else 0. See FixMessage. */
  readonly dataLengthTags: Uint16Array;

  readonly #components = new Map<string, string>();
  readonly #componentMembers = new Map<string, readonly Member[]>();
  readonly #messageLines = new Map<string, string>();
  readonly #messages = new Map<string, MessageDef>();

  /** Throws when the table refers to an unknown field or component. */
  constructor(table: DictionaryTable) {
    this.beginString = table.beginString;
    this.fields = readFields(table.fields);
    this.dataLengthTags = lengthTagsOf(table);
    for (const line of linesOf(table.components)) {
      const space = line.indexOf(" ");
      this.#components.set(line.slice(0, space), line.slice(space + 1));
    }
    const names = new Map<string, string>();
    for (const line of linesOf(table.messages)) {
      const [type, name] = line.split(" ", 2);
      this.#messageLines.set(type, line);
      names.set(type, name);
    }
    this.messageNames = names;
    this.header = new Scope(this.#membersOf(table.header));
    this.trailer = new Scope(this.#membersOf(table.trailer));
  }

  /** The definition of MsgType(35) `type`, undefined when there is none. */
  message(type: string): MessageDef | undefined {
    const known = this.#messages.get(type);
    if (known !== undefined) return known;
    const line = this.#messageLines.get(type);
    if (line === undefined) return undefined;
    const [, name, category, ...members] = line.split(" ");
    const body = new Scope(this.#membersOf(members.join(" ")));
    const message = { type, name, admin: category === "admin", body };
    this.#messages.set(type, message);
    return message;
  }

  #membersOf(text: string): readonly Member[] {
    const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
    const [members, end] = this.#readMembers(tokens, 0);
    if (end !== tokens.length) throw new DictionaryError(`")" too many in "${text}"`);
    return members;
  }

  /** Members from `tokens[at]` to the closing bracket or the end, and where that is. */
  #readMembers(tokens: readonly string[], first: number): [readonly Member[], number] {
    const members: Member[] = [];
    let at = first;
    while (at < tokens.length && tokens[at] !== ")") {
      const token = tokens[at++];
      const required = token.endsWith("!");
      const name = required ? token.slice(0, -1) : token;
      if (name.startsWith("@")) {
        const flattened = this.#component(name.slice(1));
        for (const member of flattened) members.push(required ? member : { ...member, required: false });
        if (members.length > MAX_MEMBERS) {
          throw new DictionaryError(
            `component ${name.slice(1)} makes more than ${MAX_MEMBERS} fields in one place`,
          );
        }
        continue;
      }
      const field = this.fields.get(Number(name));
      if (field === undefined) throw new DictionaryError(`field ${name} is not defined`);
      let group: Scope | null = null;
      if (tokens[at] === "(") {
        const [entry, end] = this.#readMembers(tokens, at + 1);
        group = new Scope(entry);
        at = end + 1;
      }
      members.push({ tag: field.tag, required, field, group });
    }
    return [members, at];
  }

  #component(name: string): readonly Member[] {
    let members = this.#componentMembers.get(name);
    if (members === undefined) {
      const text = this.#components.get(name);
      if (text === undefined) throw new DictionaryError(`component ${name} is not defined`);
      members = this.#membersOf(text);
      this.#componentMembers.set(name, members);
    }
    return members;
  }
}

function lengthTagsOf(table: DictionaryTable): Uint16Array {
  const pairs = dataFieldPairs(table);
  for (const tag of pairs.flat()) {
    if (tag > MAX_DATA_TAG) {
      throw new DictionaryError(`data field or its length ${tag}: expected up to ${MAX_DATA_TAG}`);
    }
  }
  const lengthTags = new Uint16Array(Math.max(0, ...pairs.map(([, data]) => data)) + 1);
  for (const [length, data] of pairs) lengthTags[data] = length;
  return lengthTags;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function readFields(text: string): ReadonlyMap<number, FieldDef> {
  const fields = new Map<number, FieldDef>();
  for (const line of linesOf(text)) {
    const [tag, name, type, ...pairs] = line.split(" ");
    const values = pairs.length === 0 ? null : new Map<string, string>();
    const charMask = values === null ? null : new Uint32Array(8);
    for (const pair of pairs) {
      const equals = pair.indexOf("=");
      const value = pair.slice(0, equals);
      values?.set(value, pair.slice(equals + 1));
      if (value.length === 1 && charMask !== null) {
        charMask[value.charCodeAt(0) >> 5] |= 1 << (value.charCodeAt(0) & 31);
      }
    }
    fields.set(Number(tag), { tag: Number(tag), name, type: type as FieldType, values, charMask });
  }
  return fields;
}
