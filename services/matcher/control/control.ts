/**
 * What a leading matcher does beside matching: it puts into its own command stream what the clock says is due and what
 * operators ask for. Owns the wiring of the pure parts to clock, stream and requests, from the moment that the matcher
 * leads to the moment that it no longer does. Does I/O; the engine itself hears of time only through the stream.
 */
import type { Subscription } from "@nats-io/nats-core";
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import {
  AckedPublisher,
  AuditStream,
  type NatsConnection,
  nextBootNumber,
} from "../../../shared/nats/mod.ts";
import {
  charOfCode,
  controlSubject,
  EventKind,
  Phase,
  timekeeperGatewayId,
  type TradingSchedule,
  venueAuditSubject,
} from "../../../shared/protocol/mod.ts";
import { BatchOutcome } from "../engine/mod.ts";
import type { EnginePort } from "../engine_port.ts";
import type { LeaderDuties, MessageOrigin } from "../leader_duties.ts";
import type { Directory } from "./operator_commands.ts";
import { carryOut, type OperatorPorts } from "./operator_requests.ts";
import { OwnCommands, type VenueEvent } from "./own_commands.ts";
import { timedFill } from "./timed_fill.ts";
import { Timekeeper } from "./timekeeper.ts";

/** What it works with. */
export interface ControlOptions {
  readonly nc: NatsConnection;
  readonly engine: EnginePort;
  readonly directory: Directory;
  readonly schedule: TradingSchedule | null;
  readonly log: Logger;
  /** Another process sends commands as this matcher: it must not go on. */
  readonly onFatal: (error: Error) => void;
  /** Now, ms since 1970 (default: the process's clock). */
  readonly wallMs?: () => number;
}

/** The longest time between two looks at the clock: an order that expires soon may have arrived meanwhile. */
const LOOK_MS = 100;
/** How long a start waits until what is due has been applied. */
const START_MS = 5000;

/** One matcher's. */
export class Control implements LeaderDuties {
  readonly #options: ControlOptions;
  readonly #gatewayId: number;
  readonly #keeper: Timekeeper;
  readonly #wallMs: () => number;
  /** Events of the command message that is being applied. */
  #events: VenueEvent[] = [];
  #bootId = 0;
  #publisher: AckedPublisher | null = null;
  #commands: OwnCommands | null = null;
  #requests: Subscription | null = null;
  #cancelLook: () => void = () => {};
  #stopped = false;

  constructor(options: ControlOptions) {
    const { engine, directory, schedule } = options;
    this.#options = options;
    this.#gatewayId = timekeeperGatewayId(directory.shard);
    this.#wallMs = options.wallMs ?? Date.now;
    this.#keeper = new Timekeeper({ schedule, instruments: directory.instruments, state: engine });
  }

  venueEvent(event: Event, timestampUs: number): void {
    const { kind, instrumentId, phase, previousPhase, algorithm, total, reason } = event;
    if (kind === EventKind.PhaseChanged) this.#keeper.phaseChanged(instrumentId, phase, timestampUs);
    this.#events.push({ kind, instrumentId, phase, previousPhase, algorithm, total, reason });
  }

  applied(cmdSeq: number, origin: MessageOrigin, outcome: BatchOutcome): void {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    if (origin.gatewayId !== this.#gatewayId || origin.bootId !== this.#bootId) return;
    if (outcome === BatchOutcome.Applied) {
      this.#commands?.applied(origin.firstGatewaySeq, { cmdSeq, events });
    } else if (outcome !== BatchOutcome.Duplicate) {
      this.#options.onFatal(new Error("Cannot go on: another process sends commands as this matcher"));
    }
  }

  async start(): Promise<void> {
    const { nc, engine, directory, log } = this.#options;
    const used = () => Promise.resolve(engine.gateway(this.#gatewayId).bootId);
    this.#bootId = await nextBootNumber(nc, this.#gatewayId, used, log);
    const audit = await AuditStream.open(nc);
    if (this.#stopped) return;
    const publisher = new AckedPublisher(nc, { onReconnect: () => this.#commands?.reconnected() });
    this.#publisher = publisher;
    this.#commands = new OwnCommands({
      shard: directory.shard,
      gatewayId: this.#gatewayId,
      bootId: this.#bootId,
      publish: (subject, bytes, done) => {
        if (publisher.connected) publisher.publish(subject, bytes, done);
        return publisher.connected;
      },
      after,
      log,
    });
    this.#listen(audit);
    let cancel = () => {};
    const late = new Promise<void>((resolve) => cancel = after(START_MS, resolve));
    await Promise.race([this.#look(), late]);
    cancel();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#cancelLook();
    if (!this.#options.nc.isClosed()) this.#requests?.unsubscribe();
    this.#commands?.close(new Error("the matcher leads no more"));
    this.#publisher?.close();
  }

  #listen(audit: AuditStream): void {
    const { nc, engine, directory, log } = this.#options;
    const ports: OperatorPorts = {
      directory,
      send: (symbol, commands) => this.#commands!.send(symbol, commands),
      audit: (entry) => audit.write(venueAuditSubject(directory.shard), entry),
      phaseOf: (id) => engine.instrumentState(id)?.phase ?? Phase.Closed,
      algorithmOf: (id) => String.fromCharCode(charOfCode(engine.instrumentState(id)?.algorithm ?? 255)),
      wallMs: this.#wallMs,
      after,
      log,
    };
    this.#requests = nc.subscribe(controlSubject(directory.shard), {
      callback: (error, message) => {
        if (error !== null) return;
        carryOut(message.string(), ports).then((answer) => message.respond(JSON.stringify(answer)));
      },
    });
  }

  /** Sends what is due, and looks again when that has been applied and when more may be. Resolves at the former. */
  async #look(): Promise<void> {
    const { log } = this.#options;
    const commands = this.#commands!;
    if (commands.idle) {
      const due = this.#keeper.due(this.#wallMs() * 1000);
      if (due.length > 0) {
        log.info("due by the clock", { commands: due });
        try {
          await commands.send(null, due.map(timedFill));
        } catch (cause) {
          if (!this.#stopped) log.error("cannot send what is due", { cause: errorText(cause) });
        }
      }
    }
    if (this.#stopped) return;
    const inMs = commands.idle ? this.#keeper.nextUs() / 1000 - this.#wallMs() : LOOK_MS;
    this.#cancelLook = after(Math.min(Math.max(Math.ceil(inMs), 1), LOOK_MS), () => void this.#look());
  }
}

function after(delayMs: number, action: () => void): () => void {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
}
