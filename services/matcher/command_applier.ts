/**
 * Turns the messages of CMD_s into the engine's event messages, one after the other: what a leader and a standby do alike.
 * Owns the encoder, the engine's time and the place in CMD_s; decides nothing about what becomes of the events.
 */
import { CommandBatchReader } from "../../shared/codec/wire/mod.ts";
import type { Logger } from "../../shared/cli/log.ts";
import { cmdStream, MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import { BatchOutcome } from "./engine/mod.ts";
import type { EnginePort } from "./engine_port.ts";
import type { LeaderDuties } from "./leader_duties.ts";
import { type OnTraced, TracingEncoder } from "./tracing_encoder.ts";

/** A command message and the engine's time behind it, µs. */
export interface EnginePlace {
  readonly cmdSeq: number;
  readonly timestampUs: number;
}

/** What it works with. */
export interface CommandApplierOptions {
  readonly shard: number;
  readonly engine: EnginePort;
  readonly log: Logger;
  /** What the engine has applied already; nothing when absent. */
  readonly from?: EnginePlace;
  /** Told of every message when absent: nobody. */
  readonly duties?: LeaderDuties;
  /**
   * An event message of command message `seq`, in order; owned by whoever takes it. It has the epoch of its making.
   * What it throws, {@link CommandApplier.apply} throws.
   */
  readonly onPart: (seq: number, symbol: string, part: Uint8Array) => void;
}

/** One shard's commands, applied. */
export class CommandApplier {
  /** The last command message applied. */
  cmdSeq = 0;
  /** The epoch that event messages get. */
  epoch = 0;
  readonly #options: CommandApplierOptions;
  readonly #batch = new CommandBatchReader();
  readonly #out = new TracingEncoder(MAX_MESSAGE_BYTES);
  /** The engine's time. Invariant: never decreases. */
  #timestampUs = 0;

  constructor(options: CommandApplierOptions) {
    this.#options = options;
    const { duties, from } = options;
    this.cmdSeq = from?.cmdSeq ?? 0;
    this.#timestampUs = from?.timestampUs ?? 0;
    if (duties !== undefined) this.#out.onVenueEvent = (event, time) => duties.venueEvent(event, time);
  }

  /** Called for traced commands; null while they are replayed. */
  set onTraced(onTraced: OnTraced | null) {
    this.#out.onTraced = onTraced;
  }

  /** Applies the next message; `bytes` is borrowed for the call. */
  apply(seq: number, timestampUs: number, subject: string, bytes: Uint8Array): void {
    const { shard, engine, log, duties, onPart } = this.#options;
    const out = this.#out;
    const batch = this.#batch;
    // The engine's time never runs backwards, whatever the server's clock does.
    if (timestampUs > this.#timestampUs) this.#timestampUs = timestampUs;
    out.begin(shard, this.epoch, seq, this.#timestampUs);
    const fault = batch.open(bytes);
    const outcome = fault === null ? engine.applyBatch(seq, this.#timestampUs, batch, out) : null;
    if (outcome === null) {
      engine.begin(seq, this.#timestampUs);
      out.refuse();
      log.error("command message ignored", { stream: cmdStream(shard), seq, subject, fault });
    } else if (outcome !== BatchOutcome.Applied) {
      if (outcome === BatchOutcome.Duplicate || outcome === BatchOutcome.Rest) out.repeat();
      else out.refuse();
      this.#logOutcome(seq, outcome);
    }
    this.cmdSeq = seq;
    const parts = out.end();
    const symbol = subject.slice(subject.lastIndexOf(".") + 1);
    for (const part of parts) onPart(seq, symbol, part);
    out.sent();
    if (outcome !== null) duties?.applied(seq, batch, outcome);
  }

  /** A message without its whole effect: its gateway repeats itself after an outage, or something is wrong with it. */
  #logOutcome(seq: number, outcome: BatchOutcome): void {
    const { log, shard } = this.#options;
    const { gatewayId, bootId, firstGatewaySeq, count } = this.#batch;
    const fields = { stream: cmdStream(shard), seq, gatewayId, bootId, firstGatewaySeq, count };
    if (outcome === BatchOutcome.Duplicate) log.info("command message was applied before", fields);
    else if (outcome === BatchOutcome.Rest) log.warn("part of a command message was applied before", fields);
    else if (outcome === BatchOutcome.OldBoot) {
      log.warn("command message of an earlier gateway run refused", fields);
    } else log.error("command message refused: commands before it are missing", fields);
  }
}
