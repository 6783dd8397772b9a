/** The event encoder with a call point for spans: it says which traced commands a message holds. Does no I/O. */
import type { ByteSlice, Command } from "../../shared/codec/wire/mod.ts";
import { EventEncoder } from "./engine/mod.ts";

/** A traced command is about to be applied; the returned function is called when its events have been sent. */
export type OnTraced = (trace: ByteSlice, cmdSeq: number) => () => void;

/** Encodes events, and opens a span per traced command while {@link onTraced} is set. */
export class TracingEncoder extends EventEncoder {
  /** Null while replaying: those commands had their spans in their time. */
  onTraced: OnTraced | null = null;
  #cmdSeq = 0;
  readonly #ends: (() => void)[] = [];

  override begin(shard: number, epoch: number, cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    super.begin(shard, epoch, cmdSeq, timestampUs);
  }

  override commandStarts(command: Command): void {
    super.commandStarts(command);
    if (this.onTraced === null || command.trace.length === 0) return;
    this.#ends.push(this.onTraced(command.trace, this.#cmdSeq));
  }

  /** The events of the present message have been sent. */
  sent(): void {
    if (this.#ends.length === 0) return;
    for (const end of this.#ends) end();
    this.#ends.length = 0;
  }
}
