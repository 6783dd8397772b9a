/**
 * Whether sessions were told of commands that the streams do not hold: then acknowledged orders are lost, and the reports
 * of those that come in their places would be taken for ones that the sessions have had. Says on the way which sent
 * messages are gone, and which records are not the newest. Reaches records and sent messages through ports.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import { cmdStream, type FixSession } from "../../../shared/protocol/mod.ts";
import { lostMessages, tellLostMessages } from "./lost_messages.ts";
import { standingOf, tellOutdatedRecord } from "./outdated_record.ts";
import { readOutRecord } from "./out_record.ts";
import type { DurablePorts } from "./ports.ts";
import { laterPositions, type Position } from "./position.ts";

/** Where to look. */
export type LostCommandsPorts = Pick<DurablePorts, "records" | "out" | "newestCommands">;

/** Sessions that are looked at together: a venue may have thousands. */
const TOGETHER = 32;

/** Throws one sentence that names session, stream and sequence when a session was told of a command that is not there. */
export async function refuseLostCommands(
  sessions: readonly FixSession[],
  ports: LostCommandsPorts,
  log: Logger,
): Promise<void> {
  const told: (readonly [FixSession, readonly Position[]])[] = [];
  for (let at = 0; at < sessions.length; at += TOGETHER) {
    const some = sessions.slice(at, at + TOGETHER);
    told.push(
      ...await Promise.all(some.map(async (each) => [each, await toldTo(each, ports, log)] as const)),
    );
  }
  const newest = await ports.newestCommands();
  for (const [{ senderCompId }, positions] of told) {
    for (const { shard, cmdSeq, eventIndex } of positions) {
      const last = eventIndex > 0 ? cmdSeq : cmdSeq - 1;
      const end = newest.get(shard);
      if (end === undefined || last <= end) continue;
      throw new Error(
        `Cannot start: ${senderCompId} was told of ${
          cmdStream(shard)
        } sequence ${last}, but it ends at ${end}: ` +
          "acknowledged orders are lost",
      );
    }
  }
}

/** How far a session's reports had come. What cannot be read says nothing; its Logon will. */
async function toldTo(
  config: FixSession,
  { records, out }: LostCommandsPorts,
  log: Logger,
): Promise<readonly Position[]> {
  const { id, senderCompId } = config;
  try {
    // Another gateway may write meanwhile: what was sent is compared as it was before the record, and behind it.
    const before = await out.last(id);
    const found = await records.read(id);
    const last = await out.last(id);
    const lost = found === null ? null : await lostMessages(found.record, last, out);
    if (lost !== null) tellLostMessages(config, lost, log);
    const { outdated } = standingOf(found?.record ?? null, before, null);
    if (outdated !== null) tellOutdatedRecord(config, outdated, log);
    const positions = found?.record.positions ?? [];
    return last === null ? positions : laterPositions(positions, readOutRecord(last.bytes).positions);
  } catch (cause) {
    log.error("cannot read how far a session had come", { session: senderCompId, cause: errorText(cause) });
    return [];
  }
}
