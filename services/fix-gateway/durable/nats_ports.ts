/** The world of durable sessions, as it is in production: NATS, the clock. Wires and decides nothing. Does I/O. */
import type { Logger } from "../../../shared/cli/log.ts";
import { type NatsConnection, streamExtent } from "../../../shared/nats/mod.ts";
import { cmdStream, type FixSession } from "../../../shared/protocol/mod.ts";
import { knownBoot } from "./known_boot.ts";
import { LeaseBoard, LeaseReader } from "./lease_board.ts";
import { NatsApplied } from "./nats_applied.ts";
import { NatsHistory } from "./nats_history.ts";
import { NatsOutStream } from "./nats_out_stream.ts";
import { NatsRecords } from "./nats_records.ts";
import type { DurablePorts } from "./ports.ts";
import type { Owner } from "./record.ts";

/** The ports, and how to let go of them. */
export interface NatsPorts {
  readonly ports: DurablePorts;
  /** Ends the lease and stops publishing. */
  close(): Promise<void>;
}

/** What else ports are made from. */
export interface NatsPortsOptions {
  readonly nc: NatsConnection;
  readonly shards: readonly number[];
  readonly me: Owner;
  readonly positions: DurablePorts["positions"];
  readonly isReported: DurablePorts["isReported"];
  readonly report: DurablePorts["report"];
  /** Others may have taken sessions over. */
  readonly onLapse: () => void;
  readonly log: Logger;
}

/** The highest boot number under which a gateway is known to have had to do with sessions; see {@link knownBoot}. */
export async function storedBoot(
  nc: NatsConnection,
  gatewayId: number,
  sessions: readonly FixSession[],
  log: Logger,
): Promise<number> {
  const out = await NatsOutStream.open(nc, log);
  const [records, leases] = [await NatsRecords.open(nc), await LeaseReader.open(nc)];
  const boot = await knownBoot(gatewayId, sessions, { records, out, leases });
  out.close();
  return boot;
}

/** Opens buckets and stream, which ensureStreams has made, and takes the gateway's lease. */
export async function openNatsPorts(options: NatsPortsOptions): Promise<NatsPorts> {
  const { nc, shards, me, positions, isReported, report, onLapse, log } = options;
  const out = await NatsOutStream.open(nc, log);
  const leases = await LeaseBoard.open(nc, me, onLapse, log);
  const ports: DurablePorts = {
    records: await NatsRecords.open(nc),
    out,
    leases,
    history: new NatsHistory(nc, log),
    applied: new NatsApplied(nc, shards),
    positions,
    newestCommands: async () => {
      const ends = shards.map(async (shard) =>
        [shard, (await streamExtent(nc, cmdStream(shard))).lastSeq] as const
      );
      return new Map(await Promise.all(ends));
    },
    isReported,
    report,
    nowMs: () => performance.now(),
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
  return {
    ports,
    close: async () => {
      await leases.close();
      out.close();
    },
  };
}
