/**
 * Creates what FIX sessions are kept in: the stream of sent messages, the buckets of session records and leases (design
 * §4). Gateways alone need them. Does I/O.
 */
import { nanos, type NatsConnection } from "@nats-io/nats-core";
import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { errorText } from "../cli/log.ts";
import {
  AUDIT_STREAM,
  FIX_OUT_STREAM,
  fixOutSubject,
  LEASE_BUCKET,
  LEASE_MS,
  SESSION_BUCKET,
} from "../protocol/mod.ts";
import { ensureStream, type StreamSettings } from "./streams.ts";

/** What of the venue they depend on. */
export interface SessionStreamLimits {
  readonly fixOutStreamBytes: number;
  /** How long sent messages can be asked for again, hours. */
  readonly fixOutMaxAgeHours: number;
}

const HOUR_MS = 3_600_000;
/** Room for about 100,000 changes; when it is used up, no more are made until somebody has looked. */
const AUDIT_BYTES = 64 * 1024 * 1024;

/** The settings of the stream of sent messages. Pure. */
function fixOutSettings(limits: SessionStreamLimits): StreamSettings {
  return {
    name: FIX_OUT_STREAM,
    subjects: [fixOutSubject(0).replace("0", "*")],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    deny_delete: true,
    allow_direct: true,
    max_age: nanos(limits.fixOutMaxAgeHours * HOUR_MS),
    max_bytes: limits.fixOutStreamBytes,
    max_msgs_per_subject: -1,
    // Message ids are not relied on: the expected sequence is the fence.
    duplicate_window: nanos(100),
    num_replicas: 1,
  };
}

/** The settings of the stream of what operators changed: nothing in it is ever removed. Pure. */
export function auditSettings(): StreamSettings {
  return {
    name: AUDIT_STREAM,
    subjects: ["audit.>"],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
    max_bytes: AUDIT_BYTES,
    max_msgs_per_subject: -1,
    duplicate_window: nanos(100),
    num_replicas: 1,
  };
}

/** Creates what is missing and updates what differs. Throws an Error with one sentence when that cannot be done. */
export async function ensureSessionStreams(nc: NatsConnection, limits: SessionStreamLimits): Promise<void> {
  const manager = await jetstreamManager(nc, { checkAPI: false });
  await ensureStream(manager, fixOutSettings(limits));
  await ensureStream(manager, auditSettings());
  const kvm = new Kvm(nc);
  try {
    await kvm.create(SESSION_BUCKET, { history: 1, storage: StorageType.File });
    await kvm.create(LEASE_BUCKET, { history: 1, storage: StorageType.File, ttl: LEASE_MS });
  } catch (cause) {
    throw new Error(`Cannot create the buckets of FIX sessions: ${errorText(cause)}`, { cause });
  }
}
