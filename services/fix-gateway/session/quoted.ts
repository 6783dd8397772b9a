/** Owns how a peer's own words appear in a text of ours. Pure. */

/** Characters of a peer's value that are repeated. */
const MAX_QUOTED = 64;

/** A peer's value for a Text(58): quoted, shortened, control characters replaced. */
export function quoted(value: string | undefined): string {
  if (value === undefined) return "nothing";
  const shown = value.length > MAX_QUOTED ? value.slice(0, MAX_QUOTED) + "..." : value;
  // deno-lint-ignore no-control-regex
  return `"${shown.replace(/[\x00-\x1f\x7f]/g, "?")}"`;
}
