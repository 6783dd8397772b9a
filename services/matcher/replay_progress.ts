/** Says once a second how far a replay has come, for whoever waits for it. Does I/O through the logger alone. */
import type { Logger } from "../../shared/cli/log.ts";

const EVERY_MS = 1000;

/** A replay: of command messages `from` + 1 … `to`, of which `at` says the last one applied. */
export interface ReplayRange {
  readonly shard: number;
  readonly from: number;
  readonly to: number;
  readonly at: () => number;
}

/** A line a second, until the returned function is called. */
export function tellProgress(log: Logger, { shard, from, to, at }: ReplayRange): () => void {
  let last = from;
  const timer = setInterval(() => {
    const cmdSeq = at();
    const perSecond = Math.round((cmdSeq - last) * 1000 / EVERY_MS);
    const secondsLeft = perSecond === 0 ? null : Math.ceil((to - cmdSeq) / perSecond);
    log.info("replaying commands", { shard, done: cmdSeq - from, of: to - from, perSecond, secondsLeft });
    last = cmdSeq;
  }, EVERY_MS);
  return () => clearInterval(timer);
}
