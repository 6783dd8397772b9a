/**
 * The thread that takes a matcher's snapshots: its own connection, its own engine, its own memory. Wires and decides
 * nothing. First message: {@link ThreadStart}; each further one: a {@link SnapshotDue} or {@link CompareReplay}. Says nothing
 * back but {@link ReplayDiffers}; what else goes wrong is in the log.
 */
import { createLogger, errorText } from "../../../shared/cli/log.ts";
import { connectNats } from "../../../shared/nats/mod.ts";
import type { CompareReplay, ReplayDiffers, SnapshotDue, ThreadStart } from "./duty.ts";
import { threadBursts } from "./pace.ts";
import { SnapshotService } from "./service.ts";

/** What a thread's global scope is, as far as it matters here; the compiler takes it for a window. */
interface Thread {
  postMessage(said: ReplayDiffers): void;
}

const thread = self as unknown as Thread;
const log = createLogger("matcher");
/** Null until connected; a failure leaves it so, and the next message tries again. */
let service: SnapshotService | null = null;
let start: ThreadStart | null = null;

async function onAsked(asked: SnapshotDue | CompareReplay): Promise<void> {
  const { url, user, password, engine, newestDue: shared } = start!;
  if (service === null) {
    const nc = await connectNats({ url, user, password, name: `pitwire-snapshots-${engine.shard}` });
    const due = new BigInt64Array(shared);
    const newestDue = () => Number(Atomics.load(due, 0));
    service = new SnapshotService({ nc, engine, log, bursts: threadBursts(), newestDue });
  }
  if ("cmdSeq" in asked) return service.due(asked);
  const onDifferent = (reason: string) => thread.postMessage({ reason });
  service.compare({ from: asked.from, onDifferent });
}

/** One message after the other. */
let last: Promise<void> = Promise.resolve();

addEventListener("message", (event) => {
  const { data } = event as MessageEvent<ThreadStart | SnapshotDue | CompareReplay>;
  if ("engine" in data) {
    start = data;
    return;
  }
  last = last.then(() => onAsked(data)).catch((cause) =>
    log.error("cannot connect to take a snapshot", { cause: errorText(cause) })
  );
});
