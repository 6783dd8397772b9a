/**
 * Test support: a whole exchange in one process, for what a client sees of it. Real sessions over TCP, real order
 * entry, the real engine; the command stream is a counter. Refuses to be more than that: nothing is stored.
 */
import { fileURLToPath } from "node:url";
import type { Application, SessionPort } from "../../services/fix-gateway/application.ts";
import { type Acceptor, startAcceptor } from "../../services/fix-gateway/net/acceptor.ts";
import { systemClock } from "../../services/fix-gateway/net/clock.ts";
import { report, translate } from "../../services/fix-gateway/order_entry/mod.ts";
import { Engine } from "../../services/matcher/engine/mod.ts";
import type { FixMessage } from "../codec/fix/mod.ts";
import { Command, type Event } from "../codec/wire/mod.ts";
import { loadVenue } from "../config/mod.ts";
import { EventKind } from "../protocol/mod.ts";
import { nullLogger } from "./log.ts";

/** The shipped venue, at a free port of 127.0.0.1. */
export async function startExchange(): Promise<Acceptor> {
  const venue = loadVenue(fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url)));
  const { instruments, limits } = venue;
  const engine = new Engine({ shard: 0, instruments, maxOpenOrders: 1000, clOrdIdHistory: 1000 });
  const command = new Command();
  const position = { shard: 0, cmdSeq: 0, eventIndex: 0, timestampUs: 0 };
  const sink = {
    commandStarts() {},
    event(event: Event) {
      if (event.kind < EventKind.LevelChanged) {
        const port = acceptor.session(event.sessionId);
        const msgType = report(event, position, venue, port.compose());
        if (msgType !== null) port.send(msgType);
      }
      position.eventIndex++;
    },
  };
  const application: Application = {
    loggedOn() {},
    loggedOut() {},
    receive(session: SessionPort, message: FixMessage) {
      const translation = translate(message, session.config, venue, command);
      if (translation.kind === "business-reject") return translation;
      position.cmdSeq++;
      position.eventIndex = 0;
      position.timestampUs = Date.now() * 1000;
      engine.apply(position.cmdSeq, 0, position.timestampUs, command, sink);
      return null;
    },
    readComplete() {},
    ready: null,
  };
  const acceptor = await startAcceptor({
    hostname: "127.0.0.1",
    port: 0,
    venue,
    application,
    clock: systemClock,
    log: nullLogger,
    limits,
  });
  return acceptor;
}
