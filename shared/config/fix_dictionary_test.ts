import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { FIX44 } from "../codec/fix/mod.ts";
import { DEFAULT_FIX_SETTINGS, type FixSession } from "../protocol/mod.ts";
import { loadDictionaries, loadDictionary, MAX_DICTIONARY_BYTES, parseDictionary } from "./fix_dictionary.ts";
import { ConfigError } from "./problems.ts";

const OWN = fileURLToPath(new URL("../../tests/acceptance/dictionaries/own.xml", import.meta.url));
const SOUND = Deno.readTextFileSync(OWN);

/** The message for SOUND with one piece of text replaced. */
function fault(from: string, to: string): string {
  assert.equal(SOUND.split(from).length, 2, `"${from}" is not once in the sound file`);
  try {
    parseDictionary(SOUND.replace(from, () => to), "own.xml");
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  assert.fail(`"${to}" was accepted`);
}

describe("a dictionary that a venue brings along", () => {
  it("has the messages, groups, values and data fields that it names, and no others", () => {
    const dictionary = loadDictionary(OWN);
    assert.deepEqual([...dictionary.messageNames], [
      ["0", "Heartbeat"],
      ["1", "TestRequest"],
      ["2", "ResendRequest"],
      ["3", "Reject"],
      ["4", "SequenceReset"],
      ["5", "Logout"],
      ["A", "Logon"],
      ["D", "NewOrderSingle"],
      ["U1", "DeskNote"],
    ]);
    const order = dictionary.message("D")!.body;
    assert.deepEqual(order.members.map(({ tag, required }) => `${tag}${required ? "!" : ""}`), [
      "11!",
      "55!",
      "54!",
      "20001",
      "20010",
      "20011",
    ]);
    assert.deepEqual(order.member(20001)!.group!.members.map(({ tag }) => tag), [20002, 20003]);
    assert.equal(dictionary.fields.get(20003)!.type, "MULTIPLEVALUESTRING");
    assert.equal(dictionary.fields.get(54)!.values!.get("Z"), "SELL_AT_THE_CLOSE");
    const data = [...dictionary.dataLengthTags].flatMap((length, tag) => length === 0 ? [] : [[length, tag]]);
    assert.deepEqual(data, [[20010, 20011]]);
  });

  const symbol = '<field number="55" name="Symbol" type="STRING" />';
  const faults: [what: string, from: string, to: string, problem: string][] = [
    ["another version", 'minor="4"', 'minor="2"', "<fix> is for FIX.4.2, expected FIX.4.4"],
    ["a tag that is not closed", "<fix type", "<fox type", "line 117: "],
    ["a field without definition", symbol, "", "NewOrderSingle refers to the unknown field Symbol"],
    ["a field defined twice", symbol, symbol + symbol, "field Symbol is defined twice"],
    [
      "a number that is taken",
      symbol,
      symbol.replace("55", "58"),
      "field number 58 is defined twice",
    ],
    [
      "a type that is none",
      symbol,
      symbol.replace("STRING", "SCRING"),
      "field Symbol has the unknown type SCRING",
    ],
    ["a value with a space", 'enum="Z"', 'enum="Z Z"', '"Z Z" in field Side is no plain word'],
    [
      "a field twice in a message",
      '<field name="Side" required="Y" />',
      '<field name="Side" required="Y" /><field name="ClOrdID" required="N"/>',
      "message NewOrderSingle: ClOrdID(11) stands twice in one place",
    ],
    [
      "a component without definition",
      '<component name="Desks" required="N" />',
      '<component name="Decks" required="N"/>',
      "NewOrderSingle refers to the unknown component Decks",
    ],
    [
      "a component that contains itself",
      '<group name="NoDesks" required="N">',
      '<component name="Desks" required="N" /><group name="NoDesks" required="N">',
      "component Desks > Desks contains itself",
    ],
    [
      "data without its length",
      `<field name="DeskDataLength" required="N" />
      <field name="DeskData" required="N" />
    </message>
    <message name="DeskNote"`,
      `<field name="DeskData" required="N" />
    </message>
    <message name="DeskNote"`,
      "data field DeskData in NewOrderSingle has no length field in front",
    ],
    [
      "data with too large a number",
      'number="20011"',
      'number="99999"',
      "data field or its length 99999: expected up to 65535",
    ],
    [
      "no Logon",
      '<message name="Logon" msgtype="A" msgcat="admin">',
      '<message name="Logon" msgtype="AA" msgcat="admin">',
      "<messages> has no message of msgtype A",
    ],
    [
      "a Logout that is no session message",
      '<message name="Logout" msgtype="5" msgcat="admin">',
      '<message name="Logout" msgtype="5" msgcat="app">',
      "message Logout has the category app, expected admin",
    ],
    [
      "a header without SendingTime",
      '<field name="SendingTime" required="Y" />',
      "",
      "<header> has no field of number 52",
    ],
    ["no trailer", '<field name="CheckSum" required="Y" />', "", "<trailer> has no field of number 10"],
    [
      "a declaration of entities",
      "<fix type",
      "<!DOCTYPE fix><fix type",
      "line 4: a document type declaration is not",
    ],
  ];
  for (const [what, from, to, problem] of faults) {
    it(`is refused with ${what}`, () => {
      const message = fault(from, to);
      assert.ok(message.startsWith(`Cannot load FIX dictionary own.xml: ${problem}`), message);
    });
  }

  it("is refused when components multiply", () => {
    const levels = Array.from(
      { length: 40 },
      (_, i) =>
        `<component name="L${i}"><component name="L${i + 1}"/><component name="L${i + 1}"/></component>`,
    );
    const bomb = `${levels.join("")}<component name="L40"><field name="Text"/></component>`;
    const text = SOUND.replace("</components>", `${bomb}</components>`)
      .replace('<component name="Desks" required="N" />', '<component name="L0" required="N"/>');
    assert.throws(() => parseDictionary(text, "own.xml"), /makes more than 10000 fields in one place/);
  });

  it("is refused when it is too large or cannot be read", () => {
    const path = Deno.makeTempFileSync({ suffix: ".xml" });
    try {
      Deno.truncateSync(path, MAX_DICTIONARY_BYTES + 1);
      assert.throws(() => loadDictionary(path), {
        name: "ConfigError",
        message: `Cannot load FIX dictionary ${path}: expected at most 8388608 bytes, got 8388609`,
      });
    } finally {
      Deno.removeSync(path);
    }
    assert.throws(
      () => loadDictionary("no/such.xml"),
      /^ConfigError: Cannot load FIX dictionary no\/such\.xml: No such/,
    );
  });

  it("is loaded once for all sessions that name it; others have FIX 4.4", () => {
    const session = (id: number, dictionary: string | null): FixSession => ({
      id,
      senderCompId: `T${id}`,
      firm: { id: 1, name: "A" },
      role: "trading",
      username: "",
      password: "",
      settings: { ...DEFAULT_FIX_SETTINGS, dictionary },
    });
    const sessions = [session(1, OWN), session(2, null), session(3, OWN)];
    const dictionaryOf = loadDictionaries(sessions);
    const [first, second, third] = sessions.map(dictionaryOf);
    assert.equal(first.message("U1")!.name, "DeskNote");
    assert.equal(second, FIX44);
    assert.equal(third, first);
  });
});
