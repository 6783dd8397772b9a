/**
 * The scripts that ask for nothing but a session, against the running gateway: real processes, nats-server
 * included. Texts are the gateway's own, so Text(58) is not compared; every other field is.
 */
import { join } from "node:path";
import { after, before, describe, it } from "@std/testing/bdd";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import {
  compIdOf,
  PASSWORD,
  sessionVenue,
  USERNAME,
  VENUE_COMP_ID,
} from "../../shared/testing/session_venue.ts";
import { type Peer, runScript, type Target } from "./run_script.ts";
import { loadScripts } from "./scripts.ts";
import { isSessionSetting, sessionSettings } from "./settings.ts";
import { SocketPeer } from "./socket_peer.ts";

const wanted = Deno.env.get("PITWIRE_SCRIPT") ?? "";
const TEXT = 58;
/** All scripts log on from one address, some without heartbeats. */
const LIMITS = { heartBtIntMinSec: 0, logonsPerMinutePerAddress: 100_000 };

/** Of settings, only a session's are the gateway's; nor is what takes too long or needs orders returned. */
const scripts = loadScripts().filter(({ name, script }) =>
  name.startsWith(wanted) && script.settings.keys().every(isSessionSetting) && !script.needs.has("echo") &&
  !script.needs.has("clock")
);

class GatewayTarget implements Target {
  readonly venueCompId = VENUE_COMP_ID;
  readonly peerCompId: string;
  readonly logonFields = `|553=${USERNAME}|554=${PASSWORD}`;
  readonly ignoredTags: ReadonlySet<number> = new Set([TEXT]);
  readonly #port: number;

  constructor(port: number, index: number) {
    this.#port = port;
    this.peerCompId = compIdOf(index + 1);
  }

  now(): number {
    return Date.now();
  }

  connect(): Promise<Peer> {
    return SocketPeer.connect(this.#port);
  }
}

if (scripts.length > 0) {
  describe("acceptance scripts against the running gateway", () => {
    let folder = "";
    let venue: RunningVenue;

    before(async () => {
      folder = await Deno.makeTempDir({ prefix: "pitwire-acceptance-" });
      const config = join(folder, "venue.yaml");
      await Deno.writeTextFile(
        config,
        sessionVenue(scripts.map(({ script }) => sessionSettings(script.settings)), LIMITS),
      );
      venue = await startVenue({
        config,
        venue: loadVenue(config),
        store: join(folder, "store"),
        natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
        log: nullLogger,
        logLevel: "error",
      });
    });

    after(async () => {
      await venue.stop();
      await Deno.remove(folder, { recursive: true });
    });

    for (const [index, { name, script }] of scripts.entries()) {
      it(name, () => runScript(script, name, new GatewayTarget(venue.address.fixPort, index)));
    }
  });
}
