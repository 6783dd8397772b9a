/**
 * The ways on which one session's reports come, one per shard: live ones straight from the router, missed ones made
 * again from stored events, the former behind the latter. Owns where each way stands. Numbers nothing. Reaches stored
 * events through a port. docs/architecture.md, "The path of an order": a session's
 * reports leave in event order.
 */
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import { QuoteAcks } from "../order_entry/mod.ts";
import { CatchUp, type ReportMaker } from "./catch_up.ts";
import type { Source } from "./out_record.ts";
import type { DurablePorts, HistoryReading } from "./ports.ts";
import { isBefore, later, type Position } from "./position.ts";

/** Where a report goes. */
export interface ReportPort {
  compose(): FixWriter;
  /** Sends what {@link compose} holds. */
  send(msgType: string): void;
}

/** What lanes do to their session. */
export interface LaneHost {
  /** The session's writer, empty. */
  compose(): FixWriter;
  /** Sends what {@link compose} holds: the report of `source`. */
  report(msgType: string, possResend: boolean, source: Source): void;
  /** Whether so much is on its way that catching up has to wait. */
  crowded(): boolean;
  /** Whether so much is on its way that live reports have to wait too. */
  strained(): boolean;
  /** Live reports of a shard wait: they will be made from its stored events. Told once until the session keeps up again. */
  behind(shard: number): void;
  /** Stored messages of a shard's events are gone: their reports cannot be made. */
  missing(shard: number, from: number, to: number): void;
  /** A shard's events do not lie where they did: they are read from the first one on. */
  displaced(shard: number, error: Error): void;
  /** A shard's events cannot be read. */
  failed(shard: number, error: Error): void;
}

/** What lanes need from the world. */
export type LanePorts = Pick<DurablePorts, "history" | "positions" | "isReported" | "report">;

/** One session's way through one shard. */
class Lane implements ReportPort {
  readonly #session: number;
  readonly #ports: LanePorts;
  readonly #host: LaneHost;
  readonly #maxWaitingBytes: number;
  /** Reports of all events before it were handed over (or are none of this lane's business). */
  #done: Position;
  #begun = false;
  /** An earlier owner may have sent reports of commands up to it. */
  #doubtful = 0;
  #catchUp: CatchUp | null = null;
  #maker: ReportMaker | null = null;
  #reading: HistoryReading | null = null;
  #paused = false;
  /** Whether the host was told that it is behind, and has not kept up since. */
  #isBehind = false;
  /** The live event being reported. */
  #source: Source;
  #writer: FixWriter | null = null;

  constructor(session: number, from: Position, ports: LanePorts, maxWaitingBytes: number, host: LaneHost) {
    this.#session = session;
    this.#done = from;
    this.#ports = ports;
    this.#maxWaitingBytes = maxWaitingBytes;
    this.#host = host;
    this.#source = { shard: from.shard, cmdSeq: 0, eventIndex: 0 };
  }

  get shard(): number {
    return this.#done.shard;
  }

  /** Whether everything was made again of which an earlier owner may have sent reports; `live` as in {@link position}. */
  level(live: Position | undefined): boolean {
    return this.#begun && this.#catchUp === null && this.position(live).cmdSeq > this.#doubtful;
  }

  /** Where the lane stands; `live` is where the shard's live events stand. */
  position(live: Position | undefined): Position {
    if (this.#catchUp !== null) return later(this.#catchUp.at, this.#done);
    return this.#begun && live !== undefined ? later(live, this.#done) : this.#done;
  }

  begin(live: Position, skipMissed: boolean, doubtful: number): void {
    this.#begun = true;
    this.#doubtful = doubtful;
    if (skipMissed) this.#done = later(this.#done, live);
    if (isBefore(this.#done, live)) this.#catchUpTo(live);
  }

  /** The way of a live report, or null when it is not wanted. */
  port(cmdSeq: number, eventIndex: number): ReportPort | null {
    if (!this.#begun || isBefore({ cmdSeq, eventIndex }, this.#done)) return null;
    this.#source = { shard: this.shard, cmdSeq, eventIndex };
    if (this.#catchUp === null && this.#host.strained()) this.#fallBehind();
    if (this.#catchUp === null || !this.#paused) return this;
    this.#catchUp.forget(cmdSeq, eventIndex);
    return null;
  }

  compose(): FixWriter {
    this.#writer = this.#host.compose();
    return this.#writer;
  }

  send(msgType: string): void {
    const { cmdSeq, eventIndex } = this.#source;
    if (this.#catchUp === null) this.#send(msgType, this.#source);
    else this.#catchUp.wait({ cmdSeq, eventIndex, msgType, body: this.#writer!.body.slice() });
  }

  /** Stops or resumes making missed reports, as the session can take more or not. */
  pace(): void {
    if (this.#catchUp === null && !this.#host.crowded()) this.#isBehind = false;
    if (this.#reading === null || this.#host.crowded() === this.#paused) return;
    this.#paused = !this.#paused;
    if (this.#paused) return this.#reading.pause();
    const catchUp = this.#catchUp!;
    catchUp.goOn(this.#maker!);
    if (catchUp.joined) this.#join(catchUp);
    else if (catchUp.cut) this.#paused = true;
    else this.#reading.resume();
  }

  stop(): void {
    this.#reading?.stop();
    this.#reading = null;
  }

  /** The session cannot take the live report at hand, nor what follows: it is made from stored events, at their pace. */
  #fallBehind(): void {
    const { shard, evSeq } = this.#done;
    const live = this.#ports.positions().find((each) => each.shard === shard);
    this.#done = { ...this.#source, evSeq: Math.max(evSeq, live?.evSeq ?? 0) };
    if (!this.#isBehind) this.#host.behind(shard);
    this.#isBehind = true;
    this.#catchUpTo(this.#done);
  }

  #catchUpTo(live: Position): void {
    const acks = new QuoteAcks();
    const catchUp = new CatchUp({
      session: this.#session,
      from: this.#done,
      live,
      maxWaitingBytes: this.#maxWaitingBytes,
      isReported: (reader) => this.#ports.isReported(reader, acks),
    });
    this.#catchUp = catchUp;
    this.#maker = { full: () => this.#host.crowded(), make: (reader) => this.#make(reader, acks) };
    this.#read(catchUp, this.#maker, this.#done.evSeq);
  }

  /**
   * Reads the stored events behind `evSeq`, where the session's place lies or before. Once EV_s has lost its end and was
   * given those events again, they may lie elsewhere in it: then everything is looked through.
   */
  #read(catchUp: CatchUp, maker: ReportMaker, evSeq: number): void {
    this.#paused = false;
    let gone: { readonly from: number; readonly to: number } | null = null;
    this.#reading = this.#ports.history.read(this.shard, evSeq, {
      stored: (seq, bytes) => {
        catchUp.stored(seq, bytes, maker);
        if (gone !== null && catchUp.jumped) {
          this.#host.missing(this.shard, gone.from, gone.to);
          gone = null;
        }
        if (catchUp.joined && !this.#host.crowded()) this.#join(catchUp);
        else this.pace();
      },
      missing: (from, to) => {
        catchUp.missing();
        gone = { from, to };
      },
      failed: (error) => {
        this.stop();
        if (evSeq === 0) return this.#host.failed(this.shard, error);
        this.#host.displaced(this.shard, error);
        this.#read(catchUp, maker, 0);
      },
    });
  }

  #make(reader: EventBatchReader, acks: QuoteAcks): void {
    const { cmdSeq, eventIndex } = reader;
    const msgType = this.#ports.report(this.shard, reader, this.#host.compose(), acks);
    if (msgType !== null) this.#send(msgType, { shard: this.shard, cmdSeq, eventIndex });
  }

  #join(catchUp: CatchUp): void {
    this.stop();
    this.#catchUp = null;
    this.#done = later(this.#done, catchUp.at);
    for (const { cmdSeq, eventIndex, msgType, body } of catchUp.finish()) {
      this.#host.compose().rawBody(body);
      this.#send(msgType, { shard: this.shard, cmdSeq, eventIndex });
    }
  }

  #send(msgType: string, source: Source): void {
    const { cmdSeq, eventIndex } = source;
    this.#host.report(msgType, cmdSeq <= this.#doubtful, source);
    this.#done = { ...this.#done, cmdSeq, eventIndex: eventIndex + 1 };
  }
}

/** All ways of one session. */
export class LaneSet {
  readonly #lanes = new Map<number, Lane>();
  readonly #ports: LanePorts;

  /** Starts at `from`; a shard of the venue that is not in it starts at its first event. */
  constructor(
    session: number,
    from: readonly Position[],
    ports: LanePorts,
    maxWaitingBytes: number,
    host: LaneHost,
  ) {
    this.#ports = ports;
    for (const { shard } of ports.positions()) {
      const start = from.find((each) => each.shard === shard) ??
        { shard, cmdSeq: 1, eventIndex: 0, evSeq: 0 };
      this.#lanes.set(shard, new Lane(session, start, ports, maxWaitingBytes, host));
    }
  }

  /** Whether everything was made again of which an earlier owner may have sent reports. */
  get level(): boolean {
    const live = this.#ports.positions();
    return [...this.#lanes.values()].every((lane) =>
      lane.level(live.find(({ shard }) => shard === lane.shard))
    );
  }

  /**
   * Reports flow from now on: missed ones first, unless `skipMissed`. Those of commands up to `doubtful`, by shard, may
   * have been sent before, and go out with PossResend(97)=Y.
   */
  begin(skipMissed: boolean, doubtful: ReadonlyMap<number, number>): void {
    for (const live of this.#ports.positions()) {
      this.#lanes.get(live.shard)?.begin(live, skipMissed, doubtful.get(live.shard) ?? 0);
    }
  }

  /** Where a live report of this event goes, or null. */
  port(shard: number, cmdSeq: number, eventIndex: number): ReportPort | null {
    return this.#lanes.get(shard)?.port(cmdSeq, eventIndex) ?? null;
  }

  /** Where every lane stands. */
  positions(): Position[] {
    const live = this.#ports.positions();
    return [...this.#lanes.values()].map((lane) =>
      lane.position(live.find((each) => each.shard === lane.shard))
    );
  }

  /** See {@link Lane.pace}. */
  pace(): void {
    for (const lane of this.#lanes.values()) lane.pace();
  }

  /** Nothing more is handed over. */
  stop(): void {
    for (const lane of this.#lanes.values()) lane.stop();
  }
}
