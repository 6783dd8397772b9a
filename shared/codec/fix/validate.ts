/**
 * Owns the check of a parsed message against a dictionary, and the reason that a Reject(3) gives. It does not look at
 * the session's state (CompIDs, times, numbers) or at business meaning. The first fault in message order counts, and
 * missing fields after that. Pure: module state is scratch space of one call.
 * Source: FIX 4.4 Vol. 2, "Session Reject"; session-level test cases 14a to 14i, 15, 21.
 */
import type { Dictionary, FieldDef, MessageDef, Scope } from "./dictionary.ts";
import { type FixMessage, latin1, MALFORMED_TAG, parseInteger } from "./message.ts";
import { SessionRejectReason, type ValidationFault } from "./reject_reason.ts";
import { formatName, hasFormat, isEnumerated } from "./value_format.ts";

/** What is let pass. */
export interface ValidationOptions {
  /** Whether tags 5000 to 9999 that the dictionary lacks are accepted unchecked; else they are invalid tags. */
  readonly allowUserDefined: boolean;
  /** Most entries in one group; unlimited when absent. */
  readonly maxGroupEntries?: number;
}

const FIRST_USER_TAG = 5000;
const LAST_USER_TAG = 9999;
const SLOT_COUNT = 1024;
const MAX_QUOTED_BYTES = 40;
const MSG_TYPE = 35;
/** Password(554) and NewPassword(925) are not repeated in any text. */
const SECRET_TAGS: readonly number[] = [554, 925];

const HEADER = 0;
const BODY = 1;
const TRAILER = 2;

/** `seen[tag] === generation`: the tag stood outside groups in this message. */
const seen = new Uint32Array(SLOT_COUNT);
let generation = 0;
let fault: ValidationFault | null = null;

/** Null when `message` conforms to `dictionary`, else the fault to reject it with. */
export function validate(
  message: FixMessage,
  dictionary: Dictionary,
  options: ValidationOptions,
): ValidationFault | null {
  fault = null;
  const definition = dictionary.message(message.msgType);
  if (definition === undefined) {
    const type = quote(message, message.find(MSG_TYPE));
    return newFault(
      SessionRejectReason.InvalidMsgType,
      MSG_TYPE,
      `Cannot accept MsgType(35): ${type} is unknown`,
    );
  }
  if (generation === 0xffffffff) {
    seen.fill(0);
    generation = 0;
  }
  generation++;
  const check: Check = { message, dictionary, options, definition };
  let section = HEADER;
  for (let i = 0; i < message.fieldCount && fault === null;) {
    const tag = message.tags[i];
    let scope = scopeOf(check, section);
    let place = scope.indexOf(tag);
    while (place < 0 && section < TRAILER && sectionOf(check, tag) > section) {
      scope = scopeOf(check, ++section);
      place = scope.indexOf(tag);
    }
    if (place < 0) i = checkStray(check, i, section);
    else if (isRepeated(message, i)) {
      i = refuse(
        SessionRejectReason.TagAppearsMoreThanOnce,
        tag,
        `${fieldName(dictionary, tag)} stands twice`,
      );
    } else i = checkMember(check, i, scope, place);
  }
  if (fault === null) checkRequired(check);
  return fault;
}

interface Check {
  readonly message: FixMessage;
  readonly dictionary: Dictionary;
  readonly options: ValidationOptions;
  readonly definition: MessageDef;
}

function scopeOf({ dictionary, definition }: Check, section: number): Scope {
  return section === HEADER ? dictionary.header : section === BODY ? definition.body : dictionary.trailer;
}

/** The section that defines `tag` outside groups, -1 for none. */
function sectionOf({ dictionary, definition }: Check, tag: number): number {
  if (definition.body.indexOf(tag) >= 0) return BODY;
  if (dictionary.trailer.indexOf(tag) >= 0) return TRAILER;
  return dictionary.header.indexOf(tag) >= 0 ? HEADER : -1;
}

/** Checks the field at `index`, and the group that it counts. Returns the index behind. */
function checkMember(check: Check, index: number, scope: Scope, place: number): number {
  const { field, group } = scope.members[place];
  if (!checkValue(check, index, field)) return index;
  return group === null ? index + 1 : checkGroup(check, index, field, group);
}

function checkValue(check: Check, index: number, field: FieldDef): boolean {
  const { message } = check;
  const { buffer } = message;
  const start = message.valueStart[index];
  const end = message.valueEnd[index];
  const { tag, name, type } = field;
  if (start === end) {
    refuse(SessionRejectReason.TagWithoutValue, tag, `${name}(${tag}) has no value`);
  } else if (!hasFormat(type, buffer, start, end)) {
    const text = `${name}(${tag}): expected ${formatName(type)}, got ${quote(message, index)}`;
    refuse(SessionRejectReason.IncorrectDataFormat, tag, text);
  } else if (!isEnumerated(field, buffer, start, end)) {
    const text = `${name}(${tag}): ${quote(message, index)} is not one of its values`;
    refuse(SessionRejectReason.ValueIncorrect, tag, text);
  } else if (type === "DATA") checkData(check, index, field);
  return fault === null;
}

/** FIX 4.4 Vol. 1, "data": the length field is right in front and counts the bytes. */
function checkData({ message, dictionary }: Check, index: number, { tag, name }: FieldDef): void {
  const { valueStart, valueEnd } = message;
  const length = valueEnd[index] - valueStart[index];
  if (index > 0 && dictionary.fields.get(message.tags[index - 1])?.type === "LENGTH") {
    if (parseInteger(message.buffer, valueStart[index - 1], valueEnd[index - 1]) === length) return;
  }
  const text = `${name}(${tag}): expected its length, ${length}, in the field in front`;
  refuse(SessionRejectReason.IncorrectDataFormat, tag, text);
}

/** Checks the entries behind the count at `index`. Returns the index behind the group. */
function checkGroup(check: Check, index: number, count: FieldDef, group: Scope): number {
  const { message, options, dictionary } = check;
  const { tags } = message;
  const announced = parseInteger(message.buffer, message.valueStart[index], message.valueEnd[index]);
  if (options.maxGroupEntries !== undefined && announced > options.maxGroupEntries) {
    const most = `expected at most ${options.maxGroupEntries} entries (maxGroupEntries)`;
    const text = `${count.name}(${count.tag}): ${most}, got ${announced}`;
    return refuse(SessionRejectReason.ValueIncorrect, count.tag, text);
  }
  let entries = 0;
  let at = index + 1;
  while (at < message.fieldCount && tags[at] === group.delimiterTag && fault === null) {
    entries++;
    at = checkEntry(check, at, group);
  }
  if (fault !== null || entries === announced) return at;
  if (entries === 0 && at < message.fieldCount && group.indexOf(tags[at]) > 0) {
    const expected = fieldName(dictionary, group.delimiterTag);
    const text = `${fieldName(dictionary, tags[at])}: expected ${expected} first in an entry`;
    return refuse(SessionRejectReason.GroupFieldsOutOfOrder, tags[at], text);
  }
  const text = `${count.name}(${count.tag}): expected ${announced} entries, got ${entries}`;
  return refuse(SessionRejectReason.IncorrectGroupCount, count.tag, text);
}

/** Checks one entry, whose fields stand in the order of the specification. Returns the index behind it. */
function checkEntry(check: Check, first: number, group: Scope): number {
  const { message, dictionary, options } = check;
  let place = -1;
  let missing = group.required.length;
  let at = first;
  while (at < message.fieldCount && fault === null) {
    const tag = message.tags[at];
    const next = group.indexOf(tag);
    if (next < 0 && options.allowUserDefined && isUserDefined(dictionary, tag)) {
      at = checkStray(check, at, BODY);
      continue;
    }
    if (next < 0 || next === 0 && place >= 0) break;
    if (next <= place) {
      const reason = next === place
        ? SessionRejectReason.TagAppearsMoreThanOnce
        : SessionRejectReason.GroupFieldsOutOfOrder;
      const text = next === place ? "stands twice in one entry" : "is out of order in its entry";
      return refuse(reason, tag, `${fieldName(dictionary, tag)} ${text}`);
    }
    place = next;
    if (group.members[place].required) missing--;
    at = checkMember(check, at, group, place);
  }
  if (fault === null && missing > 0) refuseMissing(check, group, first, at);
  return at;
}

function refuseMissing({ message, dictionary }: Check, group: Scope, first: number, end: number): void {
  const present = message.tags.subarray(first, end);
  const absent = group.required.find(({ tag }) => !present.includes(tag));
  if (absent === undefined) return;
  const entry = `the entry of ${fieldName(dictionary, group.delimiterTag)}`;
  const text = `${fieldName(dictionary, absent.tag)} is missing in ${entry}`;
  refuse(SessionRejectReason.RequiredTagMissing, absent.tag, text);
}

/** A field that is not due here: says why, or passes a user-defined one. */
function checkStray(check: Check, index: number, section: number): number {
  const { message, dictionary, definition, options } = check;
  const tag = message.tags[index];
  if (tag === MALFORMED_TAG) {
    const text = `a field: expected tag=value, got ${quote(message, index)}`;
    return refuse(SessionRejectReason.InvalidTagNumber, null, text);
  }
  if (!dictionary.fields.has(tag)) {
    if (!options.allowUserDefined || !isUserDefined(dictionary, tag)) {
      return refuse(SessionRejectReason.InvalidTagNumber, tag, `tag ${tag}: it is not defined`);
    }
    if (message.valueStart[index] !== message.valueEnd[index]) return index + 1;
    return refuse(SessionRejectReason.TagWithoutValue, tag, `tag ${tag}: it has no value`);
  }
  const name = fieldName(dictionary, tag);
  const home = sectionOf(check, tag);
  if (home >= 0 && home < section) {
    const places = ["header", "body", "trailer"];
    const text = `${name}: it belongs to the ${places[home]}, which has ended`;
    return refuse(SessionRejectReason.TagOutOfOrder, tag, text);
  }
  if (definition.body.nests(tag) || dictionary.header.nests(tag)) {
    return refuse(SessionRejectReason.GroupFieldsOutOfOrder, tag, `${name}: it stands outside its group`);
  }
  const text = `${name}: it is not defined for ${definition.name}(${definition.type})`;
  return refuse(SessionRejectReason.TagNotDefinedForMessage, tag, text);
}

function checkRequired(check: Check): void {
  for (let section = HEADER; section <= TRAILER; section++) {
    for (const { tag } of scopeOf(check, section).required) {
      if (tag < SLOT_COUNT ? seen[tag] === generation : check.message.find(tag) >= 0) continue;
      refuse(SessionRejectReason.RequiredTagMissing, tag, `${fieldName(check.dictionary, tag)} is missing`);
      return;
    }
  }
}

/** Whether the field at `index` stood outside groups before; remembers it. */
function isRepeated(message: FixMessage, index: number): boolean {
  const tag = message.tags[index];
  if (tag >= SLOT_COUNT) return message.find(tag) < index;
  if (seen[tag] === generation) return true;
  seen[tag] = generation;
  return false;
}

function isUserDefined(dictionary: Dictionary, tag: number): boolean {
  return tag >= FIRST_USER_TAG && tag <= LAST_USER_TAG && !dictionary.fields.has(tag);
}

function refuse(reason: number, refTag: number | null, problem: string): number {
  fault = newFault(reason, refTag, `Cannot accept ${problem}`);
  return -1;
}

function newFault(reason: number, refTag: number | null, text: string): ValidationFault {
  return { reason, refTag, text };
}

function fieldName(dictionary: Dictionary, tag: number): string {
  const field = dictionary.fields.get(tag);
  return field === undefined ? `tag ${tag}` : `${field.name}(${tag})`;
}

/** A value as a text may show it: shortened, printable, never a password. */
function quote(message: FixMessage, index: number): string {
  if (index < 0) return '""';
  if (SECRET_TAGS.includes(message.tags[index])) return "a secret";
  const start = message.valueStart[index];
  const end = message.valueEnd[index];
  const shown = latin1(message.buffer, start, Math.min(end, start + MAX_QUOTED_BYTES));
  // deno-lint-ignore no-control-regex
  return `"${shown.replace(/[\x00-\x1f\x7f-\xff]/g, "?")}${end - start > MAX_QUOTED_BYTES ? "…" : ""}"`;
}
