/**
 * Owns the compact table form of a FIX dictionary and its making from a QuickFIX-style XML object. Refuses duplicate
 * names and tags, unknown types and references, components that contain themselves, empty groups, and data fields
 * without a length field in front, each with a message that names it. Reads no file: infra/dictionary does. Pure.
 */

/** Value formats of FIX 4.4 Vol. 1, "Data Types". */
// deno-fmt-ignore
export const FIELD_TYPES = [
  "AMT", "BOOLEAN", "CHAR", "COUNTRY", "CURRENCY", "DATA", "EXCHANGE", "FLOAT", "INT", "LENGTH", "LOCALMKTDATE",
  "MONTHYEAR", "MULTIPLEVALUESTRING", "NUMINGROUP", "PERCENTAGE", "PRICE", "PRICEOFFSET", "QTY", "SEQNUM", "STRING",
  "UTCDATEONLY", "UTCTIMEONLY", "UTCTIMESTAMP",
] as const;
/** One of {@link FIELD_TYPES}. */
export type FieldType = typeof FIELD_TYPES[number];

/** Types that QuickFIX-style dictionaries also use, and the format by which FIX 4.4 values of them are read. */
const OTHER_NAMES: Readonly<Record<string, FieldType>> = {
  DATE: "LOCALMKTDATE",
  DAYOFMONTH: "INT",
  LANGUAGE: "STRING",
  LOCALMKTTIME: "STRING",
  MULTIPLECHARVALUE: "MULTIPLEVALUESTRING",
  MULTIPLESTRINGVALUE: "MULTIPLEVALUESTRING",
  TAGNUM: "INT",
  TIME: "UTCTIMESTAMP",
  TZTIMEONLY: "STRING",
  TZTIMESTAMP: "STRING",
  UTCDATE: "UTCDATEONLY",
  XMLDATA: "DATA",
};

/** Lines of text, one definition each; `members` are "tag", "tag(members)" for a group, "@Component", "!" = required. */
export interface DictionaryTable {
  beginString: string;
  /** "tag name TYPE value=NAME …" */
  fields: string;
  /** "name members" */
  components: string;
  /** "type name admin|app members" */
  messages: string;
  /** "members" */
  header: string;
  trailer: string;
}

/** One element of a QuickFIX-style dictionary: its name, attributes and child elements in order. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

/** A dictionary that cannot be used, in one sentence. */
export class DictionaryError extends Error {
  /** What is wrong, for sentences that name the file. */
  readonly problem: string;

  constructor(problem: string) {
    super(`Cannot read the FIX dictionary: ${problem}`);
    this.name = "DictionaryError";
    this.problem = problem;
  }
}

/** Makes the table of the `<fix>` element `root`. Throws {@link DictionaryError}. */
export function tableOf(root: XmlElement): DictionaryTable {
  if (root.name !== "fix") throw new DictionaryError(`expected <fix> at the top, got <${root.name}>`);
  const fields = fieldsOf(section(root, "fields"));
  const components = new Map<string, XmlElement>();
  for (const element of optionalSection(root, "components")) {
    const name = attribute(element, "name");
    if (components.has(name)) throw new DictionaryError(`component ${name} is defined twice`);
    components.set(name, element);
  }
  const context: Context = { fields, components };
  const sound = new Set<string>();
  for (const name of components.keys()) refuseCycles(name, components, [], sound);
  const messages = section(root, "messages").map((element) => messageLine(element, context));
  refuseDuplicates(messages.map((line) => line.split(" ", 1)[0]), "MsgType");
  return {
    beginString: `${attribute(root, "type", "FIX")}.${attribute(root, "major")}.${attribute(root, "minor")}`,
    fields: [...fields.values()].sort((a, b) => a.tag - b.tag).map(({ line }) => line).join("\n"),
    components: [...components].map(([name, element]) => `${name} ${membersOf(element, name, context)}`).join(
      "\n",
    ),
    messages: messages.join("\n"),
    header: membersOf(child(root, "header"), "header", context),
    trailer: membersOf(child(root, "trailer"), "trailer", context),
  };
}

/** The [length tag, data tag] pairs of a table's members, ordered by length tag. */
export function dataFieldPairs(table: DictionaryTable): [number, number][] {
  const types = new Map<number, string>();
  for (const line of table.fields.split("\n")) {
    const [tag, , type] = line.split(" ", 3);
    types.set(Number(tag), type);
  }
  const lengthOf = new Map<number, number>();
  const text = [table.header, table.trailer, table.components, table.messages].join("\n");
  for (const line of text.split("\n")) {
    const tags = line.split(/[\s()]+/).map((token) => Number(token.replace("!", "")));
    tags.forEach((tag, i) => {
      if (types.get(tag) === "DATA") lengthOf.set(tag, tags[i - 1]);
    });
  }
  return [...lengthOf].map(([data, length]): [number, number] => [length, data]).sort((a, b) => a[0] - b[0]);
}

interface FieldEntry {
  readonly tag: number;
  readonly type: FieldType;
  readonly line: string;
}

interface Context {
  readonly fields: ReadonlyMap<string, FieldEntry>;
  readonly components: ReadonlyMap<string, XmlElement>;
}

function fieldsOf(elements: readonly XmlElement[]): Map<string, FieldEntry> {
  const fields = new Map<string, FieldEntry>();
  for (const element of elements) {
    const name = word(attribute(element, "name"));
    const tag = Number(attribute(element, "number"));
    if (!Number.isInteger(tag) || tag < 1) throw new DictionaryError(`field ${name} has no positive number`);
    const type = typeOf(name, attribute(element, "type"));
    if (fields.has(name)) throw new DictionaryError(`field ${name} is defined twice`);
    const inField = ` in field ${name}`;
    const values = type === "BOOLEAN" ? [] : element.children.map((value) => {
      const description = attribute(value, "description", attribute(value, "enum"));
      return `${word(attribute(value, "enum"), inField)}=${description.trim().replace(/[\s=()!@]+/g, "_")}`;
    });
    refuseDuplicates(values.map((value) => value.slice(0, value.indexOf("="))), `value of ${name}`);
    fields.set(name, { tag, type, line: [tag, name, type, ...values].join(" ") });
  }
  refuseDuplicates([...fields.values()].map(({ tag }) => String(tag)), "field number");
  return fields;
}

function typeOf(field: string, name: string): FieldType {
  const type = OTHER_NAMES[name] ?? name as FieldType;
  if (FIELD_TYPES.includes(type)) return type;
  throw new DictionaryError(`field ${field} has the unknown type ${name}`);
}

function messageLine(element: XmlElement, context: Context): string {
  const name = word(attribute(element, "name"));
  const category = attribute(element, "msgcat");
  if (category !== "admin" && category !== "app") {
    throw new DictionaryError(`message ${name} has the category ${category}, expected admin or app`);
  }
  const members = membersOf(element, name, context);
  return `${word(attribute(element, "msgtype"))} ${name} ${category} ${members}`.trimEnd();
}

function membersOf(parent: XmlElement, where: string, context: Context): string {
  let previous: FieldType | null = null;
  const members: string[] = [];
  for (const element of parent.children) {
    const name = attribute(element, "name");
    const mark = attribute(element, "required", "N") === "Y" ? "!" : "";
    if (element.name === "component") {
      if (!context.components.has(name)) {
        throw new DictionaryError(`${where} refers to the unknown component ${name}`);
      }
      members.push(`@${name}${mark}`);
      previous = null;
      continue;
    }
    const field = context.fields.get(name);
    if (field === undefined) throw new DictionaryError(`${where} refers to the unknown field ${name}`);
    if (field.type === "DATA" && previous !== "LENGTH") {
      throw new DictionaryError(`data field ${name} in ${where} has no length field in front`);
    }
    if (element.name === "group") {
      if (element.children.length === 0) throw new DictionaryError(`group ${name} in ${where} is empty`);
      members.push(`${field.tag}${mark}(${membersOf(element, name, context)})`);
    } else if (element.name === "field") members.push(`${field.tag}${mark}`);
    else throw new DictionaryError(`${where} has an unknown element <${element.name}>`);
    previous = field.type;
  }
  return members.join(" ");
}

function refuseCycles(
  name: string,
  components: ReadonlyMap<string, XmlElement>,
  path: readonly string[],
  sound: Set<string>,
): void {
  if (sound.has(name)) return;
  if (path.includes(name)) {
    throw new DictionaryError(`component ${[...path, name].join(" > ")} contains itself`);
  }
  const visit = (element: XmlElement): void => {
    if (
      element.name === "component" && element.attributes.name !== undefined &&
      components.has(element.attributes.name)
    ) {
      refuseCycles(element.attributes.name, components, [...path, name], sound);
    }
    if (element.name === "group") element.children.forEach(visit);
  };
  components.get(name)?.children.forEach(visit);
  sound.add(name);
}

function refuseDuplicates(keys: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) throw new DictionaryError(`${what} ${key} is defined twice`);
    seen.add(key);
  }
}

function child(parent: XmlElement, name: string): XmlElement {
  const found = parent.children.find((element) => element.name === name);
  if (found === undefined) throw new DictionaryError(`<${parent.name}> has no <${name}>`);
  return found;
}

function section(root: XmlElement, name: string): readonly XmlElement[] {
  return child(root, name).children;
}

function optionalSection(root: XmlElement, name: string): readonly XmlElement[] {
  return root.children.find((element) => element.name === name)?.children ?? [];
}

function attribute(element: XmlElement, name: string, fallback?: string): string {
  const value = element.attributes[name] ?? fallback;
  if (value === undefined) throw new DictionaryError(`a <${element.name}> has no attribute ${name}`);
  return value;
}

/** Refuses what the table's separators cannot hold. */
function word(text: string, where = ""): string {
  if (!/^[^\s=()!@]+$/.test(text)) throw new DictionaryError(`"${text}"${where} is no plain word`);
  return text;
}
