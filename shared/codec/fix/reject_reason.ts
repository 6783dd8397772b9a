/** Owns the reasons of a session-level Reject(3). Pure. Source: FIX 4.4 Vol. 2, "Session Reject". */

/** SessionRejectReason(373). */
export const SessionRejectReason = {
  InvalidTagNumber: 0,
  RequiredTagMissing: 1,
  TagNotDefinedForMessage: 2,
  UndefinedTag: 3,
  TagWithoutValue: 4,
  ValueIncorrect: 5,
  IncorrectDataFormat: 6,
  DecryptionProblem: 7,
  SignatureProblem: 8,
  CompIdProblem: 9,
  SendingTimeAccuracyProblem: 10,
  InvalidMsgType: 11,
  XmlValidationError: 12,
  TagAppearsMoreThanOnce: 13,
  TagOutOfOrder: 14,
  GroupFieldsOutOfOrder: 15,
  IncorrectGroupCount: 16,
  NonDataValueHasSoh: 17,
  Other: 99,
} as const;

/** What a Reject(3) says. */
export interface ValidationFault {
  /** SessionRejectReason(373). */
  readonly reason: number;
  /** RefTagID(371); null when the field has no number. */
  readonly refTag: number | null;
  /** Text(58). */
  readonly text: string;
}
