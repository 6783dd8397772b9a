import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { SessionRole } from "../../../shared/protocol/mod.ts";
import { CANCEL, NEW, run, STATUS, withField } from "./cases.ts";

describe("translate: what never enters the stream", () => {
  const cases: [
    string,
    string,
    string,
    { header?: string; role?: SessionRole },
    number,
    string | undefined,
    string,
  ][] = [
    [
      "message type of the dictionary that order entry does not take",
      "V",
      "262=x|",
      {},
      3,
      undefined,
      'Cannot accept MsgType(35): expected D, F, G, H, q, AF, i, Z, x, c or g, got "V"',
    ],
    [
      "order on a drop-copy session",
      "D",
      NEW,
      { role: "drop-copy" },
      6,
      "c1",
      'Cannot accept MsgType(35): expected no order message on a drop-copy session, got "D"',
    ],
    [
      "status request on a market-data session",
      "H",
      STATUS,
      { role: "market-data" },
      6,
      "c1",
      'Cannot accept MsgType(35): expected no order message on a market-data session, got "H"',
    ],
    [
      "ClOrdID too long",
      "D",
      withField(NEW, 11, "x".repeat(41)),
      {},
      0,
      "x".repeat(41),
      `Cannot accept ClOrdID(11): expected at most 40 bytes, got "${"x".repeat(41)}"`,
    ],
    [
      "OrigClOrdID too long",
      "F",
      withField(CANCEL, 41, "y".repeat(41)),
      {},
      1,
      "c2",
      `Cannot accept OrigClOrdID(41): expected at most 40 bytes, got "${"y".repeat(41)}"`,
    ],
    [
      "OrdStatusReqID too long",
      "H",
      STATUS + `790=${"z".repeat(41)}|`,
      {},
      0,
      "c1",
      `Cannot accept OrdStatusReqID(790): expected at most 40 bytes, got "${"z".repeat(41)}"`,
    ],
    [
      "Symbol absent",
      "D",
      withField(NEW, 55, ""),
      {},
      5,
      "c1",
      "Cannot accept Symbol(55): expected a symbol, got none",
    ],
    [
      "Symbol too long",
      "D",
      withField(NEW, 55, "S".repeat(25)),
      {},
      2,
      "c1",
      `Cannot accept Symbol(55): expected at most 24 bytes, got "${"S".repeat(25)}"`,
    ],
    [
      "delivery to another firm",
      "D",
      NEW,
      { header: "128=OTHER|" },
      7,
      "c1",
      'Cannot accept DeliverToCompID(128): expected no third-party routing, got "OTHER"',
    ],
    [
      "on behalf of another firm",
      "D",
      NEW,
      { header: "115=OTHER|" },
      6,
      "c1",
      'Cannot accept OnBehalfOfCompID(115): expected no third-party routing, got "OTHER"',
    ],
  ];
  for (const [title, msgType, body, options, reason, refId, text] of cases) {
    it(title, () => {
      assert.deepEqual(run(msgType, body, options).outcome, { kind: "business-reject", reason, refId, text });
    });
  }
});
