import { Kvm } from "@nats-io/kv";
import { afterAll, afterEach, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ConfigError, parseVenue } from "../config/mod.ts";
import { REF_BUCKET } from "../protocol/mod.ts";
import { BARE_VENUE } from "../testing/bare_venue.ts";
import type { NatsConnection } from "./connect.ts";
import { TestServer } from "./test_server.ts";
import { checkStoredReference, REFERENCE_KEY, storedReferenceChange } from "./venue_reference.ts";

const venueWith = (from = "", to = "") => parseVenue(BARE_VENUE.replace(from, to), "v");
const MORE = ["[{ id: 1, name: A }]", "[{ id: 1, name: A }, { id: 2, name: B }]"] as const;
const OTHER = ["[{ id: 1, name: A }]", "[{ id: 1, name: A }, { id: 2, name: C }]"] as const;
const REMEDY = "; undo the change, or start with another store (--store)";

describe("reference data beside the streams", () => {
  let server: TestServer;
  let nc: NatsConnection;
  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect();
  });
  afterEach(async () => void await (await bucket()).purge(REFERENCE_KEY));
  afterAll(async () => {
    await nc.close();
    await server.dispose();
  });

  const bucket = () => new Kvm(nc).create(REF_BUCKET);
  const check = (from = "", to = "") => checkStoredReference(nc, venueWith(from, to));
  const revision = async () => (await (await bucket()).get(REFERENCE_KEY))?.revision;

  it("is what the first service that starts has; the same file is welcome, and writes nothing", async () => {
    assert.equal(await storedReferenceChange(nc, venueWith('tick: "0.05"', 'tick: "0.10"')), null);
    await check();
    const first = await revision();
    await check();
    await check("password: p", "password: q");
    assert.equal(await revision(), first);
  });

  for (
    const [from, to, why] of [
      [
        'tick: "0.05"',
        'tick: "0.10"',
        "instrument 1 (S) has tick 0.05 in the store but 0.1 in the venue file",
      ],
      [
        'maxOrderQty: "1000"',
        'maxOrderQty: "50"',
        "instrument 1 (S) has maxOrderQty 1000 in the store but 50 in the venue file",
      ],
      [
        "{ id: 1, senderCompId",
        "{ id: 2, senderCompId",
        "session 1 (T) is in the store but no longer in the venue file",
      ],
    ]
  ) {
    it(`refuses: ${why}`, async () => {
      await check();
      await assert.rejects(check(from, to), (error) => {
        assert.ok(error instanceof ConfigError, "exit code 78");
        assert.equal(error.message, `Cannot use the venue's streams: ${why}${REMEDY}`);
        return true;
      });
      assert.equal(await storedReferenceChange(nc, venueWith(from, to)), `${why}${REMEDY}`);
      await check();
    });
  }

  it("takes new ids, and then misses them", async () => {
    await check();
    await check(...MORE);
    await assert.rejects(check(), {
      message:
        `Cannot use the venue's streams: firm 2 (B) is in the store but no longer in the venue file${REMEDY}`,
    });
  });

  it("is of one file when two that contradict each other come at once", async () => {
    await check();
    const both = await Promise.allSettled([check(...MORE), check(...OTHER)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const [refused] = both.filter((each) => each.status === "rejected");
    assert.match(
      refused.reason.message,
      /firm 2 \([BC]\) has name [BC] in the store but [BC] in the venue file/,
    );
  });

  it("holds ten thousand instruments in one message", async () => {
    const venue = venueWith();
    const [first] = venue.instruments;
    const more = Array.from(
      { length: 10_000 },
      (_, i) => ({ ...first, id: i + 2, symbol: `S${i * 7919 % 100_003}` }),
    );
    const large = { ...venue, instruments: [first, ...more] };
    await checkStoredReference(nc, large);
    assert.match(
      await storedReferenceChange(nc, venueWith()) ?? "",
      /^instrument 2 \(S0\) is in the store but no longer/,
    );
  });

  it("is said to be unreadable when it is", async () => {
    await (await bucket()).put(REFERENCE_KEY, "{}");
    await assert.rejects(check(), {
      name: "Error",
      message:
        /^Cannot compare the venue file with the streams: key venue.reference of the bucket ref is not readable reference data: /,
    });
  });

  it("is no other's when there is no bucket", async () => {
    await (await bucket()).destroy();
    assert.equal(await storedReferenceChange(nc, venueWith()), null);
  });

  it("is not taken for none when it cannot be read", async () => {
    await check();
    const closed = await server.connect();
    await closed.close();
    await assert.rejects(storedReferenceChange(closed, venueWith()), {
      name: "Error",
      message: /^Cannot compare the venue file with the streams: closed connection$/,
    });
    await (await bucket()).put(REFERENCE_KEY, "{}");
    await assert.rejects(storedReferenceChange(nc, venueWith()), {
      message: /^Cannot compare the venue file with the streams: key venue.reference .* is not readable/,
    });
  });
});
