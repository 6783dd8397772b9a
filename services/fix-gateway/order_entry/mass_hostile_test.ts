/** Whatever a client asks of several orders or quotes, the matcher can read what is made of it, and reads it as it was. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { FIX44, validate } from "../../../shared/codec/fix/mod.ts";
import { Command, CommandBatchReader, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { CommandFlag, CommandKind } from "../../../shared/protocol/mod.ts";
import { messageOf, pictureOf, session, venue } from "./fixture.ts";
import { translateMass } from "./mass_translate.ts";
import { QuoteEntries } from "./quote_entries.ts";
import { translateQuotes } from "./quote_translate.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const VENUE = venue();
const TIME = "60=20261130-12:00:00.000|";

const byte = fc.integer({ min: 2, max: 255 }).filter((value) => value !== 124);
/** 1 to `longest` bytes of any value but SOH and the `|` that stands for it here. */
const bytes = (longest: number) =>
  fc.array(byte, { minLength: 1, maxLength: longest }).map((values) => String.fromCharCode(...values));
const id = fc.oneof({ weight: 9, arbitrary: fc.constantFrom("a", "b") }, bytes(45));
const symbol = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("ACME", "RATE", "COIN") },
  { weight: 1, arbitrary: bytes(26) },
);
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("0", "25", "100", "10000") },
  fc.constantFrom("-0", "-1", "10.05", ".05", "0.0000001", "107374182.4", "2147483648", "53687091200"),
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 24 }).map((values) => values.join("")),
);

/** A field `present` times for each time that it is not there. */
function field(tag: number, value: fc.Arbitrary<string>, present: number, absent = 1): fc.Arbitrary<string> {
  const given = { weight: present, arbitrary: value.map((text) => `${tag}=${text}|`) };
  return fc.oneof(given, { weight: absent, arbitrary: fc.constant("") });
}

const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(""));
const flags = fc.constantFrom("", "43=Y|122=20261130-12:00:00.000|", "97=Y|");
const filters = joined(
  field(55, symbol, 1),
  field(54, fc.constantFrom("1", "2", "5"), 1),
  field(58, bytes(300), 1),
  field(5530, fc.constantFrom("S", "F"), 1),
  field(48, bytes(10), 1, 8),
);
const entry = joined(
  field(299, id, 1000),
  field(55, symbol, 20),
  field(132, amount, 5),
  field(133, amount, 5),
  field(134, amount, 5),
  field(135, amount, 5),
);
const sets = fc.array(fc.tuple(id, fc.array(entry, { minLength: 1, maxLength: 60 })), {
  minLength: 1,
  maxLength: 3,
}).map((list) =>
  `296=${list.length}|` +
  list.map(([name, entries]) => {
    const count = entries.length;
    return `302=${name}|304=${count}|295=${count}|${entries.join("")}`;
  }).join("")
);
const bodies: Record<string, fc.Arbitrary<string>> = {
  q: joined(
    field(11, id, 1000),
    field(530, fc.constantFrom("1", "7", "2"), 1000),
    fc.constant(TIME),
    filters,
  ),
  AF: joined(
    field(584, id, 1000),
    field(585, fc.constantFrom("1", "7", "8"), 1000),
    filters.map((text) => text.replace(/58=[^|]*\|/, "")),
  ),
  i: joined(
    field(117, id, 1000),
    field(301, fc.constantFrom("0", "1", "2"), 1),
    field(131, id, 1, 9),
    sets,
  ),
  Z: joined(
    field(117, id, 1000),
    field(298, fc.constantFrom("1", "4", "2"), 1000),
    fc.oneof(fc.constant(""), symbol.map((text) => `295=1|55=${text}|`)),
  ),
};

const writer = new CommandBatchWriter();
const reader = new CommandBatchReader();

/** Fails unless the reader reads what the writer was given. */
function assertSurvives(command: Command): void {
  writer.begin(1, 1, 1);
  writer.append(command);
  assert.equal(reader.open(writer.finish()), null);
  assert.ok(reader.next());
  reader.command.flags &= ~CommandFlag.Extended;
  assert.deepEqual(pictureOf(reader.command), pictureOf(command));
}

describe("mass actions and quotes, whatever the values", () => {
  it(`become commands that the matcher reads as they were (seed ${SEED})`, () => {
    const command = new Command();
    const entries = new QuoteEntries();
    const seen = new Map<string, number>();
    const message = fc.constantFrom(...Object.keys(bodies)).chain((type) =>
      fc.tuple(fc.constant(type), bodies[type], flags)
    );
    fc.assert(
      fc.property(message, ([type, body, header]) => {
        const fix = messageOf(type, body, header);
        if (validate(fix, FIX44, { allowUserDefined: false }) !== null) return;
        const outcome = "qAF".includes(type)
          ? translateMass(fix, session(), VENUE, command)
          : translateQuotes(fix, session(), VENUE, command, entries);
        const { kind } = command;
        const what = outcome.kind === "command" && kind === CommandKind.RefuseOrder
          ? "refused"
          : outcome.kind;
        seen.set(`${type} ${what}`, (seen.get(`${type} ${what}`) ?? 0) + 1);
        if (outcome.kind === "business-reject") return;
        if (outcome.kind === "command") return assertSurvives(command);
        let count = 0;
        for (const shard of outcome.shards) {
          if (type === "i") entries.select(shard, outcome.shards[0], command.entries);
          assertSurvives(command);
          count += command.entries.length / 64;
        }
        assert.equal(count, type === "i" ? entries.count : 0, "every entry goes to one shard");
      }),
      { seed: SEED, numRuns: 3000 },
    );
    for (const type of ["q", "AF", "Z"]) {
      for (const what of ["command", "across", "refused"]) {
        assert.ok((seen.get(`${type} ${what}`) ?? 0) > 20, `${type} ${what}: ${seen.get(`${type} ${what}`)}`);
      }
    }
    for (const what of ["across", "refused"]) {
      assert.ok((seen.get(`i ${what}`) ?? 0) > 20, `i ${what}: ${seen.get(`i ${what}`)}`);
    }
  });
});
