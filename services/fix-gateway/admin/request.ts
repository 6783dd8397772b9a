/**
 * What an administrator asks a gateway on `gateway.<id>.admin`, and the answers, as JSON. Owns their reading; what does
 * not fit is told so. Pure. docs/wire.md, "Administration of a gateway".
 */
import type { Numbers } from "../durable/record.ts";
import type { NumberChange } from "./change.ts";

/** A request. */
export type AdminRequest =
  | { readonly action: "numbers"; readonly session: number }
  | {
    readonly action: "change";
    readonly session: number;
    readonly change: NumberChange;
    readonly by: string;
  };

/** An answer. */
export type AdminAnswer =
  /** Of "numbers": where they stand here; null when this gateway does not hold the session. */
  | { readonly kind: "numbers"; readonly numbers: Numbers | null }
  | { readonly kind: "changed"; readonly before: Numbers; readonly after: Numbers }
  | { readonly kind: "refused"; readonly reason: string };

const MAX_NAME = 128;

/** Reads a request. Throws an Error that says what was expected. */
export function parseRequest(text: string): AdminRequest {
  const value = JSON.parse(text) as Record<string, unknown> | null;
  const { action, session, change, by } = value ?? {};
  if (!Number.isSafeInteger(session)) throw wrong("a session id in session", session);
  const id = session as number;
  if (action === "numbers") return { action, session: id };
  if (action !== "change") throw wrong("numbers or change in action", action);
  if (typeof by !== "string" || by === "" || by.length > MAX_NAME) throw wrong("a short name in by", by);
  return { action, session: id, change: parseChange(change), by };
}

function parseChange(value: unknown): NumberChange {
  const { kind, out, in: into, force } = (value ?? {}) as Record<string, unknown>;
  if (kind === "reset" && typeof force === "boolean") return { kind, force };
  const isNumber = (number: unknown) => number === null || Number.isSafeInteger(number);
  if (kind !== "set" || !isNumber(out) || !isNumber(into) || typeof force !== "boolean") {
    throw wrong("reset with force, or set with out, in and force, in change", value);
  }
  return { kind, out: out as number | null, in: into as number | null, force };
}

function wrong(expected: string, got: unknown): Error {
  return new Error(
    `Cannot read the request: expected ${expected}, got ${JSON.stringify(got)?.slice(0, 100)}`,
  );
}
