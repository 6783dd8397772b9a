/** Who takes part in the scenes of tests/interop, and on which instruments. Test code only. */
import type { Desk } from "./desk.ts";

/** Three desks on a venue of their own; every scene leaves the books empty and the phases continuous. */
export interface Play {
  readonly a: Desk;
  /** Of another firm than `a`. */
  readonly b: Desk;
  /** Of the firm of `a`. */
  readonly c: Desk;
  /** Matched by time; a post-only order that would trade is rejected there. */
  readonly stock: string;
  /** Matched pro rata; a post-only order that would trade is moved there, and a trade far off calls an auction. */
  readonly future: string;
  /** Has an operator put an instrument into a phase, by its name in `deno task admin phase`. */
  readonly phase: (symbol: string, phase: string) => Promise<void>;
}

/** Something that happens on the venue, with everything that each desk must be told. */
export type Scene = (play: Play) => Promise<void>;
