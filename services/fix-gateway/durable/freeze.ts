/**
 * How far a session counts as being while messages of it wait for numbers, and whether more was sent meanwhile: messages
 * that waited no longer say which event they tell of, so whoever has the session next may tell it again. Pure.
 */
import type { Progress } from "./out_log.ts";

/** The freeze of one holding. */
export class Freeze {
  /** Null while nothing waits. */
  progress: Progress | null = null;
  /** Whether something was sent that {@link progress} does not count. */
  passed = false;

  /** A message was sent. */
  sent(): void {
    if (this.progress !== null) this.passed = true;
  }

  /** Nothing waits any more. */
  end(): void {
    this.progress = null;
    this.passed = false;
  }
}
