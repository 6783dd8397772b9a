/**
 * One simulated run: a venue under trouble, then at rest, held to its invariants all the while. A run is a function of its
 * seed. Owns the order of things and the verdict.
 */
import type { Engine } from "../../services/matcher/engine/mod.ts";
import type { Matcher } from "../../services/matcher/matcher.ts";
import { cmdStream, evStream } from "../../shared/protocol/mod.ts";
import { parseVenue, type Venue } from "../../shared/config/mod.ts";
import { matcherBoot } from "./matcher_party.ts";
import { SimulatedNats } from "./nats_server.ts";
import type { SimulatedStream } from "./nats_stream.ts";
import { isFairEnd } from "./fair_ends.ts";
import { Network } from "./network.ts";
import { randomRequest, venueText } from "./order_flow.ts";
import { gatewayBoot, type Operator, operatorBoot, Parties, type PartyWorld } from "./parties.ts";
import { type Plant, plantIn, restoreTamperOf, tamperOf } from "./planted.ts";
import { type Process, Scheduler } from "./scheduler.ts";
import { ShardWatch } from "./shard_watch.ts";
import { POINTERS, SNAPSHOTS } from "./snapshot_watch.ts";
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
  /** Snapshots taken, and command messages purged. */
  readonly snapshots: number;
  readonly purged: number;
  readonly kinds: readonly string[];
  /** Virtual time from the end of the trouble until all was settled, ms. */
  readonly settledMs: number;
}

const SECOND = 1_000_000;
/** Within this after the end of trouble everything has to be settled. */
const SETTLE_US = 60 * SECOND;
const VENUES: readonly Venue[] = ([1, 2] as const).flatMap((shards) =>
  [false, true].map((schedule) => parseVenue(venueText({ shards, schedule }), "simulation.yaml"))
);

/** Runs one seed. Runs must not overlap: the global clock is one. */
export async function simulate(options: SimulationOptions): Promise<Verdict> {
  const run = new Run(options);
  try {
    return await run.verdict();
  } finally {
    run.dispose();
  }
}

interface MadeMatcher {
  readonly shard: number;
  readonly matcher: Matcher;
  readonly engine: Engine;
}

class Run {
  readonly #options: SimulationOptions;
  readonly #venue: Venue;
  readonly #scheduler: Scheduler;
  readonly #nats: SimulatedNats;
  readonly #parties: Parties;
  readonly #clients: { readonly trader: Trader; readonly process: Process }[] = [];
  readonly #trouble: Trouble;
  readonly #shards: readonly ShardWatch[];
  readonly #told: Told;
  readonly #matchers = new Map<string, MadeMatcher>();
  readonly #operator: Operator = { ask: () => {} };
  readonly #restore: () => void;
  #fault: string | null = null;

  constructor(options: SimulationOptions) {
    const scheduler = new Scheduler(options.seed);
    scheduler.onStep = options.onStep ?? null;
    const venue = scheduler.random.pick(VENUES);
    const nats = new SimulatedNats(scheduler);
    this.#options = options;
    this.#venue = venue;
    this.#scheduler = scheduler;
    this.#nats = nats;
    this.#parties = new Parties(scheduler);
    this.#trouble = new Trouble({
      scheduler,
      nats,
      parties: this.#parties,
      cutClient: () => {
        const { trader, process } = scheduler.random.pick(this.#clients);
        scheduler.after(0, process, "cut", () => trader.cut());
      },
      ask: () => this.#ask(),
      damageSnapshot: () => this.#damageSnapshot(),
    });
    this.#shards = venue.shards.map((shard) => new ShardWatch(venue, shard));
    this.#told = new Told(venue, this.#shards.map(({ engine }) => engine));
    this.#parties.onEnd = (name, why) => {
      const sinceUs = scheduler.nowUs - this.#trouble.inTheWayUs();
      if (!isFairEnd(why, sinceUs) && !this.#isLeftBehind(why)) {
        this.#fail(`${name} ended: ${why}`);
      }
    };
    plantIn(options.plant, nats);
    nats.onStored = (stream) => this.#onStored(stream);
    nats.onPurged = (stream) => this.#onPurged(stream);
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
    if (!inTime) this.#fail(`not settled a minute after the end of trouble: ${this.#unsettled()}`);
    if (this.#fault === null) this.#checkEnd();
    const sum = (of: (shard: ShardWatch) => number) => this.#shards.reduce((all, each) => all + of(each), 0);
    return {
      seed: this.#options.seed,
      fault: this.#fault,
      digest: scheduler.digest(),
      steps: scheduler.steps,
      virtualMs: Math.round(scheduler.nowUs / 1000),
      sent: this.#clients.reduce((all, { trader }) => all + trader.count, 0),
      commands: sum(({ cmdSeq }) => cmdSeq),
      epochs: sum(({ line }) => line.epoch),
      snapshots: sum(({ snapshots }) => snapshots.taken),
      purged: sum(({ shard }) => (this.#nats.streams.get(cmdStream(shard))?.firstSeq ?? 1) - 1),
      kinds: this.#trouble.kinds,
      settledMs: Math.round((scheduler.nowUs - troubleUs) / 1000),
    };
  }

  #populate(world: PartyWorld): void {
    const { random } = this.#scheduler;
    const venue = this.#venue;
    const gateways = random.pick([1, 1, 2]);
    const settings = {
      standby: random.chance(0.7),
      maxUnstoredBytes: random.pick([1500, 8 << 20]),
      snapshotEvery: random.pick([4, 12, 40]),
      tamper: restoreTamperOf(this.#options.plant),
    };
    for (const shard of venue.shards) {
      for (let i = random.pick([1, 2, 2]); i > 0; i--) {
        const name = `matcher-${shard}-${i}`;
        const boot = matcherBoot(world, { ...settings, shard }, (matcher, engine) => {
          this.#matchers.set(name, { shard, matcher, engine });
        });
        this.#parties.add(name, boot);
      }
    }
    const ports = Array.from({ length: gateways }, (_, i) => 9001 + i);
    ports.forEach((port, i) => this.#parties.add(`gateway-${i + 1}`, gatewayBoot(world, i + 1, port)));
    this.#parties.add("operator", operatorBoot(world, this.#operator));
    const everyMs = random.pick([20, 60, 150]);
    for (const { senderCompId } of venue.sessions) {
      const trader = new Trader(venue, senderCompId, ports, random);
      trader.onSent = (sent) => this.#told.sent(senderCompId, sent);
      trader.onReceived = (received) => this.#fail(this.#told.heard(senderCompId, received));
      trader.onAskedAgain = (beginSeqNo) => this.#told.askedAgain(senderCompId, beginSeqNo);
      trader.onNumber = (what) => this.#fail(`${senderCompId} ${what}`);
      const process = this.#scheduler.spawn(senderCompId, (error) => this.#fail(`a client died: ${error}`));
      this.#clients.push({ trader, process });
      this.#scheduler.after(0, process, "start", () => trader.start(everyMs));
    }
  }

  #ask(): void {
    const { random } = this.#scheduler;
    const { shard, symbols } = random.pick(this.#shards);
    this.#operator.ask(...randomRequest(shard, symbols, random));
  }

  #damageSnapshot(): void {
    const stored = this.#nats.streams.get(SNAPSHOTS);
    const { random } = this.#scheduler;
    const { shard, snapshots } = random.pick(this.#shards);
    if (stored !== undefined && snapshots.damage(stored, random)) {
      this.#scheduler.note(`the newest snapshot of shard ${shard} is damaged`);
    }
  }

  #onStored(stream: SimulatedStream): void {
    const { name } = stream.settings;
    const message = stream.messages.at(-1)!;
    if (name === SNAPSHOTS) return this.#trouble.snapshotStep();
    if (name === POINTERS) {
      for (const { snapshots } of this.#shards) this.#fail(snapshots.stored(message));
      return this.#trouble.snapshotStep();
    }
    for (const each of this.#shards) {
      if (name === cmdStream(each.shard)) {
        each.command(message);
        this.#told.stored(each.shard, message);
      } else if (name === evStream(each.shard)) this.#fail(each.line.take(message.seq, message.payload));
    }
  }

  #onPurged(stream: SimulatedStream): void {
    const { name } = stream.settings;
    const watch = this.#shards.find(({ shard }) => name === cmdStream(shard));
    if (watch !== undefined) this.#fail(watch.snapshots.purged(stream));
    if (watch !== undefined || name === SNAPSHOTS) this.#trouble.snapshotStep();
  }

  /** Whether a process was so slow that commands were purged, or snapshots replaced, that it had still to read. */
  #isLeftBehind(why: string): boolean {
    if (/^Cannot start shard \d+: \d+ times others had replaced the snapshots/.test(why)) return true;
    const [, shard, last] = /CMD_(\d+) sequence \d+: commands \d+ to (\d+) are missing/.exec(why) ?? [];
    const firstSeq = this.#nats.streams.get(`CMD_${shard}`)?.firstSeq ?? 0;
    return last !== undefined && Number(last) < firstSeq;
  }

  #fail(fault: string | null): void {
    if (fault !== null) this.#fault ??= `at ${this.#scheduler.nowUs / 1000} ms: ${fault}`;
  }

  /** What has not come to rest; null when all has. */
  #unsettled(): string | null {
    for (const { trader: { senderCompId, loggedOn, ends } } of this.#clients) {
      if (!loggedOn) return `${senderCompId} is not logged on (${ends.slice(-2).join("; ")})`;
      const wanted = this.#told.wanting(senderCompId);
      if (wanted !== null) return `${senderCompId} waits for ${wanted}`;
    }
    for (const { shard, cmdSeq, line } of this.#shards) {
      if (line.completeCmdSeq !== cmdSeq) {
        return `EV_${shard} has events up to command ${line.completeCmdSeq} of ${cmdSeq}`;
      }
      const states = this.#running(shard).map(({ matcher }) => matcher.state());
      if (!states.some(({ ready }) => ready)) return `nobody leads shard ${shard}`;
      if (!states.some((state) => state.cmdSeq === cmdSeq)) {
        return `no matcher of shard ${shard} has applied all commands`;
      }
    }
    return null;
  }

  #running(shard: number): (MadeMatcher & { readonly name: string })[] {
    return this.#parties.all.flatMap(({ name, process }) => {
      const made = this.#matchers.get(name);
      return process === null || made?.shard !== shard ? [] : [{ name, ...made }];
    });
  }

  #checkEnd(): void {
    for (const { trader: { senderCompId } } of this.#clients) this.#fail(this.#told.final(senderCompId));
    for (const { shard } of this.#shards) {
      const { cmdSeq } = this.#told.rebuild(shard);
      const hash = this.#told.rebuild(shard).stateHash();
      for (const { name, matcher, engine } of this.#running(shard)) {
        if (matcher.state().cmdSeq !== cmdSeq) continue;
        const own = engine.stateHash();
        if (own !== hash) {
          this.#fail(`${name} has state ${own} after command ${cmdSeq}, the reference ${hash}`);
        }
      }
    }
  }
}
