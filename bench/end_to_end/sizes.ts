/** The sizes that the floor moves per order: those of the real path's messages, measured on the shipped venue. Pure. */

/** A NewOrderSingle as the load client sends it. */
export const ORDER_BYTES = 160;
/** One command in a batch. */
export const COMMAND_BYTES = 56;
/** The events of an order that is accepted or filled, with its level change. */
export const EVENT_BYTES = 168;
/** An ExecutionReport. */
export const REPORT_BYTES = 256;
