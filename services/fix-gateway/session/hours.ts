/**
 * Owns what a session's hours mean for it: a Logon outside of them is refused, their end logs it out, their
 * beginning may start the numbers again. Hours are a matter of the wall clock: each `now` here is its. Pure.
 */
import { logOut } from "./reject.ts";
import { closedText, hoursAt } from "./schedule.ts";
import { Phase, type SessionState } from "./state.ts";

/**
 * Numbers that began before this instant, ms of the wall clock, start again at 1 with a Logon now; -Infinity when none
 * do.
 */
export function renewBefore(state: SessionState): number {
  const { schedule } = state.settings;
  if (schedule === null || !schedule.resetAtStart) return -Infinity;
  const hours = hoursAt(schedule, state.setup.clock.wallMs());
  return hours.open ? hours.sinceMs : -Infinity;
}

/** Null when the session is open now, which sets the end of its hours; else what a Logon is told. */
export function enterHours(state: SessionState): string | null {
  const { schedule } = state.settings;
  state.closesMs = Infinity;
  if (schedule === null) return null;
  const hours = hoursAt(schedule, state.setup.clock.wallMs());
  if (!hours.open) return closedText(schedule, hours.opensMs);
  state.closesMs = hours.untilMs;
  return null;
}

/** Says Logout, with when the session opens next, when its hours are over. `now` is monotonic. */
export function endHours(state: SessionState, now: number): void {
  const { schedule } = state.settings;
  const wallMs = state.setup.clock.wallMs();
  if (schedule === null || wallMs < state.closesMs || state.phase !== Phase.LoggedOn) return;
  const hours = hoursAt(schedule, wallMs);
  const text = hours.open ? "The session's day is over; log on again" : closedText(schedule, hours.opensMs);
  logOut(state, text, now);
}
