/**
 * One stream of the simulated server: what it stores, by sequence, and what it refuses. Owns nothing else: it survives the
 * server, as a file does. Pure.
 */
import { headerOf, matches } from "./nats_lines.ts";

/** The settings that count here; the others are kept and given back. */
export interface StreamSettings {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly max_msgs_per_subject?: number;
  /** Nanoseconds; 0: no bound. */
  readonly max_age?: number;
  readonly allow_direct?: boolean;
}

/** A stored message. */
export interface Stored {
  readonly seq: number;
  readonly subject: string;
  readonly headers: string;
  readonly payload: Uint8Array;
  /** µs since 1970. */
  readonly timeUs: number;
}

/** Why a message was not stored. */
export interface Refusal {
  readonly code: number;
  readonly err_code: number;
  readonly description: string;
}

/** One stream. */
export class SimulatedStream {
  settings: StreamSettings;
  lastSeq = 0;
  /** By rising sequence. */
  messages: Stored[] = [];

  constructor(settings: StreamSettings) {
    this.settings = settings;
  }

  get firstSeq(): number {
    return this.messages[0]?.seq ?? this.lastSeq + 1;
  }

  /** Whether the stream takes the subject. */
  takes(subject: string): boolean {
    return this.settings.subjects.some((each) => matches(each, subject));
  }

  /** Stores a message; the sequence, or why not. */
  append(subject: string, headers: string, payload: Uint8Array, timeUs: number): number | Refusal {
    this.expire(timeUs);
    const refusal = this.#refusal(subject, headers);
    if (refusal !== null) return refusal;
    if (headerOf(headers, "Nats-Rollup") === "sub") this.#remove((each) => each.subject === subject);
    const seq = ++this.lastSeq;
    this.messages.push({ seq, subject, headers, payload, timeUs });
    const most = this.settings.max_msgs_per_subject ?? -1;
    if (most > 0) {
      const same = this.messages.filter((each) => each.subject === subject);
      if (same.length > most) this.#remove((each) => each === same[0]);
    }
    return seq;
  }

  /** The message at `seq`. */
  at(seq: number): Stored | null {
    const guess = this.messages[seq - this.firstSeq];
    if (guess?.seq === seq) return guess;
    return this.messages.find((each) => each.seq === seq) ?? null;
  }

  /** The newest message of a subject. */
  lastOf(subject: string): Stored | null {
    return this.messages.findLast((each) => matches(subject, each.subject)) ?? null;
  }

  /** The newest message of each subject that `pattern` takes, oldest first. */
  newest(pattern: string): Stored[] {
    const bySubject = new Map<string, Stored>();
    for (const each of this.from(1, pattern, Infinity)) bySubject.set(each.subject, each);
    return [...bySubject.values()].sort((a, b) => a.seq - b.seq);
  }

  /** Messages from `seq` on, of a subject when one is given. */
  from(seq: number, subject: string | undefined, most: number): Stored[] {
    const found: Stored[] = [];
    for (const each of this.messages) {
      if (each.seq < seq || subject !== undefined && !matches(subject, each.subject)) continue;
      found.push(each);
      if (found.length === most) break;
    }
    return found;
  }

  /** Removes what is below `seq` (0: all), of a subject when one is given; how many that was. */
  purge(seq: number, subject: string | undefined): number {
    const before = this.messages.length;
    this.#remove((each) =>
      (seq === 0 || each.seq < seq) && (subject === undefined || matches(subject, each.subject))
    );
    return before - this.messages.length;
  }

  /** Forgets what is too old at `timeUs`. */
  expire(timeUs: number): void {
    const ageUs = (this.settings.max_age ?? 0) / 1000;
    if (ageUs > 0) this.#remove((each) => each.timeUs + ageUs <= timeUs);
  }

  #refusal(subject: string, headers: string): Refusal | null {
    if (headers === "") return null;
    const expected = headerOf(headers, "Nats-Expected-Last-Sequence");
    if (expected !== null && Number(expected) !== this.lastSeq) return wrongLast(this.lastSeq);
    const ofSubject = headerOf(headers, "Nats-Expected-Last-Subject-Sequence");
    if (ofSubject === null) return null;
    const last = this.lastOf(subject)?.seq ?? 0;
    return Number(ofSubject) === last ? null : wrongLast(last);
  }

  #remove(isGone: (each: Stored) => boolean): void {
    if (this.messages.some(isGone)) this.messages = this.messages.filter((each) => !isGone(each));
  }
}

function wrongLast(seq: number): Refusal {
  return { code: 400, err_code: 10071, description: `wrong last sequence: ${seq}` };
}
