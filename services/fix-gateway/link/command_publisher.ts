/**
 * Carries commands to the command streams: batches them per socket read, runs one window per shard, and answers for
 * what had to be given up. Owns the connection's publishes of commands and the window's clock; decides nothing that
 * the batcher and the window do not decide. Does I/O. docs/architecture.md, "Commands".
 */
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Logger } from "../../../shared/cli/log.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import { AckedPublisher, type NatsConnection } from "../../../shared/nats/mod.ts";
import type { Instrument } from "../../../shared/protocol/mod.ts";
import { CommandBatcher } from "./command_batcher.ts";
import type { CommandWindowLimits } from "./command_transport.ts";
import { CommandWindow } from "./command_window.ts";

/** What a publisher needs. */
export interface CommandPublisherOptions {
  readonly nc: NatsConnection;
  readonly venue: Venue;
  readonly gatewayId: number;
  /** Higher than that of every earlier process with the same gateway id. */
  readonly bootId: number;
  /** Told of a batch that is certainly not in the shard's stream and will not be sent; `bytes` is borrowed. */
  readonly onGivenUp: (bytes: Uint8Array, reason: string, shard: number) => void;
  /** Told of a batch that is on its way from now on; `bytes` is borrowed. */
  readonly onSent?: (bytes: Uint8Array) => void;
  /**
   * Told of a batch that is in the shard's command stream at `streamSeq`; `bytes` does not change any more. `sentOnce`:
   * no other copy of it was ever sent.
   */
  readonly onAcknowledged?: (shard: number, bytes: Uint8Array, streamSeq: number, sentOnce: boolean) => void;
  /** Bytes of acknowledged batches whose events have not come: past {@link MAX_UNMATCHED_BYTES} nothing is welcome. */
  readonly unmatchedBytes?: () => number;
  readonly log: Logger;
  /** How long nothing may be acknowledged before batches are given up, ms (default 10 000). */
  readonly giveUpAfterMs?: number;
}

const TIMES: Omit<CommandWindowLimits, "maxCommands"> = {
  ackTimeoutMs: 2000,
  minBackoffMs: 50,
  maxBackoffMs: 1000,
  giveUpAfterMs: 10_000,
};
/** Longer than any answer takes that the window could still use: later ones only settle old copies. */
const FORGET_ANSWERS_MS = 60_000;

/** So much may wait for a matcher that is away, before clients are not read any more; about 250,000 orders. */
export const MAX_UNMATCHED_BYTES = 16 * 1024 * 1024;

/** The gateway's way into the command streams. */
export class CommandPublisher {
  readonly #options: CommandPublisherOptions;
  readonly #publisher: AckedPublisher;
  readonly #windows = new Map<number, CommandWindow>();
  readonly #batcher: CommandBatcher;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;
  #ready: { promise: Promise<void>; resolve: () => void } | null = null;
  #closed = false;

  constructor(options: CommandPublisherOptions) {
    this.#options = options;
    const { nc, venue, log } = options;
    this.#publisher = new AckedPublisher(nc, {
      timeoutMs: FORGET_ANSWERS_MS,
      onDisconnect: () => {
        log.warn("commands wait: the connection to NATS is lost", { waiting: this.waiting });
        this.#each((window, nowMs) => window.disconnected(nowMs));
      },
      onReconnect: () => {
        log.info("the connection to NATS is back", { waiting: this.waiting });
        this.#each((window, nowMs) => window.reconnected(nowMs));
      },
    });
    const limits = {
      ...TIMES,
      giveUpAfterMs: options.giveUpAfterMs ?? TIMES.giveUpAfterMs,
      maxCommands: venue.limits.maxInFlightCommands,
    };
    for (const shard of venue.shards) this.#windows.set(shard, this.#makeWindow(shard, limits));
    this.#batcher = new CommandBatcher(
      options.gatewayId,
      options.bootId,
      venue.instruments,
      venue.shards,
      (shard, subject, bytes, commands, repeats) => {
        options.onSent?.(bytes);
        this.#windows.get(shard)!.enqueue(subject, bytes, commands, performance.now(), repeats);
      },
    );
  }

  /** Null while commands are welcome; else a promise that resolves when the windows have room again. */
  get ready(): Promise<void> | null {
    return this.#ready === null ? null : this.#ready.promise;
  }

  /** Commands not acknowledged by the streams. */
  get waiting(): number {
    let waiting = 0;
    for (const window of this.#windows.values()) waiting += window.commands;
    return waiting;
  }

  /** The command stream's sequence of the newest acknowledged batch of this process; 0 before the first. */
  lastCmdSeq(shard: number): number {
    return this.#windows.get(shard)!.lastStreamSeq;
  }

  /**
   * Adds a command to its symbol's batch; `instrument` is null when the venue lists no such symbol. Throws a RangeError
   * when the command cannot be encoded; nothing has become of it then.
   */
  add(instrument: Instrument | null, command: Command): void {
    this.#batcher.add(instrument === null ? 0 : instrument.id, command);
  }

  /** Sends a command that concerns all symbols of a shard; see {@link CommandBatcher.addAcross}. */
  addAcross(shard: number, command: Command): void {
    this.#batcher.addAcross(shard, command);
  }

  /** Publishes the batches: the socket read is complete. */
  flush(): void {
    this.#batcher.flush();
    this.#afterChange();
  }

  /** Events have come: opens the gate when it was closed for want of them. */
  matched(): void {
    if (this.#ready !== null) this.#afterChange();
  }

  /** Stops publishing. What is not acknowledged stays without an answer. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#publisher.close();
    this.#ready?.resolve();
    this.#ready = null;
  }

  #makeWindow(shard: number, limits: CommandWindowLimits): CommandWindow {
    const { log, onGivenUp } = this.#options;
    const window: CommandWindow = new CommandWindow(limits, {
      send: (subject, bytes, copy) => {
        this.#publisher.publish(subject, bytes, (seq, fault) => {
          const nowMs = performance.now();
          if (fault === null) window.acknowledged(copy, seq, nowMs);
          else if (fault.kind === "unknown") window.unanswered(copy);
          else {
            log.warn("the command stream refused a batch", {
              shard,
              code: fault.code,
              why: fault.description,
            });
            window.refused(copy, fault.description, nowMs);
          }
          this.#afterChange();
        });
      },
      acknowledged: (bytes, streamSeq, sentOnce) =>
        this.#options.onAcknowledged?.(shard, bytes, streamSeq, sentOnce),
      givenUp: (bytes, reason) => {
        log.error("commands given up: they are not in the stream", { shard, reason });
        onGivenUp(bytes, reason, shard);
      },
    }, this.#publisher.connected);
    return window;
  }

  #each(act: (window: CommandWindow, nowMs: number) => void): void {
    if (this.#closed) return;
    const nowMs = performance.now();
    for (const window of this.#windows.values()) act(window, nowMs);
    this.#afterChange();
  }

  /** Opens or closes the gate, and sets the timer when something is due before it would ring. */
  #afterChange(): void {
    if (this.#closed) return;
    let full = (this.#options.unmatchedBytes?.() ?? 0) > MAX_UNMATCHED_BYTES;
    let deadlineMs = Infinity;
    for (const window of this.#windows.values()) {
      full ||= window.full;
      deadlineMs = Math.min(deadlineMs, window.deadlineMs);
    }
    if (full && this.#ready === null) this.#ready = Promise.withResolvers<void>();
    else if (!full && this.#ready !== null) {
      this.#ready.resolve();
      this.#ready = null;
    }
    if (deadlineMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = deadlineMs;
    this.#timer = setTimeout(() => {
      this.#timerAtMs = Infinity;
      this.#each((window, nowMs) => window.tick(nowMs));
    }, Math.max(1, deadlineMs - performance.now()));
  }
}
