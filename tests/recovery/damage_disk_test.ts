/**
 * A disk that is full while orders flow, and one that cannot be written: the venue ends, and what was acknowledged is there
 * once the disk is good again. Needs to mount a file system: is left out where it may not.
 */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { until } from "../../shared/testing/awaited.ts";
import { fillDisk, mayMount, onDisk, run } from "../../shared/testing/small_disk.ts";
import { commandsOf, connectTo, partAt, startOn, writeVenueFile } from "./damage_store.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { rebuiltTruth } from "./truth.ts";

/** Megabytes; the audit alone sets 64 aside. */
const DISK = 256;
const LIMITS = "limits: { cmdStreamBytes: 2097152, evStreamBytes: 2097152, fixOutStreamBytes: 2097152 }";
const ORDERS = 40;

const ignore = !await mayMount();

describe("a disk", () => {
  /** A disk of its own as a store. */
  function asStore(act: (store: string) => Promise<void>): Promise<void> {
    return onDisk(DISK, async (store) => {
      await writeVenueFile(store, LIMITS);
      await act(store);
    });
  }

  function order(trader: LastingTrader): void {
    const count = trader.sent.length;
    const terms = [[55, "ACME"], [54, String(1 + count % 2)], [38, "10"], [40, "2"], [44, "100"]] as const;
    trader.send("D", `order-${count}`, terms);
  }

  it(
    "that is full while orders flow: none is acknowledged in vain, and the venue ends instead of hanging",
    { ignore },
    () =>
      asStore(async (store) => {
        let running = await startOn(store);
        const trader = new LastingTrader(running.venue, "A1");
        let stored: Uint8Array[];
        try {
          const { fixHost: host, fixPort: port } = running.address;
          await trader.logon({ host, port }, true);
          for (let i = 0; i < ORDERS; i++) order(trader);
          await until("answers", () => trader.unanswered.length === 0);
          const filler = await fillDisk(store);
          let reason = "";
          running.failed.then((sentence) => reason = sentence);
          // Which stream cannot be written first decides how much a client sees before the venue gives up: refusals, the end of
          // its session, or nothing but an order without an answer.
          await until(
            "the end of the venue",
            async () => {
              if (!trader.loggedOn) await trader.logon({ host, port }).catch(() => {});
              else if (trader.unanswered.length === 0) order(trader);
              return reason !== "";
            },
            () => `unanswered ${trader.unanswered}; ${trader.ends.join("; ")}`,
            60_000,
          );
          assert.match(
            reason,
            /^Cannot keep (nats|matcher) running: it died \d+ times in \d+ s; the last time it /,
          );
          await Deno.remove(filler);
          await running.stop();
          await until("the end of the session", () => !trader.loggedOn);
        } finally {
          await trader.cut();
          await running.stop();
        }
        const acknowledged = trader.received.filter(({ line }) => line.includes("|150=0|")).map((
          { clOrdId },
        ) => clOrdId);
        running = await startOn(store);
        try {
          const nc = await connectTo(running);
          stored = await commandsOf(nc);
          const truth = await rebuiltTruth(nc, running.venue);
          await nc.close();
          const copies = [...truth.dropCopies.values()].join();
          assert.deepEqual(acknowledged.filter((clOrdId) => !copies.includes(`"${clOrdId}"`)), []);
          assert.ok(acknowledged.length >= ORDERS);
          const { fixHost: host, fixPort: port } = running.address;
          await trader.logon({ host, port });
          order(trader);
          const last = trader.sent.at(-1)!;
          await until("the answer", () => trader.answered.has(last));
          const taken = stored.map((bytes) => new TextDecoder("latin1").decode(bytes)).join();
          assert.deepEqual(trader.unanswered.filter((clOrdId) => taken.includes(clOrdId)), []);
          await trader.logout();
        } finally {
          await running.stop();
        }
        running = await startOn(store);
        const nc = await connectTo(running);
        assert.equal(partAt(stored, await commandsOf(nc)), 0);
        await nc.close();
        await running.stop();
      }),
  );

  it(
    "that cannot be written: the venue does not start, and changes nothing",
    { ignore },
    () =>
      asStore(async (store) => {
        await (await startOn(store)).stop();
        assert.ok(await run("mount", "-o", "remount,ro", store));
        await assert.rejects(startOn(store), /^Error: Cannot use store \/.*: Read-only file system/);
        assert.ok(await run("mount", "-o", "remount,rw", store));
        await (await startOn(store)).stop();
      }),
  );
});
