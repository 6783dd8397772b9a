/**
 * Faults that are put into a simulated venue to see that the simulation finds them: at the edges, between our code and the
 * server or where a matcher is put together, so that no production code knows of them. Decides nothing about runs.
 */
import { SessionSequences } from "../../services/matcher/engine/session_sequences.ts";
import { readEventTail } from "../../services/matcher/event_tail.ts";
import { Command, CommandBatchReader, CommandBatchWriter } from "../../shared/codec/wire/mod.ts";
import type { MatcherSettings } from "./matcher_party.ts";
import { ClientLines, headerOf, matches, messageLine } from "./nats_lines.ts";
import type { SimulatedNats } from "./nats_server.ts";
import type { Tamper } from "./nats_transport.ts";
import type { Process } from "./scheduler.ts";

/** The faults there are, by name. */
export const PLANTS = [
  /** EV_0 takes what any matcher writes. */
  "no fence",
  /** A matcher takes an event message for stored as soon as it is sent, and so sends the next. */
  "two in flight",
  /** A gateway takes a command message for stored as soon as it is sent. */
  "early answers",
  /** What a session sends again after its gateway died is not recognised by its number. */
  "no dedupe",
  /** Commands are purged behind the older snapshot, too. */
  "purge too far",
  /** A matcher that starts from a snapshot knows no session's numbers. */
  "numbers lost",
  /** A snapshot lacks the last command that it is said to include. */
  "one short",
] as const;
/** One of {@link PLANTS}. */
export type Plant = typeof PLANTS[number];

/** Seeds from 1 on within which each fault is found; most are found within ten. */
export const WITHIN_SEEDS = 150;

/** The sentence about a planted fault that no seed found; null when nothing was planted, or it was found. */
export function missedText(plant: Plant | undefined, seeds: number, failed: number): string | null {
  if (plant === undefined || failed > 0) return null;
  const why = seeds < WITHIN_SEEDS ? `: ${WITHIN_SEEDS} seeds from 1 on are known to find it` : "";
  return `the planted fault "${plant}" was not found in ${seeds} ${seeds === 1 ? "seed" : "seeds"}${why}`;
}

/** Plants what the fault does to the server; streams made later have it too. */
export function plantIn(plant: Plant | undefined, nats: SimulatedNats): void {
  if (plant === "no fence") nats.isDeafTo = (stream) => stream.startsWith("EV_");
  if (plant === "no dedupe") nats.rewrite = renumber();
  if (plant === "purge too far") nats.rewriteRequest = purgeMore;
}

/** What the fault does to an engine that was restored from a snapshot. */
export function restoreTamperOf(plant: Plant | undefined): MatcherSettings["tamper"] {
  if (plant === "numbers lost") {
    return (restored) => {
      Object.defineProperty(restored.engine, "sessions", { value: new SessionSequences() });
      return Promise.resolve(restored);
    };
  }
  if (plant !== "one short") return null;
  return async (restored, nc) => {
    const { engine, cmdSeq } = restored;
    const { position } = await readEventTail(nc, engine.shard);
    const skips = cmdSeq > 0 && position.completeCmdSeq > cmdSeq;
    if (skips) engine.restorePosition(cmdSeq + 1, engine.timestampUs);
    return skips ? { ...restored, cmdSeq: cmdSeq + 1 } : restored;
  };
}

/** Has commands purged that a start from the older snapshot needs. */
function purgeMore(subject: string, payload: Uint8Array): Uint8Array {
  if (!subject.startsWith("$JS.API.STREAM.PURGE.CMD_")) return payload;
  const { seq } = JSON.parse(new TextDecoder().decode(payload));
  return new TextEncoder().encode(JSON.stringify({ seq: seq + 2 }));
}

/** What the fault does to what processes send. */
export function tamperOf(plant: Plant | undefined, nats: SimulatedNats): (process: Process) => Tamper {
  return ({ name }) => {
    if (plant === "two in flight" && name.startsWith("matcher")) return earlyAnswers("ev.0.", "EV_0", nats);
    if (plant === "early answers" && name.startsWith("gateway")) return earlyAnswers("cmd.0.", "CMD_0", nats);
    return null;
  };
}

/** Tells a publisher that its message is stored when it has only been sent. */
function earlyAnswers(prefix: string, stream: string, nats: SimulatedNats): Tamper {
  const lines = new ClientLines();
  const subscriptions = new Map<string, string>();
  let lastSeq = 0;
  return (sent, back) => {
    for (const line of lines.take(sent.slice())) {
      if (line.kind === "sub") subscriptions.set(line.sid, line.subject);
      if (line.kind !== "pub" || !line.subject.startsWith(prefix)) continue;
      const expected = headerOf(line.headers, "Nats-Expected-Last-Sequence");
      const known = expected === null ? nats.streams.get(stream)?.lastSeq ?? 0 : Number(expected);
      lastSeq = expected === null ? Math.max(known, lastSeq) + 1 : known + 1;
      const answer = new TextEncoder().encode(`{"stream":"${stream}","seq":${lastSeq}}`);
      for (const [sid, subject] of subscriptions) {
        if (matches(subject, line.reply)) back(messageLine(line.reply, sid, "", "", answer));
      }
    }
  };
}

/** Gives every command of a session a number that was never used. */
function renumber(): SimulatedNats["rewrite"] {
  const reader = new CommandBatchReader();
  const writer = new CommandBatchWriter();
  let next = 1;
  return (stream, payload) => {
    if (!stream.startsWith("CMD_") || reader.open(payload) !== null) return payload;
    writer.begin(reader.gatewayId, reader.bootId, reader.firstGatewaySeq);
    while (reader.next()) {
      const command: Command = reader.command;
      if (command.sessionId !== 0) command.msgSeqNum = next++;
      writer.append(command);
    }
    return writer.finish().slice();
  };
}
