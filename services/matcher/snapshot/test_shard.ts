/**
 * One shard's streams on a real nats-server, random commands in them, and the ports of those who take and read snapshots.
 * There is no matcher: EV_s is taken to hold what CMD_s holds. Test code only.
 */
import { jetstreamManager } from "@nats-io/jetstream";
import { nullLogger } from "../../../shared/cli/log.ts";
import { Command, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { AckedPublisher, type NatsConnection, streamExtent } from "../../../shared/nats/mod.ts";
import { ensureStream, streamSettings } from "../../../shared/nats/streams.ts";
import { cmdStream, cmdSubject, CommandKind, OrdType, Side } from "../../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "../engine/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { testInstrument } from "../engine/test_ledger.ts";
import { applyUpTo } from "./follower.ts";
import { natsCommandLog } from "./nats_command_log.ts";
import { NatsSnapshotStore } from "./nats_snapshot_store.ts";
import { type RestoredEngine, restoreEngine } from "./restore.ts";
import type { CommandMark } from "./snapshot.ts";
import type { CommandLog, SnapshotStore } from "./snapshot_store.ts";
import { SnapshotTaker } from "./taker.ts";

/** A shard, by its number; several share a server. */
export class TestShard {
  /** What has applied every command, and was never anything but an engine. */
  readonly reference: Engine;
  /** The mark of the last command. */
  mark!: CommandMark;
  readonly options: EngineOptions;
  readonly commands: CommandLog;
  readonly #publisher: AckedPublisher;
  readonly #random: SeededRandom;
  readonly #writer = new CommandBatchWriter();
  #gatewaySeq = 1;

  private constructor(
    readonly nc: NatsConnection,
    readonly shard: number,
    readonly store: NatsSnapshotStore,
  ) {
    this.options = {
      shard,
      instruments: [testInstrument(1, { shard }), testInstrument(2, { shard })],
      maxOpenOrders: 2000,
      clOrdIdHistory: 500,
    };
    this.reference = new Engine(this.options);
    const log = natsCommandLog(nc, shard);
    this.commands = { ...log, storedUpTo: async () => (await log.extent()).lastSeq };
    this.#publisher = new AckedPublisher(nc);
    this.#random = new SeededRandom(shard);
    store.leftBehindMs = 0;
    store.silenceMs = 300;
  }

  /** Makes its streams. */
  static async open(nc: NatsConnection, shard: number): Promise<TestShard> {
    const jsm = await jetstreamManager(nc, { checkAPI: false });
    const limits = { cmdStreamBytes: 2 ** 22, evStreamBytes: 2 ** 20 };
    const settings = streamSettings({ shards: [shard], limits });
    for (const each of settings.slice(0, 2)) await ensureStream(jsm, each);
    return new TestShard(nc, shard, await NatsSnapshotStore.open(nc, shard));
  }

  close(): void {
    this.#publisher.close();
  }

  /** Sends `count` messages of one to three orders, and has the reference apply them. */
  async send(count: number): Promise<void> {
    const sent: Promise<number>[] = [];
    for (let i = 0; i < count; i++) sent.push(this.#send(this.#batch()));
    const last = Math.max(...await Promise.all(sent));
    this.mark = await applyUpTo(this.nc, this.reference, last, nullLogger);
  }

  /** Takes a snapshot of the reference; see SnapshotTaker. */
  take(store: SnapshotStore = this.store, commands: CommandLog = this.commands): Promise<string | null> {
    const after = (delayMs: number, action: () => void) => void setTimeout(action, delayMs);
    const taker = new SnapshotTaker({ store, commands, engine: this.options, log: nullLogger, after });
    return taker.take(this.reference, this.mark);
  }

  /** What a matcher that starts now gets. */
  restore(options: Partial<EngineOptions> = {}, log = nullLogger): Promise<RestoredEngine> {
    const { store, commands } = this;
    return restoreEngine({ store, commands, engine: { ...this.options, ...options }, log });
  }

  /** The state hash of what a matcher that starts now has when it has applied the rest. */
  async restoredHash(): Promise<string> {
    const { engine } = await this.restore();
    const { lastSeq } = await this.commands.extent();
    if (engine.cmdSeq < lastSeq) await applyUpTo(this.nc, engine, lastSeq, nullLogger);
    return engine.stateHash();
  }

  /** First sequence that the commands begin with. */
  async firstSeq(): Promise<number> {
    return (await streamExtent(this.nc, cmdStream(this.shard))).firstSeq;
  }

  #batch(): Uint8Array {
    const random = this.#random;
    const command = new Command();
    const count = 1 + random.below(3);
    this.#writer.begin(1, 1, this.#gatewaySeq);
    for (let i = 0; i < count; i++) {
      command.reset();
      command.kind = CommandKind.NewOrder;
      command.sessionId = command.firmId = 1 + random.below(3);
      command.instrumentId = 1 + random.below(2);
      command.side = random.oneIn(2) ? Side.Buy : Side.Sell;
      command.ordType = OrdType.Limit;
      command.priceTicks = 100 + random.below(8);
      command.qtyLots = 1 + random.below(9);
      command.incarnation = 1;
      command.msgSeqNum = this.#gatewaySeq;
      command.clOrdId.setText(`order-${this.#gatewaySeq++}`);
      this.#writer.append(command);
    }
    return this.#writer.finish().slice();
  }

  #send(bytes: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#publisher.publish(cmdSubject(this.shard, "SYM1"), bytes, (seq, fault) => {
        if (fault === null) resolve(seq);
        else reject(new Error(fault.description));
      })
    );
  }
}
