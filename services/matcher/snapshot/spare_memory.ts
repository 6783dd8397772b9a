/**
 * The memory of an engine that is done with, for the next one of the same size. Owns that it is all 0 again. Pure.
 *
 * Memory that comes and goes with each snapshot has V8 look for garbage each time, with threads of its own that want the
 * processors for milliseconds.
 */
import type { Engine } from "../engine/mod.ts";
import type { Pace } from "./pace.ts";

/** Words looked at in one go: those of a page, so that pages that were never used stay unused. */
const BLOCK_WORDS = 1024;

/** Clears the memory of an engine, which must not be used any more, and returns it. */
export function clearedMemory({ books }: Engine, pace: Pace): ArrayBuffer {
  const { words } = books;
  for (let from = 0; from < words.length; from += BLOCK_WORDS) {
    const to = Math.min(from + BLOCK_WORDS, words.length);
    let at = from;
    while (at < to && words[at] === 0) at++;
    if (at < to) words.fill(0, at, to);
    pace.look();
  }
  return words.buffer as ArrayBuffer;
}
