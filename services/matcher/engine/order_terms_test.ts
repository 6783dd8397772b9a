/** Which order types, times in force and other terms go together: every combination, and the order of faults. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { OrdType, Phase, Reason, TimeInForce } from "../../../shared/protocol/mod.ts";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { InstrumentTable } from "./instrument_table.ts";
import { newOrderFault } from "./order_terms.ts";
import { testInstrument } from "./test_ledger.ts";

const NOW_US = 1000;
const TYPES = ["Limit", "Market", "MarketToLimit", "Stop", "StopLimit"] as const;
const TIMES = [
  "Day",
  "GoodTillCancel",
  "GoodTillDate",
  "ImmediateOrCancel",
  "FillOrKill",
  "AtTheOpening",
  "AtTheClose",
] as const;

/** Per type, in the order of TIMES: t taken, f with MaxFloor too, m with MinQty too, p post-only too. */
const TABLE: Readonly<Record<(typeof TYPES)[number], string>> = {
  Limit: "tfmp tfmp tfmp tm t tf tf",
  Market: "tm - - tm t t t",
  MarketToLimit: "tm tm tm - - - -",
  Stop: "t t t - - - -",
  StopLimit: "tf tf tf - - - -",
};

const instruments = new InstrumentTable(0, [testInstrument(1)]);

function order(type: (typeof TYPES)[number], time: (typeof TIMES)[number]): Command {
  const command = new Command();
  command.instrumentId = command.side = 1;
  command.ordType = OrdType[type];
  command.timeInForce = TimeInForce[time];
  command.qtyLots = 10;
  if (type === "Limit" || type === "StopLimit") command.priceTicks = 100;
  if (type === "Stop" || type === "StopLimit") command.stopPxTicks = 100;
  if (time === "GoodTillDate") command.expireUs = NOW_US + 1;
  return command;
}

function faultOf(command: Command, phase: Phase): string {
  const fault = newOrderFault(command, instruments, phase, NOW_US);
  return Object.keys(Reason).find((word) => Reason[word as keyof typeof Reason] === fault)!;
}

function changed(command: Command, change: Partial<Record<keyof Command, number>>): Command {
  return Object.assign(command, change);
}

describe("the terms of a new order", () => {
  for (const type of TYPES) {
    it(`of type ${type} go together as the table says`, () => {
      const cells = TABLE[type].split(" ");
      for (const [i, time] of TIMES.entries()) {
        const phase = time === "AtTheOpening" ? Phase.PreOpen : Phase.Continuous;
        const faults = {
          t: faultOf(order(type, time), phase),
          f: faultOf(changed(order(type, time), { maxFloorLots: 3 }), phase),
          m: faultOf(changed(order(type, time), { minQtyLots: 3 }), phase),
          p: faultOf(changed(order(type, time), { execInst: 1 }), phase),
        };
        const taken = cells[i].startsWith("t");
        const refused = (letter: string, fault: string) =>
          cells[i].includes(letter) ? "None" : taken ? fault : "TimeInForceUnsupported";
        // In a call phase MinQty is for another time, whatever it goes with.
        const forbidden = phase === Phase.PreOpen ? "PhaseForbids" : "MinQtyForbidden";
        assert.deepEqual(faults, {
          t: refused("t", ""),
          f: refused("f", "MaxFloorForbidden"),
          m: refused("m", forbidden),
          p: refused("p", "ExecInstForbidden"),
        }, `${type} ${time}`);
      }
    });
  }

  it("are judged in a fixed order: each fault hides those behind it", () => {
    const bad = changed(order("StopLimit", "GoodTillDate"), {
      instrumentId: 9,
      side: 3,
      ordType: 9,
      timeInForce: 3,
      priceTicks: 0,
      stopPxTicks: 0,
      qtyLots: 0,
      maxFloorLots: 11,
      minQtyLots: 11,
      execInst: 2,
      expireUs: NOW_US,
    });
    const repairs: readonly (readonly [string, Partial<Record<keyof Command, number>>])[] = [
      ["UnknownSymbol", { instrumentId: 1 }],
      ["FieldUnsupported", { side: 2 }],
      ["OrdTypeUnsupported", { ordType: OrdType.StopLimit }],
      ["TimeInForceUnsupported", { timeInForce: TimeInForce.GoodTillDate }],
      ["PhaseForbids", {}],
      ["PriceNotPositive", { priceTicks: 100 }],
      ["StopPxMissing", { stopPxTicks: -1 }],
      ["StopPxNotPositive", { stopPxTicks: 100 }],
      ["QtyNotPositive", { qtyLots: 10 }],
      ["MaxFloorInvalid", { maxFloorLots: 10 }],
      ["MinQtyForbidden", { minQtyLots: 0 }],
      ["ExecInstForbidden", { execInst: 0 }],
      ["ExpirePast", { expireUs: NOW_US + 1 }],
      ["None", {}],
    ];
    let phase: Phase = Phase.Halt;
    for (const [fault, repair] of repairs) {
      assert.equal(faultOf(bad, phase), fault);
      Object.assign(bad, repair);
      if (fault === "PhaseForbids") phase = Phase.Continuous;
    }
  });

  it("must make sense one by one", () => {
    const limit = (change: Partial<Record<keyof Command, number>>) =>
      faultOf(changed(order("Limit", "Day"), change), Phase.Continuous);
    const stop = (change: Partial<Record<keyof Command, number>>) =>
      faultOf(changed(order("Stop", "GoodTillDate"), change), Phase.Continuous);
    for (const maxFloorLots of [-1, 11, 0.5, NaN]) assert.equal(limit({ maxFloorLots }), "MaxFloorInvalid");
    assert.equal(limit({ qtyLots: 201, maxFloorLots: 2 }), "MaxFloorInvalid");
    assert.equal(limit({ qtyLots: 200, maxFloorLots: 2 }), "None");
    for (const minQtyLots of [-1, 11, 0.5, NaN]) assert.equal(limit({ minQtyLots }), "MinQtyInvalid");
    for (const stopPxTicks of [1, -1, NaN]) assert.equal(limit({ stopPxTicks }), "StopPxForbidden");
    for (const expireUs of [1, -1, NaN, 2 ** 53]) assert.equal(limit({ expireUs }), "ExpireForbidden");
    assert.equal(limit({ execInst: 1, minQtyLots: 1 }), "ExecInstForbidden");
    for (const stopPxTicks of [2 ** 31, -1, 0.5, NaN]) {
      assert.equal(stop({ stopPxTicks }), "StopPxNotPositive");
    }
    assert.equal(stop({ expireUs: 0 }), "ExpireMissing");
    for (const expireUs of [NOW_US, 2 ** 53, NOW_US + 0.5, NaN]) {
      assert.equal(stop({ expireUs }), "ExpirePast");
    }
    assert.equal(stop({ priceTicks: 1 }), "PriceForbidden");
  });
});
