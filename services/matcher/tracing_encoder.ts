/**
 * The event encoder with call points: it says which traced commands a message holds, and tells of events about phases,
 * algorithms and mass cancels. Does no I/O.
 */
import type { ByteSlice, Command, Event } from "../../shared/codec/wire/mod.ts";
import { EventKind } from "../../shared/protocol/mod.ts";
import { EventEncoder } from "./engine/mod.ts";

/** A traced command is about to be applied; the returned function is called when its events have been sent. */
export type OnTraced = (trace: ByteSlice, cmdSeq: number) => () => void;

/** An event that concerns no order, or a whole mass cancel; borrowed for the call. */
export type OnVenueEvent = (event: Event, timestampUs: number) => void;

/** Encodes events, and opens a span per traced command while {@link onTraced} is set. */
export class TracingEncoder extends EventEncoder {
  /** Null while replaying: those commands had their spans in their time. */
  onTraced: OnTraced | null = null;
  /** Told while replaying, too. */
  onVenueEvent: OnVenueEvent | null = null;
  #cmdSeq = 0;
  #timestampUs = 0;
  readonly #ends: (() => void)[] = [];

  override begin(shard: number, epoch: number, cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#timestampUs = timestampUs;
    super.begin(shard, epoch, cmdSeq, timestampUs);
  }

  override commandStarts(command: Command): void {
    super.commandStarts(command);
    if (this.onTraced === null || command.trace.length === 0) return;
    this.#ends.push(this.onTraced(command.trace, this.#cmdSeq));
  }

  override event(event: Event): void {
    super.event(event);
    const { kind } = event;
    const concerns = kind === EventKind.PhaseChanged || kind === EventKind.AlgorithmChanged ||
      kind === EventKind.MassCancelReported;
    if (concerns) this.onVenueEvent?.(event, this.#timestampUs);
  }

  /** The events of the present message have been sent. */
  sent(): void {
    if (this.#ends.length === 0) return;
    for (const end of this.#ends) end();
    this.#ends.length = 0;
  }
}
