/** What a leading matcher does beside matching, as the matcher sees it (control/ and snapshot/ do it). Pure. */
import type { Event } from "../../shared/codec/wire/mod.ts";
import type { BatchOutcome } from "./engine/mod.ts";

/** Where a command message stood in its sender's numbers. */
export interface MessageOrigin {
  readonly gatewayId: number;
  readonly bootId: number;
  readonly firstGatewaySeq: number;
  /** Commands in the message. */
  readonly count: number;
}

/** Told of every command message, replayed ones too; works from {@link start} to {@link stop}. Must not throw. */
export interface LeaderDuties {
  /** An event that concerns no order, or a whole mass cancel; borrowed for the call. */
  venueEvent(event: Event, timestampUs: number): void;
  /** The command message whose events were told of has been applied, as far as `outcome` says. */
  applied(cmdSeq: number, origin: MessageOrigin, outcome: BatchOutcome): void;
  /** The matcher leads and has applied everything; resolves when what was due is done, or cannot be done now. */
  start(): Promise<void>;
  /** It leads no more, or never did. */
  stop(): void;
}

/** Several as one, in their order; one after the other at the start. */
export function allDuties(...each: readonly LeaderDuties[]): LeaderDuties {
  return {
    venueEvent: (event, timestampUs) => each.forEach((one) => one.venueEvent(event, timestampUs)),
    applied: (cmdSeq, origin, outcome) => each.forEach((one) => one.applied(cmdSeq, origin, outcome)),
    async start() {
      for (const one of each) await one.start();
    },
    stop: () => each.forEach((one) => one.stop()),
  };
}
