/**
 * Holds what EV_s stores of a command message against what the rebuild says that it caused, byte by byte, and names the
 * first difference for people. How groups were joined or cut into messages does not matter. Pure.
 */
import { Event, readEvent } from "../../../shared/codec/wire/mod.ts";
import { differingFields } from "../engine/event_fields.ts";
import { formatEvent } from "../engine/event_lines.ts";
import { EventChecks } from "./event_checks.ts";
import type { ExpectedGroup } from "./rebuild.ts";
import type { StoredPart } from "./stored_events.ts";

/** Where a store and the rebuild part. */
export interface Difference {
  /** What is wrong, one sentence without the place. */
  readonly what: string;
  /** Sequence in EV_s; null when it is not about one of its messages. */
  readonly evSeq: number | null;
  /** Sequence of the command message, index of the command in it, index of the event among all that it caused. */
  readonly cmdSeq: number | null;
  readonly commandIndex: number | null;
  readonly eventIndex: number | null;
  /** The event as it must be and as it is stored; null for none. */
  readonly expected: string | null;
  readonly stored: string | null;
  /** Fields in which the two differ. */
  readonly fields: readonly string[];
}

/** A difference that concerns no event. */
export function differenceAt(what: string, evSeq: number | null, cmdSeq: number | null): Difference {
  return {
    what,
    evSeq,
    cmdSeq,
    commandIndex: null,
    eventIndex: null,
    expected: null,
    stored: null,
    fields: [],
  };
}

/** Compares one shard, and checks its stored events against each other. */
export class Comparison {
  /** Events compared. */
  events = 0;
  readonly checks: EventChecks;
  readonly #event = new Event();

  constructor(shard: number) {
    this.checks = new EventChecks(shard);
  }

  /** The first difference between a stored part and what its group must be; null when there is none. */
  part(group: ExpectedGroup, part: StoredPart): Difference | null {
    const { bytes, firstEventIndex, eventCount } = part;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = part.eventsAt;
    for (let index = firstEventIndex; index < firstEventIndex + eventCount; index++) {
      const end = at + view.getUint16(at, true);
      if (!isSame(group, index, bytes, at, end)) {
        return difference(group, part, index, stored(view, bytes, at));
      }
      readEvent(view, bytes, at, this.#event);
      const fault = this.checks.take(this.#event, index);
      if (fault !== null) return { ...difference(group, part, index, stored(view, bytes, at)), what: fault };
      at = end;
      this.events++;
    }
    return this.#end(group, part);
  }

  /** What is wrong with a part of which nothing is known but what EV_s says; null when there is nothing. */
  alone(part: StoredPart): Difference | null {
    const { bytes, firstEventIndex, eventCount, evSeq, cmdSeq, continues } = part;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = part.eventsAt;
    for (let index = firstEventIndex; index < firstEventIndex + eventCount; index++) {
      readEvent(view, bytes, at, this.#event);
      const fault = this.checks.take(this.#event, index);
      if (fault !== null) {
        const event = formatEvent(stored(view, bytes, at));
        return { ...differenceAt(fault, evSeq, cmdSeq), eventIndex: index, stored: event };
      }
      at += view.getUint16(at, true);
    }
    const fault = continues ? null : this.checks.endGroup();
    return fault === null ? null : differenceAt(fault, evSeq, cmdSeq);
  }

  /** What the part says beside its events. */
  #end(group: ExpectedGroup, part: StoredPart): Difference | null {
    const { cmdSeq, evSeq, continues } = part;
    const reached = part.firstEventIndex + part.eventCount;
    const total = group.commandOf.length;
    if (part.timestampUs !== group.timestampUs) {
      return differenceAt(`its time is ${part.timestampUs}, not ${group.timestampUs}`, evSeq, cmdSeq);
    }
    if (continues) return null;
    if (reached < total) return difference(group, part, reached, null);
    if (part.refused !== group.refused) {
      const [is, must] = group.refused ? ["taken", "refused"] : ["refused", "taken"];
      return differenceAt(`the command message is marked as ${is} and must be ${must}`, evSeq, cmdSeq);
    }
    if (part.repeated !== group.repeated) {
      const must = group.repeated ? "must be" : "must not be";
      return differenceAt(
        `the command message ${must} marked as one that had been applied before`,
        evSeq,
        cmdSeq,
      );
    }
    const fault = this.checks.endGroup();
    return fault === null ? null : differenceAt(fault, evSeq, cmdSeq);
  }
}

function isSame(group: ExpectedGroup, index: number, bytes: Uint8Array, at: number, end: number): boolean {
  if (index >= group.commandOf.length) return false;
  const start = group.starts[index];
  if (group.starts[index + 1] - start !== end - at) return false;
  for (let i = 0; i < end - at; i++) if (group.bytes[start + i] !== bytes[at + i]) return false;
  return true;
}

function stored(view: DataView, bytes: Uint8Array, at: number): Event {
  const event = new Event();
  readEvent(view, bytes, at, event);
  return event;
}

function difference(
  group: ExpectedGroup,
  part: StoredPart,
  index: number,
  is: Event | null,
): Difference {
  const { bytes, starts, commandOf, cmdSeq } = group;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const must = index < commandOf.length ? stored(view, bytes, starts[index]) : null;
  const what = is === null
    ? "an event is missing"
    : must === null
    ? "there is an event too many"
    : "the event is another one";
  return {
    what,
    evSeq: part.evSeq,
    cmdSeq,
    commandIndex: commandOf[index] ?? null,
    eventIndex: index,
    expected: must === null ? null : formatEvent(must),
    stored: is === null ? null : formatEvent(is),
    fields: must === null || is === null ? [] : differingFields(must, is),
  };
}
