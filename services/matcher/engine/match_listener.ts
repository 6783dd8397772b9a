/**
 * Who is told how executions come about, for people who ask why; there is nobody in production. Handles are those of the
 * engine's stores and hold for the call only. Pure: types only.
 */
import type { AllocationListener } from "./allocation_told.ts";
import type { AuctionCurve } from "./auction_price.ts";

/** Told by {@link "./matching.ts"} while it matches; {@link AllocationListener.step} tells of each allocation step. */
export interface MatchListener extends AllocationListener {
  /**
   * An aggressor that may trade comes to a level; nothing has happened there yet, self-match prevention included. When no
   * allocation step is told before the next level, it has taken the oldest first.
   */
  levelReached(aggressor: number, level: number): void;
  /** A price of an instrument's auction has been found, and its trades follow. */
  auctionPriced(instrumentId: number, curve: AuctionCurve): void;
}
