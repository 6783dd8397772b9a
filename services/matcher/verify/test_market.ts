/**
 * Random crossing orders into a shard on a real nats-server, a matcher that may be made to lie, and the verdict on what it
 * stored. Test code only.
 */
import { nullLogger } from "../../../shared/cli/log.ts";
import type { CommandBatchReader, Event } from "../../../shared/codec/wire/mod.ts";
import { CommandKind, type Instrument } from "../../../shared/protocol/mod.ts";
import { type BatchOutcome, Engine, type EventSink } from "../engine/mod.ts";
import type { EnginePort } from "../engine_port.ts";
import { copyOf } from "../engine/event_fields.ts";
import { Matcher } from "../matcher.ts";
import { type Shard, testInstrument } from "../test_kit.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import type { Verdict } from "./verdict.ts";
import { verifyShard } from "./verify_shard.ts";

/** What the shard trades. */
export const INSTRUMENTS: readonly Instrument[] = [testInstrument(1, "AAA"), testInstrument(2, "BBB")];
/** Its engine's limits. */
export const LIMITS = { maxOpenOrders: 10_000, clOrdIdHistory: 1000 };

/** Changes the events of one command message before they are written. */
export type Fault = (events: Event[], cmdSeq: number) => Event[];

/** The real engine, whose events pass through a fault. */
export class FaultyEngine extends Engine implements EnginePort {
  readonly #fault: Fault;

  constructor(fault: Fault) {
    super({ shard: 0, instruments: INSTRUMENTS, ...LIMITS });
    this.#fault = fault;
  }

  override applyBatch(
    cmdSeq: number,
    timestampUs: number,
    batch: CommandBatchReader,
    sink: EventSink,
  ): BatchOutcome {
    const events: Event[] = [];
    const outcome = super.applyBatch(cmdSeq, timestampUs, batch, {
      commandStarts: () => {},
      event: (event) => void events.push(copyOf(event)),
    });
    for (const event of this.#fault(events, cmdSeq)) sink.event(event);
    return outcome;
  }
}

/** Starts a matcher on the shard; `end` drains it. */
export async function startMatcher(shard: Shard, engine: EnginePort): Promise<{ end(): Promise<void> }> {
  const nc = await shard.server.connect("matcher");
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const matcher = new Matcher({
    nc,
    shard: 0,
    engine,
    instruments: INSTRUMENTS,
    log: nullLogger,
    onFatal: failed.reject,
  });
  await matcher.start();
  return {
    async end() {
      await matcher.drain(2000);
      await nc.close();
    },
  };
}

/** Sends `count` messages of orders that cross, some cancels and replacements; resolves when all are stored. */
export async function trade(shard: Shard, count: number, seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const below = (limit: number) => random.below(limit);
  const sent: string[] = [];
  let last = 0;
  for (let i = 0; i < count; i++) {
    const instrument = 1 + below(2);
    const batch = shard.batch(1 + below(4), (command) => {
      const what = below(10);
      command.instrumentId = instrument;
      command.side = 1 + below(2);
      command.sessionId = 1 + below(3);
      command.firmId = Math.ceil(command.sessionId / 2);
      command.priceTicks = 100 + below(5);
      command.qtyLots = 1 + below(9);
      if (what >= 8 && sent.length > 0) {
        command.kind = what === 8 ? CommandKind.CancelOrder : CommandKind.ReplaceOrder;
        command.origClOrdId.setText(sent[Math.max(0, sent.length - 1 - below(20))]);
      } else sent.push(command.clOrdId.toString());
    });
    last = await shard.send(batch, instrument === 1 ? "AAA" : "BBB");
  }
  await shard.storedUpTo(last);
}

/** Verifies the shard as it stands. */
export function verdictOn(shard: Shard): Promise<Verdict> {
  return verifyShard({ nc: shard.nc, venue: { instruments: INSTRUMENTS, limits: LIMITS }, shard: 0 });
}
