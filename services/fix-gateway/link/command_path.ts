/**
 * The way of a gateway's batches into the command streams, and what its sessions hear of it: sent, taken, given up.
 * Owns how publisher, streams' answers, events and the keeper of sessions fit together. Decides nothing else.
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { batchOrigin } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { cmdStream } from "../../../shared/protocol/mod.ts";
import type { SessionKeeper } from "../durable/mod.ts";
import { CommandPublisher } from "./command_publisher.ts";
import { TakenBatches } from "./taken_batches.ts";
import { answerUnavailable } from "./unavailable.ts";

/** What the path is made from. */
export interface CommandPathOptions {
  readonly nc: NatsConnection;
  readonly venue: Venue;
  readonly gatewayId: number;
  readonly bootId: number;
  readonly keeper: SessionKeeper;
  /** See {@link CommandPublisher}. */
  readonly giveUpAfterMs?: number;
  /** The gateway cannot go on. */
  readonly onFatal: (error: Error) => void;
  readonly log: Logger;
}

/** The path, and the batches on it that wait for their events. */
export interface CommandPath {
  readonly publisher: CommandPublisher;
  /** By shard. */
  readonly taken: ReadonlyMap<number, TakenBatches>;
}

/** Opens the path. */
export function openCommandPath(options: CommandPathOptions): CommandPath {
  const taken = takenBatches(options);
  return { taken, publisher: commandPublisher(options, taken) };
}

/**
 * What became of acknowledged batches, by shard. The keeper hears of those that the matcher took: the messages of one
 * that it did not take are asked for again when the gateway, or another, has started anew under a higher boot number.
 */
function takenBatches({ venue, keeper, onFatal }: CommandPathOptions): ReadonlyMap<number, TakenBatches> {
  const owner = (shard: number) => ({
    settled: (bytes: Uint8Array) => keeper.batchSettled(bytes),
    refused: (streamSeq: number, verdict: "refused" | "repeated") => {
      const what = `message ${streamSeq} of ${cmdStream(shard)}`;
      const why = verdict === "refused"
        ? `the matcher refused ${what}, which had been acknowledged to this gateway`
        : `numbers of ${what}, sent once, had been applied before: an earlier process had this boot number`;
      onFatal(new Error(`Cannot go on: ${why}`));
    },
  });
  return new Map(venue.shards.map((shard) => [shard, new TakenBatches(owner(shard))]));
}

/** The way into the command streams; the keeper hears what became of each batch. */
function commandPublisher(
  { nc, venue, gatewayId, bootId, keeper, giveUpAfterMs, log }: CommandPathOptions,
  taken: ReadonlyMap<number, TakenBatches>,
): CommandPublisher {
  return new CommandPublisher({
    nc,
    venue,
    gatewayId,
    bootId,
    giveUpAfterMs,
    onSent: (batch) => keeper.batchSent(batch),
    onAcknowledged: (shard, batch, streamSeq, sentOnce) =>
      taken.get(shard)!.acknowledged(batch, streamSeq, sentOnce),
    onGivenUp: (batch, reason, shard) => {
      // Without the session here nothing is settled: whoever has it next asks the client for these messages again.
      const { sessionId, incarnation } = batchOrigin(batch);
      if (keeper.answerPort(sessionId, incarnation) === undefined) return;
      answerUnavailable(batch, reason, shard, (id, run) => keeper.answerPort(id, run));
      keeper.batchSettled(batch);
    },
    unmatchedBytes: () => taken.values().reduce((sum, { waitingBytes }) => sum + waitingBytes, 0),
    log,
  });
}
