/**
 * Owns the reading of XML text into the plain elements that shared/codec/fix/dictionary_table.ts converts. Takes no
 * document type declaration: nothing that it could declare belongs into a dictionary.
 */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { DictionaryError, type XmlElement } from "../codec/fix/dictionary_table.ts";

/** A parsed element as the library gives it in order-preserving mode: one key, and the attributes under ":@". */
type OrderedNode = Record<string, unknown>;

const ATTRIBUTES = ":@";

/** The document's top element. Throws {@link DictionaryError} with the line when the text is not well-formed XML. */
export function parseXml(text: string): XmlElement {
  const doctype = text.indexOf("<!DOCTYPE");
  if (doctype >= 0) {
    const line = text.slice(0, doctype).split("\n").length;
    throw new DictionaryError(`line ${line}: a document type declaration is not taken`);
  }
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) throw new DictionaryError(`line ${verdict.err.line}: ${verdict.err.msg}`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
    trimValues: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
  });
  const roots = elementsOf(parser.parse(text) as OrderedNode[]);
  if (roots.length !== 1) throw new DictionaryError(`expected one top element, got ${roots.length}`);
  return roots[0];
}

function elementsOf(nodes: readonly OrderedNode[]): XmlElement[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES && !key.startsWith("#"));
    if (name === undefined) return [];
    const attributes = (node[ATTRIBUTES] ?? {}) as Record<string, string>;
    return [{ name, attributes, children: elementsOf(node[name] as OrderedNode[]) }];
  });
}
