/**
 * Command batches: what one message of CMD_s holds. Fixed layout, little-endian, version 3; docs/wire.md draws it.
 * Owns the layout and the writer, which takes nothing that command_reader.ts would refuse and writes by the word, since
 * every field lies on a multiple of its size and whatever Deno runs on is little-endian. Pure.
 *
 * Header, 32 bytes: u16 magic, u8 version, u8 0, u16 gatewayId, u16 count, f64 bootId, f64 firstGatewaySeq, u32 total
 * bytes, u32 0. Then `count` commands: 48 bytes each, 40 more when it says anything that a plain order does not, its
 * strings and trace, padded to 8, its quote entries.
 */
import {
  CommandFlag,
  CommandKind,
  MAX_BATCH_COMMANDS,
  MAX_CL_ORD_ID_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_QUOTE_ENTRIES,
} from "../../protocol/mod.ts";
import { MAX_SYMBOL_BYTES, MAX_TEXT_BYTES } from "../../protocol/mod.ts";
import { ByteSlice } from "./byte_slice.ts";
import {
  assertEncodable,
  assertSequence,
  assertWithin,
  EXTENSION_BYTES,
  MAX_ENTRIES_BYTES,
  TRACE_BYTES,
} from "./command_check.ts";

export { TRACE_BYTES };

/** The header's first fields, and sizes of the header and of a command's fixed part. */
export const COMMAND_MAGIC = 0x4350;
export const COMMAND_VERSION = 3;
export const COMMAND_HEADER_BYTES = 32;
export const COMMAND_FIXED_BYTES = 48;
/** The largest encoded command. */
export const MAX_COMMAND_BYTES = COMMAND_FIXED_BYTES + EXTENSION_BYTES + 2 * MAX_CL_ORD_ID_BYTES +
  MAX_SYMBOL_BYTES + MAX_TEXT_BYTES + TRACE_BYTES + 8 + MAX_ENTRIES_BYTES;
/** Where the last command may stand: there are numbers left for the orders of the largest MassQuote. */
const LAST_INDEX = MAX_BATCH_COMMANDS - 2 * MAX_QUOTE_ENTRIES;

// A module's own constants are folded into the code, imported ones are loaded each time.
const { Extended, Traced } = CommandFlag;
const FIXED_BYTES = COMMAND_FIXED_BYTES;

/** One command's fields; the slices borrow from whatever was decoded or is about to be encoded. */
export class Command {
  kind: number = CommandKind.NewOrder;
  /** {@link CommandFlag} bits; whoever writes the command sets Traced and Extended by what it holds. */
  flags = 0;
  sessionId = 0;
  firmId = 0;
  /** 0 when the venue lists no such symbol (RefuseOrder only). */
  instrumentId = 0;
  /** MsgSeqNum(34) of the FIX message. */
  msgSeqNum = 0;
  /** Which run of the session's numbers msgSeqNum belongs to (each reset starts the next, from 1); 0: not remembered. */
  incarnation = 0;
  side = 0;
  ordType = 0;
  timeInForce = 0;
  /** RefuseOrder: the {@link CommandKind} that the message would have been. */
  refusedKind = 0;
  /** RefuseOrder: a Reason. */
  reason = 0;
  /** 0 for a market order. */
  priceTicks = 0;
  qtyLots = 0;
  /** OrderID(37) that the client named, 0 for none. */
  orderId = 0;
  /** FNV-1a of Account(1), 32 bits; 0 when there is none. Only compared: another account costs priority. */
  account = 0;
  /** StopPx(99); 0 for an order that is no stop. */
  stopPxTicks = 0;
  /** MaxFloor(111), 0 for none. */
  maxFloorLots = 0;
  /** MinQty(110), 0 for none. */
  minQtyLots = 0;
  /** ExecInst bits. */
  execInst = 0;
  smpAction = 0;
  /** Self-match prevention group within the firm; 0: the firm as a whole. */
  smpId = 0;
  /** MassCancel, MassStatus: a MassScope. SetPhase: the phase that must be now, 0 any. MassQuote: QuoteResponseLevel(301). */
  scope = 0;
  /** SetPhase: the Phase. SetAlgorithm: the code of MatchAlgorithm's character. */
  target = 0;
  /** When the order expires, µs since 1970, 0 for never. ExpireOrders: up to when. SetPhase: when it was due by the schedule, 0 for an operator's. */
  expireUs = 0;
  readonly clOrdId: ByteSlice = new ByteSlice();
  /** OrigClOrdID(41); of a status request OrdStatusReqID(790). */
  readonly origClOrdId: ByteSlice = new ByteSlice();
  /** Symbol(55) as sent, when instrumentId is 0. */
  readonly symbol: ByteSlice = new ByteSlice();
  /** RefuseOrder: Text(58) for the answer. */
  readonly text: ByteSlice = new ByteSlice();
  /** Trace id and span id, {@link TRACE_BYTES} or none. */
  readonly trace: ByteSlice = new ByteSlice();
  /** MassQuote: records of {@link QUOTE_ENTRY_BYTES} (quote_entry.ts). */
  readonly entries: ByteSlice = new ByteSlice();

  /** Back to the state of a new object. */
  reset(): void {
    this.kind = CommandKind.NewOrder;
    this.flags =
      this.sessionId =
      this.firmId =
      this.instrumentId =
        0;
    this.msgSeqNum = this.incarnation = 0;
    this.side = this.ordType = this.timeInForce = 0;
    this.refusedKind = this.reason = 0;
    this.priceTicks =
      this.qtyLots =
      this.orderId =
      this.account =
        0;
    this.stopPxTicks =
      this.maxFloorLots =
      this.minQtyLots =
      this.execInst =
        0;
    this.smpAction =
      this.smpId =
      this.scope =
      this.target =
      this.expireUs =
        0;
    this.entries.clear();
    this.clOrdId.clear();
    this.origClOrdId.clear();
    this.symbol.clear();
    this.text.clear();
    this.trace.clear();
  }
}

/** Builds one batch in its own buffer; `finish` returns a view that is valid until the next `begin`. */
export class CommandBatchWriter {
  readonly #bytes: Uint8Array = new Uint8Array(MAX_MESSAGE_BYTES);
  readonly #view: DataView = new DataView(this.#bytes.buffer);
  readonly #words: Int32Array = new Int32Array(this.#bytes.buffer);
  readonly #doubles: Float64Array = new Float64Array(this.#bytes.buffer);
  #length = 0;
  #count = 0;
  /** Whether the last command has quote entries, whose orders take the numbers behind it. */
  #closed = false;

  /** Commands in the batch so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether one more command of any size fits. */
  get hasRoom(): boolean {
    return this.#count <= LAST_INDEX && !this.#closed &&
      this.#length + MAX_COMMAND_BYTES <= MAX_MESSAGE_BYTES;
  }

  /**
   * Starts an empty batch whose first command gets `firstGatewaySeq`. Gateway id: 16 bits; both numbers: safe integers
   * from 1. Throws a RangeError that names what is not; nothing has changed then.
   */
  begin(gatewayId: number, bootId: number, firstGatewaySeq: number): void {
    assertWithin("gatewayId", gatewayId, 0xffff);
    assertSequence("bootId", bootId);
    assertSequence("firstGatewaySeq", firstGatewaySeq);
    const view = this.#view;
    view.setUint16(0, COMMAND_MAGIC, true);
    view.setUint8(2, COMMAND_VERSION);
    view.setUint8(3, 0);
    view.setUint16(4, gatewayId, true);
    view.setFloat64(8, bootId, true);
    view.setFloat64(16, firstGatewaySeq, true);
    view.setUint32(28, 0, true);
    this.#length = COMMAND_HEADER_BYTES;
    this.#count = 0;
    this.#closed = false;
  }

  /**
   * Appends one command. Throws a RangeError that names the field and its value when the reader would refuse it or read
   * another value, and one when {@link hasRoom} is false: a caller's bug. Nothing has changed then.
   */
  append(command: Command): void {
    if (!this.hasRoom) throw new RangeError("Cannot append a command: the batch is full");
    const extended = assertEncodable(command);
    const bytes = this.#bytes;
    const words = this.#words;
    const doubles = this.#doubles;
    const start = this.#length;
    const word = start >> 2;
    const { clOrdId, origClOrdId, symbol, text, trace } = command;
    const traced = trace.length === TRACE_BYTES;
    const flags = command.flags & ~(Traced | Extended) | (traced ? Traced : 0) | (extended ? Extended : 0);
    words[word + 1] = command.sessionId | command.instrumentId << 16;
    words[word + 2] = command.msgSeqNum;
    words[word + 3] = command.side | command.ordType << 8 | command.timeInForce << 16 |
      command.refusedKind << 24;
    words[word + 4] = command.priceTicks;
    words[word + 5] = command.qtyLots;
    doubles[(word >> 1) + 3] = command.orderId;
    words[word + 8] = command.firmId | command.reason << 16;
    words[word + 9] = clOrdId.length | origClOrdId.length << 8 | symbol.length << 16 | text.length << 24;
    words[word + 10] = command.incarnation;
    words[word + 11] = command.account;
    let at = start + FIXED_BYTES;
    if (extended) {
      putExtension(words, doubles, word + FIXED_BYTES / 4, command);
      at += EXTENSION_BYTES;
    }
    at = putSlice(bytes, at, clOrdId, MAX_CL_ORD_ID_BYTES);
    at = putSlice(bytes, at, origClOrdId, MAX_CL_ORD_ID_BYTES);
    at = putSlice(bytes, at, symbol, MAX_SYMBOL_BYTES);
    at = putSlice(bytes, at, text, MAX_TEXT_BYTES);
    if (traced) at = putSlice(bytes, at, trace, TRACE_BYTES);
    at = padTo8(bytes, at);
    if (extended) at = putSlice(bytes, at, command.entries, MAX_ENTRIES_BYTES);
    words[word] = at - start | command.kind << 16 | flags << 24;
    this.#length = at;
    this.#count++;
    this.#closed = command.entries.length > 0;
  }

  /** Completes the batch, of at least one command. The view borrows until the next {@link begin}. */
  finish(): Uint8Array {
    if (this.#count === 0) throw new RangeError("Cannot finish a command batch: it holds no command");
    this.#view.setUint16(6, this.#count, true);
    this.#view.setUint32(24, this.#length, true);
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Numbers a finished batch that the caller owns: its first command gets `firstGatewaySeq` (a safe integer from 1). */
export function setFirstGatewaySeq(batch: Uint8Array, firstGatewaySeq: number): void {
  assertSequence("firstGatewaySeq", firstGatewaySeq);
  new DataView(batch.buffer, batch.byteOffset, batch.byteLength).setFloat64(16, firstGatewaySeq, true);
}

/** What only some commands say, from `word`, an even number. */
function putExtension(words: Int32Array, doubles: Float64Array, word: number, command: Command): void {
  words[word] = command.stopPxTicks;
  words[word + 1] = command.maxFloorLots;
  words[word + 2] = command.minQtyLots;
  words[word + 3] = command.execInst | command.smpAction << 8 | command.scope << 16 | command.target << 24;
  doubles[(word >> 1) + 2] = command.expireUs;
  words[word + 6] = command.smpId;
  words[word + 7] = command.entries.length;
  doubles[(word >> 1) + 4] = 0;
}

/** Copies a slice to `at` and returns the position behind it; throws over `limit`. */
export function putSlice(bytes: Uint8Array, at: number, slice: ByteSlice, limit: number): number {
  const { buffer, start, length } = slice;
  if (length > limit) {
    throw new RangeError(`Cannot encode a string of ${length} bytes: the limit is ${limit}`);
  }
  for (let i = 0; i < length; i++) bytes[at + i] = buffer[start + i];
  return at + length;
}

/** Writes zeros up to the next multiple of 8 and returns it. */
export function padTo8(bytes: Uint8Array, at: number): number {
  while ((at & 7) !== 0) bytes[at++] = 0;
  return at;
}
