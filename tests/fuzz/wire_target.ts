/**
 * Aims at the readers of the binary encodings between gateway, matcher and market data: batches of commands, of events,
 * depth images. What is written reads back; what is damaged is refused or read whole, never past its end.
 */
import { EventKind } from "../../shared/protocol/mod.ts";
import {
  type ByteSlice,
  Command,
  CommandBatchReader,
  CommandBatchWriter,
  DepthImageReader,
  DepthImageWriter,
  EventBatchReader,
  EventBatchWriter,
  QuoteEntry,
  quoteEntryCount,
  readQuoteEntry,
} from "../../shared/codec/wire/mod.ts";
import {
  Random as WireRandom,
  randomCommand,
  randomEvent,
  randomMassQuote,
} from "../../shared/codec/wire/test_random.ts";
import { textOf } from "./bytes.ts";
import { fewestBytes } from "./minimise.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { type Finding, shownBytes, type Target, thrown } from "./target.ts";

const NUMBERS: readonly number[] = [
  0,
  1,
  0x7f,
  0x80,
  0xff,
  0x7fff,
  0xffff,
  0x7fffffff,
  0x80000000,
  0xffffffff,
];
const MAX_BYTES = 8192;

/** The wire readers as a target. */
export const wireTarget: Target = {
  name: "wire",
  about: "batches of commands and events, depth images: damaged anyhow",
  smokeCases: 3000,
  attempt,
};

function attempt(seed: number): Finding | null {
  const random = new SeededRandom(seed);
  const make = random.pick([commandBatch, eventBatch, depthImage]);
  const good = make(new WireRandom(random.below(2 ** 31) + 1), random);
  const problem = wireProblem(good, true);
  if (problem !== null) return { seed, problem: `undamaged: ${problem}`, input: [shownBytes(good)] };
  const bytes = damaged(random, good);
  if (wireProblem(bytes, false) === null) return null;
  const least = fewestBytes(bytes, (fewer) => wireProblem(fewer, false) !== null);
  return { seed, problem: wireProblem(least, false)!, input: [shownBytes(least)] };
}

/** What does not hold of these bytes in any of the readers, or null. `good`: one of them must take it. */
export function wireProblem(bytes: Uint8Array, good: boolean): string | null {
  try {
    const taken = [readCommands(bytes), readEvents(bytes), readDepth(bytes)];
    const problem = taken.find((one) => typeof one === "string");
    if (typeof problem === "string") return problem;
    return good && !taken.includes(true) ? "no reader takes it" : null;
  } catch (error) {
    return thrown(error);
  }
}

/** False when refused, true when all of it was read, or what is wrong. */
function readCommands(bytes: Uint8Array): boolean | string {
  const reader = new CommandBatchReader();
  if (reader.open(bytes) !== null) return false;
  const writer = new CommandBatchWriter();
  writer.begin(reader.gatewayId, reader.bootId, reader.firstGatewaySeq);
  const entry = new QuoteEntry();
  let count = 0;
  while (reader.next()) {
    count++;
    const { clOrdId, origClOrdId, symbol, text, entries } = reader.command;
    if (![clOrdId, origClOrdId, symbol, text, entries].every((slice) => within(slice, bytes))) {
      return "a slice past the end";
    }
    for (let i = 0; i < quoteEntryCount(entries); i++) {
      readQuoteEntry(entries, i, entry);
      if (!within(entry.quoteSetId, bytes) || !within(entry.quoteEntryId, bytes)) {
        return "an entry past the end";
      }
    }
    if (writer.hasRoom) writer.append(reader.command);
  }
  if (count !== reader.count) return `${count} commands of ${reader.count}`;
  const same = writer.count < count || textOf(writer.finish()) === textOf(bytes);
  return same ? true : "the commands that were read make other bytes";
}

function readEvents(bytes: Uint8Array): boolean | string {
  const reader = new EventBatchReader();
  if (reader.open(bytes) !== null) return false;
  let groups = 0;
  while (reader.nextGroup()) {
    groups++;
    let events = 0;
    while (reader.nextEvent()) {
      events++;
      if (reader.event.kind < EventKind.LevelChanged && !within(reader.event.text, bytes)) {
        return "a slice past the end";
      }
    }
    if (events !== reader.eventCount) return `${events} events of ${reader.eventCount}`;
  }
  return groups === reader.groupCount ? true : `${groups} groups of ${reader.groupCount}`;
}

function readDepth(bytes: Uint8Array): boolean | string {
  const reader = new DepthImageReader();
  if (reader.open(bytes) !== null) return false;
  let levels = 0;
  while (reader.next()) levels++;
  return levels === reader.levelCount ? true : `${levels} levels of ${reader.levelCount}`;
}

/** Readers may copy: a slice must lie in its own buffer. */
function within(slice: ByteSlice, bytes: Uint8Array): boolean {
  const end = slice.buffer === bytes ? bytes.length : slice.buffer.length;
  return slice.length >= 0 && slice.start >= 0 && slice.start + slice.length <= end;
}

function commandBatch(wire: WireRandom, random: SeededRandom): Uint8Array {
  const writer = new CommandBatchWriter();
  writer.begin(random.below(65536), 1 + random.below(1000), 1 + random.below(1e6));
  const command = new Command();
  for (let i = random.below(8); i >= 0; i--) writer.append(randomCommand(wire, command));
  if (random.below(3) === 0) writer.append(randomMassQuote(wire, command, 5));
  return writer.finish().slice();
}

function eventBatch(wire: WireRandom, random: SeededRandom): Uint8Array {
  const writer = new EventBatchWriter(MAX_BYTES);
  writer.begin(random.below(65536), 1 + random.below(1000), 1 + random.below(1e6), random.below(2 ** 31));
  for (let i = random.below(8); i > 0; i--) writer.append(randomEvent(wire));
  return writer.end()[0].slice();
}

function depthImage(_wire: WireRandom, random: SeededRandom): Uint8Array {
  const writer = new DepthImageWriter(MAX_BYTES);
  writer.begin(random.below(65536), random.below(1000), random.below(1e6), 1 + random.below(1e6));
  for (let i = random.below(8); i > 0; i--) {
    writer.append(1 + random.below(65535), 1 + random.below(2), 1 + i, 1 + i, 1);
  }
  return writer.end()[0].slice();
}

/** Flips, numbers in place of others at their natural places, losses, additions. */
function damaged(random: SeededRandom, good: Uint8Array): Uint8Array {
  let bytes = good.slice();
  for (let i = random.below(4); i >= 0; i--) {
    const at = random.below(bytes.length);
    switch (random.below(6)) {
      case 0:
        bytes[at] ^= 1 << random.below(8);
        break;
      case 1:
        bytes[at] = random.below(256);
        break;
      case 2:
        if (bytes.length >= 4) {
          viewOf(bytes).setUint32(Math.min(at & ~3, bytes.length - 4), random.pick(NUMBERS), true);
        }
        break;
      case 3:
        if (bytes.length >= 2) {
          viewOf(bytes).setUint16(Math.min(at & ~1, bytes.length - 2), random.pick(NUMBERS), true);
        }
        break;
      case 4:
        bytes = bytes.slice(0, at + 1);
        break;
      default: {
        const from = random.below(good.length);
        bytes = Uint8Array.of(...bytes.subarray(0, at), ...good.subarray(from), ...bytes.subarray(at));
      }
    }
  }
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
