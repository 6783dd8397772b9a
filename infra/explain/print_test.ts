/** What an explanation says to people of the command that caused the execution. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { CommandBatchReader, CommandBatchWriter } from "../../shared/codec/wire/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { type Instrument, Phase } from "../../shared/protocol/mod.ts";
import { Engine } from "../../services/matcher/engine/mod.ts";
import { parseCommand, testInstrument } from "../../services/matcher/engine/test_ledger.ts";
import { commandAt } from "./command.ts";
import { explain } from "./explanation.ts";
import { explanationText } from "./print.ts";
import { Recording } from "./recording.ts";

const VENUE = loadVenue(fileURLToPath(new URL("../venue.yaml", import.meta.url)));

/** The lines about the last command, which trades at once. */
function told(instrument: Instrument, ...lines: string[]): string[] {
  const engine = new Engine({ shard: 0, instruments: [instrument], maxOpenOrders: 100, clOrdIdHistory: 100 });
  const recording = new Recording(engine);
  const commands = lines.map(parseCommand);
  const last = commands.length;
  commands.forEach((command, i) => {
    if (i + 1 === last) engine.books.matching.listener = recording;
    const sink = i + 1 === last ? recording : { commandStarts() {}, event() {} };
    engine.apply(i + 1, 0, (i + 1) * 1000, command, sink);
  });
  const index = recording.events.findIndex(({ lastQtyLots }) => lastQtyLots > 0);
  const explanation = explain(recording, { shard: 0, cmdSeq: last, index }, 9000);
  const writer = new CommandBatchWriter();
  writer.begin(1, 1, 1);
  writer.append(commands[last - 1]);
  const batch = new CommandBatchReader();
  assert.equal(batch.open(writer.finish().slice()), null);
  const venue = { ...VENUE, instrumentById: new Map([[1, instrument]]) };
  const text = explanationText(explanation, commandAt(batch, 0), venue).split("\n");
  const from = text.findIndex((line) => line.startsWith("Command 0 of message"));
  return text.slice(from, text.indexOf("", from)).map((line) => line.replace(/1970-01-01 \S+ UTC/, "TIME"));
}

describe("an explanation's text about the command", () => {
  const open = testInstrument(1, {});
  const called = testInstrument(1, { rules: { initialPhase: Phase.PreOpen } });
  const auction = ["new s90 A buy 6@200", "new s91 B sell 6@200"];
  const cases: [name: string, instrument: Instrument, lines: string[], text: string[]][] = [
    ["says order type and time in force in words", open, ["new s90 A buy 6@200", "new s91 B sell 5@mkt"], [
      "Command 0 of message 2, TIME: NewOrder by session 91, ClOrdID B",
      "  sell 5, market, day",
    ]],
    ["says where an operator set the phase", called, [...auction, "phase Continuous"], [
      "Command 0 of message 3, TIME: SetPhase by an operator (deno task admin audit says who)",
    ]],
    ["says that the schedule set the phase", called, [...auction, "phase Continuous due=5"], [
      "Command 0 of message 3, TIME: SetPhase by the venue (its schedule)",
    ]],
    ["says that an auction ended", called, [...auction, "phase Continuous from=PreOpen"], [
      "Command 0 of message 3, TIME: SetPhase by the venue (the end of an auction)",
    ]],
  ];
  for (const [name, instrument, lines, text] of cases) {
    it(name, () => assert.deepEqual(told(instrument, ...lines), text));
  }
});
