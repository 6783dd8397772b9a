/** Who takes the engine's events. Pure: types only. */
import type { EventKind } from "../../../shared/protocol/mod.ts";
import type { Command, Event, EventBatchWriter } from "../../../shared/codec/wire/mod.ts";

/** Takes events as they happen. */
export interface EventSink {
  /** Called before a command's events. `command` is borrowed until the next call of this method. */
  commandStarts(command: Command): void;
  /** One event; borrowed for the call. */
  event(event: Event): void;
  /** Where the engine may write events itself. It then calls {@link event} for some, and for some not. */
  readonly records?: EventBatchWriter;
  /** Of a traced command: an event of this kind has been written to {@link records}. Needed when there are any. */
  recorded?(kind: EventKind): void;
}
