/**
 * Engines that we did not write trade with each other through the running venue: limit orders with each engine's own
 * dictionary checking every message of ours, then every kind of message with the dictionary that we give to clients. An
 * engine whose toolchain is missing is skipped, with the reason in the test's name.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { readEngineLog } from "../recovery/engine_log.ts";
import * as conditions from "./conditions.ts";
import { type Desk, Names } from "./desk.ts";
import { type Account, type Engine, ForeignClient } from "./driver.ts";
import { quickfixGo, quickfixJ } from "./engines.ts";
import { marketOf } from "./market.ts";
import * as massActions from "./mass.ts";
import * as orderTypes from "./order_types.ts";
import * as phases from "./phases.ts";
import type { Scene } from "./play.ts";
import * as quotes from "./quotes.ts";
import * as recovery from "./recovery.ts";
import * as reference from "./reference.ts";
import { tradeWithEachOther } from "./scenario.ts";
import { Stage } from "./stage.ts";

const CONFIG = fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url));
const folder = await Deno.makeTempDir({ prefix: "pitwire-interop-" });
const java = await quickfixJ();
const go = await quickfixGo(folder);

/** Each pair on an instrument of its own, so that the book is empty. */
const pairs: readonly [buyer: Engine, seller: Engine, symbol: string][] = [
  [java, java, "ACME"],
  [go, go, "WIDGET"],
  [java, go, "GIZMO"],
  [go, java, "AMBER-MAR"],
];

function limitOrders(): void {
  let running: RunningVenue;

  beforeAll(async () => {
    running = await startVenue({
      config: CONFIG,
      venue: loadVenue(CONFIG),
      store: null,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      log: nullLogger,
      logLevel: "warn",
    });
  });

  afterAll(async () => void await running?.stop());

  const account = (senderCompId: string): Account => {
    const { venue, address } = running;
    const { username, password } = venue.sessions.find((session) => session.senderCompId === senderCompId)!;
    const { fixHost: host, fixPort: port } = address;
    return { host, port, targetCompId: venue.targetCompId, senderCompId, username, password };
  };

  for (const [buyer, seller, symbol] of pairs) {
    const name = `${buyer.name} buys ${symbol} from ${seller.name}`;
    const missing = [buyer, seller].flatMap((engine) => "missing" in engine ? [engine.missing] : [])[0];
    if (missing !== undefined) {
      it.skip(`${name} (skipped: ${missing})`, () => {});
      continue;
    }
    it(name, async () => {
      await using buying = new ForeignClient(buyer, account("TRADER1"));
      await using selling = new ForeignClient(seller, account("TRADER2"));
      await tradeWithEachOther(
        buying,
        selling,
        marketOf(running.venue.instrumentBySymbol.get(symbol)!),
        symbol,
      );
    });
  }
}

/** Played in this order on one venue, each engine once in the place of the other. */
const scenes: readonly [title: string, scene: Scene][] = [
  ["market orders, IOC, FOK, MinQty(110) and K", orderTypes.takers],
  ["stops that are replaced, canceled and triggered by each other", orderTypes.stops],
  ["icebergs that show themselves anew", orderTypes.icebergs],
  ["post-only orders", conditions.postOnly],
  ["orders good till a date", conditions.goodTill],
  ["self-match prevention between the sessions of a firm", conditions.selfMatch],
  ["refusals of orders, cancels and replacements", conditions.refusals],
  ["pre-open and the opening auction", phases.opening],
  ["a halt", phases.halt],
  ["the closing auction", phases.closing],
  ["a volatility interruption", phases.volatility],
  ["mass status requests", massActions.massStatus],
  ["mass cancels", massActions.massCancel],
  ["mass quotes that rest", quotes.quotesThatRest],
  ["mass quotes that trade on arrival", quotes.quotesThatTake],
  ["lists, definitions and trading sessions", reference.instruments],
  ["business rejects", reference.businessRejects],
];

/** `b` is of another firm than `a`, `c` of the same. */
const casts: readonly {
  readonly roles: readonly string[];
  readonly stock: string;
  readonly future: string;
}[] = [
  { roles: ["A1", "B1", "A2"], stock: "ACME", future: "CEDAR" },
  { roles: ["B1", "A1", "B2"], stock: "WIDGET", future: "MAPLE" },
];

const engineOf = (senderCompId: string) => senderCompId === "A1" ? java : go;

function everyKind(): void {
  const missing = [java, go].flatMap((engine) => "missing" in engine ? [engine.missing] : [])[0];
  if (missing !== undefined) {
    it.skip(`between engines written by others (skipped: ${missing})`, () => {});
    return;
  }
  let stage: Stage;
  let desks: Map<string, Desk>;
  /** The scene that did not come to its end. */
  let failed: string | null = null;

  beforeAll(async () => {
    stage = await Stage.start(folder);
    const names = ["A1", "A2", "B1", "B2"];
    const started = await Promise.all(names.map((name) => stage.desk(engineOf(name), name)));
    desks = new Map(started.map((desk) => [desk.account.senderCompId, desk]));
  });

  afterAll(async () => {
    for (const desk of desks?.values() ?? []) await desk[Symbol.asyncDispose]();
    await stage?.[Symbol.asyncDispose]();
  });

  for (const { roles, stock, future } of casts) {
    for (const [title, scene] of scenes) {
      it(`${engineOf(roles[0]).name}, opposite ${engineOf(roles[1]).name}: ${title}`, async () => {
        assert.equal(failed, null, "an earlier scene failed, and left the venue as it was then");
        failed = title;
        const [a, b, c] = roles.map((name) => desks.get(name)!);
        a.names = b.names = c.names = new Names();
        const phase = (symbol: string, name: string) => stage.admin("phase", symbol, name);
        await scene({ a, b, c, stock, future, phase });
        for (const desk of desks.values()) desk.silent();
        failed = null;
      });
    }
  }

  it("by a session that knows FIX 4.4 alone, with the dictionary that QuickFIX/Go brings", async () => {
    await using desk = await stage.desk(go, "B3", true);
    await reference.plainly(desk, "ACME");
    desk.silent();
  });

  for (const [name, other] of [["A1", "B2"], ["B1", "A2"]]) {
    it(`comes again to ${engineOf(name).name}, which asks for all from the first number, with what came meanwhile`, async () => {
      const [before, opposite] = [desks.get(name)!, desks.get(other)!];
      before.names = opposite.names = new Names();
      const hit = await recovery.rest(before, name);
      await before.logoutAndForget();
      await before[Symbol.asyncDispose]();
      before.silent();
      await hit(opposite);
      await using desk = await stage.desk(engineOf(name), name);
      await desk.cameAgain(before);
      desk.names = before.names;
      await recovery.wasHit(desk, name);
      desk.silent();
      await desk.logout();
      const { targetCompId } = desk.account;
      const { resendRequests } = await readEngineLog(stage.folderOf(name), name, targetCompId);
      assert.ok(
        resendRequests === 1 || name === "B1" && resendRequests === 2,
        `asked ${resendRequests} times`,
      );
    });
  }
}

describe("engines written by others", () => {
  afterAll(() => Deno.remove(folder, { recursive: true }));
  describe("trading with limit orders", limitOrders);
  describe("sending every kind of message", everyKind);
});
