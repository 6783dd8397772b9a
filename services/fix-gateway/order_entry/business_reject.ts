/**
 * The answers of order entry that lead to no command: BusinessMessageReject(j). They are few, since FIX asks for an
 * ExecutionReport or OrderCancelReject wherever one can say it. Slow path. Pure.
 * Source: FIX 4.4 Vol. 1, BusinessMessageReject.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import { type FixSession, MAX_CL_ORD_ID_BYTES, MAX_SYMBOL_BYTES } from "../../../shared/protocol/mod.ts";
import type { OrderFields } from "./order_fields.ts";
import { sentence } from "./refusal.ts";

/** BusinessRejectReason(380) codes that order entry answers with. */
export const BusinessRejectReason = {
  Other: 0,
  UnknownId: 1,
  UnknownSecurity: 2,
  UnsupportedMessageType: 3,
  ConditionallyRequiredFieldMissing: 5,
  NotAuthorized: 6,
  DeliverToFirmNotAvailable: 7,
} as const;
export type BusinessRejectReason = typeof BusinessRejectReason[keyof typeof BusinessRejectReason];

/** Nothing enters the stream; the session answers BusinessMessageReject(j) with these fields. */
export interface BusinessRejectTranslation {
  readonly kind: "business-reject";
  /** BusinessRejectReason(380). */
  readonly reason: BusinessRejectReason;
  /** BusinessRejectRefID(379): ClOrdID(11), where the message has one. */
  readonly refId: string | undefined;
  /** Text(58). */
  readonly text: string;
}

/**
 * What keeps an order message out of the stream: third-party routing, and identifiers that no answer which a stream
 * event leads to could repeat. Null when it may enter.
 */
export function faultOfIdentity(message: FixMessage, fields: OrderFields): BusinessRejectTranslation | null {
  const { valueStart, valueEnd } = message;
  const { clOrdId, origClOrdId, ordStatusReqId, symbol, routing } = fields;
  if (routing >= 0) {
    const reason = message.tags[routing] === 128
      ? BusinessRejectReason.DeliverToFirmNotAvailable
      : BusinessRejectReason.NotAuthorized;
    return businessReject(message, reason, routing, 0, "no third-party routing");
  }
  const limit = `at most ${MAX_CL_ORD_ID_BYTES} bytes`;
  if (valueEnd[clOrdId] - valueStart[clOrdId] > MAX_CL_ORD_ID_BYTES) {
    return businessReject(message, BusinessRejectReason.Other, clOrdId, 0, limit);
  }
  if (origClOrdId >= 0 && valueEnd[origClOrdId] - valueStart[origClOrdId] > MAX_CL_ORD_ID_BYTES) {
    return businessReject(message, BusinessRejectReason.UnknownId, origClOrdId, 0, limit);
  }
  if (ordStatusReqId >= 0 && valueEnd[ordStatusReqId] - valueStart[ordStatusReqId] > MAX_CL_ORD_ID_BYTES) {
    return businessReject(message, BusinessRejectReason.Other, ordStatusReqId, 0, limit);
  }
  if (symbol < 0) {
    return businessReject(
      message,
      BusinessRejectReason.ConditionallyRequiredFieldMissing,
      -1,
      55,
      "a symbol",
    );
  }
  if (valueEnd[symbol] - valueStart[symbol] > MAX_SYMBOL_BYTES) {
    return businessReject(
      message,
      BusinessRejectReason.UnknownSecurity,
      symbol,
      0,
      `at most ${MAX_SYMBOL_BYTES} bytes`,
    );
  }
  return null;
}

/** The answer to a message type that order entry does not take. */
export function faultOfMsgType(message: FixMessage): BusinessRejectTranslation {
  const index = message.find(35);
  return businessReject(
    message,
    BusinessRejectReason.UnsupportedMessageType,
    index,
    35,
    "D, F, G, H, q, AF, i, Z, x, c or g",
  );
}

/** The answer to an order message on a session that may not trade. */
export function faultOfRole(message: FixMessage, session: FixSession): BusinessRejectTranslation {
  const expected = `no order message on a ${session.role} session`;
  return businessReject(message, BusinessRejectReason.NotAuthorized, message.find(35), 35, expected);
}

/**
 * A BusinessMessageReject(j) of the field at `index` (-1: absent, then `tag` names it); it refers to the message by the
 * identifier in `refIdTag`.
 */
export function businessReject(
  message: FixMessage,
  reason: BusinessRejectReason,
  index: number,
  tag: number,
  expected: string,
  refIdTag = 11,
): BusinessRejectTranslation {
  const text = sentence("accept", message, index, tag, expected);
  return { kind: "business-reject", reason, refId: message.text(refIdTag), text };
}
