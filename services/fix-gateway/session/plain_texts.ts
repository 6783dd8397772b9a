/**
 * Owns FIX's own descriptions of SessionRejectReason(373) values, for answers that another engine's session
 * suite compares letter by letter. Pure. Source: FIX 4.4 Vol. 6, field 373.
 */
import { SessionRejectReason as Reason } from "../../../shared/codec/fix/mod.ts";

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  [Reason.InvalidTagNumber]: "Invalid tag number",
  [Reason.RequiredTagMissing]: "Required tag missing",
  [Reason.TagNotDefinedForMessage]: "Tag not defined for this message type",
  [Reason.UndefinedTag]: "Undefined Tag",
  [Reason.TagWithoutValue]: "Tag specified without a value",
  [Reason.ValueIncorrect]: "Value is incorrect (out of range) for this tag",
  [Reason.IncorrectDataFormat]: "Incorrect data format for value",
  [Reason.DecryptionProblem]: "Decryption problem",
  [Reason.SignatureProblem]: "Signature problem",
  [Reason.CompIdProblem]: "CompID problem",
  [Reason.SendingTimeAccuracyProblem]: "SendingTime accuracy problem",
  [Reason.InvalidMsgType]: "Invalid MsgType",
  [Reason.XmlValidationError]: "XML Validation error",
  [Reason.TagAppearsMoreThanOnce]: "Tag appears more than once",
  [Reason.TagOutOfOrder]: "Tag specified out of required order",
  [Reason.GroupFieldsOutOfOrder]: "Repeating group fields out of order",
  [Reason.IncorrectGroupCount]: "Incorrect NumInGroup count for repeating group",
  [Reason.NonDataValueHasSoh]: "Non 'data' value includes field delimiter (SOH character)",
  [Reason.Other]: "Other",
};

/** What FIX calls the reason; "Other" for one that FIX 4.4 does not have. */
export function plainText(reason: number): string {
  return DESCRIPTIONS[reason] ?? DESCRIPTIONS[Reason.Other];
}
