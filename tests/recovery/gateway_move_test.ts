/** Two gateways serve one venue: a session may log on to either, never to both, and takes its numbers along. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { connectNats } from "../../shared/nats/mod.ts";
import { TestVenue } from "../integration/running.ts";
import { until } from "../../shared/testing/awaited.ts";
import { expectedReports } from "./expected_reports.ts";
import { SecondGateway } from "./second_gateway.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { assertWhole } from "./session_checks.ts";

const LIMIT = [[55, "ACME"], [54, "1"], [38, "10"], [40, "2"], [44, "10"]] as const;
const SELL = [[55, "ACME"], [54, "2"], [38, "10"], [40, "2"], [44, "10"]] as const;

/** A venue with two gateways, their addresses, and traders. */
async function setUp() {
  const venue = await TestVenue.start();
  const { address, venue: file } = venue.running;
  const second = await SecondGateway.start(venue.running);
  const first = { host: address.fixHost, port: address.fixPort };
  const [mover, other] = ["A1", "B1"].map((name) => new LastingTrader(file, name));
  return {
    venue,
    first,
    second,
    mover,
    other,
    async [Symbol.asyncDispose]() {
      await second.stop();
      await venue[Symbol.asyncDispose]();
    },
  };
}

async function answered(trader: LastingTrader): Promise<void> {
  await until(`${trader.senderCompId}'s answers`, () => trader.unanswered.length === 0);
}

/** Compares what came with what EV says. */
async function assertNothingLost(venue: TestVenue, ...traders: LastingTrader[]): Promise<void> {
  const { natsUrl: url, natsUser: user, natsPassword: password } = venue.running.address;
  const nc = await connectNats({ url, name: "test", user, password });
  const expected = await expectedReports(nc, venue.running.venue);
  await nc.close();
  for (const trader of traders) assertWhole(trader, expected.get(trader.senderCompId)!);
}

describe("a session of two gateways", () => {
  it("logs out of one and on to the other: numbers go on, what happened meanwhile comes as new", async () => {
    await using world = await setUp();
    const { venue, first, second, mover, other } = world;
    await mover.logon(first);
    await other.logon(second.address);
    for (let i = 0; i < 20; i++) mover.send("D", `m${i}`, LIMIT);
    await answered(mover);
    await mover.logout();
    const { incoming, outgoing } = mover.numbers;
    for (let i = 0; i < 20; i++) other.send("D", `o${i}`, SELL);
    await answered(other);

    await mover.logon(second.address);
    await until("the fills", () => mover.received.length === 40);
    assert.equal(mover.received[20].seq, incoming + 1, "behind the Logon's answer");
    assert.deepEqual(mover.received.filter(({ possDup, possResend }) => possDup || possResend), []);
    assert.equal(mover.numbers.outgoing, outgoing + 1);
    mover.send("D", "m20", LIMIT);
    await answered(mover);
    await mover.logout();
    await mover.logon(first);
    mover.send("D", "m21", LIMIT);
    await answered(mover);
    await assertNothingLost(venue, mover, other);
  });

  it("is refused at the second while it is connected to the first, which is undisturbed", async () => {
    await using world = await setUp();
    const { venue, first, second, mover } = world;
    await mover.logon(first);
    const twin = new LastingTrader(venue.running.venue, "A1");
    await assert.rejects(twin.logon(second.address), /Cannot log on to PITWIRE as A1/);
    mover.send("D", "m0", LIMIT);
    await answered(mover);
    assert.equal(mover.received.length, 1);
    assert.deepEqual(mover.ends, []);
  });

  it("moves when its gateway has died: nothing is lost, nothing is executed twice", async () => {
    await using world = await setUp();
    const { venue, first, second, mover, other } = world;
    await mover.logon(second.address);
    await other.logon(first);
    for (let i = 0; i < 200; i++) {
      mover.send("D", `m${i}`, LIMIT);
      other.send("D", `o${i}`, SELL);
    }
    await until("some answers", () => mover.received.length > 50);
    for (let i = 200; i < 300; i++) mover.send("D", `m${i}`, LIMIT);
    await second.kill();
    await mover.comeBack(first);
    await answered(mover);
    await answered(other);
    await until("the fills", () => new Set(mover.received.map(({ line }) => line)).size === 500);
    await assertNothingLost(venue, mover, other);
  });

  it("is fenced when its gateway was only paused: it is disconnected there, and goes on here", async () => {
    await using world = await setUp();
    const { venue, first, second, mover, other } = world;
    await mover.logon(second.address);
    await other.logon(first);
    mover.send("D", "m0", LIMIT);
    await answered(mover);
    second.signal("SIGSTOP");
    const twin = mover.twin();
    await twin.comeBack(first);
    other.send("D", "o0", SELL);
    await until("the fill", () => twin.received.some(({ line }) => line.includes("|150=F|")));
    second.signal("SIGCONT");
    await until("the end of the connection to the paused gateway", () => !mover.loggedOn);
    twin.send("D", "m1", LIMIT);
    await answered(twin);
    // In the breath before it finds out, the paused gateway says at most what is true anyway.
    const lines = new Set(twin.received.map(({ line }) => line));
    assert.deepEqual(mover.received.slice(1).filter(({ line }) => !lines.has(line)), []);
    assert.deepEqual(twin.received.filter(({ possDup }) => possDup), []);
    await assertNothingLost(venue, other);
  });
});
