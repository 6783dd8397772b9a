/** Owns the judgement of a session's messages by the dictionary that its settings name. Pure. */
import { type Dictionary, FIX44, validate } from "../../../shared/codec/fix/mod.ts";
import type { Validate } from "./state.ts";

/**
 * Judges by `dictionary`; tags 5000 to 9999 that it lacks are let pass unread or refused, and groups have at most
 * `maxGroupEntries` entries.
 */
export function dictionaryCheck(
  dictionary: Dictionary,
  userDefinedFields: boolean,
  maxGroupEntries: number,
): Validate {
  const options = { allowUserDefined: userDefinedFields, maxGroupEntries };
  return (message) => validate(message, dictionary, options);
}

/** FIX 4.4 and the venue's own fields, without other user-defined fields. */
export const strictFix44: Validate = dictionaryCheck(FIX44, false, Infinity);
