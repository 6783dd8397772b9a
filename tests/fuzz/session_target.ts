/**
 * Aims at the session, both roles: a peer that speaks FIX, badly, at times of its choosing. Steps are made while the
 * session runs, so that numbers are near those that it expects, and kept, so that a fault can be shown again with fewer
 * of them. session_rules.ts has what must hold; at the end a good peer must be able to log on and be answered. Pure.
 */
import { bytesOf } from "./bytes.ts";
import { fewest, fewestBytes } from "./minimise.ts";
import { damage, fieldsOf, lying, mutateFields, pieces, sealed } from "./mutate.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { type BenchSetup, CLIENT, SessionBench, VENUE } from "./session_bench.ts";
import { type Finding, shownBytes, type Target, thrown } from "./target.ts";

/** One thing that is done to the session. */
export type Step =
  | { readonly kind: "connect"; readonly reset: boolean }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "wall"; readonly ms: number }
  | { readonly kind: "report"; readonly count: number }
  | { readonly kind: "read"; readonly reading: boolean }
  | { readonly kind: "disconnect" };

const STEPS = 120;
const HEADER_TAGS = /^(8|9|10|34|49|52|56)=/;
/** Fields whose values are numbers of messages. */
const NUMBER_FIELDS = /^(7|16|36|45|789)=\d+$/;

/** The session as a target that starts from `corpus`. */
export function sessionTarget(corpus: readonly string[]): Target {
  return {
    name: "session",
    about: "the session of either role against a peer that speaks FIX badly, under a virtual clock",
    smokeCases: 150,
    attempt: (seed) => attempt(seed, corpus),
  };
}

function attempt(seed: number, corpus: readonly string[]): Finding | null {
  const random = new SeededRandom(seed);
  const setup = setupOf(random);
  const bench = new SessionBench(setup);
  const steps: Step[] = [];
  for (let i = 0; i < STEPS; i++) {
    for (const step of nextSteps(random, bench, setup, corpus)) {
      steps.push(step);
      if (problemAfter(bench, step) !== null) return minimised(seed, setup, steps);
    }
  }
  return problemAtEnd(bench, setup) === null ? null : minimised(seed, setup, steps);
}

/** What is wrong after these steps from the start, or null. */
function sessionProblem(setup: BenchSetup, steps: readonly Step[]): string | null {
  const bench = new SessionBench(setup);
  for (const step of steps) {
    const problem = problemAfter(bench, step);
    if (problem !== null) return problem;
  }
  return problemAtEnd(bench, setup);
}

function problemAfter(bench: SessionBench, step: Step): string | null {
  try {
    apply(bench, step);
    return bench.rules.problem;
  } catch (error) {
    return thrown(error);
  }
}

function apply(bench: SessionBench, step: Step): void {
  switch (step.kind) {
    case "connect":
      return bench.connect(step.reset);
    case "bytes":
      return bench.receive(step.bytes);
    case "wait":
      return bench.wait(step.ms);
    case "wall":
      bench.wallStepMs += step.ms;
      return;
    case "report":
      return bench.report(step.count);
    case "read":
      return bench.read(step.reading);
    case "disconnect":
      return bench.disconnect();
  }
}

/** A peer that does everything right, from number 1 on, is answered. */
function problemAtEnd(bench: SessionBench, setup: BenchSetup): string | null {
  const initiator = setup.role === "initiator";
  const [sender, target] = initiator ? [VENUE, CLIENT] : [CLIENT, VENUE];
  const say = (type: string, seq: number, ...fields: string[]): Step => ({
    kind: "bytes",
    bytes: bytesOf(
      sealed([
        `35=${type}`,
        `34=${seq}`,
        `49=${sender}`,
        `52=${utc(bench.wallMs)}`,
        `56=${target}`,
        ...fields,
      ]),
    ),
  });
  const credentials = initiator ? [] : ["553=user", "554=secret"];
  const problem = problemAfter(bench, { kind: "wait", ms: 2000 }) ??
    problemAfter(bench, { kind: "connect", reset: true }) ??
    problemAfter(bench, say("A", 1, "98=0", "108=30", "141=Y", ...credentials)) ??
    problemAfter(bench, say("1", 2, "112=still there"));
  if (problem !== null) return problem;
  const expected = ["A", "0 still there"];
  const { log } = bench.rules;
  return log.join() === expected.join()
    ? null
    : `a good peer's Logon and TestRequest brought ${JSON.stringify(log)}`;
}

function setupOf(random: SeededRandom): BenchSetup {
  const rate = random.pick([Infinity, Infinity, 2, 20]);
  return {
    role: random.pick(["acceptor", "acceptor", "initiator"]),
    refuseEvery: random.pick([0, 3]),
    settings: {
      lastMsgSeqNumProcessed: random.oneIn(4),
      nextExpectedMsgSeqNum: random.oneIn(2),
      userDefinedFields: random.oneIn(4),
      resetOnLogon: random.oneIn(8),
    },
    limits: {
      heartBtIntMinSec: 0,
      heartBtIntMaxSec: 300,
      sendingTimeToleranceSec: 120,
      logonTimeoutSec: 10,
      maxQueuedMessages: random.pick([1, 8, 100]),
      maxUnsentBytes: random.pick([4096, 100_000, 1 << 20]),
      maxResendRepeats: random.pick([1, 20]),
      maxMessagesPerSecond: rate,
      overRateAnswer: random.pick(["reject", "business-reject", "logout"]),
    },
  };
}

function nextSteps(
  random: SeededRandom,
  bench: SessionBench,
  setup: BenchSetup,
  corpus: readonly string[],
): Step[] {
  if (!bench.connected && !random.oneIn(4)) return logonSteps(random, bench, setup);
  switch (random.below(16)) {
    case 0:
      return [{ kind: "wait", ms: random.pick([1, 40, 900, 2500, 11_000, 40_000]) }];
    case 1:
      return [{ kind: "report", count: 1 + random.below(random.oneIn(5) ? 150 : 4) }];
    case 2:
      return [{ kind: "read", reading: !bench.reading }];
    case 3:
      return random.oneIn(4) ? [{ kind: "wall", ms: random.pick([-60_000, -1, 1, 60_000, 1e7, -1e7]) }] : [];
    case 4:
      return random.oneIn(4) ? [{ kind: "disconnect" }] : [];
    default: {
      let text = "";
      for (let i = random.oneIn(3) ? random.below(4) : 0; i >= 0; i--) {
        text += message(random, bench, setup, corpus);
      }
      const bytes = bytesOf(text);
      const cut = random.oneIn(4) ? pieces(random, bytes) : [bytes];
      return cut.map((part) => ({ kind: "bytes", bytes: part }));
    }
  }
}

function logonSteps(random: SeededRandom, bench: SessionBench, setup: BenchSetup): Step[] {
  const reset = random.oneIn(4);
  const seq = reset ? 1 : near(random, bench.session.state.expectedSeq);
  const fields = ["98=0", `108=${random.pick([0, 1, 5, 30])}`];
  if (reset) fields.push("141=Y");
  if (random.oneIn(4)) fields.push(`789=${near(random, bench.session.state.outbound.nextSeq)}`);
  if (setup.role === "acceptor") fields.push("553=user", "554=secret");
  const logon = sealed(["35=A", ...header(random, bench, setup, seq), ...fields]);
  return [{ kind: "connect", reset: random.oneIn(3) }, { kind: "bytes", bytes: bytesOf(logon) }];
}

/** A message of the corpus under a likely number, in one case of three changed. */
function message(
  random: SeededRandom,
  bench: SessionBench,
  setup: BenchSetup,
  corpus: readonly string[],
): string {
  const { expectedSeq, outbound } = bench.session.state;
  const [type, ...rest] = fieldsOf(random.pick(corpus)).filter((field) => !HEADER_TAGS.test(field));
  const body = rest.map((field) => {
    if (field.startsWith("122=")) return `122=${utc(bench.wallMs - random.pick([0, 0, 1, 5000, -1, -1000]))}`;
    if (!NUMBER_FIELDS.test(field) || random.oneIn(4)) return field;
    return field.replace(
      /\d+$/,
      String(near(random, field.startsWith("36=") ? expectedSeq : outbound.nextSeq)),
    );
  });
  const whole = [type, ...header(random, bench, setup, near(random, expectedSeq)), ...body];
  if (random.oneIn(6)) whole.splice(3, 0, "43=Y", `122=${utc(bench.wallMs - random.pick([0, 3000, -1]))}`);
  switch (random.below(12)) {
    case 0:
      return lying(random, sealed(whole));
    case 1:
      return damage(random, sealed(whole), corpus);
    case 2:
    case 3:
      return sealed(mutateFields(random, whole, corpus));
    default:
      return sealed(whole);
  }
}

function header(random: SeededRandom, bench: SessionBench, setup: BenchSetup, seq: number): string[] {
  const [sender, target] = setup.role === "acceptor" ? [CLIENT, VENUE] : [VENUE, CLIENT];
  const off = random.oneIn(40) ? random.pick([-130_000, 130_000]) : random.pick([0, 0, -20, 1000]);
  return [
    `34=${seq}`,
    `49=${random.oneIn(60) ? "WHO" : sender}`,
    `52=${utc(bench.wallMs + off)}`,
    `56=${random.oneIn(60) ? "WHO" : target}`,
  ];
}

/** A number that is likely, often exactly. */
function near(random: SeededRandom, number: number): number {
  return random.pick([
    number,
    number,
    number,
    number,
    number + 1,
    number + 1 + random.below(5),
    1 + random.below(number),
  ]) +
    (random.oneIn(80) ? random.pick([-2, 1000, 2 ** 31 - 1, 2 ** 31, 1e12]) : 0);
}

function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/-/g, "").replace("T", "-").replace("Z", "");
}

function minimised(seed: number, setup: BenchSetup, steps: readonly Step[]): Finding {
  const problem = sessionProblem(setup, steps) ?? "it does not fail again";
  const kind = problem.slice(0, 12);
  const fails = (fewer: readonly Step[]) => sessionProblem(setup, fewer)?.startsWith(kind) === true;
  const joined = joinedBytes(steps);
  let least = fewest(fails(joined) ? joined : steps, fails);
  least = least.map((step, index) => {
    if (step.kind !== "bytes") return step;
    const withBytes = (bytes: Uint8Array) =>
      least.map((one, i) => i === index ? { kind: "bytes", bytes } as const : one);
    return { kind: "bytes", bytes: fewestBytes(step.bytes, (bytes) => fails(withBytes(bytes))) };
  });
  const told = fails(least) ? least : fewest(steps, fails);
  return {
    seed,
    problem: sessionProblem(setup, told) ?? problem,
    input: [`setup ${JSON.stringify(setup)}`, ...told.map(shownStep)],
  };
}

/** Steps in which bytes that come one after the other come at once. */
function joinedBytes(steps: readonly Step[]): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (step.kind !== "bytes" || last?.kind !== "bytes") joined.push(step);
    else joined[joined.length - 1] = { kind: "bytes", bytes: joinedOf(last.bytes, step.bytes) };
  }
  return joined;
}

function joinedOf(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function shownStep(step: Step): string {
  return step.kind === "bytes" ? `receive ${shownBytes(step.bytes)}` : JSON.stringify(step);
}
