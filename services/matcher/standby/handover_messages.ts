/** What leader, standby and operator say to each other, JSON (docs/wire.md, "Standby and hand-over"). Pure. */

/** What a standby's question on `matcher.<s>.alive` says; others' say nothing. */
export const STANDS_BY = "standby";
/** What it says while leader and standby have not been compared: it wants a state hash of where the leader stands. */
export const WANTS_HASH = "standby hash";

/** The state hash behind a command message: what leaders tell on `matcher.<s>.hash`. */
export interface ToldHash {
  readonly cmdSeq: number;
  readonly stateHash: string;
}

/** How far a standby follows: the answer on `matcher.<s>.standby`. */
export interface StandbyState {
  readonly shard: number;
  readonly pid: number;
  /** Whether it has read CMD_s to its end once, and has been compared with the leader since: it could lead at once. */
  readonly ready: boolean;
  /** The last command message applied. */
  readonly cmdSeq: number;
  /** Everything in EV_s up to here is what it makes of the commands itself. */
  readonly evSeq: number;
  /** Bytes of events that it has made and not seen in EV_s. */
  readonly unstoredBytes: number;
  /** The newest state hash that leader and standby agreed on; null when they have not compared any yet. */
  readonly agreed: ToldHash | null;
}

/** Who leads: the answer on `matcher.<s>.alive`. */
export interface AliveAnswer {
  readonly shard: number;
  readonly epoch: number;
  readonly pid: number;
  /** Digest of the rules that its engine was made for. */
  readonly rules: string;
}

/** A standby's answer to `matcher.<s>.takeover`, given once it leads or cannot. */
export type TakeOverAnswer =
  | { readonly kind: "led"; readonly epoch: number }
  | { readonly kind: "failed"; readonly why: string };

/** The leader's answer to `matcher.<s>.handover`. */
export type HandoverAnswer =
  | {
    readonly kind: "handed-over";
    readonly shard: number;
    /** The epochs before and after. */
    readonly from: number;
    readonly to: number;
    /** From the last command that the old leader applied until the new one led, ms. */
    readonly pausedMs: number;
  }
  | { readonly kind: "refused"; readonly shard: number; readonly why: string };
