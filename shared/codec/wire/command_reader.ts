/**
 * Reads command batches (command.ts has their layout) from bytes that may be damaged in any way: a batch that is not
 * exactly well formed is refused whole. Owns a copy of the batch, in which every field lies on a multiple of its size
 * and is read as a word; whatever Deno runs on is little-endian. Pure. bench/micro/engine.ts pays for the copy.
 */
import {
  CommandFlag,
  MAX_BATCH_COMMANDS,
  MAX_CL_ORD_ID_BYTES,
  MAX_SYMBOL_BYTES,
  MAX_TEXT_BYTES,
} from "../../protocol/mod.ts";
import type { ByteSlice } from "./byte_slice.ts";
import {
  Command,
  COMMAND_FIXED_BYTES,
  COMMAND_HEADER_BYTES,
  COMMAND_MAGIC,
  COMMAND_VERSION,
} from "./command.ts";
import { COMMAND_FLAGS, isKind, isSequence, TRACE_BYTES } from "./command_check.ts";

// A module's own constants are folded into the code, imported ones are loaded each time.
const { Traced } = CommandFlag;

/** Why a batch was refused, for the alarm that names it. */
export type WireFault = "truncated" | "bad magic" | "unsupported version" | "bad length" | "bad field";

const FIXED_BYTES = COMMAND_FIXED_BYTES;
const FLAGS = COMMAND_FLAGS;
const FIRST_BYTES = 64 * 1024;

/**
 * Reads a batch command by command. `open` checks header, lengths and enumerations of the whole batch, so that
 * `next` cannot fail. Slices of {@link command} borrow from the reader until the next `open`.
 */
export class CommandBatchReader {
  readonly command: Command = new Command();
  gatewayId = 0;
  bootId = 0;
  firstGatewaySeq = 0;
  count = 0;
  /** Index of {@link command} in the batch, -1 before the first `next`. */
  index = -1;
  #bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  #words = new Int32Array(this.#bytes.buffer);
  #doubles = new Float64Array(this.#bytes.buffer);
  #at = 0;

  /**
   * Takes a batch, which is copied. Returns null, or the fault that makes it unreadable; then nothing of it may be
   * applied.
   */
  open(bytes: Uint8Array): WireFault | null {
    const { length } = bytes;
    this.count = 0;
    this.index = -1;
    if (length < COMMAND_HEADER_BYTES) return "truncated";
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(bytes);
    const words = this.#words;
    const doubles = this.#doubles;
    if ((words[0] & 0xffff) !== COMMAND_MAGIC) return "bad magic";
    if ((words[0] >>> 16 & 0xff) !== COMMAND_VERSION) return "unsupported version";
    if (words[6] >>> 0 !== length) return "bad length";
    const count = words[1] >>> 16;
    const bootId = doubles[1];
    const firstGatewaySeq = doubles[2];
    if (words[0] >>> 24 !== 0 || words[7] !== 0) return "bad field";
    if (count === 0 || count > MAX_BATCH_COMMANDS) return "bad field";
    if (!isSequence(bootId) || !isSequence(firstGatewaySeq)) return "bad field";
    let at = COMMAND_HEADER_BYTES;
    for (let i = 0; i < count; i++) {
      const fault = faultOfCommand(words, doubles, this.#bytes, at, length);
      if (fault !== null) return fault;
      at += words[at >> 2] & 0xffff;
    }
    if (at !== length) return "bad length";
    this.gatewayId = words[1] & 0xffff;
    this.bootId = bootId;
    this.firstGatewaySeq = firstGatewaySeq;
    this.count = count;
    this.#at = COMMAND_HEADER_BYTES;
    return null;
  }

  /** Moves {@link command} to the next command; false after the last. */
  next(): boolean {
    if (this.index + 1 >= this.count) return false;
    this.index++;
    const words = this.#words;
    const bytes = this.#bytes;
    const command = this.command;
    const word = this.#at >> 2;
    const first = words[word];
    const second = words[word + 1];
    const terms = words[word + 3];
    const lengths = words[word + 9];
    command.kind = first >> 16 & 0xff;
    command.flags = first >>> 24;
    command.sessionId = second & 0xffff;
    command.instrumentId = second >>> 16;
    command.msgSeqNum = words[word + 2] >>> 0;
    command.side = terms & 0xff;
    command.ordType = terms >> 8 & 0xff;
    command.timeInForce = terms >> 16 & 0xff;
    command.refusedKind = terms >>> 24;
    command.priceTicks = words[word + 4];
    command.qtyLots = words[word + 5];
    command.orderId = this.#doubles[(word >> 1) + 3];
    command.firmId = words[word + 8] & 0xffff;
    command.reason = words[word + 8] >>> 16;
    command.incarnation = words[word + 10] >>> 0;
    let at = this.#at + FIXED_BYTES;
    at = point(command.clOrdId, bytes, at, lengths & 0xff);
    at = point(command.origClOrdId, bytes, at, lengths >> 8 & 0xff);
    at = point(command.symbol, bytes, at, lengths >> 16 & 0xff);
    at = point(command.text, bytes, at, lengths >>> 24);
    point(command.trace, bytes, at, (command.flags & Traced) !== 0 ? TRACE_BYTES : 0);
    this.#at += first & 0xffff;
    return true;
  }

  #grow(bytes: number): void {
    this.#bytes = new Uint8Array(bytes + 7 & ~7);
    this.#words = new Int32Array(this.#bytes.buffer);
    this.#doubles = new Float64Array(this.#bytes.buffer);
  }
}

/** Points a slice at `length` bytes and returns the position behind them. A pointer is stored only when it changes. */
function point(slice: ByteSlice, bytes: Uint8Array, at: number, length: number): number {
  if (slice.buffer !== bytes) slice.buffer = bytes;
  slice.start = at;
  slice.length = length;
  return at + length;
}

/** Of the command at `start` of a batch of `total` bytes; a header of that batch lies before it. */
function faultOfCommand(
  words: Int32Array,
  doubles: Float64Array,
  bytes: Uint8Array,
  start: number,
  total: number,
): WireFault | null {
  if (start + FIXED_BYTES > total) return "truncated";
  const word = start >> 2;
  const first = words[word];
  const lengths = words[word + 9];
  const clOrdId = lengths & 0xff;
  const origClOrdId = lengths >> 8 & 0xff;
  const symbol = lengths >> 16 & 0xff;
  const text = lengths >>> 24;
  const flags = first >>> 24;
  const trace = (flags & Traced) !== 0 ? TRACE_BYTES : 0;
  const used = FIXED_BYTES + clOrdId + origClOrdId + symbol + text + trace;
  const size = first & 0xffff;
  if (size !== (used + 7 & ~7)) return "bad length";
  if (start + size > total) return "truncated";
  for (let at = start + used; at < start + size; at++) if (bytes[at] !== 0) return "bad field";
  if (!isKind(first >> 16 & 0xff)) return "bad field";
  if (flags > FLAGS || clOrdId > MAX_CL_ORD_ID_BYTES || origClOrdId > MAX_CL_ORD_ID_BYTES) {
    return "bad field";
  }
  if (symbol > MAX_SYMBOL_BYTES || text > MAX_TEXT_BYTES) return "bad field";
  const orderId = doubles[(word >> 1) + 3];
  if (!Number.isSafeInteger(orderId) || orderId < 0) return "bad field";
  if (words[word + 4] < 0 || words[word + 5] < 0 || words[word + 11] !== 0) return "bad field";
  return null;
}
