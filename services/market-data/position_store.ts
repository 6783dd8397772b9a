/**
 * How far the drop copies of a shard have been published, kept in the KV bucket of reference data, and the
 * sequences of the books and phases that MD_s holds. Does I/O.
 */
import type { NatsConnection } from "@nats-io/nats-core";
import { type KV, Kvm } from "@nats-io/kv";
import { type CopyPlace, formatPlace, parsePlace, START } from "./copy_place.ts";
import { lastMessageOf } from "../../shared/nats/stored_message.ts";
import { bookSubject, mdStream, phaseSubject, REF_BUCKET } from "../../shared/protocol/mod.ts";

/** The position of one shard: the place up to which every copy has reached the server. */
export class PositionStore {
  readonly #kv: KV;
  readonly #key: string;

  private constructor(kv: KV, key: string) {
    this.#kv = kv;
    this.#key = key;
  }

  /** Opens the store of a shard. Rejects when the bucket is missing or JetStream does not answer. */
  static async open(nc: NatsConnection, shard: number): Promise<PositionStore> {
    const kv = await new Kvm(nc).open(REF_BUCKET);
    return new PositionStore(kv, `md.${shard}.position`);
  }

  /** The stored place; {@link START} when there is none. Rejects on a value that is none. */
  async load(): Promise<CopyPlace> {
    const entry = await this.#kv.get(this.#key);
    if (entry === null || entry.operation !== "PUT") return START;
    const place = parsePlace(entry.string());
    if (place !== null) return place;
    throw new Error(`Cannot read ${REF_BUCKET} ${this.#key}: expected a place, got "${entry.string()}"`);
  }

  /** Stores a place; resolves once the server has it. */
  async store(place: CopyPlace): Promise<void> {
    await this.#kv.put(this.#key, formatPlace(place));
  }
}

/** The `seq` of the last message of a kind that MD_s holds for each symbol; 0 where it holds none. */
export async function lastSeqs(
  nc: NatsConnection,
  shard: number,
  kind: "book" | "phase",
  symbols: readonly string[],
): Promise<number[]> {
  const seqs: number[] = [];
  for (const symbol of symbols) {
    const subject = kind === "book" ? bookSubject(shard, symbol) : phaseSubject(shard, symbol);
    const last = await lastMessageOf(nc, mdStream(shard), subject);
    const seq: unknown = last === null ? 0 : JSON.parse(new TextDecoder().decode(last.bytes)).seq;
    seqs.push(Number.isSafeInteger(seq) ? seq as number : 0);
  }
  return seqs;
}
