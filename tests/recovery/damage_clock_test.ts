/** The clock of nats-server's machine is set back an hour: the engine's time does not follow, at the start and in a replay. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandApplier } from "../../services/matcher/command_applier.ts";
import { Engine } from "../../services/matcher/engine/mod.ts";
import { Command, CommandBatchWriter, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { CommandKind, OrdType, Side } from "../../shared/protocol/mod.ts";
import { CONFIG } from "../integration/running.ts";

const START_US = Date.UTC(2026, 10, 30, 12) * 1000;
const HOUR_US = 3_600_000_000;
/** When the stream says that it took each command message. */
const TAKEN_US = [0, 1000, 1000 - HOUR_US, 2000 - HOUR_US, 900, 3000].map((us) => START_US + us);
const EVENT_US = [0, 1000, 1000, 1000, 1000, 3000].map((us) => START_US + us);

/** A matcher's middle: commands in, the times of event messages and the state's hash out. */
function matcher() {
  const { instruments, limits } = loadVenue(CONFIG);
  const times: number[] = [];
  const engine = new Engine({
    shard: 0,
    instruments: instruments.filter(({ shard }) => shard === 0),
    maxOpenOrders: limits.maxOpenOrders,
    clOrdIdHistory: limits.clOrdIdHistory,
  });
  const reader = new EventBatchReader();
  const applier = new CommandApplier({
    shard: 0,
    engine,
    log: nullLogger,
    onPart: (_seq, _symbol, part) => {
      assert.equal(reader.open(part), null);
      while (reader.nextGroup()) times.push(reader.timestampUs);
    },
  });
  return { applier, engine, times };
}

function order(number: number): Uint8Array {
  const command = new Command();
  command.reset();
  command.kind = CommandKind.NewOrder;
  command.sessionId = command.firmId = command.instrumentId = 1;
  command.side = number % 2 === 0 ? Side.Buy : Side.Sell;
  command.ordType = OrdType.Limit;
  command.priceTicks = 100;
  command.qtyLots = 10;
  command.clOrdId.setText(`order-${number}`);
  const writer = new CommandBatchWriter();
  writer.begin(1, 1, number);
  writer.append(command);
  return writer.finish().slice();
}

describe("a clock that is set back an hour", () => {
  it("does not set the engine's time back, and a replay makes the same state", () => {
    const hashes = [];
    for (let run = 0; run < 2; run++) {
      const { applier, engine, times } = matcher();
      TAKEN_US.forEach((us, i) => applier.apply(i + 1, us, "cmd.0.ACME", order(i + 1)));
      assert.deepEqual(times, EVENT_US);
      hashes.push(engine.stateHash());
    }
    assert.equal(hashes[0], hashes[1]);
  });

  it("does not set it back for a matcher that starts behind a snapshot", () => {
    const { applier, engine } = matcher();
    applier.apply(1, START_US, "cmd.0.ACME", order(1));
    const times: number[] = [];
    const reader = new EventBatchReader();
    const next = new CommandApplier({
      shard: 0,
      engine,
      log: nullLogger,
      from: { cmdSeq: 1, timestampUs: engine.timestampUs },
      onPart: (_seq, _symbol, part) => {
        reader.open(part);
        while (reader.nextGroup()) times.push(reader.timestampUs);
      },
    });
    next.apply(2, START_US - HOUR_US, "cmd.0.ACME", order(2));
    assert.deepEqual(times, [START_US]);
  });
});
