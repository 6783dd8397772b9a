/**
 * `deno task admin`: the operator's way to the sequence numbers of FIX sessions, and to the audit of what was changed.
 * Wires and decides nothing. Exit codes: 0 done, 1 refused or failed, 2 wrong command line, 78 wrong configuration.
 *
 * Permissions: --allow-read of venue file and state folder, --allow-net to reach NATS, --allow-env of the variables that
 * name folders, the account and NATS credentials.
 */
import { NatsAudit } from "../../services/fix-gateway/admin/nats_audit.ts";
import { LeaseReader } from "../../services/fix-gateway/durable/lease_board.ts";
import { NatsOutStream } from "../../services/fix-gateway/durable/nats_out_stream.ts";
import { NatsRecords } from "../../services/fix-gateway/durable/nats_records.ts";
import { UsageError } from "../../shared/cli/flags.ts";
import { errorText, nullLogger } from "../../shared/cli/log.ts";
import { exitCodeOf } from "../../shared/cli/service_process.ts";
import { loadVenue, type Venue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import type { FixSession } from "../../shared/protocol/mod.ts";
import { accessOf } from "./access.ts";
import { type AdminArgs, parseAdminArgs, USAGE } from "./args.ts";
import type { OperatorAccess } from "./operator_file.ts";
import { auditTable, changeLine, sessionTable } from "./print.ts";
import { SessionAdmin } from "./sessions.ts";

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

function sessionOf(venue: Venue, compId: string): FixSession {
  const session = venue.sessionByCompId.get(compId);
  if (session !== undefined) return session;
  throw new Error(`Cannot find session ${compId}: the venue file has none of that SenderCompID`);
}

/** Whether what was asked for was done. */
async function carryOut(args: AdminArgs, access: OperatorAccess): Promise<boolean> {
  const { command, json } = args;
  const venue = loadVenue(access.config);
  const nc = await connectNats({ ...access, name: "pitwire-admin" });
  const out = await NatsOutStream.open(nc, nullLogger);
  try {
    const audit = await NatsAudit.open(nc);
    const leases = await LeaseReader.open(nc);
    const records = await NatsRecords.open(nc);
    const admin = new SessionAdmin(nc, { records, out, leases, audit, wallMs: Date.now });
    const show = <T>(items: readonly T[], table: (items: readonly T[]) => string) =>
      print(json ? items.map((item) => `${JSON.stringify(item)}\n`).join("") : table(items));
    switch (command.kind) {
      case "list":
        show(await Promise.all(venue.sessions.map((session) => admin.status(session))), sessionTable);
        return true;
      case "show":
        show([await admin.status(sessionOf(venue, command.session))], sessionTable);
        return true;
      case "audit":
        show(await audit.last(command.last), auditTable);
        return true;
      case "change": {
        const by = args.by ?? accountName();
        const result = await admin.change(sessionOf(venue, command.session), command.change, by);
        show([result], ([one]) => `${changeLine(one)}\n`);
        return result.kind === "changed";
      }
    }
  } finally {
    out.close();
    await nc.close();
  }
}

function accountName(): string {
  for (const name of ["USER", "LOGNAME", "USERNAME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined && value !== "") return value;
  }
  throw new UsageError("Cannot tell who you are for the audit: use --by");
}

try {
  const args = parseAdminArgs(Deno.args);
  if (args === null) print(USAGE);
  else if (!await carryOut(args, accessOf(args))) Deno.exit(1);
  Deno.exit(0);
} catch (error) {
  Deno.stderr.writeSync(new TextEncoder().encode(`${errorText(error)}\n`));
  Deno.exit(exitCodeOf(error));
}
