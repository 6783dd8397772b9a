/**
 * What the matcher does between its two streams, on one core: command message bytes in, event message bytes out.
 * Messages of 1 and of 32 commands of book_flow.ts's FIFO flow; also what a resting order takes in memory.
 */
import { EventEncoder } from "../../services/matcher/engine/mod.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { Command, CommandBatchReader, CommandBatchWriter } from "../../shared/codec/wire/mod.ts";
import { MatchAlgorithm, OrdType } from "../../shared/protocol/mod.ts";
import { print } from "../../shared/cli/output.ts";
import type { BenchResult } from "../result.ts";
import { Slices } from "./slices.ts";
import {
  CountingSink,
  engineFor,
  type Flow,
  type FlowOptions,
  ID_BYTES,
  load,
  recordFlow,
  TRADING_MIX,
} from "./book_flow.ts";

const SEED = 20_240_607;
const ROUNDS = 6;
const MAX_EVENT_MESSAGE_BYTES = 512 * 1024;
const BASE: FlowOptions = {
  mix: TRADING_MIX,
  algorithm: MatchAlgorithm.Fifo,
  symbols: 1,
  resting: 1000,
  depth: 500,
  commands: 0,
  history: 1000,
};

/** Commands per second through whole messages; `scale` shrinks the runs for tests. */
export function run(scale = 1): BenchResult[] {
  const flow = recordFlow({
    ...BASE,
    resting: Math.max(100, Math.round(1000 * scale)),
    commands: Math.max(320, Math.round(100_000 * scale)),
  }, SEED);
  return [throughput(flow, 1), throughput(flow, 32)];
}

function throughput(flow: Flow, perMessage: number): BenchResult {
  const fill = messagesOf(flow, 0, flow.fill, perMessage);
  const measured = messagesOf(flow, flow.fill, flow.total, perMessage);
  const slices = new Slices(0, measured.length);
  let hash = "";
  for (let round = 0; round < ROUNDS; round++) {
    const engine = engineFor(flow.options);
    const reader = new CommandBatchReader();
    const encoder = new EventEncoder(MAX_EVENT_MESSAGE_BYTES);
    let sequence = 0;
    let bytesOut = 0;
    const apply = (message: Uint8Array) => {
      sequence++;
      if (reader.open(message) !== null) {
        throw new Error("Cannot apply: the bench made an unreadable message");
      }
      encoder.begin(0, 1, sequence, sequence);
      engine.applyBatch(sequence, sequence, reader, encoder);
      for (const part of encoder.end()) bytesOut += part.length;
    };
    fill.forEach(apply);
    slices.run((from, to) => {
      for (let i = from; i < to; i++) apply(measured[i]);
    });
    hash = `${engine.stateHash()}-${bytesOut}`;
  }
  const commands = flow.total - flow.fill;
  const name = `engine: bytes in, bytes out, ${perMessage} per message`;
  return { name, unit: "ops/s", value: Math.round(slices.perSecond * commands / measured.length), hash };
}

/** The commands `from` … `to - 1` as messages, encoded once, gateway sequences running on. */
function messagesOf(flow: Flow, from: number, to: number, perMessage: number): Uint8Array[] {
  const writer = new CommandBatchWriter();
  const command = new Command();
  const messages: Uint8Array[] = [];
  for (let first = from; first < to; first += perMessage) {
    writer.begin(1, 1, first + 1);
    for (let i = first; i < Math.min(to, first + perMessage); i++) {
      load(flow, i, command);
      writer.append(command);
    }
    messages.push(writer.finish().slice());
  }
  return messages;
}

/** Resident bytes that a resting order adds: 1,000,000 of them, over 1,000 levels, ClOrdIDs of 12 bytes, code warm. */
export function memoryPerOrder(scale = 1): BenchResult {
  const orders = Math.max(1000, Math.round(1_000_000 * scale));
  bytesOfResting(20_000);
  const value = Math.round(bytesOfResting(orders) / orders);
  return { name: "engine: memory per resting order", unit: "bytes", value, bar: 128 };
}

function bytesOfResting(orders: number): number {
  const engine = engineFor({ ...BASE, resting: orders });
  const sink = new CountingSink();
  const random = new SeededRandom(SEED);
  const id = new Uint8Array(ID_BYTES);
  const command = new Command();
  command.sessionId = command.firmId = command.instrumentId = 1;
  command.ordType = OrdType.Limit;
  command.clOrdId.set(id, 0, ID_BYTES);
  const before = Deno.memoryUsage().rss;
  for (let i = 0; i < orders; i++) {
    for (let b = 0; b < ID_BYTES; b++) id[b] = random.below(256);
    command.side = 1 + i % 2;
    command.priceTicks = 10_000 + (i % 2 === 0 ? -1 - random.below(500) : random.below(500));
    command.qtyLots = 1 + random.below(100);
    engine.apply(i + 1, 0, i, command, sink);
  }
  return Deno.memoryUsage().rss - before;
}

if (import.meta.main) {
  for (const result of run()) {
    print(`${JSON.stringify(result)}\n`);
  }
}
