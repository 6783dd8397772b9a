/** What a verification found, for people and as JSON. Pure. */
import { cmdStream, evStream } from "../../../shared/protocol/mod.ts";
import type { Difference } from "./comparison.ts";
import { outcomeOf, type Verdict } from "./verdict.ts";

/** The lines that say it to people. */
export function verdictText(verdict: Verdict): string {
  const { shard, difference } = verdict;
  const lines = difference === null ? [`shard ${shard}: ${comparedText(verdict)}`] : [
    `shard ${shard}: DIFFERENT at ${placeOf(shard, difference)}: ${difference.what}`,
    ...eventLines(difference),
  ];
  return `${[...lines, ...figureLines(verdict)].join("\n")}\n`;
}

/** One line of JSON; docs/testing.md describes it. */
export function verdictJson(verdict: Verdict): string {
  const { rebuild, ...rest } = verdict;
  const { commands, cmdSeq, fates, gateways } = rebuild;
  const outcome = outcomeOf(verdict);
  const good = outcome === "nothing" ? null : outcome === "good";
  return `${JSON.stringify({ ...rest, good, commands, cmdSeq, fates, gateways: gateways.runs() })}\n`;
}

/** How much was compared, and what could not be. */
function comparedText(verdict: Verdict): string {
  const { tail, later } = verdict;
  return [
    basisText(verdict),
    ...(verdict.messages === 0 || tail === 0 ? [] : [tailText(verdict)]),
    ...(later === 0 ? [] : [`${later} more came while this ran`]),
  ].join("; ");
}

function basisText(verdict: Verdict): string {
  const { messages, events, tail, startedAfter } = verdict;
  if (messages > 0) {
    const of = counted(messages, "command message");
    return `every event is as it must be: ${counted(events, "event")} of ${of} compared`;
  }
  const why = tail === 0 ? "there are no command messages behind the snapshot" : tailText(verdict);
  if (outcomeOf(verdict) === "nothing") return `NOTHING TO COMPARE: ${why}`;
  if (startedAfter > 0 || tail > 0) return `${why}: the state alone is compared`;
  return "no command was ever sent: there is nothing to compare";
}

function tailText({ shard, tail, tailFrom, tailTo, hash }: Verdict): string {
  const of = tail === 1
    ? `command message ${tailTo}`
    : `the ${tail} command messages ${tailFrom} to ${tailTo}`;
  const when = hash === null ? "the next start makes them" : "they are on their way";
  return `${evStream(shard)} has no events of ${of} (${when})`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function placeOf(shard: number, { cmdSeq, commandIndex, eventIndex, evSeq }: Difference): string {
  const place: string[] = [];
  if (cmdSeq !== null) place.push(`${cmdStream(shard)} sequence ${cmdSeq}`);
  if (commandIndex !== null) place.push(`command ${commandIndex}`);
  if (eventIndex !== null) place.push(`event ${eventIndex}`);
  if (evSeq !== null) place.push(`${evStream(shard)} sequence ${evSeq}`);
  return place.join(", ");
}

function eventLines({ expected, stored, fields }: Difference): string[] {
  if (expected === null && stored === null) return [];
  return [
    `  expected ${expected ?? "nothing"}`,
    `  stored   ${stored ?? "nothing"}`,
    ...(fields.length === 0 ? [] : [`  differs  ${fields.join(", ")}`]),
  ];
}

function figureLines(verdict: Verdict): string[] {
  const {
    shard,
    difference,
    rebuild,
    events,
    trades,
    epoch,
    claims,
    comparedFrom,
    startedAfter,
    hash,
  } = verdict;
  const { fates } = rebuild;
  const lines = [
    `  ${counted(rebuild.commands, "command")} in ${
      counted(rebuild.cmdSeq - startedAfter, "message")
    }: ${fates.taken} taken, ${fates.repeated} repeated, ` +
    `${fates.gap} behind a gap, ${fates["old run"]} of an ended gateway run, ${fates.unreadable} unreadable`,
    `  ${counted(events, "event")} compared, ${counted(trades, "trade")}, epoch ${epoch}, ${
      counted(claims, "claim")
    }`,
  ];
  for (const { gatewayId, bootId, last } of rebuild.gateways.runs()) {
    const numbers = last === 1 ? "command 1" : `commands 1 to ${last}`;
    lines.push(`  gateway ${gatewayId} run ${bootId}: ${numbers}, none missing`);
  }
  if (startedAfter > 0) {
    lines.push(`  begins with the snapshot after command message ${startedAfter}, which is taken as it is`);
  } else if (comparedFrom > 1) {
    lines.push(`  ${evStream(shard)} begins in command message ${comparedFrom}: compared from there on`);
  }
  if (difference !== null) return lines;
  if (hash !== null && hash.matcher === hash.rebuilt) {
    lines.push(`  state hash ${hash.rebuilt} after command message ${hash.cmdSeq}: the matcher's too`);
  } else if (hash === null) lines.push("  no matcher's state hash to compare with");
  return lines;
}
