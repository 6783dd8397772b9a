/** The stream of sent messages, FIXOUT, one subject per session. Decides nothing. Does I/O. docs/wire.md. */
import { headers } from "@nats-io/nats-core";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import type { Logger } from "../../../shared/cli/log.ts";
import {
  AckedPublisher,
  type NatsConnection,
  storedPage,
  WRONG_LAST_SEQUENCES,
} from "../../../shared/nats/mod.ts";
import { FIX_OUT_STREAM, fixOutSubject } from "../../../shared/protocol/mod.ts";
import type { LastRecord, OutStream, PublishOutcome, StoredRecord } from "./ports.ts";

const EXPECTED = "Nats-Expected-Last-Subject-Sequence";
const UNKNOWN: PublishOutcome = { kind: "unknown" };

/** FIXOUT over one connection. */
export class NatsOutStream implements OutStream {
  readonly #nc: NatsConnection;
  readonly #log: Logger;
  readonly #publisher: AckedPublisher;
  readonly #manager: JetStreamManager;

  private constructor(nc: NatsConnection, log: Logger, manager: JetStreamManager) {
    this.#nc = nc;
    this.#log = log;
    this.#manager = manager;
    this.#publisher = new AckedPublisher(nc);
  }

  static async open(nc: NatsConnection, log: Logger): Promise<NatsOutStream> {
    return new NatsOutStream(nc, log, await jetstreamManager(nc, { checkAPI: false }));
  }

  async last(session: number): Promise<LastRecord | null> {
    // From the leader, not from a replica that may lag: what it says decides what is resent.
    const found = await this.#manager.streams.getMessage(FIX_OUT_STREAM, {
      last_by_subj: fixOutSubject(session),
    });
    return found === null ? null : { seq: found.seq, bytes: found.data, storedMs: found.time.getTime() };
  }

  async firstSeq(): Promise<number> {
    const { state } = await this.#manager.streams.info(FIX_OUT_STREAM);
    return Math.max(1, state.first_seq);
  }

  publish(session: number, bytes: Uint8Array, expectedSeq: number): Promise<PublishOutcome> {
    if (!this.#publisher.connected) return Promise.resolve(UNKNOWN);
    const fence = headers();
    fence.set(EXPECTED, String(expectedSeq));
    return new Promise((resolve) => {
      this.#publisher.publish(fixOutSubject(session), bytes, (seq, fault) => {
        if (fault === null) resolve({ kind: "stored", seq });
        else if (fault.kind === "unknown") resolve(UNKNOWN);
        else if (WRONG_LAST_SEQUENCES.has(fault.code)) resolve({ kind: "conflict" });
        else resolve({ kind: "refused", reason: fault.description });
      }, fence);
    });
  }

  page(session: number, fromSeq: number, count: number, maxBytes: number): Promise<StoredRecord[]> {
    return storedPage(this.#nc, FIX_OUT_STREAM, {
      fromSeq,
      count,
      maxBytes,
      subject: fixOutSubject(session),
    });
  }

  forget(session: number, seq: number): void {
    this.#manager.streams.purge(FIX_OUT_STREAM, { filter: fixOutSubject(session), seq }).catch((error) => {
      this.#log.warn("sent messages of before a reset stay stored until they are too old", {
        session,
        error,
      });
    });
  }

  /** Stops publishing. */
  close(): void {
    this.#publisher.close();
  }
}
