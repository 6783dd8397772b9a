/** The settings of the ephemeral push consumer that a stream reader owns. No I/O. */
import { nanos, nuid } from "@nats-io/nats-core";
import { AckPolicy, type ConsumerConfig, DeliverPolicy, ReplayPolicy } from "@nats-io/jetstream";

/** How long the server keeps a consumer to whose subject nobody listens, ms. */
const INACTIVE_MS = 5000;
/** Few, since they stand in each delivery, and enough for a stream's handful of readers. */
const NAME_CHARACTERS = 8;

/** A name for one. One that is taken after all is not made. */
export function consumerName(): string {
  return nuid.next().slice(-NAME_CHARACTERS);
}

/** Delivers the stream to `inbox` from `startSeq` on, unacknowledged, with flow control and heartbeats. */
export function orderedConsumer(
  name: string,
  inbox: string,
  startSeq: number,
  heartbeatMs: number,
): Partial<ConsumerConfig> {
  return {
    name,
    deliver_subject: inbox,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: startSeq,
    ack_policy: AckPolicy.None,
    replay_policy: ReplayPolicy.Instant,
    flow_control: true,
    idle_heartbeat: nanos(heartbeatMs),
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(INACTIVE_MS),
  };
}
