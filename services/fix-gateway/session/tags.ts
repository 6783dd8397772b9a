/** Tags and codes that the session layer reads and writes. Pure. Source: FIX 4.4 Vol. 2 and Vol. 6. */

/** Tags by FIX name. */
export const Tag = {
  BeginSeqNo: 7,
  ClOrdID: 11,
  EndSeqNo: 16,
  MsgSeqNum: 34,
  NewSeqNo: 36,
  PossDupFlag: 43,
  RefSeqNum: 45,
  SenderCompID: 49,
  SendingTime: 52,
  TargetCompID: 56,
  Text: 58,
  EncryptMethod: 98,
  HeartBtInt: 108,
  TestReqID: 112,
  OnBehalfOfCompID: 115,
  OnBehalfOfSubID: 116,
  OrigSendingTime: 122,
  GapFillFlag: 123,
  DeliverToCompID: 128,
  DeliverToSubID: 129,
  ResetSeqNumFlag: 141,
  OnBehalfOfLocationID: 144,
  DeliverToLocationID: 145,
  RefTagID: 371,
  RefMsgType: 372,
  SessionRejectReason: 373,
  BusinessRejectRefID: 379,
  BusinessRejectReason: 380,
  Username: 553,
  Password: 554,
  NextExpectedMsgSeqNum: 789,
} as const;

/**
 * SessionRejectReason(373) values that the session itself decides; the dictionary check brings the others.
 */
export const RejectReason = {
  RequiredTagMissing: 1,
  ValueIncorrect: 5,
  CompIdProblem: 9,
  SendingTimeAccuracy: 10,
  InvalidMsgType: 11,
  Other: 99,
} as const;

/** The BeginString(8) that this engine speaks. */
export const BEGIN_STRING = "FIX.4.4";
/** Character code of "Y". */
export const YES = 0x59;
/** Largest MsgSeqNum(34) accepted: commands carry it in 32 bits. */
export const MAX_SEQ_NUM = 0x7fffffff;
