/**
 * Owns what the source dictionary has wrong against the FIX 4.4 specification, and puts it right in its XML text.
 * Each correction must apply exactly once, so that a newer source that no longer needs it is noticed. Pure.
 */
import { DictionaryError } from "../../shared/codec/fix/dictionary_table.ts";

interface Correction {
  readonly why: string;
  readonly from: string;
  readonly to: string;
}

const CORRECTIONS: readonly Correction[] = [
  {
    why: 'YieldType(235) "VALUE1/32" (FIX 4.4 Vol. 6): the source has the spelling of its Java constant',
    from: 'enum="VALUE1_32"',
    to: 'enum="VALUE1/32"',
  },
  {
    why: 'MessageEncoding(347) "Shift_JIS" (FIX 4.4 Vol. 6)',
    from: 'enum="SHIFT_JIS"',
    to: 'enum="Shift_JIS"',
  },
  {
    why: "MsgType(35) n, XMLnonFIX (FIX 4.4 Vol. 6), carries XmlData(213) of the header and has no body",
    from: "</messages>",
    to: '<message name="XMLnonFIX" msgtype="n" msgcat="admin"/></messages>',
  },
];

/** The corrected XML. Throws {@link DictionaryError} when a correction does not apply exactly once. */
export function correct(xml: string): string {
  for (const { why, from, to } of CORRECTIONS) {
    const parts = xml.split(from);
    if (parts.length !== 2) {
      throw new DictionaryError(`the correction "${why}" applies ${parts.length - 1} times, expected once`);
    }
    xml = parts.join(to);
  }
  return xml;
}
