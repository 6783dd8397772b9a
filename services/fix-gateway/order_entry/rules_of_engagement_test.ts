/** Holds docs/fix.md to the code: its examples are valid FIX 4.4, its field lists are the gateway's. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44, FixMessage, Framer, FrameStatus, validate } from "../../../shared/codec/fix/mod.ts";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { VENUE_EXTENSION } from "../../../shared/codec/fix/venue_extension.ts";
import {
  CHECKED_VALUES,
  EMPTY_GROUP_TAGS,
  FieldRule,
  NOTED_TAGS,
  ROUTING_TAGS,
  ruleOf,
} from "./field_rules.ts";
import { ACME, session, venue } from "./fixture.ts";
import { translate } from "./translate.ts";

const DOC = Deno.readTextFileSync(new URL("../../../docs/fix.md", import.meta.url));

/** The part between `<!-- name -->` and `<!-- /name -->`. */
function part(name: string): string {
  const found = new RegExp(`<!-- ${name} -->(.*)<!-- /${name} -->`, "s").exec(DOC);
  assert.ok(found, `docs/fix.md has no part "${name}"`);
  return found[1];
}

/** Tags of every `Name(tag)` in a text, ascending, after checking the names. */
function tagsIn(text: string): number[] {
  const tags = new Set<number>();
  for (const [, name, tag] of text.matchAll(/\b([A-Z][A-Za-z0-9]+)\((\d+)\)/g)) {
    assert.equal(FIX44.fields.get(Number(tag))?.name, name, `${name}(${tag})`);
    tags.add(Number(tag));
  }
  return [...tags].sort((a, b) => a - b);
}

function ascending(tags: Iterable<number>): number[] {
  return [...tags].sort((a, b) => a - b);
}

/** The example messages, in the order of the page. */
function examples(): string[] {
  return [...DOC.matchAll(/```fix\n(.*?)```/gs)].flatMap(([, block]) => block.trim().split("\n"));
}

/** Frames and indexes one example; fails when BodyLength or CheckSum is wrong. */
function decode(example: string): FixMessage {
  const framer = new Framer(4096);
  framer.push(Uint8Array.from(example.replaceAll("|", "\x01"), (character) => character.charCodeAt(0)));
  assert.equal(framer.next(), FrameStatus.Frame, `${framer.fault}: ${example}`);
  const message = new FixMessage();
  message.parse(framer.buffer, framer.start, framer.end);
  assert.equal(message.end - message.start, example.length);
  return message;
}

describe("docs/fix.md", () => {
  it("names every field by its FIX 4.4 name, and every message", () => {
    const { fields, messageNames } = FIX44;
    const names = [...DOC.matchAll(/\b([A-Z][A-Za-z0-9]+)\((\w+)\)/g)];
    assert.ok(names.length > 200);
    const wrong = names.filter(([, name, key]) =>
      fields.get(Number(key))?.name !== name && messageNames.get(key) !== name
    );
    assert.deepEqual(wrong.map(([whole]) => whole), []);
  });

  it("lists the noted fields", () => {
    assert.deepEqual(tagsIn(part("noted")), ascending(NOTED_TAGS));
  });

  it("lists the fields that are accepted with one meaning, and the values", () => {
    const rows = [...part("checked").matchAll(/^\| \w+\((\d+)\) *\| ((?:`\w`,? *)+)\|/gm)].map((
      [, tag, values],
    ) => [Number(tag), [...values.matchAll(/`(\w)`/g)].map(([, value]) => value)] as const);
    assert.deepEqual(rows.sort(([a], [b]) => a - b), [...CHECKED_VALUES].sort(([a], [b]) => a - b));
  });

  it("lists the groups that must be empty, and the routing fields", () => {
    assert.deepEqual(tagsIn(part("empty")), ascending(EMPTY_GROUP_TAGS));
    assert.deepEqual(tagsIn(part("routing")), ascending(ROUTING_TAGS));
  });

  it("lists the venue's own fields and the messages that they are in", () => {
    const rows = [...part("own").matchAll(/^\| (\w+\(\d+\).*?) *\| ([\w, ]*?) *\|/gm)];
    const told = rows.flatMap(([, names, types]) =>
      types.split(", ").flatMap((type) => tagsIn(names).map((tag) => `${type} ${tag}`))
    );
    const members = Object.entries(VENUE_EXTENSION.members).flatMap(([place, tags]) =>
      tags.split(" ").map((tag) => `${place.split("/")[0]} ${tag}`)
    );
    assert.deepEqual(told.sort(), members.sort());
  });

  it("lists the instructions of self-match prevention", () => {
    const told = [...part("smp").matchAll(/^\| `(\w)` /gm)].map(([, value]) => value);
    assert.deepEqual(told, [...FIX44.fields.get(8000)!.values!.keys()]);
  });

  it("lists among the refused fields only such", () => {
    const section = DOC.slice(DOC.indexOf("### Fields that are refused"), DOC.indexOf("<!-- routing -->"));
    const refused = tagsIn(section).filter((tag) => tag !== 103 && tag !== 102 && tag !== 58 && tag !== 55);
    assert.ok(refused.length > 20);
    assert.deepEqual(refused.filter((tag) => ruleOf(tag) !== FieldRule.Refused), []);
  });

  it("lists every enumerated value that is accepted under a value of its enumeration", () => {
    for (const [tag, values] of CHECKED_VALUES) {
      for (const value of values) {
        const { values: known, type } = FIX44.fields.get(tag)!;
        assert.ok(known === null ? type === "BOOLEAN" : known.has(value), `${tag}=${value}`);
      }
    }
  });

  it("shows only messages that are valid FIX 4.4", () => {
    const messages = examples();
    assert.equal(messages.length, 37);
    for (const example of messages) {
      assert.equal(validate(decode(example), FIX44, { allowUserDefined: false }), null, example);
    }
  });

  it("shows order messages that translate as the page says", () => {
    const shown = venue();
    const widget = { ...ACME, id: 2, symbol: "WIDGET" };
    const where = {
      ...shown,
      instruments: [{ ...ACME, tickUnits: 1, lotUnits: 1, tick: "0.01", lot: "1" }, widget],
    };
    const texts = examples().flatMap((example) => {
      const message = decode(example);
      if (!"DFGHV".includes(message.msgType)) return [];
      const into = new Command();
      const outcome = translate(message, session(), where, into);
      return [outcome.kind === "command" ? into.text.toString() : outcome.text];
    });
    const refusals = ["", "", "", "", ""];
    refusals.push('Cannot accept Price(44): expected a multiple of 0.05, got "20.03"', "");
    refusals.push('Cannot accept MsgType(35): expected D, F, G, H, q, AF, i, Z, x, c or g, got "V"', "", "");
    refusals.push(
      'Cannot accept MaxFloor(111): expected none in an order of OrdType(40) 2 and TimeInForce(59) 3, got "10"',
    );
    assert.deepEqual(texts, refusals);
    for (const text of refusals) assert.ok(DOC.includes(text));
  });
});
