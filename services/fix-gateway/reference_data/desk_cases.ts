/** Test support for the reference desk: a desk, a session that writes down what it is sent, and requests in short. */
import assert from "node:assert/strict";
import { FIX44, type FixMessage, validate } from "../../../shared/codec/fix/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import { Event } from "../../../shared/codec/wire/mod.ts";
import {
  DEFAULT_FIX_SETTINGS,
  type Instrument,
  type InstrumentStates,
  type SessionRole,
} from "../../../shared/protocol/mod.ts";
import { untraded } from "../../../shared/testing/listed_state.ts";
import type { BusinessReject } from "../application.ts";
import { fillEvent, messageOf, session, venue } from "../order_entry/fixture.ts";
import { RecordedSession } from "../link/recorded_session.ts";
import { ReferenceDesk } from "./reference_desk.ts";

/** A matcher's answer at `cmdSeq`: each instrument's phase, FIFO. */
export function statesOf(cmdSeq: number, shard: number, phases: Record<string, number>): InstrumentStates {
  const instruments = venue().instruments.filter((each) => each.symbol in phases).map((each) =>
    untraded(each, phases[each.symbol])
  );
  return { shard, epoch: 1, ready: true, cmdSeq, evSeq: 1, instruments };
}

/** One desk and its clients. */
export class DeskBench {
  readonly desk: ReferenceDesk;
  readonly #venue: Venue;

  /** The venue of order entry's tests, or one of `instruments`; messages of at most `maxMessageBytes`. */
  constructor(maxMessageBytes = 16_384, instruments: readonly Instrument[] = venue().instruments) {
    this.#venue = {
      ...venue(),
      limits: { maxMessageBytes } as Venue["limits"],
      instruments,
      instrumentBySymbol: new Map(instruments.map((each) => [each.symbol, each])),
      instrumentById: new Map(instruments.map((each) => [each.id, each])),
    };
    this.desk = new ReferenceDesk(this.#venue, "1-2");
  }

  /** A session of the venue; `extensions` as in its settings. */
  client(id = 7, role: SessionRole = "trading", extensions = true): RecordedSession {
    return new RecordedSession({ ...session(role), id, settings: { ...DEFAULT_FIX_SETTINGS, extensions } });
  }

  /** Sends a request that the session layer lets through and returns what came: checked messages, or the refusal. */
  ask(port: RecordedSession, msgType: string, body: string, header = ""): string[] | BusinessReject {
    const message = messageOf(msgType, body, header);
    const fault = validate(message, FIX44, { allowUserDefined: false });
    assert.equal(fault?.text, undefined, body);
    const refusal = this.desk.receive(port, message);
    return refusal ?? this.take(port);
  }

  /** What a session was sent since, each message checked. */
  take(port: RecordedSession): string[] {
    for (const line of port.sent) checkedMessage(line);
    return port.sent.splice(0);
  }

  /** A market event of command message `cmdSeq`. */
  event(cmdSeq: number, fields: Record<string, number>): void {
    this.desk.event(fillEvent(new Event(), fields), cmdSeq);
  }
}

/** A recorded line, `MsgType body`, as a message that the dictionary allows. */
export function checkedMessage(line: string): FixMessage {
  const space = line.indexOf(" ");
  const message = messageOf(line.slice(0, space), line.slice(space + 1));
  const fault = validate(message, FIX44, { allowUserDefined: false });
  assert.equal(fault?.text, undefined, line);
  return message;
}
