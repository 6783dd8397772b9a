/**
 * A hand-over that an operator asks for: the leader is asked, and the audit says before that it was and afterwards what came
 * of it. Owns the order of these, and what is kept. Does I/O through its ports.
 */
import { errors } from "@nats-io/nats-core";
import type { HandoverAnswer } from "../../services/matcher/standby/handover_messages.ts";
import { errorText } from "../../shared/cli/log.ts";
import type { AuditStream, NatsConnection } from "../../shared/nats/mod.ts";
import { handoverSubject, venueAuditSubject } from "../../shared/protocol/mod.ts";

/** What came of a hand-over. */
export type HandoverOutcome =
  | HandoverAnswer
  /** The leader was asked and has not answered. */
  | { readonly kind: "unknown"; readonly shard: number; readonly why: string };

/** What is kept of it: JSON on `audit.venue.<s>` of the stream AUDIT. */
export interface HandoverAuditEntry {
  /** UTC, ISO 8601. */
  readonly time: string;
  readonly by: string;
  /** Who asked the leader. */
  readonly via: "admin";
  readonly shard: number;
  readonly asked: { readonly do: "handover" };
  /**
   * `started` is written before the leader is asked, one of the others behind it. A `started` alone means that whoever asked
   * died: `shard status` tells who leads.
   */
  readonly outcome: "started" | "done" | "refused" | "unknown";
  /** The epochs before and after, when it is done. */
  readonly from?: number;
  readonly to?: number;
  /** Why it is not, or not known to be. */
  readonly reason?: string;
}

/** What it works with. */
export interface HandoverPorts {
  readonly nc: Pick<NatsConnection, "request">;
  readonly audit: Pick<AuditStream, "write">;
  readonly wallMs: () => number;
}

/** Longer than a leader takes to answer that its standby did not take over. */
const HANDOVER_MS = 10_000;

/**
 * Has a shard's leader hand over to its standby; resolves when that leads, or with why it does not. Rejects, and nothing was
 * done, when the audit cannot be written; or, after the hand-over, when it does not say what came of it.
 */
export async function handOver(
  shard: number,
  by: string,
  { nc, audit, wallMs }: HandoverPorts,
): Promise<HandoverOutcome> {
  const write = (outcome: HandoverAuditEntry["outcome"], more: Partial<HandoverAuditEntry> = {}) => {
    const time = new Date(wallMs()).toISOString();
    const entry = { time, by, via: "admin", shard, asked: { do: "handover" }, outcome, ...more } as const;
    return audit.write(venueAuditSubject(shard), entry satisfies HandoverAuditEntry);
  };
  await write("started");
  const answer = await ask(nc, shard);
  try {
    if (answer.kind === "handed-over") await write("done", { from: answer.from, to: answer.to });
    else await write(answer.kind, { reason: answer.why });
  } catch (cause) {
    const told = handoverLines([answer]).trim();
    throw new Error(`Cannot write into the audit what came of it. ${told}`, { cause });
  }
  return answer;
}

/** One line per shard. */
export function handoverLines(outcomes: readonly HandoverOutcome[]): string {
  return outcomes.map((outcome) => `${lineOf(outcome)}\n`).join("");
}

function lineOf(outcome: HandoverOutcome): string {
  switch (outcome.kind) {
    case "handed-over": {
      const { shard, from, to, pausedMs } = outcome;
      return `Handed over: shard ${shard}: epoch ${from} → ${to}, paused for ${pausedMs} ms`;
    }
    case "refused":
      return `Not handed over: shard ${outcome.shard}: ${outcome.why}`;
    case "unknown":
      return `Perhaps handed over: shard ${outcome.shard}: ${outcome.why}`;
  }
}

async function ask(nc: HandoverPorts["nc"], shard: number): Promise<HandoverOutcome> {
  try {
    return (await nc.request(handoverSubject(shard), "", { timeout: HANDOVER_MS })).json<HandoverAnswer>();
  } catch (cause) {
    if (cause instanceof errors.RequestError && cause.isNoResponders()) {
      return { kind: "refused", shard, why: "no matcher leads" };
    }
    const why = `no answer (${errorText(cause)}); who leads now, shard status says`;
    return { kind: "unknown", shard, why };
  }
}
