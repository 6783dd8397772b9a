import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { ConfigError, loadDictionaries, loadVenue } from "../../shared/config/mod.ts";
import { BARE_VENUE } from "../../shared/testing/bare_venue.ts";
import { PROJECT_DIR } from "./programs.ts";
import { copiedVenueFile, copyVenueFile } from "./venue_copy.ts";

const DICTIONARY = join(PROJECT_DIR, "tests/acceptance/dictionaries/own.xml");

/** Two sessions beside the bare one, the second with the dictionary of the first by another way to it; one has none. */
const SESSIONS =
  `  - { id: 2, senderCompId: U, firm: A, role: trading, username: u, password: p, dictionary: d/own.xml }
  - { id: 3, senderCompId: V, firm: A, role: trading, username: u, password: p, dictionary: ../source/d/own.xml }
  - { id: 4, senderCompId: W, firm: A, role: trading, username: u, password: p, dictionary: null }
sessionDefaults: { dictionary: own.xml }
`;

describe("the copy of a venue file", () => {
  let dir: string;
  let source: string;
  let config: string;
  let store: string;
  beforeEach(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-copy-" });
    source = join(dir, "source");
    store = join(dir, "store");
    config = join(source, "venue.yaml");
    await Deno.mkdir(join(source, "d"), { recursive: true });
    await Deno.mkdir(store);
    await Deno.writeTextFile(config, BARE_VENUE);
  });
  afterEach(() => Deno.remove(dir, { recursive: true }));

  const files = () => [...Deno.readDirSync(join(store, "run"))].map(({ name }) => name).sort();

  it("says what the file said, after the file says something else or is gone", async () => {
    const venue = loadVenue(config);
    const copy = copyVenueFile(config, venue, store);
    assert.deepEqual(copy, { config: join(store, "run", "venue.json"), dictionaries: [] });
    await Deno.writeTextFile(config, BARE_VENUE.replace("0.05", "0.10"));
    assert.deepEqual(loadVenue(copy.config), venue);
    await Deno.remove(config);
    assert.deepEqual(loadVenue(copy.config), venue);
    assert.equal(Deno.statSync(copy.config).mode! & 0o777, 0o600);
  });

  it("says the same of the shipped venue", () => {
    const shipped = join(PROJECT_DIR, "infra/venue.yaml");
    assert.deepEqual(loadVenue(copyVenueFile(shipped, loadVenue(shipped), store).config), loadVenue(shipped));
  });

  it("has a copy of each dictionary, once, wherever the file and who starts it are", async () => {
    await Deno.writeTextFile(config, BARE_VENUE + SESSIONS);
    for (const path of ["own.xml", "d/own.xml"]) await Deno.copyFile(DICTIONARY, join(source, path));
    const near = relative(Deno.cwd(), config);
    const copy = copyVenueFile(near, loadVenue(near), store);
    await Deno.remove(source, { recursive: true });
    const copies = ["1-own.xml", "2-own.xml"].map((name) => join(store, "run", name));
    assert.deepEqual(copy.dictionaries, copies);
    const { sessions } = loadVenue(copy.config);
    assert.deepEqual(sessions.map(({ settings }) => settings?.dictionary), [
      copies[0],
      copies[1],
      copies[1],
      null,
    ]);
    const dictionaryOf = loadDictionaries(sessions);
    assert.deepEqual(sessions.map((each) => dictionaryOf(each).messageNames.has("U1")), [
      true,
      true,
      true,
      false,
    ]);
  });

  it("takes the place of an earlier run's, and leaves nothing of that", async () => {
    await Deno.mkdir(join(store, "run"));
    await Deno.writeTextFile(join(store, "run", "1-old.xml"), "<fix/>");
    copyVenueFile(config, loadVenue(config), store);
    assert.deepEqual(files(), ["venue.json"]);
  });

  it("leaves an earlier run's as it is, and whole, when it ends while it writes", async () => {
    const before = copyVenueFile(config, loadVenue(config), store).config;
    const text = await Deno.readTextFile(before);
    await Deno.writeTextFile(config, BARE_VENUE.replace("0.05", "0.10"));
    const { writeTextFileSync } = Deno;
    Deno.writeTextFileSync = (path, data, options) => {
      writeTextFileSync(path, String(data).slice(0, 100), options);
      throw new Error("the end");
    };
    try {
      assert.throws(() => copyVenueFile(config, loadVenue(config), store), { message: "the end" });
    } finally {
      Deno.writeTextFileSync = writeTextFileSync;
    }
    assert.equal(copiedVenueFile(store), before);
    assert.equal(await Deno.readTextFile(before), text);
    copyVenueFile(config, loadVenue(config), store);
    assert.deepEqual(files(), ["venue.json"]);
    assert.deepEqual(loadVenue(before), loadVenue(config));
  });

  it("is refused of a file that has changed since it was loaded, and with a dictionary that is no good", async () => {
    const refused = (venue = loadVenue(config)) => {
      try {
        copyVenueFile(config, venue, store);
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
        return error.message;
      }
      assert.fail("it was copied");
    };
    const before = loadVenue(config);
    await Deno.writeTextFile(config, BARE_VENUE.replace("0.05", "0.10"));
    assert.equal(refused(before), `Cannot start by ${config}: it was changed a moment ago`);
    await Deno.writeTextFile(config, `${BARE_VENUE}sessionDefaults: { dictionary: none.xml }\n`);
    assert.match(
      refused(),
      new RegExp(`^Cannot load FIX dictionary ${join(source, "none.xml")}: No such file`),
    );
    await Deno.writeTextFile(join(source, "none.xml"), "<fix/>");
    assert.equal(refused(), `Cannot load FIX dictionary ${join(source, "none.xml")}: <fix> has no <fields>`);
    assert.throws(() => Deno.statSync(join(store, "run")), Deno.errors.NotFound);
  });
});
