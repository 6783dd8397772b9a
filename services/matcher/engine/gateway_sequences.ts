/**
 * Which commands of which gateway have been applied: boot number and last sequence per gateway id. Pure. Design: a
 * command carries gateway id, boot id and a gapless sequence; what was seen is dropped, a gap is refused.
 */
import type { Digest } from "./digest.ts";

/** What became of a command message. */
export const BatchOutcome = {
  /** Applied. */
  Applied: 0,
  /** Every command had been applied before: no effect. */
  Duplicate: 1,
  /** Commands before the first one are missing: refused whole, no effect. */
  Gap: 2,
  /** The gateway has since started again: refused whole, no effect. */
  OldBoot: 3,
  /** Applied, apart from leading commands that had been applied before. */
  Rest: 4,
} as const;
export type BatchOutcome = typeof BatchOutcome[keyof typeof BatchOutcome];

const GATEWAYS = 65536;

/** Per-gateway progress. */
export class GatewaySequences {
  /** Commands at the front of the message last admitted that had been applied before. */
  seen = 0;
  readonly #boots = new Float64Array(GATEWAYS);
  readonly #last = new Float64Array(GATEWAYS);
  /** Largest id of a gateway that has sent commands. */
  #lastGateway = 0;

  /** Judges a message of `count` commands, and when any is new, advances to its last. Sets {@link seen}. */
  admit(gatewayId: number, bootId: number, firstSeq: number, count: number): BatchOutcome {
    const boot = this.#boots[gatewayId];
    this.seen = 0;
    if (bootId < boot) return BatchOutcome.OldBoot;
    const last = bootId > boot ? 0 : this.#last[gatewayId];
    if (firstSeq > last + 1) return BatchOutcome.Gap;
    this.seen = Math.min(count, last + 1 - firstSeq);
    if (this.seen === count) return BatchOutcome.Duplicate;
    if (gatewayId > this.#lastGateway) this.#lastGateway = gatewayId;
    this.#boots[gatewayId] = bootId;
    this.#last[gatewayId] = firstSeq + count - 1;
    return this.seen === 0 ? BatchOutcome.Applied : BatchOutcome.Rest;
  }

  /** The boot number and last applied sequence of a gateway; zeros before its first command. */
  of(gatewayId: number): { bootId: number; lastSeq: number } {
    return { bootId: this.#boots[gatewayId], lastSeq: this.#last[gatewayId] };
  }

  /** Visits every gateway that has sent commands, by ascending id. */
  forEach(visit: (gatewayId: number, bootId: number, lastSeq: number) => void): void {
    for (let gateway = 0; gateway <= this.#lastGateway; gateway++) {
      if (this.#boots[gateway] !== 0) visit(gateway, this.#boots[gateway], this.#last[gateway]);
    }
  }

  /** Sets what has been applied of a gateway's commands. */
  restore(gatewayId: number, bootId: number, lastSeq: number): void {
    if (gatewayId > this.#lastGateway) this.#lastGateway = gatewayId;
    this.#boots[gatewayId] = bootId;
    this.#last[gatewayId] = lastSeq;
  }

  /** Adds every gateway that has sent commands, by ascending id. */
  digest(into: Digest): void {
    this.forEach((gateway, boot, last) => {
      into.word(gateway);
      into.integer(boot);
      into.integer(last);
    });
  }
}
