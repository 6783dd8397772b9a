/**
 * Which processes of a venue die next: services of a target, a quarter of the time two at once; of a pair of matchers the
 * one that leads, the one that stands by, or both. Owns the draw. Test code only.
 */
import { matcherName } from "../../infra/supervisor/programs.ts";
import type { RunningVenue } from "../../infra/venue_process.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { within } from "../../shared/testing/awaited.ts";

/** What may be killed. */
export const TARGETS = ["matcher", "gateway", "nats", "market-data", "all"] as const;
export type Target = typeof TARGETS[number];

/** Draws victims for one run. */
export class Victims {
  readonly #running: RunningVenue;
  readonly #target: Target;
  /** Whether each shard has two matchers. */
  readonly #pairs: boolean;
  readonly #random: SeededRandom;

  constructor(running: RunningVenue, target: Target, pairs: boolean, random: SeededRandom) {
    this.#running = running;
    this.#target = target;
    this.#pairs = pairs;
    this.#random = random;
  }

  /** Names of all services of the venue. */
  get everybody(): string[] {
    const matchers = this.#matchers("all").flatMap(({ names }) => names);
    return [...matchers, "gateway", "nats", "market-data"];
  }

  /**
   * The services to kill; `calm` when everything runs, so that it can be asked who leads. Otherwise either of a pair is
   * as good as the other.
   */
  async draw(calm: boolean): Promise<string[]> {
    const services = this.#services();
    const random = this.#random;
    const first = random.below(services.length);
    const both = services.length > 1 && random.below(4) === 0;
    const picked = both ? [services[first], services[(first + 1) % services.length]] : [services[first]];
    const victims: string[] = [];
    for (const service of picked) victims.push(...await this.#membersOf(service, calm));
    return victims;
  }

  #matchers(target: Target): { readonly shard: number; readonly names: readonly string[] }[] {
    if (target !== "matcher" && target !== "all") return [];
    const { shards } = this.#running.venue;
    const only = shards.length === 1;
    return shards.map((shard) => ({
      shard,
      names: [
        matcherName(shard, only),
        ...(this.#pairs ? [matcherName(shard, only, true)] : []),
      ],
    }));
  }

  #services(): { readonly shard: number; readonly names: readonly string[] }[] {
    const others = this.#target === "all" ? ["gateway", "nats", "market-data"] : [this.#target];
    const rest = this.#target === "matcher" ? [] : others;
    return [...this.#matchers(this.#target), ...rest.map((name) => ({ shard: -1, names: [name] }))];
  }

  /** Of a pair half the time the leader, a quarter of the time the other, or both. */
  async #membersOf(
    { shard, names }: { readonly shard: number; readonly names: readonly string[] },
    calm: boolean,
  ): Promise<readonly string[]> {
    if (names.length === 1) return names;
    const which = this.#random.below(4);
    if (which === 3) return names;
    if (!calm) return [names[which % 2]];
    await within("nats to be ready", this.#running.whenReady("nats"));
    const roles = (await this.#running.roles()).find((each) => each.shard === shard)!;
    return [which === 2 ? roles.standby : roles.leader];
  }
}
