/**
 * A planned hand-over, the leader's side: stops taking commands, stores what it has, lets the standby claim. Owns the order
 * of these steps; goes on leading when one fails before the standby was asked. Does I/O.
 */
import { errors, type Subscription } from "@nats-io/nats-core";
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import { inTime } from "../../../shared/in_time.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { handoverSubject, standbySubject, takeOverSubject } from "../../../shared/protocol/mod.ts";
import type { HandoverAnswer, StandbyState, TakeOverAnswer } from "./handover_messages.ts";

/** What of the leader it needs. */
export interface HandoverOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly epoch: number;
  readonly log: Logger;
  /** The last command message applied. */
  readonly cmdSeq: () => number;
  /** Applies no command from now on. */
  readonly pause: () => void;
  /** Goes on, or ends when another matcher has written to EV_s since. */
  readonly resume: () => void;
  /** Resolves when every event made is stored. */
  readonly stored: () => Promise<void>;
  /** The standby leads; whoever asked has been told. */
  readonly onHandedOver: () => void;
}

/** How far behind a standby may be, command messages: it has to apply them before it can lead. */
const MAX_BEHIND = 1000;
const STANDBY_MS = 1000;
/** How long a standby is waited for that is not ready yet, and how often it is asked meanwhile. */
const READY_MS = 1000;
const LOOK_MS = 20;
const STORE_MS = 1000;
const TAKE_OVER_MS = 3000;
/** A leader hears nothing of a standby that is being started. */
const NO_STANDBY =
  "no standby follows it (one that was just started needs a few seconds: deno task admin shard status)";

/** Answers requests for a hand-over until the returned function is called. */
export function answerHandovers(options: HandoverOptions): () => void {
  const { nc, shard, log } = options;
  let busy = false;
  const subscription: Subscription = nc.subscribe(handoverSubject(shard), {
    callback: (error, message) => {
      if (error !== null) return;
      if (busy) {
        const answer: HandoverAnswer = { kind: "refused", shard, why: "another hand-over is under way" };
        message.respond(JSON.stringify(answer));
        return;
      }
      busy = true;
      handOver(options).then(async (answer) => {
        busy = false;
        log.info("asked to hand over", { ...answer });
        message.respond(JSON.stringify(answer));
        if (answer.kind !== "handed-over") return;
        await nc.flush().catch(() => {});
        options.onHandedOver();
      });
    },
  });
  return () => subscription.unsubscribe();
}

async function handOver(options: HandoverOptions): Promise<HandoverAnswer> {
  const { shard, epoch, pause, resume, stored } = options;
  const refused = (why: string): HandoverAnswer => ({ kind: "refused", shard, why });
  const unfit = await standbyFault(options);
  if (unfit !== null) return refused(unfit);
  const began = performance.now();
  pause();
  if (!await inTime(stored().then(() => true), STORE_MS, false)) {
    resume();
    return refused(`its events were not stored within ${STORE_MS} ms`);
  }
  const outcome = await askToLead(options);
  if (outcome.kind === "led") {
    const pausedMs = Math.round((performance.now() - began) * 10) / 10;
    return { kind: "handed-over", shard, from: epoch, to: outcome.epoch, pausedMs };
  }
  // A standby whose answer was lost leads all the same: the store has seen its claim, or its next publish is refused.
  resume();
  return refused(`its standby did not take over: ${outcome.why}`);
}

/** Why the standby cannot take over now; null when it can. One that has just come is given time to be compared. */
async function standbyFault({ nc, shard, cmdSeq }: HandoverOptions): Promise<string | null> {
  let state: StandbyState;
  const late = performance.now() + READY_MS;
  try {
    for (;;) {
      state = (await nc.request(standbySubject(shard), "", { timeout: STANDBY_MS })).json<StandbyState>();
      if (state.ready || performance.now() > late) break;
      await new Promise<void>((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } catch (cause) {
    const nobody = cause instanceof errors.RequestError && cause.isNoResponders();
    return nobody ? NO_STANDBY : `its standby does not answer: ${errorText(cause)}`;
  }
  if (!state.ready) {
    return `its standby still replays, or has not been compared with it: it is at command message ${state.cmdSeq}`;
  }
  const behind = cmdSeq() - state.cmdSeq;
  return behind > MAX_BEHIND ? `its standby is ${behind} command messages behind` : null;
}

async function askToLead({ nc, shard }: HandoverOptions): Promise<TakeOverAnswer> {
  try {
    return (await nc.request(takeOverSubject(shard), "", { timeout: TAKE_OVER_MS })).json<TakeOverAnswer>();
  } catch (cause) {
    return { kind: "failed", why: errorText(cause) };
  }
}
