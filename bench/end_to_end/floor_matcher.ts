/**
 * The floor's matcher: reads CMD_0, publishes straight to the gateway and stores in EV_0 with one publish in flight, as
 * the real one does, but matches nothing. Takes the matcher's place under the supervisor.
 */
import { parseArgs } from "@std/cli/parse-args";
import { headers } from "@nats-io/nats-core";
import { loadVenue } from "../../shared/config/mod.ts";
import { AckedPublisher, connectNats, ensureStreams, StreamReader } from "../../shared/nats/mod.ts";
import { cmdStream, evSubject, liveSubject } from "../../shared/protocol/mod.ts";
import { createLogger } from "../../shared/cli/log.ts";
import { eventPathOf, prepareEvents } from "./event_path.ts";
import { COMMAND_BYTES, EVENT_BYTES } from "./sizes.ts";

const flags = parseArgs(Deno.args, { string: ["nats", "config"] });
const log = createLogger("floor-matcher");
const nc = await connectNats({
  url: flags.nats ?? "",
  name: "floor-matcher",
  user: Deno.env.get("PITWIRE_NATS_USER"),
  password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
});
await ensureStreams(nc, loadVenue(flags.config ?? ""));
const path = eventPathOf(Deno.env);
await prepareEvents(nc, path);
const publisher = new AckedPublisher(nc);
let unstored = 0;
let lastSeq = 0;
let inFlight = false;

const reader = new StreamReader({
  nc,
  stream: cmdStream(0),
  startSeq: 1,
  log,
  onMessage: (_seq, _timestampUs, _subject, bytes) => {
    const events = Math.floor(bytes.length / COMMAND_BYTES) * EVENT_BYTES;
    if (path === "direct") nc.publish(liveSubject(0), new Uint8Array(events));
    unstored += events;
    store();
  },
  onMissing: (from, to) => log.error("commands are missing", { from, to }),
  onFatal: (error) => {
    log.error(error.message);
    Deno.exit(1);
  },
});
await reader.caughtUp;
console.log(JSON.stringify({ ready: "matcher" }));
Deno.addSignalListener("SIGTERM", () => Deno.exit(0));

function store(): void {
  if (inFlight || unstored === 0) return;
  const bytes = Math.min(unstored, 500_000);
  unstored -= bytes;
  inFlight = true;
  const fence = headers();
  fence.set("Nats-Expected-Last-Sequence", String(lastSeq));
  publisher.publish(evSubject(0, "FLOOR"), new Uint8Array(bytes), (seq, fault) => {
    if (fault !== null) log.error("cannot store", { fault: fault.description });
    lastSeq = seq;
    inFlight = false;
    store();
  }, fence);
}
