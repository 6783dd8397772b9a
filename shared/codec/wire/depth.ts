/**
 * Depth images: every level of every book of a shard at one command sequence, as the matcher answers a depth request.
 * Fixed layout, little-endian, version 1; docs/wire.md draws it. Pure.
 *
 * An image is one message or several parts. Each has a header of 40 bytes: u16 magic, u8 version, u8 flags (1: more
 * parts follow), u16 shard, u16 part (0, 1, …), f64 cmdSeq, f64 nextEvSeq, u32 levelCount, u32 total bytes, f64 epoch;
 * then `levelCount` levels of 24 bytes: u16 instrumentId, u8 side, u8 0, i32 priceTicks, u32 orders, u32 0,
 * f64 qtyLots.
 */
import { MAX_MESSAGE_BYTES, Side } from "../../protocol/mod.ts";
import type { WireFault } from "./command_reader.ts";

/** The header's first fields, and sizes of the header and of one level. */
export const DEPTH_MAGIC = 0x4450;
export const DEPTH_VERSION = 1;
export const DEPTH_HEADER_BYTES = 40;
export const DEPTH_LEVEL_BYTES = 24;
/** Flag: the image goes on in the next part. */
export const DEPTH_MORE = 1;

/** Builds one image. */
export class DepthImageWriter {
  readonly #maxBytes: number;
  readonly #parts: Uint8Array[] = [];
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  /** A writer whose parts stay at or below `maxBytes`. */
  constructor(maxBytes: number = MAX_MESSAGE_BYTES) {
    this.#maxBytes = maxBytes;
    this.#bytes = new Uint8Array(maxBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Starts an image at command `cmdSeq` (0: none applied); groups behind it are in EV_s from `nextEvSeq` on. */
  begin(shard: number, epoch: number, cmdSeq: number, nextEvSeq: number): void {
    const view = this.#view;
    view.setUint16(0, DEPTH_MAGIC, true);
    view.setUint8(2, DEPTH_VERSION);
    view.setUint16(4, shard, true);
    view.setFloat64(8, cmdSeq, true);
    view.setFloat64(16, nextEvSeq, true);
    view.setFloat64(32, epoch, true);
    this.#parts.length = 0;
    this.#length = DEPTH_HEADER_BYTES;
  }

  /** Appends one level. */
  append(instrumentId: number, side: number, priceTicks: number, qtyLots: number, orders: number): void {
    if (this.#length + DEPTH_LEVEL_BYTES > this.#maxBytes) this.#seal(DEPTH_MORE);
    const view = this.#view;
    const at = this.#length;
    view.setUint16(at, instrumentId, true);
    view.setUint8(at + 2, side);
    view.setUint8(at + 3, 0);
    view.setInt32(at + 4, priceTicks, true);
    view.setUint32(at + 8, orders, true);
    view.setUint32(at + 12, 0, true);
    view.setFloat64(at + 16, qtyLots, true);
    this.#length += DEPTH_LEVEL_BYTES;
  }

  /** Completes the image. The caller owns the parts, at least one. */
  end(): Uint8Array[] {
    this.#seal(0);
    return this.#parts.slice();
  }

  #seal(flags: number): void {
    const view = this.#view;
    view.setUint8(3, flags);
    view.setUint16(6, this.#parts.length, true);
    view.setUint32(24, (this.#length - DEPTH_HEADER_BYTES) / DEPTH_LEVEL_BYTES, true);
    view.setUint32(28, this.#length, true);
    this.#parts.push(this.#bytes.slice(0, this.#length));
    this.#length = DEPTH_HEADER_BYTES;
  }
}

/** Reads one part of an image, level by level: `open`, then while `next()`. */
export class DepthImageReader {
  shard = 0;
  epoch = 0;
  /** The image holds the effect of every command up to this one. */
  cmdSeq = 0;
  /** Groups behind {@link cmdSeq} are in EV_s from this sequence on (older groups may be there too: skip them). */
  nextEvSeq = 0;
  /** Number of this part, from 0. */
  part = 0;
  /** Whether another part follows. */
  more = false;
  levelCount = 0;
  instrumentId = 0;
  side = 0;
  priceTicks = 0;
  /** Sum of LeavesQty at the price, lots. */
  qtyLots = 0;
  /** Orders at the price. */
  orders = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #index = 0;

  /** Takes a part. Returns null, or the fault that makes it unreadable. */
  open(bytes: Uint8Array): WireFault | null {
    if (bytes.length < DEPTH_HEADER_BYTES) return "truncated";
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint16(0, true) !== DEPTH_MAGIC) return "bad magic";
    if (view.getUint8(2) !== DEPTH_VERSION) return "unsupported version";
    const count = view.getUint32(24, true);
    if (view.getUint32(28, true) !== bytes.length) return "bad length";
    if (DEPTH_HEADER_BYTES + count * DEPTH_LEVEL_BYTES !== bytes.length) return "bad length";
    const cmdSeq = view.getFloat64(8, true);
    const nextEvSeq = view.getFloat64(16, true);
    const epoch = view.getFloat64(32, true);
    if (view.getUint8(3) > DEPTH_MORE || !Number.isSafeInteger(cmdSeq) || cmdSeq < 0) return "bad field";
    if (!Number.isSafeInteger(nextEvSeq) || nextEvSeq < 1) return "bad field";
    if (!Number.isSafeInteger(epoch) || epoch < 0) return "bad field";
    for (let at = DEPTH_HEADER_BYTES; at < bytes.length; at += DEPTH_LEVEL_BYTES) {
      if (!isLevel(view, at)) return "bad field";
    }
    this.shard = view.getUint16(4, true);
    this.epoch = epoch;
    this.cmdSeq = cmdSeq;
    this.nextEvSeq = nextEvSeq;
    this.part = view.getUint16(6, true);
    this.more = view.getUint8(3) === DEPTH_MORE;
    this.levelCount = count;
    this.#view = view;
    this.#index = 0;
    return null;
  }

  /** Moves to the next level; false after the last. */
  next(): boolean {
    if (this.#index >= this.levelCount) return false;
    const view = this.#view;
    const at = DEPTH_HEADER_BYTES + this.#index++ * DEPTH_LEVEL_BYTES;
    this.instrumentId = view.getUint16(at, true);
    this.side = view.getUint8(at + 2);
    this.priceTicks = view.getInt32(at + 4, true);
    this.orders = view.getUint32(at + 8, true);
    this.qtyLots = view.getFloat64(at + 16, true);
    return true;
  }
}

function isLevel(view: DataView, at: number): boolean {
  const side = view.getUint8(at + 2);
  const qtyLots = view.getFloat64(at + 16, true);
  return view.getUint16(at, true) > 0 && (side === Side.Buy || side === Side.Sell) &&
    view.getUint8(at + 3) === 0 && view.getUint32(at + 12, true) === 0 &&
    view.getInt32(at + 4, true) > 0 && view.getUint32(at + 8, true) > 0 &&
    Number.isSafeInteger(qtyLots) && qtyLots > 0;
}
