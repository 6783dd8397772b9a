import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { OrderTracer } from "../../../shared/otel/mod.ts";
import { CommandKind } from "../../../shared/protocol/mod.ts";
import { messageOf, session, venue } from "../order_entry/fixture.ts";
import { type CommandSink, OrderApplication, type ReferenceDesk } from "./order_application.ts";
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

  addAcross(...[shard, command]: Parameters<CommandSink["addAcross"]>): void {
    this.lines.push(
      `${command.kind} ${command.clOrdId} shard ${shard} entries ${command.entries.length / 64}`,
    );
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
  const reference: ReferenceDesk = {
    receive: (_session, message) => {
      asked.push(message.msgType);
      return null;
    },
    loggedOut: () => asked.push("logged out"),
  };
  const asked: string[] = [];
  const options = { venue: venue(), commands, reference, tracer, log, incarnationOf };
  const application = new OrderApplication(options);
  return { asked, application, commands, errors, port: new RecordedSession(session()) };
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

  it("gives each shard its command of a message about all symbols", () => {
    const { application, commands, port } = setUp();
    const time = "60=20261130-12:00:00.000|";
    assert.equal(application.receive(port, messageOf("q", `11=m1|530=7|${time}`)), null);
    assert.equal(application.receive(port, messageOf("q", `11=m2|530=1|55=ACME|${time}`)), null);
    assert.equal(application.receive(port, messageOf("AF", "584=s1|585=7|")), null);
    const entries = "299=e1|55=ACME|299=e2|55=RATE|299=e3|55=NONE|";
    assert.equal(
      application.receive(port, messageOf("i", `117=q1|296=1|302=s|304=3|295=3|${entries}`)),
      null,
    );
    assert.equal(application.receive(port, messageOf("Z", "117=q2|298=4|")), null);
    assert.deepEqual(commands.lines, [
      `${CommandKind.MassCancel} m1 shard 0 entries 0`,
      `${CommandKind.MassCancel} m1 shard 3 entries 0`,
      `${CommandKind.MassCancel} m2 ACME traced 0`,
      `${CommandKind.MassStatus} s1 shard 0 entries 0`,
      `${CommandKind.MassStatus} s1 shard 3 entries 0`,
      `${CommandKind.MassQuote} q1 shard 0 entries 2`,
      `${CommandKind.MassQuote} q1 shard 3 entries 1`,
      `${CommandKind.CancelQuotes} q2 shard 0 entries 0`,
      `${CommandKind.CancelQuotes} q2 shard 3 entries 0`,
    ]);
  });

  it("passes on what asks for reference data, and the end of the connection", () => {
    const { application, asked, commands, port } = setUp();
    for (const [type, body] of [["x", "320=r|559=4|"], ["c", "320=r|321=3|"], ["g", "335=r|263=0|"]]) {
      assert.equal(application.receive(port, messageOf(type, body)), null);
    }
    application.loggedOut(port);
    assert.deepEqual(asked, ["x", "c", "g", "logged out"]);
    assert.deepEqual(commands.lines, ["flush"]);
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

  it("takes what is sent again while it is stopping: an earlier gateway may have stored it", () => {
    const { application, commands, port } = setUp();
    application.stop();
    assert.equal(application.receive(port, messageOf("D", `43=Y|${ORDER}`)), null);
    assert.deepEqual(commands.lines, ["1 c1 ACME traced 0"]);
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
    answerUnavailable(commands.batch.finish(), "full", 0, (id) => id === 7 ? port : undefined);
    const text = "58=Cannot take the message: full; it was not processed|";
    assert.deepEqual(port.sent, [
      `j 45=42|372=D|379=c1|380=4|${text}`,
      `j 45=42|372=F|379=c2|380=4|${text}`,
      `j 45=42|372=G|379=c3|380=4|${text}`,
      `j 45=42|372=H|379=c1|380=4|${text}`,
    ]);
  });

  it("says of a message about all symbols for which shard it was not processed", () => {
    const { application, commands, port } = setUp();
    const across: CommandSink["addAcross"] = (_shard, command) => commands.batch.append(command);
    commands.addAcross = (shard, command) => shard === 3 ? across(shard, command) : undefined;
    const messages = [
      ["q", "11=m1|530=7|60=20261130-12:00:00.000|"],
      ["AF", "584=s1|585=7|"],
      ["Z", "117=q1|298=4|"],
      ["Z", "117=q2|298=1|295=1|55=ACME|"],
      ["Z", "117=q3|298=1|295=1|55=NONE|"],
      ["i", "117=q4|296=1|302=s|304=1|295=1|299=e|55=RATE|"],
    ];
    for (const [type, body] of messages) application.receive(port, messageOf(type, body));
    answerUnavailable(commands.batch.finish(), "full", 3, () => port);
    const text = "58=Cannot take the message: full; it was not processed";
    const where = `${text} for the symbols of shard 3|`;
    assert.deepEqual(port.sent, [
      `j 45=42|372=q|379=m1|380=4|${where}`,
      `j 45=42|372=AF|379=s1|380=4|${where}`,
      `j 45=42|372=Z|379=q1|380=4|${where}`,
      `j 45=42|372=Z|379=q2|380=4|${text}|`,
      `j 45=42|372=Z|379=q3|380=4|${text}|`,
      `j 45=42|372=i|379=q4|380=4|${where}`,
    ]);
  });
});
