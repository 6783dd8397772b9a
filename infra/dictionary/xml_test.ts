import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { DictionaryError } from "../../shared/codec/fix/dictionary_table.ts";
import { correct } from "./corrections.ts";
import { parseXml } from "../../shared/config/dictionary_xml.ts";

describe("parseXml", () => {
  it("keeps elements and attributes in order, and leaves text, comments and the declaration out", () => {
    const xml =
      `<?xml version="1.0"?><!-- c --><fix major="4"><a n='1' m="x&amp;y"/>text<b><c/></b><a/></fix>`;
    assert.deepEqual(parseXml(xml), {
      name: "fix",
      attributes: { major: "4" },
      children: [
        { name: "a", attributes: { n: "1", m: "x&y" }, children: [] },
        { name: "b", attributes: {}, children: [{ name: "c", attributes: {}, children: [] }] },
        { name: "a", attributes: {}, children: [] },
      ],
    });
  });

  it("names the line of what is not well-formed", () => {
    assert.throws(
      () => parseXml("<fix>\n<a>\n</fix>"),
      /^DictionaryError: Cannot read the FIX dictionary: line [23]: /,
    );
    assert.throws(() => parseXml("<?xml version='1.0'?>\n<!DOCTYPE fix [<!ENTITY a 'b'>]><fix/>"), {
      message: "Cannot read the FIX dictionary: line 2: a document type declaration is not taken",
    });
    for (const text of ["", "<fix", "<fix></fix><fix/>", "no xml"]) {
      assert.throws(() => parseXml(text), DictionaryError, `"${text}"`);
    }
  });
});

describe("correct", () => {
  it("applies every correction, and refuses a source that does not need one", () => {
    const source = '<messages></messages><value enum="VALUE1_32"/><value enum="SHIFT_JIS"/>';
    assert.equal(
      correct(source),
      '<messages><message name="XMLnonFIX" msgtype="n" msgcat="admin"/></messages><value enum="VALUE1/32"/>' +
        '<value enum="Shift_JIS"/>',
    );
    assert.throws(() => correct(correct(source)), /applies 0 times, expected once/);
  });
});
