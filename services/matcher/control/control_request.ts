/** Reads what an operator asks of a matcher; what does not fit is told so. No I/O. docs/wire.md, "Control of a matcher". */
import { z } from "zod";
import { type ControlRequest, MatchAlgorithm, PHASE_NAMES } from "../../../shared/protocol/mod.ts";

const BY = "a name of 1 to 128 characters";
const by = z.string(BY).min(1, BY).max(128, BY);
const SYMBOL = "a symbol";
const symbol = z.string(SYMBOL).min(1, SYMBOL);
const PHASE = `one of ${PHASE_NAMES.join(", ")}`;
const ALGORITHMS = Object.values(MatchAlgorithm);
const ALGORITHM = `one of ${ALGORITHMS.join(", ")}`;
const SIDE = "buy or sell";

const request = z.discriminatedUnion("do", [
  z.strictObject({
    do: z.literal("phase"),
    by,
    symbol: symbol.optional(),
    all: z.literal(true, "true").optional(),
    phase: z.enum(PHASE_NAMES, PHASE),
  }),
  z.strictObject({ do: z.literal("algorithm"), by, symbol, algorithm: z.enum(ALGORITHMS, ALGORITHM) }),
  z.strictObject({
    do: z.literal("mass-cancel"),
    by,
    firm: z.string("the name of a firm").optional(),
    session: z.string("the SenderCompID of a session").optional(),
    symbol: symbol.optional(),
    side: z.enum(["buy", "sell"], SIDE).optional(),
  }),
], "phase, algorithm or mass-cancel in do");

/** Reads a request. Throws an Error that says what was expected. */
export function parseControlRequest(text: string): ControlRequest {
  const value = jsonOf(text);
  const parsed = request.safeParse(value);
  if (!parsed.success) {
    const { path, message, code } = parsed.error.issues[0];
    const keys = code === "unrecognized_keys"
      ? (parsed.error.issues[0] as { keys?: string[] }).keys
      : undefined;
    const expected = keys === undefined ? message : `no ${keys[0]}`;
    throw wrong(
      expected,
      path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)?.[key], value),
    );
  }
  const asked = parsed.data;
  if (asked.do === "phase" && (asked.symbol === undefined) === (asked.all === undefined)) {
    throw wrong("symbol or all", value);
  }
  return asked;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("Cannot read the request: expected JSON");
  }
}

function wrong(expected: string, got: unknown): Error {
  const shown = JSON.stringify(got)?.slice(0, 100) ?? "nothing";
  return new Error(`Cannot read the request: expected ${expected}, got ${shown}`);
}
