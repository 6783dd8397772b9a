/**
 * The thread that takes a matcher's snapshots: its own connection, its own engine, its own memory. Wires and decides
 * nothing. First message: {@link WorkerStart}; each further one: a {@link SnapshotDue}. Says nothing back; what goes wrong is in the log.
 */
import { createLogger, errorText } from "../../../shared/cli/log.ts";
import { connectNats } from "../../../shared/nats/mod.ts";
import type { SnapshotDue, WorkerStart } from "./duty.ts";
import { threadBursts } from "./pace.ts";
import { SnapshotService } from "./service.ts";

const log = createLogger("matcher");
/** Null until connected; a failure leaves it so, and the next message tries again. */
let service: SnapshotService | null = null;
let start: WorkerStart | null = null;

async function onDue(due: SnapshotDue): Promise<void> {
  const { url, user, password, engine } = start!;
  if (service === null) {
    const nc = await connectNats({ url, user, password, name: `pitwire-snapshots-${engine.shard}` });
    service = new SnapshotService({ nc, engine, log, bursts: threadBursts() });
  }
  service.due(due);
}

/** One message after the other. */
let last: Promise<void> = Promise.resolve();

addEventListener("message", (event) => {
  const { data } = event as MessageEvent<WorkerStart | SnapshotDue>;
  if ("engine" in data) {
    start = data;
    return;
  }
  last = last.then(() => onDue(data)).catch((cause) =>
    log.error("cannot connect to take a snapshot", { cause: errorText(cause) })
  );
});
