/**
 * Why an order message was refused: the internal code that commands and events carry, and its one translation to
 * FIX codes. Pure. Source of the FIX codes: FIX 4.4 Vol. 6, OrdRejReason(103), CxlRejReason(102).
 */

/** Internal reasons; the numbers are on the wire and never change meaning. */
export const Reason = {
  None: 0,
  UnknownSymbol: 1,
  DuplicateClOrdId: 2,
  UnknownOrder: 3,
  TooLateToCancel: 4,
  PriceOffTick: 5,
  PriceNotPositive: 6,
  QtyOffLot: 7,
  QtyNotPositive: 8,
  QtyOverLimit: 9,
  PriceOverLimit: 10,
  SideChanged: 11,
  OrdTypeUnsupported: 12,
  TimeInForceUnsupported: 13,
  FieldUnsupported: 14,
  ClOrdIdTooLong: 15,
  BookFull: 16,
  SymbolChanged: 17,
  PriceMissing: 18,
  PriceForbidden: 19,
  NotPermitted: 21,
  /** The ClOrdID was the order's, which has gone by another since. */
  ClOrdIdSuperseded: 22,
  /** OrderID and ClOrdID name different orders. */
  OrderIdContradicts: 23,
  StopPxMissing: 24,
  StopPxForbidden: 25,
  StopPxNotPositive: 26,
  StopPxOffTick: 27,
  /** MaxFloor(111) does not go with the OrdType or TimeInForce. */
  MaxFloorForbidden: 28,
  MaxFloorInvalid: 29,
  MinQtyForbidden: 30,
  MinQtyInvalid: 31,
  ExecInstForbidden: 32,
  ExpireForbidden: 33,
  ExpireMissing: 34,
  ExpirePast: 35,
  /** The instrument's trading phase does not take the request. */
  PhaseForbids: 36,
  PostOnlyWouldTrade: 37,
  /** The order is a stop that has been triggered. */
  StopTriggered: 38,
  SelfMatchPrevented: 39,
  MassCanceled: 40,
  PostOnlyRepriced: 41,
  /** What a market order left rests at the price that it last traded at. */
  LeftoverPriced: 42,
  QuoteCrossed: 43,
  QuoteInvalid: 44,
} as const;
export type Reason = typeof Reason[keyof typeof Reason];

/** OrdRejReason(103) for a rejected new order. */
export function ordRejReason(reason: Reason): number {
  switch (reason) {
    case Reason.UnknownSymbol:
      return 1;
    case Reason.PhaseForbids:
      return 2;
    case Reason.QtyOverLimit:
    case Reason.PriceOverLimit:
      return 3;
    case Reason.UnknownOrder:
    case Reason.SymbolChanged:
    case Reason.ClOrdIdSuperseded:
    case Reason.OrderIdContradicts:
      return 5;
    case Reason.DuplicateClOrdId:
      return 6;
    case Reason.OrdTypeUnsupported:
    case Reason.TimeInForceUnsupported:
    case Reason.FieldUnsupported:
    case Reason.MaxFloorForbidden:
    case Reason.MinQtyForbidden:
    case Reason.ExecInstForbidden:
      return 11;
    case Reason.QtyOffLot:
    case Reason.QtyNotPositive:
    case Reason.MaxFloorInvalid:
    case Reason.MinQtyInvalid:
      return 13;
    case Reason.BookFull:
    case Reason.NotPermitted:
      return 0;
    case Reason.None:
    case Reason.TooLateToCancel:
    case Reason.PriceOffTick:
    case Reason.PriceNotPositive:
    case Reason.SideChanged:
    case Reason.ClOrdIdTooLong:
    case Reason.PriceMissing:
    case Reason.PriceForbidden:
    case Reason.StopPxMissing:
    case Reason.StopPxForbidden:
    case Reason.StopPxNotPositive:
    case Reason.StopPxOffTick:
    case Reason.ExpireForbidden:
    case Reason.ExpireMissing:
    case Reason.ExpirePast:
    case Reason.PostOnlyWouldTrade:
    case Reason.StopTriggered:
    case Reason.SelfMatchPrevented:
    case Reason.MassCanceled:
    case Reason.PostOnlyRepriced:
    case Reason.LeftoverPriced:
    case Reason.QuoteCrossed:
    case Reason.QuoteInvalid:
      return 99;
  }
}

/** CxlRejReason(102) for a rejected cancel or replace. */
export function cxlRejReason(reason: Reason): number {
  switch (reason) {
    case Reason.TooLateToCancel:
      return 0;
    case Reason.UnknownOrder:
    case Reason.UnknownSymbol:
    case Reason.SymbolChanged:
    case Reason.ClOrdIdSuperseded:
    case Reason.OrderIdContradicts:
      return 1;
    case Reason.DuplicateClOrdId:
      return 6;
    case Reason.QtyOverLimit:
    case Reason.PriceOverLimit:
    case Reason.BookFull:
    case Reason.SideChanged:
    case Reason.OrdTypeUnsupported:
    case Reason.TimeInForceUnsupported:
    case Reason.FieldUnsupported:
    case Reason.NotPermitted:
    case Reason.PhaseForbids:
    case Reason.MaxFloorForbidden:
    case Reason.MinQtyForbidden:
    case Reason.ExecInstForbidden:
    case Reason.StopTriggered:
    case Reason.PostOnlyWouldTrade:
      return 2;
    case Reason.None:
    case Reason.PriceOffTick:
    case Reason.PriceNotPositive:
    case Reason.QtyOffLot:
    case Reason.QtyNotPositive:
    case Reason.ClOrdIdTooLong:
    case Reason.PriceMissing:
    case Reason.PriceForbidden:
    case Reason.StopPxMissing:
    case Reason.StopPxForbidden:
    case Reason.StopPxNotPositive:
    case Reason.StopPxOffTick:
    case Reason.MaxFloorInvalid:
    case Reason.MinQtyInvalid:
    case Reason.ExpireForbidden:
    case Reason.ExpireMissing:
    case Reason.ExpirePast:
    case Reason.SelfMatchPrevented:
    case Reason.MassCanceled:
    case Reason.PostOnlyRepriced:
    case Reason.LeftoverPriced:
    case Reason.QuoteCrossed:
    case Reason.QuoteInvalid:
      return 99;
  }
}
