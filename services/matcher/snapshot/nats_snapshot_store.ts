/**
 * Snapshots in JetStream: the object store `snap`, the pointer in the bucket `ref`. Owns names and layout there, and what a
 * writer that died left behind. Trusts nothing that it reads to be whole. Does I/O. docs/snapshots.md, "Where they are".
 */
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { type ObjectInfo, type ObjectStore, Objm, StorageType } from "@nats-io/obj";
import { errorText } from "../../../shared/cli/log.ts";
import { inTime } from "../../../shared/in_time.ts";
import { type NatsConnection, WRONG_LAST_SEQUENCES } from "../../../shared/nats/mod.ts";
import { REF_BUCKET, SNAPSHOT_BUCKET, snapshotKey, snapshotName } from "../../../shared/protocol/mod.ts";
import { NO_PACE, type Pace } from "./pace.ts";
import {
  parsePointer,
  type PointerEntry,
  pointerText,
  type SnapshotPointer,
  type SnapshotStore,
} from "./snapshot_store.ts";

const STREAM = `OBJ_${SNAPSHOT_BUCKET}`;
/** Room for a snapshot has so much more than that takes: the next may have some more orders. */
const SPARE_ROOM = 1.25;
/** A piece of a snapshot: what the server takes and gives in a burst. */
const CHUNK_BYTES = 32 * 1024;
/** How long the next piece of a snapshot may take. */
const SILENCE_MS = 5000;
/** How long a list of what is stored may take: it comes in deliveries, and none says that one was lost. */
const LIST_MS = 5000;
/** Pieces that belong to nothing are left behind, and not on their way, when none has joined them for so long. */
const LEFT_BEHIND_MS = 10 * 60 * 1000;

type Bucket = Awaited<ReturnType<Kvm["open"]>>;

/** One shard's. */
export class NatsSnapshotStore implements SnapshotStore {
  readonly #shard: number;
  readonly #objects: ObjectStore;
  readonly #ref: Bucket;
  readonly #jsm: JetStreamManager;
  readonly #pace: Pace;
  /** What is read goes here, as long as this store lives: the next one needs it again. */
  #room = new Uint8Array();

  /**
   * Uploads that belong to nothing, by subject: their last piece, and since when this process has seen no other, monotonic
   * ms. No clock of the server's is asked: one that is set forward would make an upload under way an old one.
   */
  #uploads = new Map<string, { readonly lastSeq: number; readonly sinceMs: number }>();

  /** How long nothing must have joined the pieces of an upload that belongs to nothing before they are removed, ms. */
  leftBehindMs = LEFT_BEHIND_MS;
  /** Monotonic. */
  clockMs = () => performance.now();
  /** How long the next piece of a snapshot may take, ms. */
  silenceMs = SILENCE_MS;
  /** How long a list of what is stored may take, ms. */
  listMs = LIST_MS;

  private constructor(shard: number, objects: ObjectStore, ref: Bucket, jsm: JetStreamManager, pace: Pace) {
    this.#pace = pace;
    this.#shard = shard;
    this.#objects = objects;
    this.#ref = ref;
    this.#jsm = jsm;
  }

  /**
   * Opens the store, which is made when it is not there. Throws one sentence when it cannot be reached. `pace` is asked
   * between pieces of a snapshot.
   */
  static async open(nc: NatsConnection, shard: number, pace: Pace = NO_PACE): Promise<NatsSnapshotStore> {
    try {
      const jsm = await jetstreamManager(nc, { checkAPI: false });
      const objects = await new Objm(nc).create(SNAPSHOT_BUCKET, { storage: StorageType.File });
      return new NatsSnapshotStore(shard, objects, await new Kvm(nc).open(REF_BUCKET), jsm, pace);
    } catch (cause) {
      throw new Error(`Cannot open the snapshot store ${SNAPSHOT_BUCKET}: ${errorText(cause)}`, { cause });
    }
  }

  async pointer(): Promise<PointerEntry> {
    const entry = await this.#ref.get(snapshotKey(this.#shard));
    if (entry === null) return { pointer: null, damaged: false, revision: 0 };
    const pointer = entry.operation === "PUT" ? parsePointer(entry.string()) : null;
    return { pointer, damaged: pointer === null && entry.operation === "PUT", revision: entry.revision };
  }

  async movePointer(to: SnapshotPointer, revision: number): Promise<boolean> {
    const key = snapshotKey(this.#shard);
    try {
      if (revision === 0) await this.#ref.create(key, pointerText(to));
      else await this.#ref.update(key, pointerText(to), revision);
      return true;
    } catch (error) {
      if (WRONG_LAST_SEQUENCES.has((error as { code?: unknown } | null)?.code)) return false;
      throw error;
    }
  }

  async list(): Promise<number[]> {
    const found: number[] = [];
    for (const { name } of await this.#stored()) {
      const [, shard, cmdSeq] = /^(\d+)\.(\d+)$/.exec(name) ?? [];
      if (Number(shard) === this.#shard) found.push(Number(cmdSeq));
    }
    return found.sort((a, b) => a - b);
  }

  /** All that is whole, of every shard. */
  async #stored(): Promise<ObjectInfo[]> {
    const stored = await inTime(this.#objects.list(), this.listMs, null);
    if (stored === null) throw new Error(`no answer in time: no list of ${STREAM} within ${this.listMs} ms`);
    return stored;
  }

  /** Where snapshots should be: those that are stored, and those that the pointer names, there or not. Ascending. */
  async places(): Promise<number[]> {
    const { pointer } = await this.pointer();
    const named = [pointer?.newest, pointer?.previous].flatMap((place) => place ? [place.cmdSeq] : []);
    return [...new Set([...named, ...await this.list()])].sort((a, b) => a - b);
  }

  async put(cmdSeq: number, bytes: Uint8Array): Promise<void> {
    const meta = { name: snapshotName(this.#shard, cmdSeq), options: { max_chunk_size: CHUNK_BYTES } };
    await this.#objects.putBlob(meta, bytes);
  }

  async read(cmdSeq: number, maxBytes: number): Promise<Uint8Array | string> {
    const name = snapshotName(this.#shard, cmdSeq);
    const info = await this.#objects.info(name);
    if (info === null || info.deleted) return "it is not there";
    if (info.size > maxBytes) return `it has ${info.size} bytes, more than the ${maxBytes} that it can have`;
    if (this.#room.length < info.size) this.#room = new Uint8Array(Math.ceil(info.size * SPARE_ROOM));
    const bytes = this.#room.subarray(0, info.size);
    try {
      return await this.#readPieces(info, bytes) ?? bytes;
    } catch (cause) {
      return errorText(cause);
    }
  }

  /** Asks for one piece after the other: the object store's own reader has the server send all in one go. */
  async #readPieces({ nuid }: ObjectInfo, into: Uint8Array): Promise<string | null> {
    const subject = `$O.${SNAPSHOT_BUCKET}.C.${nuid}`;
    for (let at = 0, seq = 1; at < into.length;) {
      this.#pace.look();
      const asked = this.#jsm.direct.getMessage(STREAM, { seq, next_by_subj: subject });
      const piece = await inTime(asked, this.silenceMs, null);
      if (piece === null) return `nothing comes behind its byte ${at}`;
      if (at + piece.data.length > into.length) return `it has more than ${into.length} bytes`;
      into.set(piece.data, at);
      at += piece.data.length;
      seq = piece.seq + 1;
    }
    return null;
  }

  async remove(cmdSeq: number): Promise<void> {
    await this.#objects.delete(snapshotName(this.#shard, cmdSeq));
    // The object store keeps a note of what was deleted; one per snapshot would add up.
    await this.#jsm.streams.purge(STREAM, { filter: noteSubject(this.#shard, cmdSeq) });
  }

  async sweep(): Promise<void> {
    const prefix = `$O.${SNAPSHOT_BUCKET}.C.`;
    const { state } = await this.#jsm.streams.info(STREAM, { subjects_filter: `${prefix}>` });
    const used = new Set((await this.#stored()).map(({ nuid }) => `${prefix}${nuid}`));
    const uploads = new Map<string, { readonly lastSeq: number; readonly sinceMs: number }>();
    for (const subject of Object.keys(state.subjects ?? {})) {
      if (used.has(subject)) continue;
      const last = await this.#jsm.streams.getMessage(STREAM, { last_by_subj: subject });
      if (last === null) continue;
      const seen = this.#uploads.get(subject);
      const sinceMs = seen?.lastSeq === last.seq ? seen.sinceMs : this.clockMs();
      if (this.clockMs() - sinceMs < this.leftBehindMs) uploads.set(subject, { lastSeq: last.seq, sinceMs });
      else await this.#jsm.streams.purge(STREAM, { filter: subject });
    }
    this.#uploads = uploads;
  }
}

/** Where the object store notes what it knows of a snapshot: its name as the store writes it into subjects. */
export function noteSubject(shard: number, cmdSeq: number): string {
  const name = btoa(snapshotName(shard, cmdSeq)).replaceAll("+", "-").replaceAll("/", "_");
  return `$O.${SNAPSHOT_BUCKET}.M.${name}`;
}
