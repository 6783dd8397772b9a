/**
 * The three ways in which events may reach a gateway, for the floor's programs: sent by the matcher itself, by a push
 * consumer of EV_0, or by EV_0's republish (docs/adr/0001-direct-events.md).
 */
import { jetstreamManager } from "@nats-io/jetstream";
import { type NatsConnection, streamExtent, StreamReader } from "../../shared/nats/mod.ts";
import { evStream, liveSubject } from "../../shared/protocol/mod.ts";
import { createLogger } from "../../shared/cli/log.ts";

/** Their names. */
export const EVENT_PATHS = ["direct", "push consumer", "republish"] as const;
/** One of them. */
export type EventPath = typeof EVENT_PATHS[number];

/** The variable that tells the floor's programs which path to take. */
export const EVENT_PATH_VARIABLE = "PITWIRE_FLOOR_EVENTS";

const REPUBLISHED = "republished.0";

/** What this process was told; direct when nothing was said. */
export function eventPathOf(env: { get(name: string): string | undefined }): EventPath {
  const text = env.get(EVENT_PATH_VARIABLE) ?? "direct";
  const path = EVENT_PATHS.find((each) => each === text);
  if (path === undefined) throw new Error(`Cannot read ${EVENT_PATH_VARIABLE}: got "${text}"`);
  return path;
}

/** Matcher: prepares EV_0 for the path. */
export async function prepareEvents(nc: NatsConnection, path: EventPath): Promise<void> {
  if (path !== "republish") return;
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  await jsm.streams.update(evStream(0), { republish: { src: ">", dest: `${REPUBLISHED}.>` } });
}

/** Gateway: calls `onBytes` with the size of every event message, until the returned function is called. */
export async function followEvents(
  nc: NatsConnection,
  path: EventPath,
  onBytes: (bytes: number) => void,
): Promise<() => void> {
  if (path !== "push consumer") {
    const subject = path === "direct" ? liveSubject(0) : `${REPUBLISHED}.>`;
    const subscription = nc.subscribe(subject, { callback: (_error, { data }) => onBytes(data.length) });
    await nc.flush();
    return () => subscription.unsubscribe();
  }
  const log = createLogger("floor-gateway");
  const reader = new StreamReader({
    nc,
    stream: evStream(0),
    startSeq: (await streamExtent(nc, evStream(0))).lastSeq + 1,
    log,
    onMessage: (_seq, _timestampUs, _subject, bytes) => onBytes(bytes.length),
    onMissing: (from, to) => log.error("events are missing", { from, to }),
    onFatal: (error) => log.error(error.message),
  });
  await reader.caughtUp;
  return () => void reader.stop();
}
