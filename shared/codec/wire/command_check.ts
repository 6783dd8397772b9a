/**
 * What a command must be to go onto the wire and come back the same: the conditions of command_reader.ts, stated for
 * values. Pure. Allocates nothing unless it throws.
 */
import {
  CommandFlag,
  CommandKind,
  MAX_CL_ORD_ID_BYTES,
  MAX_PRICE_TICKS,
  MAX_QTY_LOTS,
  MAX_QUOTE_ENTRIES,
  MAX_SYMBOL_BYTES,
  MAX_TEXT_BYTES,
} from "../../protocol/mod.ts";
import type { ByteSlice } from "./byte_slice.ts";
import type { Command } from "./command.ts";
import { isQuoteEntry, QUOTE_ENTRY_BYTES } from "./quote_entry.ts";

/** A traced command ends with a W3C trace id (16 bytes) and span id (8 bytes). */
export const TRACE_BYTES = 24;
/** What an extended command has behind its fixed part. */
export const EXTENSION_BYTES = 40;
/** The entries of the largest MassQuote. */
export const MAX_ENTRIES_BYTES: number = MAX_QUOTE_ENTRIES * QUOTE_ENTRY_BYTES;
/** All {@link CommandFlag} bits. */
export const COMMAND_FLAGS: number = CommandFlag.PossDup | CommandFlag.PossResend | CommandFlag.Traced |
  CommandFlag.Extended;

const U8 = 0xff;
const U16 = 0xffff;
const U32 = 0xffffffff;

/** Whether a number is a {@link CommandKind}. */
export function isKind(value: number): boolean {
  return value >= CommandKind.NewOrder && value <= CommandKind.ExpireOrders;
}

/** Whether a command says anything for which the fixed part has no place. */
export function isExtended(command: Command): boolean {
  return command.stopPxTicks !== 0 || command.maxFloorLots !== 0 || command.minQtyLots !== 0 ||
    command.execInst !== 0 || command.smpAction !== 0 || command.scope !== 0 || command.target !== 0 ||
    command.expireUs !== 0 || command.smpId !== 0 || command.entries.length !== 0;
}

/** Whether a number can be a boot or gateway sequence. */
export function isSequence(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/**
 * Throws a RangeError that names the first field whose value a reader would refuse or not read as it is. Returns
 * {@link isExtended}.
 */
export function assertEncodable(command: Command): boolean {
  if (!Number.isInteger(command.kind) || !isKind(command.kind)) {
    fail("kind", `${CommandKind.NewOrder} to ${CommandKind.ExpireOrders}`, command.kind);
  }
  assertWithin("flags", command.flags, COMMAND_FLAGS);
  assertWithin("sessionId", command.sessionId, U16);
  assertWithin("firmId", command.firmId, U16);
  assertWithin("instrumentId", command.instrumentId, U16);
  assertWithin("msgSeqNum", command.msgSeqNum, U32);
  assertWithin("incarnation", command.incarnation, U32);
  assertWithin("side", command.side, U8);
  assertWithin("ordType", command.ordType, U8);
  assertWithin("timeInForce", command.timeInForce, U8);
  assertWithin("refusedKind", command.refusedKind, U8);
  assertWithin("reason", command.reason, U16);
  assertWithin("priceTicks", command.priceTicks, MAX_PRICE_TICKS);
  assertWithin("qtyLots", command.qtyLots, MAX_QTY_LOTS);
  assertWithin("orderId", command.orderId, Number.MAX_SAFE_INTEGER);
  assertWithin("account", command.account, U32);
  assertLength("clOrdId", command.clOrdId, MAX_CL_ORD_ID_BYTES);
  assertLength("origClOrdId", command.origClOrdId, MAX_CL_ORD_ID_BYTES);
  assertLength("symbol", command.symbol, MAX_SYMBOL_BYTES);
  assertLength("text", command.text, MAX_TEXT_BYTES);
  const { length } = command.trace;
  if (length !== 0 && length !== TRACE_BYTES) fail("trace", `0 or ${TRACE_BYTES} bytes`, length);
  if (!isExtended(command)) return false;
  assertExtension(command);
  return true;
}

function assertExtension(command: Command): void {
  assertWithin("stopPxTicks", command.stopPxTicks, MAX_PRICE_TICKS);
  assertWithin("maxFloorLots", command.maxFloorLots, MAX_QTY_LOTS);
  assertWithin("minQtyLots", command.minQtyLots, MAX_QTY_LOTS);
  assertWithin("execInst", command.execInst, U8);
  assertWithin("smpAction", command.smpAction, U8);
  assertWithin("scope", command.scope, U8);
  assertWithin("target", command.target, U8);
  assertWithin("expireUs", command.expireUs, Number.MAX_SAFE_INTEGER);
  assertWithin("smpId", command.smpId, U32);
  const { buffer, start, length } = command.entries;
  if (length === 0) return;
  if (command.kind !== CommandKind.MassQuote) fail("entries", "none outside a MassQuote", length);
  if (length % QUOTE_ENTRY_BYTES !== 0 || length > MAX_ENTRIES_BYTES) {
    fail("entries", `at most ${MAX_QUOTE_ENTRIES} records of ${QUOTE_ENTRY_BYTES} bytes`, length);
  }
  for (let at = 0; at < length; at += QUOTE_ENTRY_BYTES) {
    if (!isQuoteEntry(buffer, start + at)) {
      fail("entries", "well-formed records", `a fault in record ${at / QUOTE_ENTRY_BYTES}`);
    }
  }
}

/** Throws a RangeError unless `value` is a whole number from 0 to `max` (a safe integer). */
export function assertWithin(field: string, value: number, max: number): void {
  if (!(value >= 0 && value <= max && Number.isInteger(value))) fail(field, `0 to ${max}`, value);
}

/** Throws a RangeError unless `value` can be a boot or gateway sequence. */
export function assertSequence(field: string, value: number): void {
  if (!isSequence(value)) fail(field, "a safe integer from 1", value);
}

function assertLength(field: string, slice: ByteSlice, max: number): void {
  if (slice.length > max) fail(field, `at most ${max} bytes`, slice.length);
}

function fail(field: string, expected: string, value: number | string): never {
  throw new RangeError(`Cannot encode a command's ${field}: expected ${expected}, got ${value}`);
}
