/**
 * Holds docs/fix.md to the code where it is about mass actions, quotes, reference data and trading sessions: its
 * examples are what the gateway reads and writes, its lists are the ones that it uses.
 */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44, FixWriter } from "../../../shared/codec/fix/mod.ts";
import { EventBatchReader, EventBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { Event } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import { EventKind, OrdStatus, Phase, phaseName, Reason } from "../../../shared/protocol/mod.ts";
import { ACME, fillEvent, messageOf, session, venue } from "../order_entry/fixture.ts";
import type { FieldPlan } from "../order_entry/mass_fields.ts";
import {
  MASS_CANCEL_PLAN,
  MASS_QUOTE_PLAN,
  MASS_STATUS_PLAN,
  QUOTE_CANCEL_PLAN,
  QuoteAcks,
  quoteEntryRejectReason,
} from "../order_entry/mod.ts";
import { statesOf } from "../reference_data/desk_cases.ts";
import { ReferenceDesk } from "../reference_data/reference_desk.ts";
import { SECURITY_DEFINITION_PLAN, SECURITY_LIST_PLAN } from "../reference_data/security_answers.ts";
import { SESSION_STATUS_PLAN, tradSesStatus } from "../reference_data/session_status.ts";
import { isReported, writeReport } from "./event_report.ts";
import { OrderApplication } from "./order_application.ts";
import { OrderTracer } from "../../../shared/otel/mod.ts";
import { nullLogger } from "../../../shared/cli/log.ts";
import { RecordedSession } from "./recorded_session.ts";

const DOC = Deno.readTextFileSync(new URL("../../../docs/fix.md", import.meta.url));
const NOON = Date.UTC(2026, 10, 30, 12);
const TIME = "60=20261130-12:00:00.000|";

const WIDGET = { ...ACME, id: 2, symbol: "WIDGET" };
const SHOWN: Venue = {
  ...venue(),
  shards: [0],
  instruments: [{ ...ACME, tickUnits: 1, lotUnits: 1, tick: "0.01", lot: "1" }, WIDGET],
  limits: { maxMessageBytes: 16_384 } as Venue["limits"],
};
const LISTED: Venue = {
  ...SHOWN,
  instrumentBySymbol: new Map(SHOWN.instruments.map((each) => [each.symbol, each])),
  instrumentById: new Map(SHOWN.instruments.map((each) => [each.id, each])),
};

/** One example as the page shows it. */
function lineOf(msgType: string, fields: string, msgSeqNum: number, fromVenue: boolean): string {
  const writer = new FixWriter();
  writer.begin();
  writer.rawBody(Uint8Array.from(fields.replaceAll("|", "\x01"), (character) => character.charCodeAt(0)));
  const bytes = writer.finish({
    beginString: "FIX.4.4",
    msgType,
    senderCompId: fromVenue ? "PITWIRE" : "TRADER1",
    targetCompId: fromVenue ? "TRADER1" : "PITWIRE",
    msgSeqNum,
    sendingTimeMs: fromVenue ? NOON + 2 : NOON,
  });
  return new TextDecoder("latin1").decode(bytes).replaceAll("\x01", "|");
}

/** What the events of command message `cmdSeq` tell the session: MsgType and fields. */
function toldOf(cmdSeq: number, ...events: Record<string, number | string>[]): [string, string][] {
  const batch = new EventBatchWriter(1 << 16);
  batch.begin(0, 1, cmdSeq, (NOON + 1) * 1000);
  for (const fields of events) {
    batch.append(fillEvent(new Event(), { sessionId: 7, msgSeqNum: 1, ...fields }));
  }
  const reader = new EventBatchReader();
  const acks = new QuoteAcks();
  const writer = new FixWriter();
  const told: [string, string][] = [];
  reader.open(batch.end()[0]);
  reader.nextGroup();
  while (reader.nextEvent()) {
    if (!isReported(reader, acks, LISTED)) continue;
    writer.begin();
    const { eventIndex, timestampUs } = reader;
    const msgType = writeReport(
      reader.event,
      { shard: 0, cmdSeq, eventIndex, timestampUs },
      LISTED,
      acks,
      writer,
    );
    const body = new TextDecoder("latin1").decode(writer.body).replaceAll("\x01", "|");
    if (msgType !== null) told.push([msgType, body]);
  }
  return told;
}

const QUOTES = "296=1|302=a|304=2|295=2|299=1|55=ACME|132=10.04|133=10.06|134=50|135=50|" +
  "299=2|55=WIDGET|132=20.05|133=20.02|134=10|135=10|";
const OUT = { side: 1, ordType: 2, instrumentId: 1, priceTicks: 1004, orderQtyLots: 30 };
const ACK = { kind: EventKind.QuoteAcknowledged, clOrdId: "q-1", text: "a", total: 2, detail: 2 };

/** The requests of the page, each with what the stream's events tell; reference data is answered by the desk. */
const TALK: readonly [msgType: string, fields: string, told: [string, string][]][] = [
  [
    "q",
    `11=out-1|530=7|${TIME}`,
    toldOf(
      18,
      {
        ...OUT,
        kind: EventKind.OrderCanceled,
        ordStatus: OrdStatus.Canceled,
        orderId: 16 * 4096,
        clOrdId: "buy-6",
        reason: Reason.MassCanceled,
      },
      { kind: EventKind.MassCancelReported, clOrdId: "out-1", total: 1 },
    ),
  ],
  [
    "i",
    `117=q-1|301=2|${QUOTES}`,
    toldOf(
      19,
      { ...ACK, instrumentId: 1, origClOrdId: "1", index: 1 },
      { ...ACK, instrumentId: 2, origClOrdId: "2", index: 2, reason: Reason.PriceOffTick },
    ),
  ],
  ["Z", "117=q-2|298=4|", toldOf(20, { kind: EventKind.QuotesCanceled, clOrdId: "q-2", total: 2 })],
  ["x", "320=list-1|559=0|55=ACME|", []],
  ["g", "335=hours-1|336=ACME|263=1|", []],
];

/** All lines of the examples, in order, and how each request translated. */
function examples(): { lines: string[]; texts: string[] } {
  const port = new RecordedSession(session());
  const desk = new ReferenceDesk(LISTED, "1-7");
  desk.learned(statesOf(1, 0, { ACME: Phase.Continuous }));
  const texts: string[] = [];
  const note = (command: { text: { toString(): string } }) => void texts.push(command.text.toString());
  const application = new OrderApplication({
    venue: LISTED,
    commands: {
      ready: null,
      add: (_, command) => note(command),
      addAcross: (_, command) => note(command),
      flush() {},
    },
    reference: desk,
    tracer: new OrderTracer("test", 0),
    log: nullLogger,
  });
  const lines: string[] = [];
  let ours = 10;
  TALK.forEach(([msgType, fields, told], index) => {
    lines.push(lineOf(msgType, fields, 9 + index, false));
    assert.equal(application.receive(port, messageOf(msgType, fields)), null);
    const answers = port.sent.splice(0).map((line) => line.split(/ (.*)/s, 2) as [string, string]);
    for (const [type, body] of [...told, ...answers]) lines.push(lineOf(type, body, ours++, true));
  });
  const halt = fillEvent(new Event(), { kind: EventKind.PhaseChanged, instrumentId: 1, phase: Phase.Halt });
  desk.event(halt, 21);
  for (const line of port.sent) lines.push(lineOf("h", line.split(/ (.*)/s, 2)[1], ours++, true));
  return { lines, texts };
}

/** The part between `<!-- name -->` and `<!-- /name -->`. */
function part(name: string): string {
  const found = new RegExp(`<!-- ${name} -->(.*)<!-- /${name} -->`, "s").exec(DOC);
  assert.ok(found, `docs/fix.md has no part "${name}"`);
  return found[1];
}

const PLANS: Record<string, FieldPlan> = {
  q: MASS_CANCEL_PLAN,
  AF: MASS_STATUS_PLAN,
  i: MASS_QUOTE_PLAN,
  Z: QUOTE_CANCEL_PLAN,
  x: SECURITY_LIST_PLAN,
  c: SECURITY_DEFINITION_PLAN,
  g: SESSION_STATUS_PLAN,
};

describe("docs/fix.md on mass actions, quotes and reference data", () => {
  it("shows messages as the gateway takes and writes them", () => {
    const { lines, texts } = examples();
    assert.deepEqual(lines.filter((line) => !DOC.includes(line)), []);
    assert.deepEqual(texts, ["", "", ""]);
  });

  for (const [type, plan] of Object.entries(PLANS)) {
    it(`lists the fields of ${type}`, () => {
      const text = part(`fields ${type}`);
      const [read, rest] = text.split("Noted");
      const [noted, checked = ""] = rest.split("With one meaning");
      const tagsIn = (list: string) =>
        [...list.matchAll(/\((\d+)\)/g)].map(([, tag]) => Number(tag)).sort((a, b) => a - b);
      const sorted = (tags: Iterable<number>) => [...tags].sort((a, b) => a - b);
      assert.deepEqual(tagsIn(read), sorted(plan.read));
      assert.deepEqual(tagsIn(noted), sorted(plan.noted));
      assert.deepEqual(tagsIn(checked), sorted(plan.checked.keys()));
      for (const [tag, values] of plan.checked) {
        const { name } = FIX44.fields.get(tag)!;
        const told = `${name}(${tag}) ${values.map((value) => `\`${value}\``).join(" or ")}`;
        assert.ok(text.replaceAll(/\s+/g, " ").includes(told), told);
      }
    });
  }

  it("lists the phases", () => {
    const rows = [...part("phases").matchAll(/^\| `([a-z-]+)` *\| `(\d)` ([a-z-]+) *\|/gm)];
    assert.deepEqual(
      rows.map(([, name, status]) => [name, Number(status)]),
      Object.values(Phase).map((phase) => [phaseName(phase), tradSesStatus(phase)]),
    );
  });

  it("lists the codes of rejected entries", () => {
    const table = /\| entry rejected because.*?\n\n/s.exec(DOC)![0];
    const codes = [...table.matchAll(/\| (\d) *\|/g)].map(([, code]) => Number(code));
    const reasons = [Reason.UnknownSymbol, Reason.PhaseForbids, Reason.QtyOverLimit, Reason.QuoteCrossed];
    assert.deepEqual(codes, [...reasons, Reason.PriceOffTick].map(quoteEntryRejectReason));
  });
});
