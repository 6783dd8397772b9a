/**
 * A shard built anew from its commands by the reference engine: what each command message must have caused, event by event
 * and byte by byte. Owns the engine, what was seen of gateways, and the time. Knows nothing of what is stored. Pure.
 */
import {
  type Command,
  CommandBatchReader,
  type Event,
  EventBatchWriter,
  type WireFault,
} from "../../../shared/codec/wire/mod.ts";
import type { EngineOptions, EventSink } from "../engine/mod.ts";
import { ReferenceEngine } from "../reference/mod.ts";
import type { RebuildStart } from "./reference_snapshot.ts";
import { GatewayRules, type Verdict } from "./gateway_rules.ts";

/** What a command message must have caused. Valid until the next one is applied. */
export interface ExpectedGroup {
  readonly cmdSeq: number;
  /** The engine's time for it, µs since 1970. */
  readonly timestampUs: number;
  /** Whether none of it was taken, and whether some of it had been taken before. */
  readonly refused: boolean;
  readonly repeated: boolean;
  /** Its events as they are stored, one behind the other. */
  readonly bytes: Uint8Array;
  /** Where each event begins in `bytes`; one entry more says where the last one ends. */
  readonly starts: readonly number[];
  /** Index of the command that caused each event. */
  readonly commandOf: readonly number[];
}

/** How many command messages had which fate. */
export interface Fates {
  taken: number;
  repeated: number;
  gap: number;
  "old run": number;
  unreadable: number;
}

/** Hears of each event as it is made; `event` is borrowed for the call. */
export type OnEvent = (event: Event, cmdSeq: number, eventIndex: number, timestampUs: number) => void;

const WRITER_BYTES = 64 * 1024;
const FIRST_BYTES = 64 * 1024;

/** Builds one shard. Feed it every message of CMD_s from the first on. */
export class Rebuild {
  readonly engine: ReferenceEngine;
  readonly gateways: GatewayRules;
  readonly fates: Fates = { taken: 0, repeated: 0, gap: 0, "old run": 0, unreadable: 0 };
  /** Commands applied, and sequence of the message last applied. */
  commands = 0;
  cmdSeq = 0;
  readonly #batch = new CommandBatchReader();
  readonly #record: EventRecord;
  #timestampUs = 0;

  /** Begins with nothing, or behind a snapshot. */
  constructor(options: EngineOptions, onEvent: OnEvent = () => {}, start: RebuildStart | null = null) {
    this.engine = start?.engine ?? new ReferenceEngine(options);
    this.gateways = start?.gateways ?? new GatewayRules();
    this.cmdSeq = start?.cmdSeq ?? 0;
    this.#timestampUs = start?.timestampUs ?? 0;
    this.#record = new EventRecord(onEvent);
  }

  /** Applies the message at `cmdSeq`, which the stream stamped with `timestampUs`. */
  apply(cmdSeq: number, timestampUs: number, bytes: Uint8Array): ExpectedGroup {
    if (timestampUs > this.#timestampUs) this.#timestampUs = timestampUs;
    const time = this.#timestampUs;
    this.cmdSeq = cmdSeq;
    this.#record.begin(cmdSeq, time);
    const fault = this.#batch.open(bytes);
    const verdict = fault === null ? this.#judge() : null;
    this.#count(fault, verdict);
    if (verdict !== null) this.engine.begin(cmdSeq, time);
    const skip = verdict?.kind === "taken" ? verdict.skip : Infinity;
    while (fault === null && this.#batch.next()) {
      if (this.#batch.index < skip) continue;
      this.commands++;
      this.#record.commandIndex = this.#batch.index;
      this.engine.apply(cmdSeq, this.#batch.index, time, this.#batch.command, this.#record);
    }
    return {
      cmdSeq,
      timestampUs: time,
      refused: verdict === null || verdict.kind === "gap" || verdict.kind === "old run",
      repeated: verdict?.kind === "repeated" || skip > 0 && skip < Infinity,
      bytes: this.#record.bytes,
      starts: this.#record.starts,
      commandOf: this.#record.commandOf,
    };
  }

  /** The state hash, gateways included: the matcher's own after the same message. */
  stateHash(): string {
    return this.engine.stateHash((digest) => this.gateways.digest(digest));
  }

  #judge(): Verdict {
    const { gatewayId, bootId, firstGatewaySeq, count } = this.#batch;
    return this.gateways.judge(gatewayId, bootId, firstGatewaySeq, count);
  }

  #count(fault: WireFault | null, verdict: Verdict | null): void {
    this.fates[fault !== null || verdict === null ? "unreadable" : verdict.kind]++;
  }
}

/** Takes events and keeps what the wire's writer makes of each, alone. */
class EventRecord implements EventSink {
  bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  starts: number[] = [0];
  commandOf: number[] = [];
  commandIndex = 0;
  readonly #writer = new EventBatchWriter(WRITER_BYTES);
  readonly #onEvent: OnEvent;
  #cmdSeq = 0;
  #timestampUs = 0;

  constructor(onEvent: OnEvent) {
    this.#onEvent = onEvent;
  }

  begin(cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#timestampUs = timestampUs;
    this.starts = [0];
    this.commandOf = [];
  }

  commandStarts(_command: Command): void {}

  event(event: Event): void {
    const writer = this.#writer;
    writer.begin(0, 0, 0, 0);
    const start = writer.reserve() * 4;
    writer.append(event);
    const length = writer.bytes[start] | writer.bytes[start + 1] << 8;
    const at = this.starts[this.starts.length - 1];
    if (at + length > this.bytes.length) {
      const larger = new Uint8Array(2 * this.bytes.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(writer.bytes.subarray(start, start + length), at);
    this.starts.push(at + length);
    this.commandOf.push(this.commandIndex);
    this.#onEvent(event, this.#cmdSeq, this.starts.length - 2, this.#timestampUs);
  }
}
