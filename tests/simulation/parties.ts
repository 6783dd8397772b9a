/**
 * The processes of a simulation, made of the classes that run in production (matchers: matcher_party.ts), each started
 * again by its supervisor when it ends. Owns which of them run.
 */
import { Gateway } from "../../services/fix-gateway/gateway.ts";
import { errorText, type LogFields, type Logger } from "../../shared/cli/log.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { OrderTracer } from "../../shared/otel/mod.ts";
import { connectSimulated, type TransportWorld } from "./nats_transport.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** What becomes of a process that runs under a supervisor. */
export interface Party {
  readonly name: string;
  /** Null while it is down. */
  process: Process | null;
  /** Whether it is started again. */
  wanted: boolean;
  /** Times started. */
  starts: number;
  /** Ends the process in good order; null while that is not possible. */
  drain: (() => Promise<void>) | null;
}

/** Starts what a process does; what it throws ends the process. */
export type Boot = (process: Process, party: Party) => Promise<void>;

/** The supervisor of all. */
export class Parties {
  readonly all: Party[] = [];
  /** Hears why a process ended by itself. */
  onEnd: (name: string, why: string) => void = () => {};
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Starts a party and keeps it running. */
  add(name: string, boot: Boot): Party {
    const party: Party = { name, process: null, wanted: true, starts: 0, drain: null };
    this.all.push(party);
    this.#start(party, boot, 0);
    return party;
  }

  #start(party: Party, boot: Boot, delayUs: number): void {
    const scheduler = this.#scheduler;
    scheduler.after(delayUs, null, `start ${party.name}`, () => {
      if (!party.wanted) return;
      const process = scheduler.spawn(`${party.name}.${++party.starts}`, (error) => {
        scheduler.note(`${scheduler.nowUs} ${process.name} ends: ${errorText(error)}`);
        this.onEnd(process.name, errorText(error));
      });
      party.process = process;
      process.atEnd.push(() => {
        party.process = null;
        party.drain = null;
        this.#start(party, boot, scheduler.random.between(50_000, 500_000));
      });
      scheduler.after(0, process, "boot", () => {
        boot(process, party).catch((error) => scheduler.exit(process, error));
      });
    });
  }
}

/** What processes are made from. */
export interface PartyWorld extends TransportWorld {
  readonly venue: Venue;
}

/** Lines of the process go into the run's digest. */
export function loggerOf({ scheduler }: PartyWorld, process: Process): Logger {
  const write = (level: string) => (message: string, fields: LogFields = {}) => {
    const parts = Object.entries(fields).map(([key, value]) =>
      `${key}=${value instanceof Error ? errorText(value) : String(value)}`
    );
    scheduler.note(`${scheduler.nowUs} ${process.name} ${level} ${message} ${parts.join(" ")}`);
  };
  return { debug: () => {}, info: write("info"), warn: write("warn"), error: write("error") };
}

/** A gateway, as services/fix-gateway/main.ts makes it. */
export function gatewayBoot(world: PartyWorld, gatewayId: number, port: number): Boot {
  return async (process, party) => {
    const { venue, scheduler } = world;
    const onFatal = (error: Error) => scheduler.exit(process, error);
    const nc = await connectSimulated(world, process.name);
    nc.closed().then(() => onFatal(new Error("the connection to NATS was closed")));
    const gateway = await Gateway.start({
      nc,
      venue,
      gatewayId,
      hostname: "127.0.0.1",
      port,
      tracer: new OrderTracer("fix-gateway", 0),
      log: loggerOf(world, process),
      onFatal,
      numberBlock: 64,
      giveUpAfterMs: 400,
    });
    party.drain = async () => {
      await gateway.drain();
      scheduler.exit(process, new Error("drained"));
    };
  };
}

/** What an operator asks for, while the connection is there. */
export interface Operator {
  /** Planned hand-overs, phases, algorithms, cancels: a request to a matcher. */
  ask: (subject: string, text: string) => void;
}

/** The operator's process. */
export function operatorBoot(world: PartyWorld, operator: Operator): Boot {
  return async (process) => {
    const nc = await connectSimulated(world, process.name);
    operator.ask = (subject, text) => {
      if (!process.alive) return;
      world.scheduler.after(0, process, `ask ${subject} ${text}`, () => {
        nc.request(subject, text, { timeout: 3000 }).catch(() => {});
      });
    };
  };
}
