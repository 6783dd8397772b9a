/** Every combination of terms, judged by the table of docs/fix.md, "What goes together". */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandKind, Reason } from "../../../shared/protocol/mod.ts";
import { run, TIME } from "./cases.ts";

const DOC = Deno.readTextFileSync(new URL("../../../docs/fix.md", import.meta.url));

/** A row of the table: what goes with one OrdType. */
interface Row {
  readonly ordType: string;
  readonly timesInForce: readonly string[];
  readonly price: boolean;
  readonly stopPx: boolean;
  readonly maxFloor: readonly string[];
  readonly minQty: readonly string[];
  readonly execInst: readonly string[];
}

function table(): Row[] {
  const part = /<!-- combinations -->(.*)<!-- \/combinations -->/s.exec(DOC);
  assert.ok(part, "docs/fix.md has no table of combinations");
  const marks = (cell: string) => [...cell.matchAll(/`(\w)`/g)].map(([, mark]) => mark);
  return part[1].split("\n").filter((line) => /^\| `/.test(line)).map((line) => {
    const [, type, times, price, stopPx, maxFloor, minQty, execInst] = line.split("|").map((cell) =>
      cell.trim()
    );
    for (const cell of [price, stopPx]) assert.ok(cell === "yes" || cell === "no", cell);
    for (const cell of [maxFloor, minQty, execInst]) {
      assert.ok(cell === "none" || marks(cell).length > 0, cell);
    }
    return {
      ordType: marks(type)[0],
      timesInForce: marks(times),
      price: price === "yes",
      stopPx: stopPx === "yes",
      maxFloor: marks(maxFloor),
      minQty: marks(minQty),
      execInst: marks(execInst),
    };
  });
}

const OPTIONAL = ["44=10.05|", "99=10|", "111=50|", "110=60|", "18=6|", "126=20261130-13:00:00|"];

/** The first fault of an order of a row's type, by the order of docs/fix.md, "Why orders are refused". */
function faultOf(row: Row, tif: string, given: readonly boolean[], isReplace: boolean): Reason {
  const [price, stopPx, maxFloor, minQty, execInst, expiry] = given;
  if (!row.timesInForce.includes(tif) || isReplace && "34".includes(tif)) {
    return Reason.TimeInForceUnsupported;
  }
  if (price !== row.price) return price ? Reason.PriceForbidden : Reason.PriceMissing;
  if (stopPx !== row.stopPx) return stopPx ? Reason.StopPxForbidden : Reason.StopPxMissing;
  if (maxFloor && !row.maxFloor.includes(tif)) return Reason.MaxFloorForbidden;
  if (minQty && (isReplace || !row.minQty.includes(tif))) return Reason.MinQtyForbidden;
  if (execInst && (minQty || !row.execInst.includes(tif))) return Reason.ExecInstForbidden;
  if (expiry !== (tif === "6")) return expiry ? Reason.ExpireForbidden : Reason.ExpireMissing;
  return Reason.None;
}

describe("the combinations of an order's terms", () => {
  const rows = table();

  it("are told for five order types", () => {
    assert.deepEqual(rows.map(({ ordType }) => ordType), ["1", "2", "3", "4", "K"]);
  });

  for (const msgType of ["D", "G"]) {
    it(`are taken and refused in ${msgType} as docs/fix.md says`, () => {
      const isReplace = msgType === "G";
      let taken = 0;
      for (const row of rows) {
        for (const tif of "01234567") {
          for (let set = 0; set < 1 << OPTIONAL.length; set++) {
            const given = OPTIONAL.map((_, index) => (set >> index & 1) === 1);
            const body =
              `${isReplace ? "41=c0|" : ""}11=c1|55=ACME|54=1|${TIME}38=100|40=${row.ordType}|59=${tif}|` +
              OPTIONAL.filter((_, index) => given[index]).join("");
            const { command } = run(msgType, body);
            assert.equal(command.reason ?? 0, faultOf(row, tif, given, isReplace), body);
            assert.equal(command.kind === CommandKind.RefuseOrder, command.reason !== undefined);
            if (command.reason === undefined) taken++;
          }
        }
      }
      assert.equal(taken, isReplace ? 31 : 47);
    });
  }
});
