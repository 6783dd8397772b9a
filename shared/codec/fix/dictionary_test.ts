import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { DATA_FIELD_PAIRS } from "./data_fields.ts";
import { Dictionary, type Scope } from "./dictionary.ts";
import {
  dataFieldPairs,
  DictionaryError,
  type DictionaryTable,
  tableOf,
  type XmlElement,
} from "./dictionary_table.ts";
import { FIX44 } from "./fix44.ts";
import { FIX44_TABLE } from "./fix44_table.ts";

/** Members as the table writes them, components flattened. */
function shown(scope: Scope): string {
  return scope.members.map(({ tag, required, group }) =>
    `${tag}${required ? "!" : ""}${group === null ? "" : `(${shown(group)})`}`
  ).join(" ");
}

describe("FIX44", () => {
  it("is complete", () => {
    const published = [...FIX44.fields.keys()].filter((tag) => tag <= 956);
    assert.equal(FIX44.beginString, "FIX.4.4");
    assert.equal(published.length, 916);
    assert.equal(FIX44.messageNames.size, 93);
    const bodies = [...FIX44.messageNames.keys()].map((type) => FIX44.message(type));
    assert.equal(bodies.filter((message) => message?.admin).length, 8);
  });

  it("has the messages of the session and of order entry with their required fields", () => {
    const required = ["0", "1", "2", "3", "4", "5", "A", "D", "F", "G", "H", "8", "9", "j"].map((type) => {
      const message = FIX44.message(type);
      return `${message?.name} ${message?.body.required.map(({ tag }) => tag).join(" ")}`.trim();
    });
    assert.deepEqual(required, [
      "Heartbeat",
      "TestRequest 112",
      "ResendRequest 7 16",
      "Reject 45",
      "SequenceReset 36",
      "Logout",
      "Logon 98 108",
      "NewOrderSingle 11 55 54 60 40",
      "OrderCancelRequest 41 11 55 54 60",
      "OrderCancelReplaceRequest 41 11 55 54 60 40",
      "OrderStatusRequest 11 55 54",
      "ExecutionReport 37 17 150 39 55 54 151 14 6",
      "OrderCancelReject 37 11 41 39 434",
      "BusinessMessageReject 372 380",
    ]);
  });

  it("has header and trailer, and groups nested in groups", () => {
    assert.equal(
      shown(FIX44.header),
      "8! 9! 35! 49! 56! 115 128 90 91 34! 50 142 57 143 116 144 129 145 43 97 52! 122 212 213 347 369 " +
        "627(628 629 630)",
    );
    assert.equal(shown(FIX44.trailer), "93 89 10!");
    assert.equal(shown(FIX44.message("D")!.body.member(453)!.group!), "448 447 452 802(523 803)");
    assert.equal(FIX44.message("D")!.body.nests(523), true);
    assert.equal(FIX44.message("D")!.body.nests(55), false);
  });

  it("names fields, types and values", () => {
    const side = FIX44.fields.get(54)!;
    assert.deepEqual([side.name, side.type, side.values?.get("1")], ["Side", "CHAR", "BUY"]);
    assert.equal(FIX44.fields.get(44)!.values, null);
    assert.equal(FIX44.fields.get(235)!.values!.has("VALUE1/32"), true);
    assert.equal(FIX44.message("ZZ"), undefined);
  });

  it("gives every data field the length field that the generated pairs name", () => {
    assert.deepEqual(dataFieldPairs(FIX44_TABLE), DATA_FIELD_PAIRS);
    const data = [...FIX44.fields.values()].filter(({ type }) => type === "DATA").map(({ tag }) => tag);
    assert.deepEqual(
      DATA_FIELD_PAIRS.map(([, tag]) => tag).sort((a, b) => a - b),
      data.sort((a, b) => a - b),
    );
  });
});

describe("Dictionary", () => {
  const table = (changes: Partial<DictionaryTable>): DictionaryTable => ({
    beginString: "FIX.4.4",
    fields: "1 One STRING\n2 Two NUMINGROUP\n3 Three INT 1=A 22=B\n9001 Own STRING",
    components: "Inner 3!\nOuter 1! @Inner! 2(9001! 3)",
    messages: "U1 First app @Outer\nU2 Second admin 1 @Inner!",
    header: "1!",
    trailer: "",
    ...changes,
  });

  it("flattens components, of which an optional one makes its fields optional but not its groups' fields", () => {
    const dictionary = new Dictionary(table({}));
    assert.equal(shown(dictionary.message("U1")!.body), "1 3 2(9001! 3)");
    assert.equal(shown(dictionary.message("U2")!.body), "1 3!");
    assert.equal(dictionary.message("U2")!.admin, true);
    assert.equal(dictionary.message("U1")!.body.member(2)!.group!.indexOf(9001), 0);
    assert.equal(dictionary.message("U1")!.body.indexOf(9001), -1);
  });

  it("refuses references to nowhere and fields that stand twice", () => {
    const load = (changes: Partial<DictionaryTable>) => () => new Dictionary(table(changes)).message("U1");
    assert.throws(load({ messages: "U1 First app 77" }), /field 77 is not defined/);
    assert.throws(load({ messages: "U1 First app @None" }), /component None is not defined/);
    assert.throws(load({ messages: "U1 First app 1 @Outer" }), /One\(1\) stands twice/);
    assert.throws(load({ header: "1) 3" }), /"\)" too many/);
  });
});

describe("tableOf", () => {
  const element = (
    name: string,
    attributes: Record<string, string> = {},
    ...children: XmlElement[]
  ): XmlElement => ({
    name,
    attributes,
    children,
  });
  const field = (name: string, required = "N") => element("field", { name, required });
  const definition = (number: string, name: string, type: string, ...values: XmlElement[]) =>
    element("field", { number, name, type }, ...values);
  const FIELDS = [
    definition("1", "Account", "STRING"),
    definition("95", "RawDataLength", "LENGTH"),
    definition("96", "RawData", "DATA"),
    definition(
      "54",
      "Side",
      "CHAR",
      element("value", { enum: "1", description: "BUY" }),
      element("value", { enum: "2" }),
    ),
    definition("78", "NoAllocs", "NUMINGROUP"),
  ];
  const root = (changes: Record<string, XmlElement[]> = {}): XmlElement => {
    const part = (name: string, children: XmlElement[]) => element(name, {}, ...(changes[name] ?? children));
    return element(
      "fix",
      { major: "4", minor: "4" },
      part("header", [field("Account", "Y")]),
      part("trailer", []),
      part("messages", [
        element(
          "message",
          { name: "Own", msgtype: "U1", msgcat: "app" },
          element("component", { name: "Block", required: "Y" }),
          element("group", { name: "NoAllocs", required: "Y" }, field("Account"), field("Side", "Y")),
        ),
      ]),
      part("components", [element("component", { name: "Block" }, field("RawDataLength"), field("RawData"))]),
      part("fields", FIELDS),
    );
  };

  it("makes the compact lines", () => {
    assert.deepEqual(tableOf(root()), {
      beginString: "FIX.4.4",
      fields: [
        "1 Account STRING",
        "54 Side CHAR 1=BUY 2=2",
        "78 NoAllocs NUMINGROUP",
        "95 RawDataLength LENGTH",
        "96 RawData DATA",
      ].join("\n"),
      components: "Block 95 96",
      messages: "U1 Own app @Block! 78!(1 54!)",
      header: "1!",
      trailer: "",
    });
    assert.deepEqual(dataFieldPairs(tableOf(root())), [[95, 96]]);
  });

  const message = (attributes: Record<string, string>, ...children: XmlElement[]) => ({
    messages: [element("message", { name: "Own", msgtype: "U1", msgcat: "app", ...attributes }, ...children)],
  });
  const refused: [name: string, changes: Record<string, XmlElement[]>, problem: string][] = [
    ["an unknown field", message({}, field("Nope")), "Own refers to the unknown field Nope"],
    [
      "an unknown component",
      message({}, element("component", { name: "Nope" })),
      "Own refers to the unknown component Nope",
    ],
    [
      "an unknown element",
      message({}, element("fields", { name: "Side" })),
      "Own has an unknown element <fields>",
    ],
    ["an empty group", message({}, element("group", { name: "NoAllocs" })), "group NoAllocs in Own is empty"],
    [
      "data without length",
      message({}, field("RawData")),
      "data field RawData in Own has no length field in front",
    ],
    [
      "an unknown category",
      message({ msgcat: "x" }),
      "message Own has the category x, expected admin or app",
    ],
    ["a blank in a type", message({ msgtype: "U 1" }), '"U 1" is no plain word'],
    [
      "a MsgType twice",
      { messages: [...message({}).messages, ...message({}).messages] },
      "MsgType U1 is defined twice",
    ],
    [
      "a field number twice",
      { fields: [...FIELDS, definition("1", "Other", "INT")] },
      "field number 1 is defined twice",
    ],
    [
      "a field name twice",
      { fields: [...FIELDS, definition("2", "Side", "INT")] },
      "field Side is defined twice",
    ],
    ["an unknown type", { fields: [definition("2", "Odd", "BLOB")] }, "field Odd has the unknown type BLOB"],
    [
      "a tag that is no number",
      { fields: [definition("x", "Odd", "INT")] },
      "field Odd has no positive number",
    ],
    ["a value twice", {
      fields: [
        definition("2", "Odd", "INT", element("value", { enum: "1" }), element("value", { enum: "1" })),
      ],
    }, "value of Odd 1 is defined twice"],
    [
      "a missing attribute",
      { fields: [element("field", { name: "Odd" })] },
      "a <field> has no attribute number",
    ],
    ["a component in itself", {
      components: [
        element("component", { name: "Block" }, element("component", { name: "Loop" })),
        element(
          "component",
          { name: "Loop" },
          element("group", { name: "NoAllocs" }, element("component", { name: "Block" })),
        ),
      ],
    }, "component Block > Loop > Block contains itself"],
  ];
  for (const [name, changes, problem] of refused) {
    it(`refuses ${name}`, () => {
      assert.throws(() => tableOf(root(changes)), new DictionaryError(problem));
    });
  }

  it("refuses a document of another kind, or with a part missing", () => {
    assert.throws(
      () => tableOf(element("fixml")),
      new DictionaryError("expected <fix> at the top, got <fixml>"),
    );
    assert.throws(() => tableOf(element("fix")), new DictionaryError("<fix> has no <fields>"));
  });
});
