/** Owns the fields of the standard message header that a sender chooses. Pure. Source: FIX 4.4 Vol. 2. */

/** Standard header of one message; CompIDs and types are ASCII. */
export interface FixHeader {
  beginString: string;
  msgType: string;
  senderCompId: string;
  targetCompId: string;
  /** 1 or more. */
  msgSeqNum: number;
  /** Epoch milliseconds for SendingTime(52). */
  sendingTimeMs: number;
  /** PossDupFlag(43)=Y. */
  possDup?: boolean;
  /** PossResend(97)=Y. */
  possResend?: boolean;
  /** Epoch milliseconds for OrigSendingTime(122). */
  origSendingTimeMs?: number;
  /** LastMsgSeqNumProcessed(369). */
  lastMsgSeqNumProcessed?: number;
  /** Further header fields, encoded with their SOH (routing). */
  extra?: Uint8Array;
}
