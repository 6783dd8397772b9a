/**
 * Runs the fast engine and the reference over the same commands and compares every event after each command, and the
 * state hash and the depth after each or after some; checks rules that hold of any flow. Test support only. Pure.
 */
import { Side } from "../../../shared/protocol/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import { ReferenceEngine } from "../reference/mod.ts";
import { type FeatureNames, Feed, type Setup, setupOf, type Step } from "./compare_setup.ts";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import type { EventSink } from "../engine/event_sink.ts";
import { FlowChecks } from "./flow_checks.ts";
import { copyOf, differingFields, sameEvent } from "../engine/event_fields.ts";
import { checkInvariants } from "../engine/invariants.ts";
import { formatCommand } from "../engine/test_command_lines.ts";
import { formatEvent } from "../engine/test_ledger.ts";

/** Where two engines part or break a rule, for the person who has to find out why. */
export interface Difference {
  /** Number of the command, from 1. */
  readonly command: number;
  /** The command as a line. */
  readonly line: string;
  readonly problem: string;
  /** What each did at that command, and its state afterwards. */
  readonly fast: readonly string[];
  readonly reference: readonly string[];
}

/** How thorough a comparison is. */
export interface Thoroughness {
  /** The hash and the depth are compared after every so many commands; events after each. */
  readonly stateEvery?: number;
  /** Those that the flow may have; default: all. */
  readonly features?: FeatureNames;
}

/** Compares over `commands` random commands and the cancel of everything; null when all is well. Does not throw. */
export function compareEngines(
  seed: number,
  commands: number,
  { stateEvery = 1, features }: Thoroughness = {},
): Difference | null {
  const setup = setupOf(seed, features);
  const comparison = new Comparison(setup.options, stateEvery);
  const feed = new Feed(setup, commands);
  for (let step = feed.next(); step !== null; step = feed.next()) {
    if (comparison.problemAfter(step) !== null) return differenceFor(setup, commands, comparison);
    feed.heard(comparison.events);
  }
  return comparison.problemAtEnd() === null ? null : differenceFor(setup, commands, comparison);
}

/** The same over given steps, every state compared; null when all is well, or at the first difference. */
export function compareSteps(options: EngineOptions, steps: readonly Step[]): Difference | null {
  const comparison = new Comparison(options, 1);
  for (const step of steps) {
    const problem = comparison.problemAfter(step);
    if (problem !== null) return described(options, steps.slice(0, comparison.commands), problem);
  }
  return null;
}

/** The first `count` steps of a setup with `commands` commands, as {@link compareEngines} has them. */
export function stepsOf(setup: Setup, commands: number, count: number): Step[] {
  const reference = new ReferenceEngine(setup.options);
  const feed = new Feed(setup, commands);
  const steps: Step[] = [];
  for (let step = feed.next(); step !== null && steps.length < count; step = feed.next()) {
    const tape = new Tape(false);
    reference.apply(step.sequence, step.index, step.timestampUs, step.command, tape);
    feed.heard(tape.events);
    steps.push(step);
  }
  return steps;
}

function differenceFor(setup: Setup, commands: number, { commands: count, problem }: Comparison): Difference {
  return described(setup.options, stepsOf(setup, commands, count), problem!);
}

/** Runs once more and writes down what both do at the last step. */
function described(options: EngineOptions, steps: readonly Step[], problem: string): Difference {
  const fast = new Engine(options);
  const reference = new ReferenceEngine(options);
  const ids = options.instruments.map(({ id }) => id);
  let fastEvents: Event[] = [];
  let referenceEvents: Event[] = [];
  for (const step of steps) {
    fastEvents = eventsOf(fast, step);
    referenceEvents = eventsOf(reference, step);
  }
  const lines = (own: Event[], others: Event[], engine: Engine | ReferenceEngine) => [
    ...own.map((event, i) => {
      const fields = differingFields(event, others[i]);
      return fields.length === 0 ? formatEvent(event) : `${formatEvent(event)}  <- ${fields.join(", ")}`;
    }),
    ...stateLines(engine, ids),
  ];
  return {
    command: steps.length,
    line: formatCommand(steps[steps.length - 1].command),
    problem,
    fast: lines(fastEvents, referenceEvents, fast),
    reference: lines(referenceEvents, fastEvents, reference),
  };
}

function eventsOf(engine: Engine | ReferenceEngine, step: Step): Event[] {
  const tape = new Tape(true);
  try {
    engine.apply(step.sequence, step.index, step.timestampUs, step.command, tape);
  } catch {
    // The problem says what was thrown; the events up to there are told.
  }
  return tape.events;
}

/** Two engines on one stream. */
class Comparison {
  /** Applied so far. */
  commands = 0;
  /** What is wrong, from the first fault on. */
  problem: string | null = null;
  readonly #fast: Engine;
  readonly #reference: ReferenceEngine;
  readonly #checks: FlowChecks;
  readonly #ids: readonly number[];
  readonly #stateEvery: number;
  readonly #expected = new Tape(false);
  readonly #compared = new ComparingSink(this.#expected.events);

  constructor(options: EngineOptions, stateEvery: number) {
    this.#fast = new Engine(options);
    this.#reference = new ReferenceEngine(options);
    this.#checks = new FlowChecks(options.instruments);
    this.#ids = options.instruments.map(({ id }) => id);
    this.#stateEvery = stateEvery;
  }

  /** The last step's. */
  get events(): readonly Event[] {
    return this.#expected.events;
  }

  /** Applies a step to both; what is wrong then, or null. */
  problemAfter(step: Step): string | null {
    this.commands++;
    try {
      this.#apply(step);
    } catch (error) {
      this.problem = `it threw ${error instanceof Error ? error.stack : error}`;
    }
    return this.problem;
  }

  /** What is wrong with what is left of a flow after its last step, or null. */
  problemAtEnd(): string | null {
    const left = this.#fast.openOrders;
    if (left !== 0) this.problem = `${left} orders outlive a cancel of all`;
    else if (stateLines(this.#fast, this.#ids).length > 1) this.problem = "levels outlive a cancel of all";
    else if (!this.#isSameState()) this.problem = "the states part";
    return this.problem;
  }

  #apply({ sequence, index, timestampUs, command }: Step): void {
    this.#expected.events.length = 0;
    this.#reference.apply(sequence, index, timestampUs, command, this.#expected);
    this.#compared.begin();
    this.#fast.apply(sequence, index, timestampUs, command, this.#compared);
    if (!this.#compared.isSame) this.problem = "the events part";
    this.#checks.command(this.#expected.events);
    if (this.commands % 16 === 0) checkInvariants(this.#fast);
    if (this.problem !== null || this.commands % this.#stateEvery !== 0) return;
    if (!this.#isSameState()) this.problem = "the states part";
  }

  #isSameState(): boolean {
    const fast = stateLines(this.#fast, this.#ids);
    const reference = stateLines(this.#reference, this.#ids);
    return fast.length === reference.length && fast.every((line, i) => line === reference[i]);
  }
}

/** What no command of a flow comes near, unless an engine goes round in circles. */
const MAX_EVENTS = 400_000;

/** Keeps the events that it is told of; those of the reference are nobody else's, the fast engine's are borrowed. */
class Tape implements EventSink {
  readonly events: Event[] = [];
  readonly #isBorrowed: boolean;

  constructor(isBorrowed: boolean) {
    this.#isBorrowed = isBorrowed;
  }

  commandStarts(): void {}

  event(event: Event): void {
    if (this.events.length === MAX_EVENTS) throw new Error(`more than ${MAX_EVENTS} events of one command`);
    this.events.push(this.#isBorrowed ? copyOf(event) : event);
  }
}

/** Holds events against those that are expected. */
class ComparingSink implements EventSink {
  readonly #expected: readonly Event[];
  #count = 0;
  #differs = false;

  constructor(expected: readonly Event[]) {
    this.#expected = expected;
  }

  begin(): void {
    this.#count = 0;
    this.#differs = false;
  }

  /** Whether it was told all of what is expected, and nothing else. */
  get isSame(): boolean {
    return !this.#differs && this.#count === this.#expected.length;
  }

  commandStarts(): void {}

  event(event: Event): void {
    if (this.#count > MAX_EVENTS) throw new Error(`more than ${MAX_EVENTS} events of one command`);
    const expected = this.#expected[this.#count++];
    if (expected === undefined || !sameEvent(event, expected)) this.#differs = true;
  }
}

/** The state hash, then every level. */
function stateLines(engine: Engine | ReferenceEngine, ids: readonly number[]): string[] {
  const lines = [engine.stateHash()];
  for (const id of ids) {
    for (const side of [Side.Buy, Side.Sell]) {
      engine.levels(id, side, (price, qty, orders) => lines.push(`${id} ${side} ${qty}@${price} x${orders}`));
    }
  }
  return lines;
}
