/** The examples of docs/wire.md are what the encoders write: whoever changes a layout changes the document too. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import {
  CommandKind,
  EventKind,
  OrdStatus,
  OrdType,
  Phase,
  PhaseCause,
  Side,
  TimeInForce,
} from "../../protocol/mod.ts";
import { Command, CommandBatchWriter } from "./command.ts";
import { CommandBatchReader } from "./command_reader.ts";
import { DepthImageReader, DepthImageWriter } from "./depth.ts";
import { encodeClaim, Event } from "./event.ts";
import { EventBatchWriter } from "./event_writer.ts";
import { EventBatchReader } from "./event_reader.ts";
import { QUOTE_ENTRY_BYTES, QuoteEntry, writeQuoteEntry } from "./quote_entry.ts";

const DOCUMENT = await Deno.readTextFile(new URL("../../../docs/wire.md", import.meta.url));

/** The bytes of the example called `name`: the hex digits of its block, without offsets and remarks. */
function example(name: string): Uint8Array {
  const block = new RegExp("```hex " + name + "\\n([^`]*)```").exec(DOCUMENT);
  assert.ok(block, `docs/wire.md has no example called ${name}`);
  const digits = block[1].split("\n").map((line) => line.replace(/^\s*\d+:|#.*$/g, "")).join("");
  return Uint8Array.fromHex(digits.replace(/\s/g, ""));
}

function newOrder(): Command {
  const command = new Command();
  command.kind = CommandKind.NewOrder;
  command.sessionId = 1;
  command.firmId = 2;
  command.instrumentId = 3;
  command.msgSeqNum = 42;
  command.side = Side.Buy;
  command.ordType = OrdType.Limit;
  command.timeInForce = TimeInForce.Day;
  command.priceTicks = 10_050;
  command.qtyLots = 7;
  command.clOrdId.setText("A-1");
  return command;
}

function accepted(): Event {
  const event = new Event();
  event.kind = EventKind.OrderAccepted;
  event.ordStatus = OrdStatus.New;
  event.sessionId = 1;
  event.firmId = 2;
  event.instrumentId = 3;
  event.orderId = 5 * 4096;
  event.side = Side.Buy;
  event.ordType = OrdType.Limit;
  event.priceTicks = 10_050;
  event.orderQtyLots = event.leavesQtyLots = 7;
  event.msgSeqNum = 42;
  event.clOrdId.setText("A-1");
  return event;
}

function level(): Event {
  const event = new Event();
  event.kind = EventKind.LevelChanged;
  event.instrumentId = 3;
  event.side = Side.Buy;
  event.priceTicks = 10_050;
  event.levelQtyLots = 7;
  event.levelOrders = 1;
  return event;
}

function massQuote(): Command {
  const command = new Command();
  command.kind = CommandKind.MassQuote;
  command.sessionId = 1;
  command.firmId = 2;
  command.msgSeqNum = 43;
  command.scope = 2;
  command.clOrdId.setText("Q-1");
  const entry = new QuoteEntry();
  entry.instrumentId = 3;
  entry.bidPxTicks = 10_050;
  entry.bidQtyLots = 7;
  entry.offerPxTicks = 10_060;
  entry.offerQtyLots = 5;
  entry.quoteSetId.setText("1");
  entry.quoteEntryId.setText("1.1");
  const records = new Uint8Array(QUOTE_ENTRY_BYTES);
  writeQuoteEntry(entry, records, 0);
  command.entries.set(records, 0, records.length);
  return command;
}

function phaseChanged(): Event {
  const event = new Event();
  event.kind = EventKind.PhaseChanged;
  event.instrumentId = 3;
  event.priceTicks = 10_100;
  event.phase = Phase.VolatilityAuction;
  event.previousPhase = Phase.Continuous;
  event.cause = PhaseCause.Volatility;
  return event;
}

function indicated(): Event {
  const event = new Event();
  event.kind = EventKind.AuctionIndicated;
  event.instrumentId = 3;
  event.priceTicks = 10_100;
  event.levelQtyLots = 40;
  event.surplusLots = -2;
  return event;
}

describe("docs/wire.md", () => {
  it("shows a command batch as it is written", () => {
    const writer = new CommandBatchWriter();
    writer.begin(9, 4, 1001);
    writer.append(newOrder());
    assert.equal(example("command").toHex(), writer.finish().toHex());
    assert.equal(new CommandBatchReader().open(example("command")), null);
  });

  it("shows an event batch as it is written", () => {
    const writer = new EventBatchWriter(4096);
    writer.begin(0, 2, 5, 1_700_000_000_000_000);
    writer.append(accepted());
    writer.append(level());
    assert.equal(example("event").toHex(), writer.end()[0].toHex());
    assert.equal(new EventBatchReader().open(example("event")), null);
  });

  it("shows a MassQuote as it is written", () => {
    const writer = new CommandBatchWriter();
    writer.begin(9, 4, 1002);
    writer.append(massQuote());
    assert.equal(example("quote").toHex(), writer.finish().toHex());
    assert.equal(new CommandBatchReader().open(example("quote")), null);
  });

  it("shows a group of a volatility auction as it is written", () => {
    const writer = new EventBatchWriter(4096);
    writer.begin(0, 2, 6, 1_700_000_000_000_001);
    writer.append(phaseChanged());
    writer.append(indicated());
    assert.equal(example("auction").toHex(), writer.end()[0].toHex());
    assert.equal(new EventBatchReader().open(example("auction")), null);
  });

  it("shows a claim as it is written", () => {
    assert.equal(example("claim").toHex(), encodeClaim(0, 3, 5, 0).toHex());
  });

  it("shows a depth image as it is written", () => {
    const writer = new DepthImageWriter();
    writer.begin(0, 2, 5, 8);
    writer.append(3, Side.Buy, 10_050, 7, 1);
    assert.equal(example("depth").toHex(), writer.end()[0].toHex());
    assert.equal(new DepthImageReader().open(example("depth")), null);
  });
});
