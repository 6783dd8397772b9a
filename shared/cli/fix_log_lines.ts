/**
 * Owns how a line of a FIX message log reads for people: the messages in it with names of fields and of
 * enumerated values, everything around them as it was. Passwords are never shown. It judges no message.
 * Pure.
 */
import { describeMessage, FIX44 } from "../codec/fix/mod.ts";

/** Where a message starts, with the delimiter that it uses: SOH, or what logs write in its place. */
// deno-lint-ignore no-control-regex
const START = /8=FIXT?\.\d\.\d(\x01|\||\^A|<SOH>)/g;
/** Password(554) and NewPassword(925) in text that is no message. */
// deno-lint-ignore no-control-regex
const SECRET = /(?<![0-9])(554|925)=(?:(?!\x01|\||\^A|<SOH>)\S)*/g;

/**
 * The line with each FIX message in it written out; bytes beyond ASCII are one character each. A line
 * without one comes back as it is, but for secrets.
 */
export function readableLine(line: string): string {
  let shown = "";
  let at = 0;
  for (const { index, end, delimiter } of messagesIn(line)) {
    shown += masked(line.slice(at, index)) + described(line.slice(index, end), delimiter);
    at = end;
  }
  return shown + masked(line.slice(at));
}

interface Found {
  readonly index: number;
  /** Behind the message's last delimiter. */
  readonly end: number;
  readonly delimiter: string;
}

/**
 * Each message runs to the CheckSum(10) before the next one, or, cut off, to the next one or the line's end.
 */
function messagesIn(line: string): Found[] {
  const starts = [...line.matchAll(START)];
  return starts.map((start, i) => {
    const delimiter = start[1];
    const limit = starts[i + 1]?.index ?? line.length;
    const whole = line.slice(start.index, limit);
    const trailer = whole.lastIndexOf(`${delimiter}10=`);
    if (trailer < 0) return { index: start.index, end: limit, delimiter };
    const [value] = /^\d*/.exec(whole.slice(trailer + delimiter.length + 3))!;
    const end = start.index + trailer + delimiter.length + 3 + value.length;
    const isClosed = line.startsWith(delimiter, end);
    return { index: start.index, end: isClosed ? end + delimiter.length : end, delimiter };
  });
}

function described(text: string, delimiter: string): string {
  const fields = text.endsWith(delimiter) ? text : text + delimiter;
  const bytes = Uint8Array.from(
    fields.replaceAll(delimiter, "\x01"),
    (character) => character.charCodeAt(0) & 0xff,
  );
  return describeMessage(bytes, FIX44);
}

function masked(text: string): string {
  return text.replace(SECRET, "$1=***");
}
