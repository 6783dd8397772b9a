import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { OrderTracer } from "../../../shared/otel/mod.ts";
import { CommandKind } from "../../../shared/protocol/mod.ts";
import { messageOf, session, venue } from "../order_entry/fixture.ts";
import { type CommandSink, OrderApplication } from "./order_application.ts";
import { RecordedSession } from "./recorded_session.ts";
import { answerUnavailable } from "./unavailable.ts";

const ORDER = "11=c1|55=ACME|54=1|60=20261130-12:00:00.000|38=10|40=2|44=10.05|";

/** A sink that writes down what it gets, and keeps it as one batch. */
class RecordedSink implements CommandSink {
  readonly ready = null;
  readonly lines: string[] = [];
  readonly batch = new CommandBatchWriter();

  constructor() {
    this.batch.begin(1, 1, 1);
  }

  add(...[instrument, command]: Parameters<CommandSink["add"]>): void {
    this.lines.push(
      `${command.kind} ${command.clOrdId} ${instrument?.symbol} traced ${command.trace.length}`,
    );
    this.batch.append(command);
  }

  flush(): void {
    this.lines.push("flush");
  }
}

function setUp(sampleEvery = 0, incarnationOf = () => 0) {
  const commands = new RecordedSink();
  const tracer = new OrderTracer("test", sampleEvery);
  const errors: unknown[] = [];
  const log: Logger = { ...nullLogger, error: (message, fields) => errors.push([message, fields]) };
  const application = new OrderApplication({ venue: venue(), commands, tracer, log, incarnationOf });
  return { application, commands, errors, port: new RecordedSession(session()) };
}

describe("OrderApplication", () => {
  it("turns order messages into commands and passes them on when the read is complete", () => {
    const { application, commands, port } = setUp();
    assert.equal(application.receive(port, messageOf("D", ORDER)), null);
    assert.equal(application.receive(port, messageOf("D", ORDER.replace("ACME", "NONE"))), null);
    application.readComplete();
    assert.deepEqual(commands.lines, [
      `${CommandKind.NewOrder} c1 ACME traced 0`,
      `${CommandKind.RefuseOrder} c1 undefined traced 0`,
      "flush",
    ]);
  });

  it("hands back what cannot become a command", () => {
    const { application, commands, port } = setUp();
    const reject = application.receive(port, messageOf("D", ORDER.replace("11=c1", `11=${"x".repeat(41)}`)));
    assert.equal(reject?.reason, 0);
    assert.deepEqual(commands.lines, []);
  });

  it("passes commands on when the connection ends before the read is complete", () => {
    const { application, commands, port } = setUp();
    application.receive(port, messageOf("D", ORDER));
    application.loggedOut(port);
    assert.equal(commands.lines.at(-1), "flush");
  });

  it("puts a trace into every n-th order", () => {
    const { application, commands, port } = setUp(2);
    for (let i = 0; i < 4; i++) application.receive(port, messageOf("D", ORDER));
    assert.deepEqual(commands.lines.map((line) => line.split(" ").at(-1)), ["24", "0", "24", "0"]);
  });

  it("answers a message that no command can be made of, says so in the log, and goes on", () => {
    for (const sampleEvery of [0, 1]) {
      const { application, commands, errors, port } = setUp(sampleEvery);
      const hostile = messageOf("D", ORDER, "", 2 ** 32);
      assert.deepEqual(application.receive(port, hostile), {
        reason: 0,
        refId: "c1",
        text: "Cannot take the message: the gateway failed on it; it was not processed",
      });
      const cause = "Cannot encode a command's msgSeqNum: expected 0 to 4294967295, got 4294967296";
      const [[message, fields], ...more] = errors as [string, Record<string, unknown>][];
      assert.deepEqual(more, []);
      assert.equal(message, "an order message could not be made a command");
      assert.deepEqual([fields.session, fields.msgSeqNum, String(fields.error)], [
        "TRADER1",
        2 ** 32,
        `RangeError: ${cause}`,
      ]);
      assert.equal(application.receive(port, messageOf("D", ORDER)), null);
      assert.equal(commands.batch.count, 1);
    }
  });

  it("answers a message on which translation fails", () => {
    const { application, commands, errors, port } = setUp();
    const broken = messageOf("D", ORDER);
    Object.defineProperty(broken, "msgType", {
      get() {
        throw new TypeError("a bug");
      },
    });
    assert.equal(application.receive(port, broken)?.reason, 0);
    assert.equal(errors.length, 1);
    assert.deepEqual(commands.lines, []);
  });

  it("refuses orders once it is stopping", () => {
    const { application, commands, port } = setUp();
    application.stop();
    assert.deepEqual(application.receive(port, messageOf("D", ORDER)), {
      reason: 4,
      refId: "c1",
      text: "Cannot take the message: the gateway is stopping; it was not processed",
    });
    assert.deepEqual(commands.lines, []);
  });
});

describe("answerUnavailable", () => {
  it("answers each command with a BusinessMessageReject that names its message", () => {
    const { application, commands, port } = setUp();
    const cancel = "41=c1|11=c2|55=ACME|54=1|60=20261130-12:00:00.000|";
    application.receive(port, messageOf("D", ORDER));
    application.receive(port, messageOf("F", cancel));
    application.receive(
      port,
      messageOf("G", ORDER.replace("11=c1", "41=c1|11=c3").replace("10.05", "10.051")),
    );
    application.receive(port, messageOf("H", "11=c1|55=ACME|54=1|"));
    answerUnavailable(commands.batch.finish(), "full", (id) => id === 7 ? port : undefined);
    const text = "58=Cannot take the message: full; it was not processed|";
    assert.deepEqual(port.sent, [
      `j 45=42|372=D|379=c1|380=4|${text}`,
      `j 45=42|372=F|379=c2|380=4|${text}`,
      `j 45=42|372=G|379=c3|380=4|${text}`,
      `j 45=42|372=H|379=c1|380=4|${text}`,
    ]);
  });
});
