import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { AuditStream, type NatsConnection } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { handOver, type HandoverAuditEntry, handoverLines } from "./handover.ts";
import { auditTable } from "./print.ts";

const WALL_MS = Date.UTC(2026, 2, 2, 9, 30);
const HEAD = {
  time: "2026-03-02T09:30:00.000Z",
  by: "ann",
  via: "admin",
  shard: 3,
  asked: { do: "handover" },
} as const;

describe("a hand-over that an operator asks for", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let leader: NatsConnection;
  let audit: AuditStream;
  let written: unknown[];
  beforeAll(async () => {
    server = await TestServer.start();
    [nc, leader] = [await server.connect(), await server.connect("matcher")];
    audit = await AuditStream.open(nc);
  });
  afterAll(async () => {
    await nc.close();
    await leader.close();
    await server.dispose();
  });
  beforeEach(() => void (written = []));

  /** Entries of the audit that are new, as they stood when the leader was asked and at the end. */
  async function asked(answer: unknown): Promise<{ before: unknown[]; after: unknown[]; outcome: unknown }> {
    const { length } = await audit.last(1000);
    const subscription = leader.subscribe("matcher.3.handover", {
      callback: (_, message) => {
        audit.last(1000).then((entries) => {
          written = entries.slice(length);
          message.respond(JSON.stringify(answer));
        });
      },
    });
    await leader.flush();
    const outcome = await handOver(3, "ann", { nc, audit, wallMs: () => WALL_MS });
    subscription.unsubscribe();
    await leader.flush();
    return { before: written, after: (await audit.last(1000)).slice(length), outcome };
  }

  it("is in the audit before the leader is asked, and with both epochs when the standby leads", async () => {
    const answer = { kind: "handed-over", shard: 3, from: 4, to: 5, pausedMs: 6.1 } as const;
    assert.deepEqual(await asked(answer), {
      before: [{ ...HEAD, outcome: "started" }],
      after: [{ ...HEAD, outcome: "started" }, { ...HEAD, outcome: "done", from: 4, to: 5 }],
      outcome: answer,
    });
    assert.equal(handoverLines([answer]), "Handed over: shard 3: epoch 4 → 5, paused for 6.1 ms\n");
  });

  it("is in the audit with the reason when it was refused", async () => {
    const answer = { kind: "refused", shard: 3, why: "no standby follows it" } as const;
    assert.deepEqual(await asked(answer), {
      before: [{ ...HEAD, outcome: "started" }],
      after: [{ ...HEAD, outcome: "started" }, { ...HEAD, outcome: "refused", reason: answer.why }],
      outcome: answer,
    });
  });

  it("is refused when nobody leads", async () => {
    const { length } = await audit.last(1000);
    const outcome = await handOver(3, "ann", { nc, audit, wallMs: () => WALL_MS });
    assert.deepEqual(outcome, { kind: "refused", shard: 3, why: "no matcher leads" });
    assert.deepEqual((await audit.last(1000)).slice(length), [
      { ...HEAD, outcome: "started" },
      { ...HEAD, outcome: "refused", reason: "no matcher leads" },
    ]);
  });

  it("is not known to be done when the leader was asked and did not answer", async () => {
    const silent = { request: () => Promise.reject(new Error("timeout")) };
    const entries: unknown[] = [];
    const write = (subject: string, entry: unknown) => {
      entries.push([subject, entry]);
      return Promise.resolve();
    };
    const outcome = await handOver(3, "ann", { nc: silent, audit: { write }, wallMs: () => WALL_MS });
    const why = "no answer (timeout); who leads now, shard status says";
    assert.deepEqual(outcome, { kind: "unknown", shard: 3, why });
    assert.deepEqual(entries, [
      ["audit.venue.3", { ...HEAD, outcome: "started" }],
      ["audit.venue.3", { ...HEAD, outcome: "unknown", reason: why }],
    ]);
    assert.equal(handoverLines([outcome]), `Perhaps handed over: shard 3: ${why}\n`);
  });

  it("is not asked for when the audit cannot be written", async () => {
    let requests = 0;
    const counted = {
      request: () => {
        requests++;
        return Promise.reject(new Error("not to be asked"));
      },
    };
    const full = {
      write: () => Promise.reject(new Error("Cannot write into the audit, so nothing is changed")),
    };
    await assert.rejects(handOver(3, "ann", { nc: counted, audit: full, wallMs: () => WALL_MS }), {
      message: "Cannot write into the audit, so nothing is changed",
    });
    assert.equal(requests, 0);
  });

  it("stands in the table of the audit", () => {
    const entries: HandoverAuditEntry[] = [
      { ...HEAD, outcome: "done", from: 4, to: 5 },
      { ...HEAD, outcome: "refused", reason: "no standby follows it" },
    ];
    const rows = auditTable(entries).split("\n").filter((line) => line.includes("ann"))
      .map((line) => line.split("│").slice(1, -1).map((cell) => cell.trim()));
    const head = ["2026-03-02 09:30:00", "ann", "admin", "shard 3", "handover"];
    assert.deepEqual(rows, [
      [...head, "done", "epoch 4 → 5"],
      [...head, "refused", "no standby follows it"],
    ]);
  });
});
