/**
 * Owns the walk over repeating groups of a parsed message, without copying and at any depth. It trusts the order that
 * validation has checked; on other input it ends an entry early but never loops or throws. Pure.
 * Source: FIX 4.4 Vol. 1, "Repeating Groups".
 */
import type { Scope } from "./dictionary.ts";
import { FixMessage } from "./message.ts";

const NO_MESSAGE = new FixMessage(1);

/** A reusable cursor over the entries of one group; borrows from the message. */
export class GroupCursor {
  /** The current entry's fields are those of the message from index `first` up to, without, `end`. */
  first = 0;
  end = 0;
  #message: FixMessage = NO_MESSAGE;
  #group: Scope | null = null;

  /**
   * Stands in front of the first entry of the group that field `countIndex` counts (as found by `message.find`, or by
   * {@link find} for a nested group). `group` is that field's `Member.group`. -1 opens an empty group.
   */
  open(message: FixMessage, group: Scope, countIndex: number): void {
    this.#message = message;
    this.#group = group;
    this.first = this.end = countIndex < 0 ? message.fieldCount : countIndex + 1;
  }

  /** Moves to the next entry; false after the last. */
  next(): boolean {
    const group = this.#group;
    const message = this.#message;
    this.first = this.end;
    if (group === null || this.end >= message.fieldCount) return false;
    if (message.tags[this.end] !== group.delimiterTag) return false;
    this.end = entryEnd(message, group, this.first);
    return true;
  }

  /** Index of field `tag` of the current entry itself, not of groups nested in it; -1 when absent. */
  find(tag: number): number {
    const group = this.#group;
    if (group === null) return -1;
    for (let at = this.first; at < this.end; at = fieldEnd(this.#message, group, at)) {
      if (this.#message.tags[at] === tag) return at;
    }
    return -1;
  }
}

/** Index behind the entry that starts at `first`. */
function entryEnd(message: FixMessage, group: Scope, first: number): number {
  let place = 0;
  let at = fieldEnd(message, group, first);
  while (at < message.fieldCount) {
    const next = group.indexOf(message.tags[at]);
    if (next >= 0 && next <= place || next < 0 && message.tags[at] < FIRST_USER_TAG) break;
    if (next > place) place = next;
    at = fieldEnd(message, group, at);
  }
  return at;
}

/** Index behind the field at `at` and the entries that it counts. */
function fieldEnd(message: FixMessage, group: Scope, at: number): number {
  const nested = group.member(message.tags[at])?.group ?? null;
  let end = at + 1;
  if (nested === null) return end;
  while (end < message.fieldCount && message.tags[end] === nested.delimiterTag) {
    end = entryEnd(message, nested, end);
  }
  return end;
}

/** User-defined fields, where validation lets them pass, belong to the entry they stand in. */
const FIRST_USER_TAG = 5000;
