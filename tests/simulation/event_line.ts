/**
 * Holds EV_s against CMD_s as it grows: every message is what the reference engine makes of the commands, byte for byte,
 * written by whoever claimed last, each event once and in order. Owns the rebuild. Pure.
 */
import { Comparison } from "../../services/matcher/verify/comparison.ts";
import { type ExpectedGroup, Rebuild } from "../../services/matcher/verify/rebuild.ts";
import { StoredEvents } from "../../services/matcher/verify/stored_events.ts";
import type { EngineOptions } from "../../services/matcher/engine/mod.ts";
import type { Stored } from "./nats_stream.ts";

/** One shard's line of events. */
export class EventLine {
  readonly #commands: readonly Stored[];
  readonly #rebuild: Rebuild;
  readonly #stored: StoredEvents;
  readonly #comparison: Comparison;
  #group: ExpectedGroup | null = null;

  /** `commands` are all command messages of the shard, those that are purged too; it grows. */
  constructor(options: EngineOptions, commands: readonly Stored[]) {
    this.#commands = commands;
    this.#rebuild = new Rebuild(options);
    this.#stored = new StoredEvents(options.shard, true);
    this.#comparison = new Comparison(options.shard);
  }

  /** Command messages whose events are stored whole. */
  get completeCmdSeq(): number {
    return this.#stored.nextCmdSeq - 1;
  }

  /** The newest epoch. */
  get epoch(): number {
    return this.#stored.epoch;
  }

  /** The next message of EV_s. Returns what is wrong with it, or null. */
  take(evSeq: number, bytes: Uint8Array): string | null {
    const parts = this.#stored.take(evSeq, bytes);
    if (typeof parts === "string") return `EV ${evSeq}: ${parts}`;
    for (const part of parts) {
      while (this.#rebuild.cmdSeq < part.cmdSeq) {
        const command = this.#commands[this.#rebuild.cmdSeq];
        if (command === undefined) {
          return `EV ${evSeq}: events of command ${part.cmdSeq}, which is not stored`;
        }
        this.#group = this.#rebuild.apply(command.seq, command.timeUs, command.payload);
      }
      const difference = this.#comparison.part(this.#group!, part);
      if (difference !== null) return `EV ${evSeq}, command ${part.cmdSeq}: ${JSON.stringify(difference)}`;
    }
    return null;
  }
}
