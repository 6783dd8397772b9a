/** What fuzzing can be aimed at, and how a fault it found is told. Types and texts; no I/O. Pure. */
import { rawMessage } from "../../shared/codec/fix/mod.ts";

/** A fault that a case has shown. */
export interface Finding {
  /** The seed that shows it again: `--target T --seed S --cases 1`. */
  readonly seed: number;
  /** What was to hold and did not. */
  readonly problem: string;
  /** What shows it, as small as it could be made; a line each. */
  readonly input: readonly string[];
}

/** One thing to be fuzzed. */
export interface Target {
  readonly name: string;
  /** One line on what it does to what. */
  readonly about: string;
  /** Cases that the smoke run in the tests does. */
  readonly smokeCases: number;
  /** One case, all of it from the seed; null when everything held. Does not throw. */
  attempt(seed: number): Finding | null;
  /** The same with so many commands a case, where cases have commands. */
  sized?(commands: number): Target;
}

/** Bytes as a person and a program can read them. */
export function shownBytes(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${bytes.length} bytes ${rawMessage(bytes)}\n    hex ${hex}`;
}

/** What was thrown, as a problem. */
export function thrown(error: unknown): string {
  return `it threw ${error instanceof Error ? error.stack ?? error.message : String(error)}`;
}
