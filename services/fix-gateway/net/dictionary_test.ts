import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { nullLogger } from "../../../shared/cli/log.ts";
import { FIX44 } from "../../../shared/codec/fix/mod.ts";
import { loadDictionary } from "../../../shared/config/mod.ts";
import { ECHO_LIMITS, echoSessions } from "../echo/echo_acceptor.ts";
import { EchoApplication } from "../echo/echo_application.ts";
import { encode } from "../session/rig.ts";
import { startAcceptor } from "./acceptor.ts";
import { systemClock } from "./clock.ts";
import { RawPeer } from "./fixture.ts";

const OWN = fileURLToPath(new URL("../../../tests/acceptance/dictionaries/own.xml", import.meta.url));

describe("sessions of one acceptor", () => {
  it("are each held to their own dictionary, whoever spoke last", async () => {
    const sessions = echoSessions(["OWN", "USUAL"]);
    const own = loadDictionary(OWN);
    const acceptor = await startAcceptor({
      hostname: "127.0.0.1",
      port: 0,
      venue: {
        targetCompId: "EX",
        sessions,
        sessionByCompId: new Map(sessions.map((session) => [session.senderCompId, session])),
      },
      application: new EchoApplication(false),
      clock: systemClock,
      log: nullLogger,
      limits: { ...ECHO_LIMITS, heartBtIntMinSec: 0, heartBtIntMaxSec: 60 },
      dictionaryOf: ({ senderCompId }) => senderCompId === "OWN" ? own : FIX44,
    });
    const peers = await Promise.all([RawPeer.connect(acceptor.port), RawPeer.connect(acceptor.port)]);
    const [first, second] = peers;
    const send = async (peer: RawPeer, sender: string, text: string) => {
      await peer.write(encode(text.replaceAll("<SOH>", "\x01"), sender, "EX", Date.now()));
      return (await peer.receive(1))[0];
    };
    try {
      await send(first, "OWN", "35=A|34=1|98=0|108=0");
      await send(second, "USUAL", "35=A|34=1|98=0|108=0");
      const usual = "148=h|33=1|58=t|354=7|355=a<SOH>58=b<SOH>";
      const special = "11=a|55=ACME|54=Z|20010=7|20011=a<SOH>11=b<SOH>";
      for (const seq of [2, 3]) {
        for (
          const [peer, sender, type, body] of [[first, "OWN", "D", special], [
            second,
            "USUAL",
            "C",
            usual,
          ]] as const
        ) {
          const text = type === "C" ? `94=0|164=i|147=s|${body.replace("148=h|", "")}` : body;
          const answer = await send(peer, sender, `35=${type}|34=${seq}|${text}`);
          assert.equal(answer, `35=${type}|34=${seq}|${text.replaceAll("<SOH>", "|")}`);
        }
      }
    } finally {
      for (const peer of peers) peer.close();
      await acceptor.drain("the test ends");
    }
  });
});
