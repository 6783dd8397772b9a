import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { tableOf } from "../../shared/codec/fix/dictionary_table.ts";
import { Dictionary, VENUE_TABLE } from "../../shared/codec/fix/mod.ts";
import { parseXml } from "../../shared/config/dictionary_xml.ts";
import { parseDictionary } from "../../shared/config/fix_dictionary.ts";
import { xmlOf } from "./client_xml.ts";

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

describe("xmlOf", () => {
  const xml = xmlOf(VENUE_TABLE);

  it("reads back as the dictionary that it was made of, but for the message without a body", () => {
    const read = tableOf(parseXml(xml));
    assert.deepEqual(lines(read.fields), lines(VENUE_TABLE.fields));
    const [back, made] = [new Dictionary(read), new Dictionary(VENUE_TABLE)];
    assert.deepEqual([...back.messageNames.keys(), "n"].sort(), [...made.messageNames.keys()].sort());
    for (const type of back.messageNames.keys()) assert.deepEqual(back.message(type), made.message(type));
    assert.deepEqual([back.header, back.trailer, back.beginString], [
      made.header,
      made.trailer,
      made.beginString,
    ]);
  });

  it("has no optional component in a group: what that requires would be required of each entry", () => {
    let depth = 0;
    for (const line of xml.split("\n")) {
      if (line.includes("<group ")) depth++;
      else if (line.includes("</group>")) depth--;
      if (line.includes("<component ") && line.includes('required="N"')) assert.equal(depth, 0, line);
    }
    assert.equal(depth, 0);
  });

  it("is a dictionary that a venue file could name, with the venue's own fields", () => {
    const dictionary = parseDictionary(xml, "client.xml");
    assert.deepEqual(
      [1142, 5530, 7928, 8000].map((tag) => dictionary.fields.get(tag)?.name),
      ["MatchAlgorithm", "MassActionScope", "SelfMatchPreventionID", "SelfMatchPreventionInstruction"],
    );
    assert.ok(dictionary.message("D")!.body.indexOf(8000) > 0);
  });

  it("escapes what would end an attribute", () => {
    const table = {
      ...VENUE_TABLE,
      messages: "U1 Own app 1",
      header: "1",
      trailer: "1",
      components: "Own 1",
    };
    const text = xmlOf({ ...table, fields: '1 Own STRING A"<&=SAYS_"<&' });
    assert.ok(text.includes('<value enum="A&quot;&lt;&amp;" description="SAYS_&quot;&lt;&amp;"/>'));
    assert.equal(tableOf(parseXml(text)).fields, '1 Own STRING A"<&=SAYS_"<&');
  });
});
