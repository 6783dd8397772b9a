/** Session records in their KV bucket. Decides nothing. Does I/O. */
import { type KV, Kvm } from "@nats-io/kv";
import { type NatsConnection, WRONG_LAST_SEQUENCES } from "../../../shared/nats/mod.ts";
import { SESSION_BUCKET } from "../../../shared/protocol/mod.ts";
import type { SessionRecords } from "./ports.ts";
import { formatRecord, parseRecord, type SessionRecord } from "./record.ts";

/** The bucket `session`, key = session id. */
export class NatsRecords implements SessionRecords {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  /** Opens the bucket, which ensureStreams has made. */
  static async open(nc: NatsConnection): Promise<NatsRecords> {
    return new NatsRecords(await new Kvm(nc).open(SESSION_BUCKET));
  }

  async read(session: number): Promise<{ record: SessionRecord; revision: number } | null> {
    const entry = await this.#bucket.get(String(session));
    if (entry === null) return null;
    return { record: parseRecord(entry.string()), revision: entry.revision };
  }

  async write(session: number, record: SessionRecord, revision: number): Promise<number | null> {
    try {
      const [key, value] = [String(session), formatRecord(record)];
      return revision === 0
        ? await this.#bucket.create(key, value)
        : await this.#bucket.update(key, value, revision);
    } catch (error) {
      if (WRONG_LAST_SEQUENCES.has((error as { code?: unknown } | null)?.code)) return null;
      throw error;
    }
  }
}
