/**
 * A matcher of a simulation, as services/matcher/main.ts makes it: from the newest snapshot, with or without --standby, its
 * snapshots taken by a thread with a connection of its own. Owns the wiring.
 */
import { Control } from "../../services/matcher/control/control.ts";
import type { Engine, EngineOptions } from "../../services/matcher/engine/mod.ts";
import { allDuties } from "../../services/matcher/leader_duties.ts";
import { Matcher } from "../../services/matcher/matcher.ts";
import type { SnapshotDutyOptions } from "../../services/matcher/snapshot/duty.ts";
import {
  natsCommandLog,
  NatsSnapshotStore,
  type RestoredEngine,
  restoreEngine,
  SnapshotDuty,
} from "../../services/matcher/snapshot/mod.ts";
import { SnapshotService } from "../../services/matcher/snapshot/service.ts";
import { errorText, type Logger } from "../../shared/cli/log.ts";
import { ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import { connectSimulated } from "./nats_transport.ts";
import { type Boot, loggerOf, type PartyWorld } from "./parties.ts";
import type { Process } from "./scheduler.ts";

/** How a matcher runs. */
export interface MatcherSettings {
  readonly shard: number;
  readonly standby: boolean;
  readonly maxUnstoredBytes: number;
  /** Commands after which a snapshot is due. */
  readonly snapshotEvery: number;
  /** A planted fault: what becomes of an engine that was restored. */
  readonly tamper: ((restored: RestoredEngine, nc: NatsConnection) => Promise<RestoredEngine>) | null;
}

/** One matcher of a shard. */
export function matcherBoot(
  world: PartyWorld,
  settings: MatcherSettings,
  onMade: (matcher: Matcher, engine: Engine) => void,
): Boot {
  const { shard, standby, maxUnstoredBytes, snapshotEvery, tamper } = settings;
  return async (process, party) => {
    const { venue, scheduler } = world;
    const log = loggerOf(world, process);
    const onFatal = (error: Error) => scheduler.exit(process, error);
    const { firms, sessions, schedule, limits: { maxOpenOrders, clOrdIdHistory } } = venue;
    const instruments = venue.instruments.filter((each) => each.shard === shard);
    const nc = await connectSimulated(world, process.name);
    await ensureStreams(nc, venue);
    const made = { shard, instruments, maxOpenOrders, clOrdIdHistory };
    const store = await NatsSnapshotStore.open(nc, shard);
    const restored = await restoreEngine({ store, commands: natsCommandLog(nc, shard), engine: made, log });
    const { engine, ...from } = await tamper?.(restored, nc) ?? restored;
    const directory = { shard, instruments, firms, sessions };
    const snapshots = new SnapshotDuty({
      everyCommands: snapshotEvery,
      from: from.cmdSeq,
      startThread: snapshotThread(world, process, made, log),
      onDifferent: (reason) => onFatal(new Error(reason)),
      log,
    });
    const leave = async () => {
      await matcher.drain(5000);
      scheduler.exit(process, new Error("drained"));
    };
    const matcher = new Matcher({
      nc,
      shard,
      engine,
      from,
      instruments,
      log,
      onFatal,
      duties: allDuties(new Control({ nc, engine, directory, schedule, log, onFatal }), snapshots),
      onStandingBy: () => snapshots.standBy(),
      onHandedOver: leave,
      standby,
      maxUnstoredBytes,
    });
    onMade(matcher, engine);
    party.drain = leave;
    await matcher.start();
  };
}

/** What services/matcher/snapshot/worker.ts does, in a thread of the simulated process. */
function snapshotThread(
  world: PartyWorld,
  process: Process,
  engine: EngineOptions,
  log: Logger,
): SnapshotDutyOptions["startThread"] {
  const { scheduler } = world;
  return (onFailed) => {
    const thread = scheduler.spawnThread(process, `${process.name}/snapshots`, (error) => {
      scheduler.after(0, process, "hear of a thread's end", () => onFailed(errorText(error)));
    });
    let service: SnapshotService | null = null;
    let last: Promise<void> = Promise.resolve();
    const ask = (what: string, asked: (service: SnapshotService) => void) => {
      scheduler.after(0, thread, what, () => {
        last = last.then(async () => {
          service ??= new SnapshotService({ nc: await connectSimulated(world, thread.name), engine, log });
          asked(service);
        }).catch((cause) => log.error("cannot connect to take a snapshot", { cause: errorText(cause) }));
      });
    };
    return {
      compare: ({ from, onDifferent }) => {
        const told = (reason: string) =>
          scheduler.after(0, process, "hear of a difference", () => onDifferent(reason));
        ask("a replay is to be compared", (service) => service.compare({ from, onDifferent: told }));
      },
      due: (due) => ask("a snapshot is due", (service) => service.due(due)),
      end: () => scheduler.kill(thread),
    };
  };
}
