/**
 * Reads command batches (command.ts has their layout) from bytes that may be damaged in any way: a batch that is not
 * exactly well formed is refused whole. Owns a copy of the batch, in which every field lies on a multiple of its size
 * and is read as a word; whatever Deno runs on is little-endian. Pure. bench/micro/engine.ts pays for the copy.
 */
import {
  CommandFlag,
  CommandKind,
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
import {
  COMMAND_FLAGS,
  EXTENSION_BYTES,
  isKind,
  isSequence,
  MAX_ENTRIES_BYTES,
  TRACE_BYTES,
} from "./command_check.ts";
import { isQuoteEntry, QUOTE_ENTRY_BYTES } from "./quote_entry.ts";

// A module's own constants are folded into the code, imported ones are loaded each time.
const { Extended, Traced } = CommandFlag;
const { MassQuote } = CommandKind;

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
  /** Whether {@link command} may hold something that a command without extension does not have. */
  #extended = false;

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
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const fault = faultOfCommand(words, doubles, this.#bytes, at, length);
      if (fault !== null) return fault;
      seen |= words[at >> 2];
      at += words[at >> 2] & 0xffff;
    }
    if (at !== length) return "bad length";
    if ((seen >>> 24 & Extended) !== 0 && !this.#areExtensions(count)) return "bad field";
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
    command.account = words[word + 11] >>> 0;
    let at = this.#at + FIXED_BYTES;
    if ((first >>> 24 & Extended) !== 0) {
      this.#readExtension(word, first & 0xffff);
      at += EXTENSION_BYTES;
    } else if (this.#extended) this.#clearExtension();
    at = point(command.clOrdId, bytes, at, lengths & 0xff);
    at = point(command.origClOrdId, bytes, at, lengths >> 8 & 0xff);
    at = point(command.symbol, bytes, at, lengths >> 16 & 0xff);
    at = point(command.text, bytes, at, lengths >>> 24);
    point(command.trace, bytes, at, (command.flags & Traced) !== 0 ? TRACE_BYTES : 0);
    this.#at += first & 0xffff;
    return true;
  }

  /** Whether extensions and quote entries hold what a writer would have put there; lengths are checked already. */
  #areExtensions(count: number): boolean {
    const words = this.#words;
    for (let i = 0, at = COMMAND_HEADER_BYTES; i < count; i++) {
      const word = at >> 2;
      at += words[word] & 0xffff;
      if ((words[word] >>> 24 & Extended) === 0) continue;
      if (!isExtension(words, this.#doubles, word)) return false;
      const entries = words[word + 19];
      if (entries === 0) continue;
      if ((words[word] >> 16 & 0xff) !== MassQuote || !areEntries(this.#bytes, at - entries, at)) {
        return false;
      }
      const orders = 2 * entries / QUOTE_ENTRY_BYTES;
      if (i !== count - 1 || i + orders > MAX_BATCH_COMMANDS) return false;
    }
    return true;
  }

  /** Of the command at `word`, of `size` bytes. */
  #readExtension(word: number, size: number): void {
    const words = this.#words;
    const command = this.command;
    const small = words[word + 15];
    const entries = words[word + 19];
    command.stopPxTicks = words[word + 12];
    command.maxFloorLots = words[word + 13];
    command.minQtyLots = words[word + 14];
    command.execInst = small & 0xff;
    command.smpAction = small >> 8 & 0xff;
    command.scope = small >> 16 & 0xff;
    command.target = small >>> 24;
    command.expireUs = this.#doubles[(word >> 1) + 8];
    command.smpId = words[word + 18] >>> 0;
    point(command.entries, this.#bytes, this.#at + size - entries, entries);
    this.#extended = true;
  }

  #clearExtension(): void {
    const command = this.command;
    command.stopPxTicks = command.maxFloorLots = command.minQtyLots = 0;
    command.execInst =
      command.smpAction =
      command.scope =
      command.target =
        0;
    command.expireUs = command.smpId = 0;
    command.entries.clear();
    this.#extended = false;
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
  const size = first & 0xffff;
  let used = FIXED_BYTES + clOrdId + origClOrdId + symbol + text + trace;
  let entries = 0;
  if ((flags & Extended) !== 0) {
    if (start + FIXED_BYTES + EXTENSION_BYTES > total) return "truncated";
    used += EXTENSION_BYTES;
    entries = words[word + 19] >>> 0;
  }
  if (size !== (used + 7 & ~7) + entries) return "bad length";
  if (start + size > total) return "truncated";
  for (let at = start + used; at < start + size - entries; at++) if (bytes[at] !== 0) return "bad field";
  if (!isKind(first >> 16 & 0xff)) return "bad field";
  if (flags > FLAGS || clOrdId > MAX_CL_ORD_ID_BYTES || origClOrdId > MAX_CL_ORD_ID_BYTES) {
    return "bad field";
  }
  if (symbol > MAX_SYMBOL_BYTES || text > MAX_TEXT_BYTES) return "bad field";
  const orderId = doubles[(word >> 1) + 3];
  if (!Number.isSafeInteger(orderId) || orderId < 0) return "bad field";
  if (words[word + 4] < 0 || words[word + 5] < 0) return "bad field";
  return null;
}

/** Whether the extension of the command at `word` holds what a writer would have put there, entries aside. */
function isExtension(words: Int32Array, doubles: Float64Array, word: number): boolean {
  const expireUs = doubles[(word >> 1) + 8];
  const stopPx = words[word + 12];
  const maxFloor = words[word + 13];
  const minQty = words[word + 14];
  if (stopPx < 0 || maxFloor < 0 || minQty < 0) return false;
  if (!Number.isSafeInteger(expireUs) || expireUs < 0) return false;
  if (words[word + 20] !== 0 || words[word + 21] !== 0) return false;
  return (stopPx | maxFloor | minQty | words[word + 15] | words[word + 18] | words[word + 19]) !== 0 ||
    expireUs !== 0;
}

/** Whether `bytes[start, end)` are quote entries, not more than a command may have. */
function areEntries(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length % QUOTE_ENTRY_BYTES !== 0 || length > MAX_ENTRIES_BYTES) return false;
  for (let at = start; at < end; at += QUOTE_ENTRY_BYTES) if (!isQuoteEntry(bytes, at)) return false;
  return true;
}
