/**
 * Creates the streams of a venue with the settings of docs/wire.md, and brings existing ones up to date where that
 * cannot lose anything. Refuses a stream that has another purpose or could not hold what it holds. Does I/O.
 */
import type { NatsConnection } from "@nats-io/nats-core";
import { nanos } from "@nats-io/nats-core";
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  PersistMode,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { errorText } from "../cli/log.ts";
import { cmdStream, evStream, MAX_MESSAGE_BYTES, mdStream, REF_BUCKET } from "../protocol/mod.ts";

/** What of the venue the streams depend on. */
export interface StreamVenue {
  readonly shards: readonly number[];
  readonly limits: { readonly cmdStreamBytes: number; readonly evStreamBytes: number };
}

/** The settings that a stream is created with; what is not named keeps the server's default. */
export type StreamSettings = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };

/** Message ids are not relied on: the shortest window that the server takes. */
const DUPLICATE_WINDOW = nanos(100);
const MD_STREAM_BYTES = 64 * 1024 * 1024;

/** The settings of every stream of the venue. Pure. */
export function streamSettings(venue: StreamVenue): StreamSettings[] {
  return venue.shards.flatMap((shard) => [
    {
      name: cmdStream(shard),
      subjects: [`cmd.${shard}.*`],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      deny_delete: true,
      allow_direct: true,
      max_bytes: venue.limits.cmdStreamBytes,
      max_msg_size: MAX_MESSAGE_BYTES,
      max_msgs_per_subject: -1,
      duplicate_window: DUPLICATE_WINDOW,
      num_replicas: 1,
    },
    {
      name: evStream(shard),
      subjects: [`ev.${shard}.*`],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      deny_delete: true,
      allow_direct: true,
      max_bytes: venue.limits.evStreamBytes,
      max_msgs_per_subject: -1,
      duplicate_window: DUPLICATE_WINDOW,
      num_replicas: 1,
    },
    {
      name: mdStream(shard),
      subjects: [`md.${shard}.>`],
      storage: StorageType.Memory,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      deny_delete: false,
      allow_direct: true,
      max_bytes: MD_STREAM_BYTES,
      max_msgs_per_subject: 1,
      duplicate_window: DUPLICATE_WINDOW,
      num_replicas: 1,
    },
  ]);
}

/** Settings that a stream keeps for life, or whose change could make it something else. */
const FIXED = ["storage", "retention", "discard", "subjects"] as const;

/**
 * Creates what is missing and updates what differs. May be called by several services at once. Throws an Error with
 * one sentence naming stream and setting when a stream cannot be made what the venue needs.
 */
export async function ensureStreams(nc: NatsConnection, venue: StreamVenue): Promise<void> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  for (const settings of streamSettings(venue)) await ensureStream(jsm, settings);
  try {
    await new Kvm(nc).create(REF_BUCKET, { history: 1 });
  } catch (cause) {
    throw new Error(`Cannot create the bucket ${REF_BUCKET}: ${errorText(cause)}`, { cause });
  }
}

/** Creates one stream or brings it up to date; see {@link ensureStreams}. */
export async function ensureStream(jsm: JetStreamManager, settings: StreamSettings): Promise<void> {
  const { name } = settings;
  try {
    await jsm.streams.add(settings);
    return;
  } catch (cause) {
    // The server takes a second creation with equal settings; only another configuration is an error.
    if (codeOf(cause) !== STREAM_NAME_IN_USE) {
      throw new Error(`Cannot create stream ${name}: ${errorText(cause)}`, { cause });
    }
  }
  const { config, state } = await jsm.streams.info(name);
  for (const key of FIXED) {
    if (String(config[key]) === String(settings[key])) continue;
    throw new Error(
      `Cannot use stream ${name}: ${key} must be "${settings[key]}", got "${
        config[key]
      }"; it belongs to something else or to an older store`,
    );
  }
  if (config.persist_mode === PersistMode.Async) {
    throw new Error(
      `Cannot use stream ${name}: persist_mode must be "default", got "async", which acknowledges what is not written yet`,
    );
  }
  if (settings.max_bytes !== undefined && state.bytes > settings.max_bytes) {
    throw new Error(
      `Cannot limit stream ${name} to max_bytes ${settings.max_bytes}: it holds ${state.bytes} bytes already`,
    );
  }
  // Replicas belong to whoever runs the cluster: an operator's higher number stays.
  const replicas = Math.max(config.num_replicas, settings.num_replicas ?? 1);
  try {
    await jsm.streams.update(name, { ...settings, num_replicas: replicas });
  } catch (cause) {
    throw new Error(`Cannot bring stream ${name} up to date: ${errorText(cause)}`, { cause });
  }
}

const STREAM_NAME_IN_USE = 10058;

function codeOf(cause: unknown): number {
  return (cause as { code?: number } | null)?.code ?? 0;
}
