/**
 * A recorded flow as a file that programs in other languages read. Little-endian; header of 16 bytes: u32 commands that
 * fill the book, u32 commands in all, u64 0. Then 32 bytes per command: u64 id, u64 id of the order that a cancel or
 * move names, i32 price in ticks (0 for a market order), i32 quantity in lots, u16 symbol, u8 kind (1 limit, 2 cancel, 3
 * market with immediate or cancel, 4 move to another price), u8 side (1 buy, 2 sell), u32 0. Ids are random 48-bit
 * numbers; a move keeps the order's.
 */
import { CommandKind, OrdType } from "../../shared/protocol/mod.ts";
import type { Flow } from "../micro/book_flow.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";

const HEADER_BYTES = 16;
const RECORD_BYTES = 32;
const SEED = 9;
const KIND = { limit: 1, cancel: 2, market: 3, move: 4 } as const;

/** The file's content. */
export function flowFile(flow: Flow): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + flow.total * RECORD_BYTES);
  const view = new DataView(bytes.buffer);
  const random = new SeededRandom(SEED);
  const ids = new Float64Array(flow.total);
  view.setUint32(0, flow.fill, true);
  view.setUint32(4, flow.total, true);
  for (let i = 0; i < flow.total; i++) {
    const at = HEADER_BYTES + i * RECORD_BYTES;
    const target = flow.targets[i];
    const kind = kindOf(flow.terms[i]);
    const own = random.next() + random.below(65536) * 2 ** 32;
    ids[i] = kind === KIND.move ? ids[target] : own;
    view.setBigUint64(at, BigInt(ids[i]), true);
    view.setBigUint64(at + 8, BigInt(target < 0 ? 0 : ids[target]), true);
    view.setInt32(at + 16, flow.prices[i], true);
    view.setInt32(at + 20, flow.quantities[i], true);
    view.setUint16(at + 24, flow.instruments[i], true);
    view.setUint8(at + 26, kind);
    view.setUint8(at + 27, flow.terms[i] >> 8 & 0xff);
  }
  return bytes;
}

function kindOf(terms: number): number {
  switch (terms & 0xff) {
    case CommandKind.CancelOrder:
      return KIND.cancel;
    case CommandKind.ReplaceOrder:
      return KIND.move;
    default:
      return (terms >> 16 & 0xff) === OrdType.Market ? KIND.market : KIND.limit;
  }
}
