/** An OrderStatusRequest from FIX text through the engine and back to FIX text. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixWriter } from "../../../shared/codec/fix/mod.ts";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { Engine } from "../../matcher/engine/mod.ts";
import { NEW, STATUS, withField } from "./cases.ts";
import { messageOf, session, venue } from "./fixture.ts";
import { report } from "./report.ts";
import { translate } from "./translate.ts";

const VENUE = venue();

/** What the engine answers to these messages, as bodies with `|` for SOH. */
function answers(...messages: [msgType: string, body: string, header?: string][]): string[] {
  const { instruments } = VENUE;
  const engine = new Engine({ shard: 0, instruments, maxOpenOrders: 16, clOrdIdHistory: 16 });
  const command = new Command();
  const writer = new FixWriter();
  const bodies: string[] = [];
  messages.forEach(([msgType, body, header], index) => {
    assert.equal(translate(messageOf(msgType, body, header), session(), VENUE, command).kind, "command");
    const cmdSeq = index + 1;
    engine.apply(cmdSeq, 0, 0, command, {
      commandStarts: () => {},
      event: (event) => {
        writer.begin();
        if (report(event, { shard: 0, cmdSeq, eventIndex: 0, timestampUs: 0 }, VENUE, writer) === null) {
          return;
        }
        bodies.push(new TextDecoder("latin1").decode(writer.body).replaceAll("\x01", "|"));
      },
    });
  });
  return bodies;
}

const TERMS = "38=100|40=2|44=10.05|59=0|151=100|14=0|6=0|60=19700101-00:00:00.000|";
const UNKNOWN = "151=0|14=0|6=0|60=19700101-00:00:00.000|";

describe("OrdStatusReqID(790)", () => {
  it("comes back in the report of the order", () => {
    const bodies = answers(["D", NEW], ["H", STATUS + "790=ask-1|"], ["H", STATUS]);
    assert.deepEqual(bodies.slice(1), [
      `37=0-1-0|11=c1|790=ask-1|17=0|150=I|39=0|55=ACME|54=1|${TERMS}`,
      `37=0-1-0|11=c1|17=0|150=I|39=0|55=ACME|54=1|${TERMS}`,
    ]);
  });

  it("comes back when the order is unknown or the request wrong", () => {
    const wrongSide = withField(STATUS, 54, "5") + "790=ask-2|";
    const bodies = answers(["H", STATUS + "790=ask-1|"], ["H", wrongSide]);
    assert.deepEqual(bodies, [
      `37=NONE|11=c1|790=ask-1|17=0|150=I|39=8|103=5|55=ACME|54=1|${UNKNOWN}58=Cannot report ClOrdID(11): ` +
      'expected an order of this session or firm, got "c1"|',
      `37=NONE|11=c1|790=ask-2|17=0|150=I|39=8|103=11|55=ACME|54=5|${UNKNOWN}58=Cannot report Side(54): ` +
      'expected 1 or 2, got "5"|',
    ]);
  });

  it("is not made of the OrigClOrdID of a request that is answered with a status", () => {
    const cancel = "41=c1|11=c2|55=ACME|54=1|60=20261130-12:00:00.000|";
    const bodies = answers(["D", NEW], ["F", cancel], ["F", cancel, "97=Y|"]);
    assert.equal(bodies.length, 3);
    assert.match(bodies[2], /^37=0-1-0\|11=c1\|17=0\|150=I\|39=4\|/);
  });
});
