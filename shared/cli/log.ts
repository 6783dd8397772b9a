/**
 * Structured logs: one JSON object per line on stderr with time, level, service, msg and the caller's fields.
 * Own code rather than pino: writing to stderr without worker threads, environment or file permissions is all that
 * is asked, and it is less than the set-up pino would need. Not for the hot path.
 */

import { UsageError } from "./flags.ts";
import { write } from "./output.ts";

/** Levels, least severe first; a logger writes its own level and what is more severe. */
const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
/** One of {@link LOG_LEVELS}. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Values for a line; an Error is written as its message chain. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes lines for one service. Never throws, whatever the fields hold. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Where a logger puts its lines and takes its time from; replaced in tests. */
export interface LogSink {
  /** Takes one line, newline included. */
  write(line: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

const STDERR: LogSink = {
  write: (line) => write(Deno.stderr, line),
  now: () => Date.now(),
};

/** What Deno says when no program may read or write a path (/proc, /dev and the like) without all permissions. */
const SYSTEM_PATH = /^Requires all access to (".*"), run again with the --allow-\w+ flag$/;

function messageOf(error: Error): string {
  return error.message.replace(SYSTEM_PATH, "$1 is a system path, which Deno keeps from programs");
}

/** The message of anything thrown, followed by those of its causes that it does not repeat, as one line of text. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let text = messageOf(error);
  for (let { cause } = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
    const why = cause instanceof Error ? messageOf(cause) : String(cause);
    if (!text.includes(why)) text += `: ${why}`;
  }
  return text.replace(/\s*\n\s*/g, " ");
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Error ? errorText(value) : value;
}

function format(time: number, level: LogLevel, service: string, msg: string, fields: LogFields = {}): string {
  const head = { time: new Date(time).toISOString(), level, service, msg };
  try {
    return JSON.stringify({ ...head, ...fields, ...head }, plain) + "\n";
  } catch (error) {
    return JSON.stringify({ ...head, unloggable: errorText(error) }) + "\n";
  }
}

/** The level that the supervisor hands to its children; info where that variable may not be read or is no level. */
function inheritedLevel(): LogLevel {
  const variable = "PITWIRE_LOG_LEVEL";
  if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") return "info";
  const text = Deno.env.get(variable);
  return LOG_LEVELS.find((each) => each === text) ?? "info";
}

/** A logger for `service` that writes `level` and above to stderr. A line that cannot be written is dropped. */
export function createLogger(
  service: string,
  level: LogLevel = inheritedLevel(),
  sink: LogSink = STDERR,
): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const writer = (of: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(of) < least) return;
    try {
      sink.write(format(sink.now(), of, service, message, fields));
    } catch {
      // A closed stderr must not stop a service that trades.
    }
  };
  return { debug: writer("debug"), info: writer("info"), warn: writer("warn"), error: writer("error") };
}

/** A logger that writes nothing, for tests. */
export const nullLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Reads a log level from text. Throws a RangeError that lists the levels. */
export function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((each) => each === text);
  if (level !== undefined) return level;
  throw new UsageError(`Cannot set log level: expected ${LOG_LEVELS.join(", ")}, got "${text}"`);
}
