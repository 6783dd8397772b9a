/**
 * One shard on a real nats-server for tests of the matcher: sends commands as a gateway does, and reads what came of
 * them. Test code only.
 */
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import {
  Command,
  CommandBatchWriter,
  Event,
  EVENT_HEADER_BYTES,
  EventBatchReader,
  EventBatchWriter,
} from "../../shared/codec/wire/mod.ts";
import {
  AckedPublisher,
  ensureStreams,
  type NatsConnection,
  type StoredMessage,
  storedMessage,
  streamExtent,
} from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { until } from "../../shared/testing/awaited.ts";
import { testInstrument as anyInstrument } from "../../shared/testing/instrument.ts";
import { CommandKind, EventKind, type Instrument, OrdType, Side } from "../../shared/protocol/mod.ts";
import { cmdSubject, evStream, liveSubject } from "../../shared/protocol/mod.ts";

/** One group part as it was sent: who sent it, which events of which command, and the bytes behind the header. */
export interface SentGroup {
  readonly epoch: number;
  readonly cmdSeq: number;
  readonly firstEventIndex: number;
  readonly eventCount: number;
  readonly continues: boolean;
  readonly refused: boolean;
  readonly repeated: boolean;
  readonly body: string;
}

const VENUE = { shards: [0], limits: { cmdStreamBytes: 2 ** 28, evStreamBytes: 2 ** 28 } };

/** An instrument of shard 0 without decimals. */
export function testInstrument(id: number, symbol: string): Instrument {
  return anyInstrument(id, { symbol, priceScale: 0, tick: "1" });
}

/** A nats-server with the streams of shard 0, a gateway's side of it, and a listener on the live subject. */
export class Shard {
  /** Groups heard on `live.0`, in order. */
  readonly live: SentGroup[] = [];
  #gatewaySeq = 1;
  readonly #command = new Command();
  readonly #writer = new CommandBatchWriter();

  private constructor(
    readonly server: TestServer,
    readonly nc: NatsConnection,
    readonly publisher: AckedPublisher,
  ) {}

  static async start(): Promise<Shard> {
    const server = await TestServer.start();
    const nc = await server.connect("gateway");
    await ensureStreams(nc, VENUE);
    const shard = new Shard(server, nc, new AckedPublisher(nc));
    nc.subscribe(liveSubject(0), { callback: (_error, msg) => void shard.live.push(...groupsOf(msg.data)) });
    await nc.flush();
    return shard;
  }

  async dispose(): Promise<void> {
    this.publisher.close();
    await this.nc.close();
    await this.server.dispose();
  }

  /** A message of `count` new orders, with gapless gateway sequences; `edit` changes each. */
  batch(count = 1, edit: (command: Command, index: number) => void = () => {}): Uint8Array {
    const command = this.#command;
    this.#writer.begin(1, 1, this.#gatewaySeq);
    for (let i = 0; i < count; i++) {
      command.reset();
      command.kind = CommandKind.NewOrder;
      command.sessionId = command.firmId = command.instrumentId = 1;
      command.side = Side.Buy;
      command.ordType = OrdType.Limit;
      command.priceTicks = 100;
      command.qtyLots = 1;
      command.msgSeqNum = this.#gatewaySeq;
      command.clOrdId.setText(`order-${this.#gatewaySeq++}`);
      edit(command, i);
      this.#writer.append(command);
    }
    return this.#writer.finish().slice();
  }

  /** Publishes a command message; resolves with its sequence once CMD_0 has it. */
  send(bytes: Uint8Array, symbol = "AAA"): Promise<number> {
    return new Promise((resolve, reject) =>
      this.publisher.publish(cmdSubject(0, symbol), bytes, (seq, fault) => {
        if (fault === null) resolve(seq);
        else reject(new Error(fault.description));
      })
    );
  }

  /** Everything that EV_0 holds: messages' subjects, and all groups in order. */
  async stored(): Promise<{ subjects: string[]; claims: number[]; groups: SentGroup[] }> {
    const { lastSeq } = await streamExtent(this.nc, evStream(0));
    const subjects: string[] = [];
    const claims: number[] = [];
    const groups: SentGroup[] = [];
    const reader = new EventBatchReader();
    for (let seq = 1; seq <= lastSeq; seq++) {
      const message = (await storedMessage(this.nc, evStream(0), seq))!;
      assert.equal(reader.open(message.bytes), null);
      subjects.push(message.subject);
      if (reader.groupCount === 0) claims.push(reader.epoch);
      groups.push(...groupsOf(message.bytes));
    }
    return { subjects, claims, groups };
  }

  /** Makes EV_0 what it would be had its last message not been stored. */
  async dropLastEvents(): Promise<void> {
    const jsm = await jetstreamManager(this.nc);
    const { lastSeq } = await streamExtent(this.nc, evStream(0));
    const kept: StoredMessage[] = [];
    for (let seq = 1; seq < lastSeq; seq++) kept.push((await storedMessage(this.nc, evStream(0), seq))!);
    await jsm.streams.delete(evStream(0));
    await ensureStreams(this.nc, VENUE);
    for (const { subject, bytes } of kept) await this.nc.request(subject, bytes);
  }

  /** Waits until EV_0 holds whole groups up to command `cmdSeq`. */
  storedUpTo(cmdSeq: number): Promise<void> {
    const reader = new EventBatchReader();
    return until(`events of command ${cmdSeq} in EV_0`, async () => {
      const { lastSeq } = await streamExtent(this.nc, evStream(0)).catch(() => ({ lastSeq: 0 }));
      const last = lastSeq === 0
        ? null
        : await storedMessage(this.nc, evStream(0), lastSeq).catch(() => null);
      return last !== null && reader.open(last.bytes) === null && reader.lastCmdSeq >= cmdSeq;
    });
  }
}

/** The event message of one command message that caused one event. */
export function eventMessage(cmdSeq: number): Uint8Array {
  const writer = new EventBatchWriter(4096);
  writer.begin(0, 1, cmdSeq, 1);
  const event = new Event();
  event.kind = EventKind.LevelChanged;
  event.priceTicks = cmdSeq;
  writer.append(event);
  return writer.end()[0];
}

/** The groups of an event message. Throws when it is unreadable. */
export function groupsOf(bytes: Uint8Array): SentGroup[] {
  const reader = new EventBatchReader();
  assert.equal(reader.open(bytes), null);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const groups: SentGroup[] = [];
  let at = EVENT_HEADER_BYTES;
  while (reader.nextGroup()) {
    const end = at + view.getUint32(at, true);
    const { epoch, cmdSeq, firstEventIndex, eventCount, continues, refused, repeated } = reader;
    const body = bytes.subarray(at, end).toBase64();
    groups.push({ epoch, cmdSeq, firstEventIndex, eventCount, continues, refused, repeated, body });
    at = end;
  }
  return groups;
}

/** Fails unless `groups` are one line: every command message once, its parts in order, epochs never falling. */
export function assertOneLine(groups: readonly SentGroup[], lastCmdSeq: number): void {
  let cmdSeq = 1;
  let eventIndex = 0;
  let epoch = 0;
  for (const group of groups) {
    assert.deepEqual([group.cmdSeq, group.firstEventIndex], [cmdSeq, eventIndex]);
    assert.ok(group.epoch >= epoch, `epoch ${group.epoch} after ${epoch}`);
    epoch = group.epoch;
    eventIndex = group.continues ? eventIndex + group.eventCount : 0;
    if (!group.continues) cmdSeq++;
  }
  assert.equal(cmdSeq - 1, lastCmdSeq);
}

/** A group without its epoch: what has to be the same whoever sent it. */
export function contentOf({ cmdSeq, firstEventIndex, body }: SentGroup): (number | string)[] {
  return [cmdSeq, firstEventIndex, body];
}
