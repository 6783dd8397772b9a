/**
 * Reads command batches (command.ts has their layout) from bytes that may be damaged in any way: a batch that is not
 * exactly well formed is refused whole. Pure.
 */
import {
  CommandFlag,
  MAX_BATCH_COMMANDS,
  MAX_CL_ORD_ID_BYTES,
  MAX_SYMBOL_BYTES,
  MAX_TEXT_BYTES,
} from "../../protocol/mod.ts";
import {
  Command,
  COMMAND_FIXED_BYTES,
  COMMAND_HEADER_BYTES,
  COMMAND_MAGIC,
  COMMAND_VERSION,
} from "./command.ts";
import { COMMAND_FLAGS, isKind, isSequence, TRACE_BYTES } from "./command_check.ts";

/** Why a batch was refused, for the alarm that names it. */
export type WireFault = "truncated" | "bad magic" | "unsupported version" | "bad length" | "bad field";

/**
 * Reads a batch command by command. `open` checks header, lengths and enumerations of the whole batch, so that
 * `next` cannot fail. Slices of {@link command} borrow from the bytes given to `open`.
 */
export class CommandBatchReader {
  readonly command: Command = new Command();
  gatewayId = 0;
  bootId = 0;
  firstGatewaySeq = 0;
  count = 0;
  /** Index of {@link command} in the batch, -1 before the first `next`. */
  index = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Takes a batch. Returns null, or the fault that makes it unreadable; then nothing of it may be applied. */
  open(bytes: Uint8Array): WireFault | null {
    if (bytes.length < COMMAND_HEADER_BYTES) return "truncated";
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint16(0, true) !== COMMAND_MAGIC) return "bad magic";
    if (view.getUint8(2) !== COMMAND_VERSION) return "unsupported version";
    if (view.getUint32(24, true) !== bytes.length) return "bad length";
    const count = view.getUint16(6, true);
    const bootId = view.getFloat64(8, true);
    const firstGatewaySeq = view.getFloat64(16, true);
    if (view.getUint8(3) !== 0 || view.getUint32(28, true) !== 0) return "bad field";
    if (count === 0 || count > MAX_BATCH_COMMANDS) return "bad field";
    if (!isSequence(bootId) || !isSequence(firstGatewaySeq)) return "bad field";
    let at = COMMAND_HEADER_BYTES;
    for (let i = 0; i < count; i++) {
      const fault = faultOfCommand(view, bytes, at);
      if (fault !== null) return fault;
      at += view.getUint16(at, true);
    }
    if (at !== bytes.length) return "bad length";
    this.gatewayId = view.getUint16(4, true);
    this.bootId = bootId;
    this.firstGatewaySeq = firstGatewaySeq;
    this.count = count;
    this.index = -1;
    this.#bytes = bytes;
    this.#view = view;
    this.#at = COMMAND_HEADER_BYTES;
    return null;
  }

  /** Moves {@link command} to the next command; false after the last. */
  next(): boolean {
    if (this.index + 1 >= this.count) return false;
    this.index++;
    const view = this.#view;
    const bytes = this.#bytes;
    const command = this.command;
    const start = this.#at;
    command.kind = view.getUint8(start + 2);
    command.flags = view.getUint8(start + 3);
    command.sessionId = view.getUint16(start + 4, true);
    command.instrumentId = view.getUint16(start + 6, true);
    command.msgSeqNum = view.getUint32(start + 8, true);
    command.side = view.getUint8(start + 12);
    command.ordType = view.getUint8(start + 13);
    command.timeInForce = view.getUint8(start + 14);
    command.refusedKind = view.getUint8(start + 15);
    command.priceTicks = view.getInt32(start + 16, true);
    command.qtyLots = view.getInt32(start + 20, true);
    command.orderId = view.getFloat64(start + 24, true);
    command.firmId = view.getUint16(start + 32, true);
    command.reason = view.getUint16(start + 34, true);
    command.incarnation = view.getUint32(start + 40, true);
    let at = start + COMMAND_FIXED_BYTES;
    command.clOrdId.set(bytes, at, view.getUint8(start + 36));
    at += command.clOrdId.length;
    command.origClOrdId.set(bytes, at, view.getUint8(start + 37));
    at += command.origClOrdId.length;
    command.symbol.set(bytes, at, view.getUint8(start + 38));
    at += command.symbol.length;
    command.text.set(bytes, at, view.getUint8(start + 39));
    at += command.text.length;
    command.trace.set(bytes, at, (command.flags & CommandFlag.Traced) !== 0 ? TRACE_BYTES : 0);
    this.#at = start + view.getUint16(start, true);
    return true;
  }
}

function faultOfCommand(view: DataView, bytes: Uint8Array, start: number): WireFault | null {
  if (start + COMMAND_FIXED_BYTES > bytes.length) return "truncated";
  const clOrdId = view.getUint8(start + 36);
  const origClOrdId = view.getUint8(start + 37);
  const symbol = view.getUint8(start + 38);
  const text = view.getUint8(start + 39);
  const flags = view.getUint8(start + 3);
  const trace = (flags & CommandFlag.Traced) !== 0 ? TRACE_BYTES : 0;
  const used = COMMAND_FIXED_BYTES + clOrdId + origClOrdId + symbol + text + trace;
  const size = view.getUint16(start, true);
  if (size !== (used + 7 & ~7)) return "bad length";
  if (start + size > bytes.length) return "truncated";
  for (let at = start + used; at < start + size; at++) if (bytes[at] !== 0) return "bad field";
  const kind = view.getUint8(start + 2);
  if (!isKind(kind)) return "bad field";
  if (flags > COMMAND_FLAGS || clOrdId > MAX_CL_ORD_ID_BYTES || origClOrdId > MAX_CL_ORD_ID_BYTES) {
    return "bad field";
  }
  if (symbol > MAX_SYMBOL_BYTES || text > MAX_TEXT_BYTES) return "bad field";
  const orderId = view.getFloat64(start + 24, true);
  if (!Number.isSafeInteger(orderId) || orderId < 0) return "bad field";
  if (view.getInt32(start + 16, true) < 0 || view.getInt32(start + 20, true) < 0) return "bad field";
  if (view.getUint32(start + 44, true) !== 0) return "bad field";
  return null;
}
