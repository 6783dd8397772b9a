/**
 * A dictionary table → a QuickFIX-style XML dictionary, for clients whose engine checks what it sends and receives. Owns
 * that form of output; what is in the dictionary is the table's. Pure.
 */
import type { DictionaryTable } from "../../shared/codec/fix/dictionary_table.ts";

/**
 * The XML text. Messages without a body of their own are left out: QuickFIX loads none such. An optional component within
 * a group is written out as optional fields, which says the same: QuickFIX/Go asks for the fields that such a component
 * requires whether it is there or not. Names of fields and components must be plain words, as those of a table are.
 */
export function xmlOf(table: DictionaryTable): string {
  const [type, major, minor] = table.beginString.split(".");
  const fields = linesOf(table.fields).map((line) => line.split(" "));
  const names = new Map(fields.map(([tag, name]) => [tag, name]));
  const parts = new Map(
    linesOf(table.components).map((
      line,
    ) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );
  const membersOf = (text: string, depth: number) =>
    memberLines(writtenOut(tokensOf(text), parts), names, depth).join("");
  const messages = linesOf(table.messages).flatMap((line) => {
    const [msgType, name, category, ...members] = line.split(" ");
    if (members.length === 0) return [];
    const body = membersOf(members.join(" "), 3);
    return `    <message name="${name}" msgtype="${msgType}" msgcat="${category}">\n${body}    </message>\n`;
  });
  const components = [...parts].map(([name, text]) =>
    `    <component name="${name}">\n${membersOf(text, 3)}    </component>\n`
  );
  return `<fix type="${type}" major="${major}" minor="${minor}" servicepack="0">\n` +
    `  <header>\n${membersOf(table.header, 2)}  </header>\n` +
    `  <messages>\n${messages.join("")}  </messages>\n` +
    `  <trailer>\n${membersOf(table.trailer, 2)}  </trailer>\n` +
    `  <components>\n${components.join("")}  </components>\n` +
    `  <fields>\n${fields.map(fieldElement).join("")}  </fields>\n</fix>\n`;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function fieldElement([tag, name, type, ...values]: readonly string[]): string {
  const head = `    <field number="${tag}" name="${name}" type="${type}"`;
  if (values.length === 0) return `${head}/>\n`;
  const lines = values.map((pair) => {
    const equals = pair.indexOf("=");
    const description = escaped(pair.slice(equals + 1));
    return `      <value enum="${escaped(pair.slice(0, equals))}" description="${description}"/>\n`;
  });
  return `${head}>\n${lines.join("")}    </field>\n`;
}

function tokensOf(text: string): string[] {
  return text.match(/[()]|[^\s()]+/g) ?? [];
}

/** The tokens with the members of each optional component that stands in a group in its place, all optional. */
function writtenOut(tokens: readonly string[], components: ReadonlyMap<string, string>): string[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    const isWrittenOut = depth > 0 && token.startsWith("@") && !token.endsWith("!");
    return isWrittenOut ? optionalMembers(token, components) : [token];
  });
}

/** The members of an optional component, none of them required; what a group of it requires of its entries stays. */
function optionalMembers(name: string, components: ReadonlyMap<string, string>): string[] {
  let depth = 0;
  const members = tokensOf(components.get(name.slice(1))!).flatMap((token) => {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    if (depth > 0) return [token];
    const optional = token.replace("!", "");
    return optional.startsWith("@") ? optionalMembers(optional, components) : [optional];
  });
  return writtenOut(members, components);
}

/** Elements of a table's members: "tag", "tag(members)" for a group, "@Component", "!" = required. */
function memberLines(
  tokens: readonly string[],
  names: ReadonlyMap<string, string>,
  depth: number,
): string[] {
  const lines: string[] = [];
  let level = depth;
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] === ")") {
      level--;
      lines.push(`${"  ".repeat(level)}</group>\n`);
      continue;
    }
    const required = tokens[i].endsWith("!") ? "Y" : "N";
    const key = tokens[i].replace("!", "");
    const isGroup = tokens[i + 1] === "(";
    const element = key.startsWith("@") ? "component" : isGroup ? "group" : "field";
    const name = key.startsWith("@") ? key.slice(1) : names.get(key);
    lines.push(
      `${"  ".repeat(level)}<${element} name="${name}" required="${required}"${isGroup ? ">" : "/>"}\n`,
    );
    if (!isGroup) continue;
    level++;
    i++;
  }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
