/**
 * A trading desk whose FIX engine was written by others: says what it wants, and holds what the engine handed over to
 * an exact list. Refuses every complaint of the engine, and every Reject(3) in either direction. Test code only.
 */
import assert from "node:assert/strict";
import { until } from "../../shared/testing/awaited.ts";
import { HEADER_AND_TRAILER } from "../../shared/testing/message_line.ts";
import { type Account, type Engine, type Fields, fieldsOf, ForeignClient } from "./driver.ts";

const ID = /^\d+-\d+-\d+$/;
const UTC = /^\d{8}-\d\d:\d\d:\d\d\.\d{3}$/;

/** An application message as it came. */
export interface Received {
  /** Header and trailer, and the body's fields as far as a tag comes once. */
  readonly fields: Fields;
  /** MsgType and body, `8 37=…|11=…`. */
  readonly line: string;
}

/**
 * Names for the identifiers of the venue's own, which differ from run to run: an order or answer goes by the ClOrdID or
 * QuoteID that it came under first, trades are numbered.
 */
export class Names {
  readonly #orders = new Map<string, string>();
  readonly #trades = new Map<string, string>();

  /** `#a1` for the OrderID that was seen first with `clOrdId` a1; `#a1'` for the second of that name. */
  order(orderId: string, clOrdId: string): string {
    const known = this.#orders.get(orderId);
    if (known !== undefined) return known;
    assert.match(orderId, ID, "OrderID");
    let name = `#${clOrdId}`;
    while ([...this.#orders.values()].includes(name)) name += "'";
    this.#orders.set(orderId, name);
    return name;
  }

  /** `T1` for the first trade. */
  trade(tradeId: string): string {
    assert.match(tradeId, ID, "SecondaryExecID");
    const name = this.#trades.get(tradeId) ?? `T${this.#trades.size + 1}`;
    this.#trades.set(tradeId, name);
    return name;
  }
}

/** One engine's session. Dispose it to end the engine. */
export class Desk implements AsyncDisposable {
  readonly account: Account;
  /** Every application message, in order. */
  readonly received: Received[] = [];
  readonly #client: ForeignClient;
  /** Names of the identifiers that it hears of. */
  names: Names = new Names();
  /** Repeating groups of all messages, as QuickFIX/J took them apart. */
  readonly #groups: string[] = [];
  readonly #complaints: string[] = [];
  readonly #execIds = new Set<string>();
  /** MsgType(35) of what it sent, by MsgSeqNum(34). */
  readonly #sent = new Map<string, string>();
  readonly #takesApart: boolean;
  #loggedOn = false;
  #read = 0;
  #groupsRead = 0;

  private constructor(engine: Engine, account: Account) {
    this.account = account;
    this.#takesApart = engine.name === "QuickFIX/J";
    this.#client = new ForeignClient(engine, account, (line) => this.#hear(line));
  }

  /** Starts the engine and waits until it is logged on. */
  static async start(engine: Engine, account: Account): Promise<Desk> {
    const desk = new Desk(engine, account);
    await desk.#until("Logon", () => desk.#loggedOn);
    return desk;
  }

  /** Sends messages, each as `D 11=…|55=…|`; with a TransactTime(60) where `@` stands. */
  async send(...messages: readonly string[]): Promise<void> {
    await this.#client.sendAll(messages.map((message) => {
      const space = message.indexOf(" ");
      const body = message.slice(space + 1).replace("@", "60=20261130-12:00:00.000|");
      return `35=${message.slice(0, space)}|${body}`;
    }));
  }

  /**
   * The next messages are these, field by field: without header and trailer; without TransactTime(60), ExecID(17),
   * SecurityResponseID(322) and RefSeqNum(45), which are checked for form, uniqueness and the MsgType(35) that they
   * refer to; and with {@link Names} for OrderIDs and trades.
   */
  async told(...expected: readonly string[]): Promise<void> {
    await this.heard(expected.length);
    const came = this.received.slice(this.#read, this.#read += expected.length);
    assert.deepEqual(came.map((message) => this.#named(message)), expected, this.account.senderCompId);
  }

  /** Waits for that many messages that nobody has looked at. */
  async heard(count: number): Promise<void> {
    await this.#until(`${count} messages`, () => this.received.length >= this.#read + count);
  }

  /** QuickFIX/J took the next messages with repeating groups apart like this: `146=1[55=ACME|561=1]`. */
  async tookApart(...expected: readonly string[]): Promise<void> {
    if (!this.#takesApart) return;
    const end = this.#groupsRead + expected.length;
    await this.#until("groups", () => this.#groups.length >= end);
    assert.deepEqual(this.#groups.slice(this.#groupsRead, end), expected, this.account.senderCompId);
    this.#groupsRead = end;
  }

  /**
   * Everything that came to `before` comes again, with PossDupFlag(43) and the SendingTime(52) of then as
   * OrigSendingTime(122), and is taken apart like it.
   */
  async cameAgain(before: Desk): Promise<void> {
    const count = before.received.length;
    await this.heard(count);
    assert.deepEqual(
      this.received.slice(0, count).map(({ fields, line }) => [
        fields.get(43),
        fields.get(34),
        fields.get(122),
        line,
      ]),
      before.received.map(({ fields, line }) => ["Y", fields.get(34), fields.get(52), line]),
    );
    this.#read = count;
    await this.tookApart(...before.#groups);
  }

  /** Everything that came was looked at. */
  silent(): void {
    const unread = this.received.slice(this.#read).map(({ line }) => line);
    const groups = this.#groups.slice(this.#groupsRead);
    assert.deepEqual({ unread, groups, complaints: this.#complaints }, {
      unread: [],
      groups: [],
      complaints: [],
    }, this.account.senderCompId);
  }

  /** Logs out; the engine then takes 1 for the number of the venue's next message. */
  async logoutAndForget(): Promise<void> {
    await this.#client.logout();
    await this.#until("Logout", () => !this.#loggedOn);
    await this.#client.expect(1);
  }

  /** Logs out. */
  async logout(): Promise<void> {
    await this.#client.logout();
    await this.#until("Logout", () => !this.#loggedOn);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  #hear(line: string): void {
    if (line.startsWith("app ")) this.received.push(receivedOf(line.slice(4)));
    else if (line.startsWith("groups ")) this.#groups.push(line.slice(7));
    else if (line === "on" || line === "off") this.#loggedOn = line === "on";
    else if (line.startsWith("sent ")) {
      const fields = fieldsOf(line.slice(5));
      this.#sent.set(fields.get(34)!, fields.get(35)!);
    }
    if (line.startsWith("error ") || line.includes("|35=3|")) this.#complaints.push(line);
  }

  #named({ line }: Received): string {
    const [msgType, body] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1).split("|")];
    const value = (tag: number) => body.find((field) => field.startsWith(`${tag}=`))?.slice(`${tag}=`.length);
    const named = body.flatMap((field) => {
      const text = field.slice(field.indexOf("=") + 1);
      switch (Number(field.slice(0, field.indexOf("=")))) {
        case 60:
          assert.match(text, UTC, line);
          return [];
        case 17:
          if (text === "0") return [field];
          assert.match(text, ID, line);
          assert.ok(!this.#execIds.has(text), `ExecID ${text} came twice`);
          this.#execIds.add(text);
          return [];
        case 322:
          assert.match(text, ID, line);
          return [];
        case 45:
          assert.equal(this.#sent.get(text), value(372), line);
          return [];
        case 37:
          return text === "NONE" ? [field] : [`37=${this.names.order(text, value(11) ?? "")}`];
        case 527:
          return [`527=${this.names.trade(text)}`];
        default:
          return [field];
      }
    });
    return `${msgType} ${named.join("|")}`;
  }

  async #until(what: string, holds: () => boolean): Promise<void> {
    const { senderCompId } = this.account;
    await until(`${what} of ${senderCompId}`, () => holds() || this.#complaints.length > 0, () => {
      return this.received.slice(this.#read).map(({ line }) => line).join("\n");
    });
    assert.deepEqual(this.#complaints, [], senderCompId);
  }
}

function receivedOf(text: string): Received {
  const fields = fieldsOf(text);
  const body = text.split("|").filter((field) =>
    field !== "" && !HEADER_AND_TRAILER.has(Number(field.slice(0, field.indexOf("="))))
  );
  return { fields, line: `${fields.get(35)} ${body.join("|")}` };
}
