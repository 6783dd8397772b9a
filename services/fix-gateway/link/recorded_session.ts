/** Test support: a session port that writes down what is sent, as text with `|` for SOH. */
import { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { SessionPort } from "../application.ts";

/** A session that is always logged on and goes nowhere. */
export class RecordedSession implements SessionPort {
  readonly loggedOn = true;
  /** Messages sent, as `MsgType body`. */
  readonly sent: string[] = [];
  readonly #writer = new FixWriter();

  constructor(readonly config: FixSession) {}

  compose(): FixWriter {
    this.#writer.begin();
    return this.#writer;
  }

  send(msgType: string): void {
    const body = new TextDecoder("latin1").decode(this.#writer.body).replaceAll("\x01", "|");
    this.sent.push(`${msgType} ${body}`);
  }

  logout(): void {}
}
