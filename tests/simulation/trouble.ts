/**
 * The faults of one run: which kinds there are, how often, and when each begins and ends, all by chance. Kills, pauses,
 * cuts, losses, repeats, refusals, slow networks, a clock that is set. Owns no process and no server.
 */
import type { SimulatedNats } from "./nats_server.ts";
import { NO_FAULTS } from "./nats_server.ts";
import type { Delays } from "./network.ts";
import type { Parties, Party } from "./parties.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";
import type { Scheduler } from "./scheduler.ts";

/** What trouble works on. */
export interface TroubleWorld {
  readonly scheduler: Scheduler;
  readonly nats: SimulatedNats;
  readonly parties: Parties;
  /** Cuts one of the clients' connections. */
  readonly cutClient: () => void;
  /** Has an operator ask a matcher for something. */
  readonly ask: () => void;
  /** Damages the newest snapshot of a shard, if it may be. */
  readonly damageSnapshot: () => void;
}

/** What the kinds work on. */
interface KindWorld extends TroubleWorld {
  /** Ends, after so long, what an action has begun. */
  readonly ending: (delayUs: number, kind: string, act: () => void) => void;
}

const MS = 1000;
const QUIET: Delays = { usualUs: 300, rareUs: 2000, rareChance: 0.01 };

type Action = (world: KindWorld, random: SeededRandom) => void;

/** Kills whoever takes a snapshot, soon after a step of that. */
const AT_SNAPSHOTS = "kill at snapshots";

/** Kinds by name; a run has some of them. */
const KINDS: Readonly<Record<string, Action>> = {
  "kill matcher": (world, random) => killOne(world, random, "matcher"),
  "kill gateway": (world, random) => killOne(world, random, "gateway"),
  "kill nats": ({ ending, nats }, random) => {
    if (!nats.up) return;
    nats.die();
    ending(random.between(100 * MS, 2000 * MS), "nats starts", () => nats.start());
  },
  "pause matcher": (world, random) => pauseOne(world, random, "matcher"),
  "pause gateway": (world, random) => pauseOne(world, random, "gateway"),
  "pause nats": ({ ending, nats }, random) => {
    if (nats.paused) return;
    nats.pause();
    ending(random.between(50 * MS, 3000 * MS), "nats goes on", () => nats.resume());
  },
  "drain matcher": (world, random) => drainOne(world, random, "matcher"),
  "drain gateway": (world, random) => drainOne(world, random, "gateway"),
  "operator": ({ ask }) => ask(),
  "damage snapshot": ({ damageSnapshot }) => damageSnapshot(),
  "lose consumer": ({ nats }) => nats.loseConsumer(),
  "cut nats": ({ nats }) => nats.cutOne(),
  "cut fix": ({ cutClient }) => cutClient(),
  "lose core": (world, random) => spell(world, random, { coreLost: 0.3, coreTwice: 0.2 }),
  "lose answers": (world, random) => spell(world, random, { answerLost: 0.2 }),
  "lose deliveries": (world, random) => spell(world, random, { deliveryLost: 0.1, deliveryTwice: 0.1 }),
  "refuse": (world, random) => spell(world, random, { refused: random.pick([0.2, 1]) }),
  "set clock": ({ nats }, random) => {
    nats.clockOffsetUs = random.between(-1, 1) * random.pick([50, 2000, 3_600_000]) * MS;
  },
};

/** Kinds that are over at once, and stand between a process and the server. */
const CUTS = new Set(["cut nats", "lose consumer"]);
/** A network is slow in which something takes so long now and then: requests have a second. */
const SLOW_US = 400 * MS;

/** The trouble of one run. */
export class Trouble {
  /** The kinds that this run has. */
  readonly kinds: readonly string[];
  readonly #world: TroubleWorld;
  readonly #everyUs: number;
  #delays: Delays;
  #over = false;
  /** When it was last seen that something stood in the way. */
  #inTheWayUs = -Infinity;

  constructor(world: TroubleWorld) {
    const { random } = world.scheduler;
    this.#world = world;
    this.kinds = [...Object.keys(KINDS), AT_SNAPSHOTS].filter(() => random.chance(0.35));
    this.#everyUs = random.pick([30, 100, 300, 1000]) * MS;
    this.#delays = {
      usualUs: random.pick([100, 300, 2000]),
      rareUs: random.pick([2, 50, 400, 2500]) * MS,
      rareChance: random.pick([0, 0.005, 0.03]),
    };
  }

  /** How slow the network is now. */
  get delays(): Delays {
    return this.#delays;
  }

  /**
   * When something last stood between processes and the server, µs: now while it is down, stopped, loses or refuses
   * something, while the network is slow or some process is stopped.
   */
  inTheWayUs(): number {
    const { scheduler, nats, parties } = this.#world;
    const { rareUs, rareChance } = this.#delays;
    const isSlow = rareChance > 0 && rareUs >= SLOW_US;
    const isWrong = !nats.up || nats.paused || nats.faults !== NO_FAULTS;
    const isStopped = parties.all.some(({ process }) => process?.paused);
    if (isSlow || isWrong || isStopped) this.#inTheWayUs = scheduler.nowUs;
    return this.#inTheWayUs;
  }

  /** Begins. */
  start(): void {
    if (this.kinds.some((kind) => kind !== AT_SNAPSHOTS)) this.#next();
  }

  /** Something of a snapshot has been stored, or commands purged. */
  snapshotStep(): void {
    const { scheduler, parties } = this.#world;
    const { random } = scheduler;
    if (this.#over || !this.kinds.includes(AT_SNAPSHOTS) || !random.chance(0.1)) return;
    scheduler.after(random.between(0, 3 * MS), null, "kill at a snapshot", () => {
      const taking = parties.all.filter(({ process }) => (process?.threads.size ?? 0) > 0);
      if (taking.length > 0) scheduler.kill(random.pick(taking).process!);
    });
  }

  /** Everything works from now on. */
  end(): void {
    const { scheduler, nats, parties } = this.#world;
    this.inTheWayUs();
    this.#over = true;
    this.#delays = QUIET;
    nats.faults = NO_FAULTS;
    if (!nats.up) nats.start();
    nats.resume();
    for (const { process } of parties.all) if (process?.paused === true) scheduler.resume(process);
  }

  #next(): void {
    const { scheduler } = this.#world;
    const { random } = scheduler;
    const ending = (delayUs: number, kind: string, act: () => void) => {
      scheduler.after(delayUs, null, kind, () => {
        this.inTheWayUs();
        act();
      });
    };
    scheduler.after(random.between(1, 2 * this.#everyUs), null, "trouble", () => {
      if (this.#over) return;
      const kind = random.pick(this.kinds.filter((each) => each !== AT_SNAPSHOTS));
      scheduler.note(`${scheduler.nowUs} trouble: ${kind}`);
      KINDS[kind]({ ...this.#world, ending }, random);
      if (CUTS.has(kind)) this.#inTheWayUs = scheduler.nowUs;
      this.#next();
    });
  }
}

function running({ parties }: TroubleWorld, prefix: string): Party[] {
  return parties.all.filter(({ name, process }) => name.startsWith(prefix) && process !== null);
}

function killOne(world: TroubleWorld, random: SeededRandom, prefix: string): void {
  const party = random.pick(running(world, prefix));
  if (party?.process == null) return;
  world.scheduler.note(`kill ${party.process.name}`);
  world.scheduler.kill(party.process);
}

function pauseOne(world: KindWorld, random: SeededRandom, prefix: string): void {
  const { scheduler, ending } = world;
  const process = random.pick(running(world, prefix))?.process ?? null;
  if (process === null || process.paused) return;
  scheduler.note(`pause ${process.name}`);
  scheduler.pause(process);
  ending(
    random.between(5 * MS, random.pick([200, 3000]) * MS),
    `resume ${process.name}`,
    () => {
      if (process.alive && process.paused) scheduler.resume(process);
    },
  );
}

function drainOne({ scheduler, parties }: TroubleWorld, random: SeededRandom, prefix: string): void {
  const { process, drain } = random.pick(parties.all.filter(({ name }) => name.startsWith(prefix)));
  if (process === null || drain === null) return;
  scheduler.after(0, process, "drain", () => {
    drain().catch((error) => scheduler.exit(process, error));
  });
}

/** Faults of the server, for a while. */
function spell(
  { ending, nats }: KindWorld,
  random: SeededRandom,
  faults: Partial<typeof NO_FAULTS>,
): void {
  nats.faults = { ...nats.faults, ...faults };
  ending(random.between(50 * MS, 1500 * MS), "spell ends", () => {
    nats.faults = NO_FAULTS;
  });
}
