/**
 * `deno task admin`: the operator's way to the sequence numbers of FIX sessions, to phases, algorithms and open orders, and
 * to the audit of what was changed.
 * Wires and decides nothing. Exit codes: 0 done, 1 refused or failed, 2 wrong command line, 78 wrong configuration.
 *
 * Permissions: --allow-read of venue file and state folder, --allow-net to reach NATS, --allow-env of the variables that
 * name folders, the account and NATS credentials.
 */
import { NatsAudit } from "../../services/fix-gateway/admin/nats_audit.ts";
import { LeaseReader } from "../../services/fix-gateway/durable/lease_board.ts";
import { NatsApplied } from "../../services/fix-gateway/durable/nats_applied.ts";
import { NatsOutStream } from "../../services/fix-gateway/durable/nats_out_stream.ts";
import { NatsRecords } from "../../services/fix-gateway/durable/nats_records.ts";
import { runCommand } from "../../shared/cli/command.ts";
import { UsageError } from "../../shared/cli/flags.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { print } from "../../shared/cli/output.ts";
import { loadVenue, type Venue } from "../../shared/config/mod.ts";
import { AuditStream, connectNats, type NatsConnection } from "../../shared/nats/mod.ts";
import type { FixSession } from "../../shared/protocol/mod.ts";
import { accessOf } from "./access.ts";
import { type AdminArgs, type AdminCommand, parseAdminArgs, USAGE } from "./args.ts";
import { handOver, handoverLines } from "./handover.ts";
import type { OperatorAccess } from "./operator_file.ts";
import {
  type AnyAuditEntry,
  auditTable,
  changeLine,
  controlLines,
  phaseTable,
  sessionTable,
} from "./print.ts";
import { eventPlaces, SessionAdmin } from "./sessions.ts";
import { shardLines, shardsOf, shardStatus } from "./shards.ts";
import { command, instrumentStatuses } from "./venue_admin.ts";

function sessionOf(venue: Venue, compId: string): FixSession {
  const session = venue.sessionByCompId.get(compId);
  if (session !== undefined) return session;
  throw new Error(`Cannot find session ${compId}: the venue file has none of that SenderCompID`);
}

/** Whether what was asked for was done. */
async function carryOut(args: AdminArgs, access: OperatorAccess): Promise<boolean> {
  const { command: asked, json } = args;
  const venue = loadVenue(access.config);
  const nc = await connectNats({ ...access, name: "pitwire-admin" });
  const show = <T>(items: readonly T[], table: (items: readonly T[]) => string) =>
    print(json ? items.map((item) => `${JSON.stringify(item)}\n`).join("") : table(items));
  try {
    switch (asked.kind) {
      case "audit":
        show(await (await AuditStream.open(nc)).last(asked.last) as AnyAuditEntry[], auditTable);
        return true;
      case "phases":
        show(await instrumentStatuses(nc, venue), phaseTable);
        return true;
      case "shard":
        return await withShards(nc, venue, asked, args, show);
      case "phase":
      case "algorithm":
      case "mass-cancel": {
        const answers = await command(nc, venue, asked, args.by ?? accountName());
        show(answers, controlLines);
        return answers.every(({ kind }) => kind !== "refused" && kind !== "unknown");
      }
      default:
        return await withSessions(nc, venue.shards, async (admin) => {
          if (asked.kind === "list") {
            show(await Promise.all(venue.sessions.map((session) => admin.status(session))), sessionTable);
            return true;
          }
          const session = sessionOf(venue, asked.session);
          if (asked.kind === "show") {
            show([await admin.status(session)], sessionTable);
            return true;
          }
          const result = await admin.change(session, asked.change, args.by ?? accountName());
          show([result], ([one]) => `${changeLine(one)}\n`);
          return result.kind === "changed";
        });
    }
  } finally {
    await nc.close();
  }
}

/** How items are printed: as JSON, or as text for people. */
type Show = <T>(items: readonly T[], text: (items: readonly T[]) => string) => void;

async function withShards(
  nc: NatsConnection,
  venue: Venue,
  { verb, shard }: AdminCommand & { kind: "shard" },
  args: AdminArgs,
  show: Show,
): Promise<boolean> {
  const shards = shardsOf(venue, shard);
  if (verb === "status") {
    show(await Promise.all(shards.map((each) => shardStatus(nc, each))), shardLines);
    return true;
  }
  const by = args.by ?? accountName();
  const ports = { nc, audit: await AuditStream.open(nc), wallMs: Date.now };
  const answers = await Promise.all(shards.map((each) => handOver(each, by, ports)));
  show(answers, handoverLines);
  return answers.every(({ kind }) => kind === "handed-over");
}

async function withSessions<T>(
  nc: NatsConnection,
  shards: readonly number[],
  work: (admin: SessionAdmin) => Promise<T>,
): Promise<T> {
  const out = await NatsOutStream.open(nc, nullLogger);
  try {
    const audit = await NatsAudit.open(nc);
    const leases = await LeaseReader.open(nc);
    const records = await NatsRecords.open(nc);
    const applied = new NatsApplied(nc, shards);
    const positions = () => eventPlaces(nc, shards);
    const ports = { records, out, leases, applied, positions, audit, wallMs: Date.now };
    return await work(new SessionAdmin(nc, ports));
  } finally {
    out.close();
  }
}

function accountName(): string {
  for (const name of ["USER", "LOGNAME", "USERNAME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined && value !== "") return value;
  }
  throw new UsageError(
    "Cannot tell who you are for the audit: none of USER, LOGNAME and USERNAME is set: use --by NAME",
  );
}

await runCommand({
  help: USAGE,
  read: parseAdminArgs,
  run: async (args) => await carryOut(args, accessOf(args)) ? 0 : 1,
});
