import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44, type Member } from "../../../shared/codec/fix/mod.ts";
import { Reason } from "../../../shared/protocol/mod.ts";
import { CANCEL, NEW, REPLACE, run, STATUS } from "./cases.ts";
import { CHECKED_VALUES, EMPTY_GROUP_TAGS, FieldRule, ruleOf } from "./field_rules.ts";

describe("translate: fields of the dictionary that are not supported", () => {
  const bodies = { D: NEW, F: CANCEL, G: REPLACE, H: STATUS };
  const limits = { D: 0, F: 0, G: 0, H: 0 };

  function refusalOf(msgType: string, body: string, header = ""): unknown {
    const { command } = run(msgType, body, { header });
    return command.reason === Reason.FieldUnsupported
      ? command.text
      : `not refused: ${JSON.stringify(command)}`;
  }

  for (const [msgType, body] of Object.entries(bodies)) {
    it(`are refused with tag and value in ${msgType}`, () => {
      const verb = { D: "accept", F: "cancel", G: "replace", H: "report" }[msgType];
      for (const { tag, field } of FIX44.message(msgType)!.body.members) {
        const values = CHECKED_VALUES.get(tag);
        const expected = values?.join(" or ") ??
          (EMPTY_GROUP_TAGS.includes(tag) ? "no entries" : "no such field");
        const rule = ruleOf(tag);
        if (rule === FieldRule.Read || rule === FieldRule.Noted) continue;
        limits[msgType as keyof typeof limits]++;
        assert.equal(
          refusalOf(msgType, `${body}${tag}=7|`),
          `Cannot ${verb} ${field.name}(${tag}): expected ${expected}, got "7"`,
        );
      }
    });
  }

  it("are as many as the dictionary has", () => assert.deepEqual(limits, { D: 114, F: 48, G: 112, H: 42 }));

  it("are refused inside groups that are noted, and when no dictionary knows them", () => {
    const nested: Member[] = [];
    const collect = (members: readonly Member[]) => {
      for (const member of members) {
        nested.push(member);
        if (member.group !== null) collect(member.group.members);
      }
    };
    collect(FIX44.message("D")!.body.members.filter(({ group }) => group !== null));
    const noted = nested.filter(({ tag }) => ruleOf(tag) === FieldRule.Noted).map(({ tag }) => tag);
    assert.deepEqual(noted, [453, 448, 447, 452, 802, 523, 803]);
    for (const tag of [4999, 10_000]) {
      const text = `Cannot accept ${tag}: expected no such field, got "x"`;
      assert.equal(refusalOf("D", NEW + `${tag}=x|`), text);
    }
    assert.equal(
      refusalOf("D", NEW + "9000000=x|"),
      'Cannot accept 9000000: expected no such field, got "x"',
    );
  });

  it("are let pass when they are user-defined and not ours: the session's settings have judged them", () => {
    for (const tag of [5000, 5001, 7927, 7929, 8001, 9999]) {
      for (const [msgType, body] of Object.entries(bodies)) {
        assert.deepEqual(run(msgType, `${body}${tag}=x|`), run(msgType, body));
      }
    }
  });

  it("are refused in the header", () => {
    assert.equal(
      refusalOf("D", NEW, "90=3|91=abc|"),
      'Cannot accept SecureDataLen(90): expected no such field, got "3"',
    );
    assert.equal(
      refusalOf("D", NEW, "212=3|213=abc|"),
      'Cannot accept XmlDataLen(212): expected no such field, got "3"',
    );
  });

  it("are named by the first in message order, and leave the rest of the order to be reported", () => {
    const { command } = run("D", NEW.replace("38=100", "100=XETR|38=100|210=5"));
    assert.equal(command.text, 'Cannot accept ExDestination(100): expected no such field, got "XETR"');
    assert.deepEqual([command.priceTicks, command.qtyLots], [201, 10]);
  });

  it("every other value of a field with one meaning", () => {
    for (const [tag, values] of CHECKED_VALUES) {
      for (const value of ["0", "1", "2", "3", "N", "Y", "00", "11"]) {
        const { command } = run("D", `${NEW}${tag}=${value}|`);
        assert.equal(command.reason === Reason.FieldUnsupported, !values.includes(value), `${tag}=${value}`);
      }
    }
  });

  it("groups with entries, however the count is written", () => {
    for (const count of ["1", "01", "-0", ""]) {
      assert.equal(run("D", `${NEW}78=${count}|`).command.reason, Reason.FieldUnsupported, count);
    }
    assert.equal(run("D", NEW + "78=00|").command.reason, undefined);
  });
});
