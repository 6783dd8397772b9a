/** What operators ask the leading matcher of a shard on `matcher.<s>.control`, and its answers, as JSON. Pure: types only. */

/** Which instruments enter which phase. */
export interface PhaseRequest {
  readonly do: "phase";
  /** Who asks, for the audit. */
  readonly by: string;
  /** One instrument; or `all` of the shard. */
  readonly symbol?: string;
  readonly all?: true;
  /** The phase's name. */
  readonly phase: string;
}

/** Which instrument is matched how from here on. */
export interface AlgorithmRequest {
  readonly do: "algorithm";
  readonly by: string;
  readonly symbol: string;
  /** MatchAlgorithm(1142). */
  readonly algorithm: string;
}

/** Which open orders are cancelled: those that fit everything that is said; all when nothing is. */
export interface MassCancelRequest {
  readonly do: "mass-cancel";
  readonly by: string;
  readonly firm?: string;
  /** The SenderCompID of a FIX session. */
  readonly session?: string;
  readonly symbol?: string;
  readonly side?: "buy" | "sell";
}

/** A request. */
export type ControlRequest = PhaseRequest | AlgorithmRequest | MassCancelRequest;

/** An answer, given when the engine has applied the command; `cmdSeq` is the command's. */
export type ControlAnswer =
  | {
    readonly kind: "phase";
    readonly shard: number;
    readonly cmdSeq: number;
    readonly phase: string;
    readonly changed: readonly { readonly symbol: string; readonly previous: string }[];
    /** Symbols that were in the phase already. */
    readonly unchanged: readonly string[];
  }
  | {
    readonly kind: "algorithm";
    readonly shard: number;
    readonly cmdSeq: number;
    readonly symbol: string;
    readonly algorithm: string;
    /** The same when nothing changed. */
    readonly previous: string;
  }
  | {
    readonly kind: "mass-cancel";
    readonly shard: number;
    readonly cmdSeq: number;
    /** How many orders were cancelled. */
    readonly canceled: number;
    /** Symbols whose phase allows no cancelling. */
    readonly skipped: readonly string[];
  }
  /** Nothing was done. */
  | { readonly kind: "refused"; readonly shard: number; readonly reason: string }
  /** It may yet be done. */
  | { readonly kind: "unknown"; readonly shard: number; readonly reason: string };

/** What is kept of a request: JSON on `audit.venue.<s>` of the stream AUDIT. */
export interface VenueAuditEntry {
  /** UTC, ISO 8601. */
  readonly time: string;
  readonly by: string;
  /** Who did it: `matcher 0`. */
  readonly via: string;
  readonly asked: Omit<PhaseRequest, "by"> | Omit<AlgorithmRequest, "by"> | Omit<MassCancelRequest, "by">;
  /**
   * `started` is written before anything is done, `done` or `unknown` behind it; `refused` stands alone or behind it. A
   * `started` without any of them means that the matcher died: phases and orders tell.
   */
  readonly outcome: "started" | "done" | "refused" | "unknown";
  readonly answer?: ControlAnswer;
}
