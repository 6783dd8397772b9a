/**
 * Which command messages the matcher takes, the naive way: the rule of docs/matching.md ("Gateways") written a second
 * time, for the verifier. Owns what was taken of each run of each gateway. Shares no logic with the engine. Pure.
 */
import type { Digest } from "../engine/digest.ts";

/** What becomes of a command message. */
export type Verdict =
  /** Taken from its command at `skip` on; `skip` is 0 unless a part of it was taken before. */
  | { readonly kind: "taken"; readonly skip: number }
  /** All of it was taken before. */
  | { readonly kind: "repeated" }
  /** Stands behind numbers that are missing, `missingFrom` the first of them. */
  | { readonly kind: "gap"; readonly missingFrom: number }
  /** Comes from a run that a later one has ended. */
  | { readonly kind: "old run" };

/** One run of a gateway and how many of its commands were taken: numbers 1 to `last`, none left out. */
export interface GatewayRun {
  readonly gatewayId: number;
  readonly bootId: number;
  readonly last: number;
}

/** Every gateway's runs. */
export class GatewayRules {
  readonly #current = new Map<number, { readonly bootId: number; last: number }>();
  /** Runs that have ended. */
  readonly #ended: GatewayRun[] = [];

  /** Judges a message of `count` commands numbered from `first`, and takes what is new of it. */
  judge(gatewayId: number, bootId: number, first: number, count: number): Verdict {
    const known = this.#current.get(gatewayId) ?? { bootId: 0, last: 0 };
    if (bootId < known.bootId) return { kind: "old run" };
    const run = bootId === known.bootId ? known : { bootId, last: 0 };
    if (first > run.last + 1) return { kind: "gap", missingFrom: run.last + 1 };
    let skip = 0;
    while (skip < count && first + skip <= run.last) skip++;
    if (skip === count) return { kind: "repeated" };
    run.last = first + count - 1;
    if (run !== known) {
      if (known.bootId > 0) this.#ended.push({ gatewayId, bootId: known.bootId, last: known.last });
      this.#current.set(gatewayId, run);
    }
    return { kind: "taken", skip };
  }

  /** Puts a gateway's present run back. */
  restore(gatewayId: number, bootId: number, last: number): void {
    this.#current.set(gatewayId, { bootId, last });
  }

  /** All runs, each gateway's in order. */
  runs(): GatewayRun[] {
    const current = [...this.#current].map(([gatewayId, { bootId, last }]) => ({ gatewayId, bootId, last }));
    return [...this.#ended, ...current].sort((a, b) => a.gatewayId - b.gatewayId || a.bootId - b.bootId);
  }

  /** Adds each gateway's present run, by ascending id, as the state hash has it. */
  digest(into: Digest): void {
    for (const [gatewayId, { bootId, last }] of [...this.#current].sort(([a], [b]) => a - b)) {
      into.word(gatewayId);
      into.integer(bootId);
      into.integer(last);
    }
  }
}
