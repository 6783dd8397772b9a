/**
 * Owns the answering of the peer's ResendRequest(2): which ranges are owed, in pages, and how often one may
 * ask. Stored messages go again with PossDupFlag(43)=Y; runs of numbers without one become a single
 * SequenceReset-GapFill. It reads no store itself: the driver fetches the page that {@link
 * ResendServer.wanted} names, now or later. Pure.
 * Source: FIX 4.4 Vol. 2, "Resend Request"; test case 8.
 */
import type { Outbound } from "./outbound.ts";
import type { StoredPage } from "./store.ts";

/** Bytes of bodies per page: between two pages live traffic has its turn. */
export const PAGE_BYTES = 64 * 1024;
/** With more than this not yet taken by the peer, the next page waits. */
export const RESEND_WATERMARK_BYTES = 128 * 1024;
/**
 * Bytes of bodies that are resent at once, and as many again in each second: what a short absence costs comes without
 * delay, and a long one leaves the thread to those who trade. bench/resend pays for it.
 */
export const RESEND_BYTES_PER_SECOND = 1024 * 1024;
/** Ranges owed at the same time. */
const MAX_JOBS = 8;
/** Requests for nothing new that are answered at once; the next ones with a delay, until the limit. */
const FREE_REPEATS = 8;
const REPEAT_DELAY_MS = 1000;
const REPEAT_WINDOW_MS = 60_000;

/** A range being resent. */
export interface ResendJob {
  /** First number not yet answered; ≤ `end`. */
  next: number;
  readonly end: number;
  readonly notBeforeMs: number;
  /** First number of a run of administrative messages not yet gap-filled; 0 for none. */
  runStart: number;
}

/** What the peer is owed. */
export class ResendServer {
  #jobs: ResendJob[] = [];
  /** Whether the first job's page is being fetched. */
  #fetching = false;
  /** Highest BeginSeqNo(7) asked in the window, and how many requests did not go beyond it. */
  #highestFrom = 0;
  #repeats = 0;
  #windowStartMs = -Infinity;
  readonly #maxRepeats: number;
  /** Bytes that may be resent now; a page may take more than there is, the next one waits. */
  #allowance = RESEND_BYTES_PER_SECOND;
  #allowanceMs = -Infinity;

  /** `maxRepeats`: requests in a minute that do not go beyond an earlier one. */
  constructor(maxRepeats: number) {
    this.#maxRepeats = maxRepeats;
  }

  /** Owes [from, end]; null, or why the peer asks too much and is to be logged out. */
  request(from: number, end: number, now: number): string | null {
    if (now - this.#windowStartMs > REPEAT_WINDOW_MS) {
      this.#windowStartMs = now;
      this.#highestFrom = 0;
      this.#repeats = 0;
    }
    if (from > this.#highestFrom) this.#highestFrom = from;
    else this.#repeats++;
    if (this.#repeats > this.#maxRepeats) {
      return `asked for nothing new more than ${this.#maxRepeats} times in a minute (maxResendRepeats)`;
    }
    if (this.#jobs.length >= MAX_JOBS) return `asked for more than ${MAX_JOBS} ranges at the same time`;
    const notBeforeMs = this.#repeats > FREE_REPEATS ? now + REPEAT_DELAY_MS : now;
    this.#jobs.push({ next: from, end, notBeforeMs, runStart: 0 });
    return null;
  }

  /** Whether anything is owed. */
  get pending(): boolean {
    return this.#jobs.length > 0;
  }

  /** When {@link wanted} is to be asked again without other cause; Infinity for never. */
  get deadline(): number {
    if (this.#jobs.length === 0 || this.#fetching) return Infinity;
    const wait = this.#allowance > 0 ? 0 : (1 - this.#allowance) * 1000 / RESEND_BYTES_PER_SECOND;
    return Math.max(this.#jobs[0].notBeforeMs, this.#allowanceMs + wait);
  }

  /** The job whose next page is to be fetched and given to {@link answer}; null for none now. */
  wanted(now: number, unsentBytes: number): ResendJob | null {
    if (this.#jobs.length === 0 || this.#fetching || unsentBytes > RESEND_WATERMARK_BYTES) return null;
    if (now < this.#jobs[0].notBeforeMs) return null;
    this.#refill(now);
    if (this.#allowance <= 0) return null;
    this.#fetching = true;
    return this.#jobs[0];
  }

  /** Sends one page of `job`; a page for a job that was dropped meanwhile is ignored. */
  answer(job: ResendJob, page: StoredPage, outbound: Outbound, now: number): void {
    if (this.#jobs[0] !== job) return;
    this.#fetching = false;
    for (const message of page.messages) {
      const start = job.runStart === 0 ? job.next : job.runStart;
      if (message.seq > start) outbound.gapFill(start, message.seq - 1, now);
      outbound.resend(message, now);
      this.#allowance -= message.body.length;
      job.runStart = 0;
      job.next = message.seq + 1;
    }
    const through = Math.min(job.end, page.through);
    if (job.next <= through) {
      if (job.runStart === 0) job.runStart = job.next;
      job.next = through + 1;
    }
    if (job.next <= job.end) return;
    if (job.runStart !== 0) outbound.gapFill(job.runStart, job.end, now);
    this.#jobs.shift();
  }

  #refill(now: number): void {
    const gained = Math.max(0, now - this.#allowanceMs) * RESEND_BYTES_PER_SECOND / 1000;
    this.#allowance = Math.min(RESEND_BYTES_PER_SECOND, this.#allowance + gained);
    this.#allowanceMs = now;
  }

  /** Owes nothing and forgets how often it was asked: a new connection, or numbers that start again. */
  clear(): void {
    this.#jobs = [];
    this.#fetching = false;
    this.#repeats = 0;
    this.#highestFrom = 0;
  }
}
