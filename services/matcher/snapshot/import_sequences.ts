/** What a snapshot holds of sessions' and gateways' numbers, into an engine. A call returns null or a reason. Pure. */
import type { Engine } from "../engine/mod.ts";
import { SESSION_WINDOW } from "../engine/session_sequences.ts";
import type { ByteReader } from "./byte_reader.ts";
import { ALIGNMENT } from "./layout.ts";

/** Ids of sessions and gateways end before this. */
const IDS = 65536;

/** Reads the numbers of `count` sessions. */
export function readSessions({ sessions }: Engine, count: number, from: ByteReader): string | null {
  let before = -1;
  for (let i = 0; i < count; i++) {
    const session = from.u32();
    const words = from.u32();
    const incarnation = from.integer();
    const highest = from.integer();
    if (from.failed) return null;
    if (session <= before || session >= IDS || words > SESSION_WINDOW / 32 || incarnation === 0) {
      return `the numbers of session ${session} are no such thing`;
    }
    before = session;
    const seen = sessions.restore(session, incarnation, highest);
    for (let at = 0; at < words; at++) seen[at] = from.u32();
    from.align(ALIGNMENT);
  }
  return null;
}

/** Reads the numbers of `count` gateways. */
export function readGateways({ gateways }: Engine, count: number, from: ByteReader): string | null {
  let before = -1;
  for (let i = 0; i < count; i++) {
    const gatewayId = from.integer();
    const bootId = from.integer();
    const lastSeq = from.integer();
    if (from.failed) return null;
    if (gatewayId <= before || gatewayId >= IDS || bootId === 0) {
      return `the numbers of gateway ${gatewayId} are no such thing`;
    }
    before = gatewayId;
    gateways.restore(gatewayId, bootId, lastSeq);
  }
  return null;
}
