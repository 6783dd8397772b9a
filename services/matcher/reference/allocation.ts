/** The naive allocation: every rule spelled out over bigints. Pure. Compared with engine/allocation.ts by tests. */
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";

/** What each resting order (open lots, in time priority) gets of `quantity`. */
export function allocate(
  algorithm: MatchAlgorithm,
  proRataMin: number,
  resting: readonly number[],
  quantity: number,
): number[] {
  const total = resting.reduce((sum, open) => sum + open, 0);
  if (algorithm === MatchAlgorithm.Fifo || quantity >= total) return oldestFirst(resting, quantity);
  const shares = resting.map((open) => {
    const share = Number(BigInt(open) * BigInt(quantity) / BigInt(total));
    return share < proRataMin ? 0 : share;
  });
  const given = shares.reduce((sum, share) => sum + share, 0);
  const extra = oldestFirst(resting.map((open, i) => open - shares[i]), quantity - given);
  return shares.map((share, i) => share + extra[i]);
}

function oldestFirst(resting: readonly number[], quantity: number): number[] {
  let left = quantity;
  return resting.map((open) => {
    const taken = Math.min(open, left);
    left -= taken;
    return taken;
  });
}
