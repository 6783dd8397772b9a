/**
 * One simulated run: a venue under trouble, then at rest, held to its invariants all the while. A run is a function of its
 * seed. Owns the order of things and the verdict.
 */
import type { Engine } from "../../services/matcher/engine/mod.ts";
import type { Matcher } from "../../services/matcher/matcher.ts";
import { parseVenue, type Venue } from "../../shared/config/mod.ts";
import { EventLine } from "./event_line.ts";
import { SimulatedNats } from "./nats_server.ts";
import type { SimulatedStream } from "./nats_stream.ts";
import { Network } from "./network.ts";
import { VENUE_TEXT } from "./order_flow.ts";
import {
  gatewayBoot,
  matcherBoot,
  type Operator,
  operatorBoot,
  Parties,
  type PartyWorld,
} from "./parties.ts";
import { type Plant, plantIn, tamperOf } from "./planted.ts";
import { type Process, Scheduler } from "./scheduler.ts";
import { Told } from "./told.ts";
import { Trader } from "./trader.ts";
import { Trouble } from "./trouble.ts";
import { installVirtualGlobals } from "./virtual_globals.ts";

/** How to run. */
export interface SimulationOptions {
  readonly seed: number;
  /** A fault to put into the venue. */
  readonly plant?: Plant;
  /** Hears of everything that happens. */
  readonly onStep?: (line: string) => void;
}

/** What came of it. */
export interface Verdict {
  readonly seed: number;
  /** The first invariant that did not hold; null when all did. */
  readonly fault: string | null;
  /** Of everything that happened. */
  readonly digest: string;
  readonly steps: number;
  readonly virtualMs: number;
  /** Order messages that clients sent, and command messages. */
  readonly sent: number;
  readonly commands: number;
  readonly epochs: number;
  readonly kinds: readonly string[];
  /** Virtual time from the end of the trouble until all was settled, ms. */
  readonly settledMs: number;
}

const SECOND = 1_000_000;
/** Within this after the end of trouble everything has to be settled. */
const SETTLE_US = 60 * SECOND;
/** Why a process may end by itself: what it needs is away, another leads, or it was asked to. */
const FAIR_ENDS = [
  "connection refused",
  "timeout",
  "insufficient resources",
  "the connection was lost",
  "connection disconnected",
  "no answer in time",
  "Cannot lead shard",
  "another matcher wrote",
  "another process sends commands as this matcher",
  "drained",
];
const venue: Venue = parseVenue(VENUE_TEXT, "simulation.yaml");

/** Runs one seed. Runs must not overlap: the global clock is one. */
export async function simulate(options: SimulationOptions): Promise<Verdict> {
  const run = new Run(options);
  try {
    return await run.verdict();
  } finally {
    run.dispose();
  }
}

class Run {
  readonly #options: SimulationOptions;
  readonly #scheduler: Scheduler;
  readonly #nats: SimulatedNats;
  readonly #parties: Parties;
  readonly #clients: { readonly trader: Trader; readonly process: Process }[] = [];
  readonly #trouble: Trouble;
  readonly #line: EventLine;
  readonly #told: Told;
  readonly #matchers = new Map<string, { matcher: Matcher; engine: Engine }>();
  readonly #operator: Operator = { handOver: () => {} };
  readonly #restore: () => void;
  #fault: string | null = null;

  constructor(options: SimulationOptions) {
    const { maxOpenOrders, clOrdIdHistory } = venue.limits;
    const engine = { shard: 0, instruments: venue.instruments, maxOpenOrders, clOrdIdHistory };
    const scheduler = new Scheduler(options.seed);
    scheduler.onStep = options.onStep ?? null;
    const nats = new SimulatedNats(scheduler);
    this.#options = options;
    this.#scheduler = scheduler;
    this.#nats = nats;
    this.#parties = new Parties(scheduler);
    this.#trouble = new Trouble({
      scheduler,
      nats,
      parties: this.#parties,
      cutClient: () => this.#cutClient(),
      handOver: () => this.#operator.handOver(),
    });
    this.#line = new EventLine(engine, () => nats.streams.get("CMD_0")!);
    this.#told = new Told(venue, engine);
    this.#parties.onEnd = (name, why) => {
      if (!FAIR_ENDS.some((each) => why.includes(each))) this.#fail(`${name} ended: ${why}`);
    };
    plantIn(options.plant, nats);
    nats.onStored = (stream) => this.#onStored(stream);
    const delays = () => this.#trouble.delays;
    this.#restore = installVirtualGlobals(scheduler, new Network(scheduler, delays));
    this.#populate({ scheduler, nats, delays, venue, tamperOf: tamperOf(options.plant, nats) });
  }

  dispose(): void {
    this.#restore();
  }

  async verdict(): Promise<Verdict> {
    const scheduler = this.#scheduler;
    const failed = () => this.#fault !== null;
    const troubleUs = scheduler.random.between(2, 5) * SECOND;
    this.#trouble.start();
    await scheduler.run(failed, troubleUs);
    this.#trouble.end();
    for (const { trader } of this.#clients) trader.trades = false;
    let looks = 0;
    const settled = () => failed() || ++looks % 64 === 0 && this.#unsettled() === null;
    const inTime = failed() || await scheduler.run(settled, troubleUs + SETTLE_US);
    if (!inTime) {
      this.#fail(`not settled ${SETTLE_US / SECOND} s after the end of trouble: ${this.#unsettled()}`);
    }
    if (this.#fault === null) this.#checkEnd();
    return {
      seed: this.#options.seed,
      fault: this.#fault,
      digest: scheduler.digest(),
      steps: scheduler.steps,
      virtualMs: Math.round(scheduler.nowUs / 1000),
      sent: this.#clients.reduce((sum, { trader }) => sum + trader.sent.length, 0),
      commands: this.#told.rebuild.cmdSeq,
      epochs: this.#line.epoch,
      kinds: this.#trouble.kinds,
      settledMs: Math.round((scheduler.nowUs - troubleUs) / 1000),
    };
  }

  #populate(world: PartyWorld): void {
    const { random } = this.#scheduler;
    const gateways = random.pick([1, 1, 2]);
    const matchers = random.pick([1, 2, 2]);
    const settings = { standby: random.chance(0.7), maxUnstoredBytes: random.pick([1500, 8 << 20]) };
    for (let i = 0; i < matchers; i++) {
      const name = `matcher-${i + 1}`;
      const onMade = (matcher: Matcher, engine: Engine) => this.#matchers.set(name, { matcher, engine });
      this.#parties.add(name, matcherBoot(world, settings, onMade));
    }
    const ports = Array.from({ length: gateways }, (_, i) => 9001 + i);
    ports.forEach((port, i) => this.#parties.add(`gateway-${i + 1}`, gatewayBoot(world, i + 1, port)));
    this.#parties.add("operator", operatorBoot(world, this.#operator));
    const everyMs = random.pick([20, 60, 150]);
    for (const { senderCompId } of venue.sessions) {
      const trader = new Trader(venue, senderCompId, ports, random);
      trader.onReceived = (received) => this.#fail(this.#told.heard(senderCompId, received));
      trader.onAskedAgain = (beginSeqNo) => this.#told.askedAgain(senderCompId, beginSeqNo);
      trader.onNumber = (what) => this.#fail(`${senderCompId} ${what}`);
      const process = this.#scheduler.spawn(senderCompId, (error) => this.#fail(`a client died: ${error}`));
      this.#clients.push({ trader, process });
      this.#scheduler.after(0, process, "start", () => trader.start(everyMs));
    }
  }

  #cutClient(): void {
    const { trader, process } = this.#scheduler.random.pick(this.#clients);
    this.#scheduler.after(0, process, "cut", () => trader.cut());
  }

  #onStored(stream: SimulatedStream): void {
    const { name } = stream.settings;
    const message = stream.messages.at(-1)!;
    if (name === "CMD_0") this.#told.stored(message);
    else if (name === "EV_0") this.#fail(this.#line.take(message.seq, message.payload));
  }

  #fail(fault: string | null): void {
    if (fault !== null) this.#fault ??= `at ${this.#scheduler.nowUs / 1000} ms: ${fault}`;
  }

  /** What has not come to rest; null when all has. */
  #unsettled(): string | null {
    const cmdSeq = this.#nats.streams.get("CMD_0")?.lastSeq ?? 0;
    for (const { trader: { senderCompId, loggedOn, unanswered, ends } } of this.#clients) {
      if (!loggedOn) return `${senderCompId} is not logged on (${ends.slice(-2).join("; ")})`;
      if (unanswered.length > 0) return `${senderCompId} has no answer to ${unanswered.slice(0, 3)}`;
      if (!this.#told.complete(senderCompId)) return `${senderCompId} has not had all reports`;
    }
    if (this.#line.completeCmdSeq !== cmdSeq) {
      return `EV_0 has events up to command ${this.#line.completeCmdSeq} of ${cmdSeq}`;
    }
    const states = this.#parties.all.flatMap(({ name, process }) => {
      const made = this.#matchers.get(name);
      return made === undefined || process === null ? [] : [made.matcher.state()];
    });
    if (!states.some(({ ready }) => ready)) return "no matcher leads";
    return states.some((state) => state.cmdSeq === cmdSeq) ? null : "no matcher has applied all commands";
  }

  #checkEnd(): void {
    for (const { trader: { senderCompId, sent } } of this.#clients) {
      this.#fail(this.#told.final(senderCompId, sent));
    }
    const { cmdSeq } = this.#told.rebuild;
    const hash = this.#told.rebuild.stateHash();
    for (const { name, process } of this.#parties.all) {
      const made = this.#matchers.get(name);
      if (made === undefined || process === null || made.matcher.state().cmdSeq !== cmdSeq) continue;
      const own = made.engine.stateHash();
      if (own !== hash) this.#fail(`${name} has state ${own} after command ${cmdSeq}, the reference ${hash}`);
    }
  }
}
