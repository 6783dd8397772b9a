/**
 * A dictionary table → a QuickFIX-style XML dictionary, for clients whose engine checks what it sends and receives. Owns
 * that form of output; what is in the dictionary is the table's. Pure.
 */
import type { DictionaryTable } from "../../shared/codec/fix/dictionary_table.ts";

/**
 * The XML text. Messages without a body of their own are left out: QuickFIX loads none such. Names of fields and
 * components must be plain words, as those of a table are.
 */
export function xmlOf(table: DictionaryTable): string {
  const [type, major, minor] = table.beginString.split(".");
  const fields = linesOf(table.fields).map((line) => line.split(" "));
  const names = new Map(fields.map(([tag, name]) => [tag, name]));
  const membersOf = (text: string, depth: number) => memberLines(text, names, depth).join("");
  const messages = linesOf(table.messages).flatMap((line) => {
    const [msgType, name, category, ...members] = line.split(" ");
    if (members.length === 0) return [];
    const body = membersOf(members.join(" "), 3);
    return `    <message name="${name}" msgtype="${msgType}" msgcat="${category}">\n${body}    </message>\n`;
  });
  const components = linesOf(table.components).map((line) => {
    const space = line.indexOf(" ");
    const body = membersOf(line.slice(space + 1), 3);
    return `    <component name="${line.slice(0, space)}">\n${body}    </component>\n`;
  });
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

/** Elements of a table's members: "tag", "tag(members)" for a group, "@Component", "!" = required. */
function memberLines(text: string, names: ReadonlyMap<string, string>, depth: number): string[] {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
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
