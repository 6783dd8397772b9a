/** What the ways of one session's reports (lanes.ts) tell of themselves, and the end of a session that gets no more. */
import type { Logger } from "../../../shared/cli/log.ts";
import type { Session } from "../session/mod.ts";
import { disconnect } from "./disconnect.ts";
import type { LaneHost } from "./lanes.ts";

/** Writes to `log` in the name of `owner`, which is disconnected when its reports cannot be made. */
export function laneLog(
  owner: Session,
  log: Logger,
): Pick<LaneHost, "behind" | "missing" | "displaced" | "failed"> {
  const session = owner.config.senderCompId;
  return {
    behind: (shard) => {
      log.info("reports come faster than they go: they wait in the stored events", { session, shard });
    },
    missing: (shard, from, to) => {
      log.error("reports are lost: their events are gone (limits.evStreamBytes)", {
        session,
        shard,
        from,
        to,
      });
    },
    displaced: (shard, error) => {
      log.warn("stored events do not lie where they did: all are looked through", { session, shard, error });
    },
    failed: (shard, error) => {
      log.error("missed reports cannot be made now; they are made at the next Logon", {
        session,
        shard,
        error,
      });
      disconnect(owner, "missed reports cannot be made");
    },
  };
}
