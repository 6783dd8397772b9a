import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  demoSpec,
  gatewaySpec,
  marketDataSpec,
  MATCHER_ENV,
  MATCHER_V8_FLAGS,
  matcherSpec,
  PROJECT_DIR,
  SCRIPTS,
  type Surroundings,
} from "./programs.ts";
import type { ServiceSpec } from "./service.ts";

const AROUND: Surroundings = {
  config: "/v/venue.yaml",
  natsUrl: () => "nats://127.0.0.1:4222",
  natsUser: "u",
  natsPassword: "p",
  fixHost: "127.0.0.1",
  fixPort: () => 9878,
  fixLog: null,
  dictionaries: [],
  otlp: null,
  traceSample: 100,
  logLevel: "info",
  drainMs: 10,
  scripts: SCRIPTS,
  onSpawn: () => {},
};

const permissions = (spec: ServiceSpec) =>
  spec.launch().args.filter((arg) => /^--(allow|ignore|deny)/.test(arg)).join(" ");
/** What the matcher's thread runs. */
const THREAD = ["services/matcher", "shared", "infra/std"].map((path) => PROJECT_DIR + path).join(",");
const net = (spec: ServiceSpec) => /--allow-net=(\S*)/.exec(permissions(spec))?.[1];

describe("what services may do", () => {
  it("gives the matcher alone its V8 flags and its variables", () => {
    const flagged = (spec: ServiceSpec) => {
      const { args, env } = spec.launch();
      const tuned = env.GLIBC_TUNABLES === MATCHER_ENV.GLIBC_TUNABLES;
      assert.equal(tuned, args.includes(MATCHER_V8_FLAGS), spec.name);
      return tuned;
    };
    assert.deepEqual(
      [matcherSpec(0, true, AROUND), gatewaySpec(AROUND), marketDataSpec(AROUND)].map(flagged),
      [
        true,
        false,
        false,
      ],
    );
  });

  it("is to reach the NATS and FIX addresses that they need, to read the venue file, to see their own variables", () => {
    const rest = "--allow-read=/v/venue.yaml --allow-env=PITWIRE_*,OTEL_* --ignore-env";
    assert.deepEqual(
      [
        matcherSpec(0, true, AROUND),
        marketDataSpec(AROUND),
        gatewaySpec(AROUND),
        demoSpec(AROUND),
      ].map(permissions),
      [
        `--allow-net=127.0.0.1:4222 ${rest.replace("venue.yaml", `venue.yaml,${THREAD}`)}`,
        `--allow-net=127.0.0.1:4222 ${rest}`,
        `--allow-net=127.0.0.1:4222,127.0.0.1:9878 ${rest}`,
        `--allow-net=127.0.0.1:9878 ${rest}`,
      ],
    );
  });

  it("follows the FIX port, which is free to choose before the first start only", () => {
    let port = 0;
    const spec = gatewaySpec({ ...AROUND, fixPort: () => port });
    assert.equal(net(spec), "127.0.0.1:4222,127.0.0.1:0");
    port = 40_000;
    assert.equal(net(spec), "127.0.0.1:4222,127.0.0.1:40000");
  });

  it("names an IPv6 address so that its port is told from it", () => {
    const around = { ...AROUND, fixHost: "::1" };
    assert.deepEqual([net(gatewaySpec(around)), net(demoSpec(around))], [
      "127.0.0.1:4222,[::1]:9878",
      "[::1]:9878",
    ]);
  });

  it("includes the folder of message logs, for a gateway that is to write them", () => {
    const spec = gatewaySpec({ ...AROUND, fixLog: "/l/fix" });
    assert.equal(
      permissions(spec),
      "--allow-net=127.0.0.1:4222,127.0.0.1:9878 --allow-read=/v/venue.yaml,/l/fix --allow-write=/l/fix " +
        "--allow-env=PITWIRE_*,OTEL_* --ignore-env",
    );
    assert.deepEqual(spec.launch().args.slice(-2), ["--fix-log", "/l/fix"]);
    assert.throws(() => gatewaySpec({ ...AROUND, fixLog: "/l,l" }), {
      message: "Cannot let gateway read /l,l: Deno's permission flags cannot name a path with a comma",
    });
  });

  it("includes the dictionaries of the venue, for the gateway alone", () => {
    const around = { ...AROUND, dictionaries: ["/v/own.xml", "/d/other.xml"] };
    const read = (spec: ServiceSpec) => /--allow-read=(\S*)/.exec(permissions(spec))?.[1];
    assert.deepEqual([matcherSpec(0, true, around), marketDataSpec(around), gatewaySpec(around)].map(read), [
      `/v/venue.yaml,${THREAD}`,
      "/v/venue.yaml",
      "/v/venue.yaml,/v/own.xml,/d/other.xml",
    ]);
  });

  it("cannot be said for a venue file with a comma in its path", () => {
    assert.throws(() => matcherSpec(0, true, { ...AROUND, config: "/a,b/venue.yaml" }), {
      message:
        "Cannot let matcher read /a,b/venue.yaml: Deno's permission flags cannot name a path with a comma",
    });
  });
});

describe("the matchers of a shard", () => {
  const names = (only: boolean) =>
    (["alone", "first", "second"] as const).map((place) => matcherSpec(3, only, AROUND, place).name);

  it("are called by the shard when there are several, and the second of a pair has a b behind", () => {
    assert.deepEqual(names(true), ["matcher", "matcher", "matcher-b"]);
    assert.deepEqual(names(false), ["matcher-3", "matcher-3", "matcher-3-b"]);
  });

  it("stand by as a pair only", () => {
    const standsBy = (place: "alone" | "first" | "second") =>
      matcherSpec(3, true, AROUND, place).launch().args.includes("--standby");
    assert.deepEqual([standsBy("alone"), standsBy("first"), standsBy("second")], [false, true, true]);
  });
});
