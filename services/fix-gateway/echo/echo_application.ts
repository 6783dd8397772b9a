/**
 * Owns what the echo does with application messages: NewOrderSingle(D), SecurityDefinition(d) and Email(C)
 * go back to their sender with their body fields byte for byte, every other type is refused. It trades
 * nothing. Pure. Source: FIX 4.4 Vol. 2, "Possible Resends"; docs/testing.md.
 */
import { FIX44, type FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Application, BusinessReject, SessionPort } from "../application.ts";

const RETURNED_TYPES: readonly string[] = ["D", "d", "C"];
const CL_ORD_ID = 11;
const POSS_RESEND = 97;
const YES = 0x59;
const UNSUPPORTED: BusinessReject = { reason: 3, text: "Unsupported Message Type" };
/** ClOrdIDs remembered per session; beyond, the oldest give way. */
export const MAX_REMEMBERED_IDS = 100_000;

/** The application behind `deno task fix:echo`. */
export class EchoApplication implements Application {
  readonly ready: Promise<void> | null = null;
  readonly #startsOverAtLogon: boolean;
  /** ClOrdIDs of orders seen, oldest first, by session id. */
  readonly #seen = new Map<number, Set<string>>();

  /** `startsOverAtLogon`: every Logon begins a new session, in which no ClOrdID was seen yet. */
  constructor(startsOverAtLogon: boolean) {
    this.#startsOverAtLogon = startsOverAtLogon;
  }

  /** Forgets the ClOrdIDs of the session before, if a Logon begins a new one. */
  loggedOn(session: SessionPort): void {
    if (this.#startsOverAtLogon) this.#seen.delete(session.config.id);
  }

  /** Nothing: ClOrdIDs are kept for the next connection. */
  loggedOut(): void {}

  /** Returns the message to its sender, keeps quiet about an order sent again, or refuses. */
  receive(session: SessionPort, message: FixMessage): BusinessReject | null {
    const { msgType } = message;
    if (!RETURNED_TYPES.includes(msgType)) return UNSUPPORTED;
    const isPossResend = message.charCode(POSS_RESEND) === YES;
    if (msgType === "D" && this.#remember(session.config.id, message) && isPossResend) return null;
    session.compose().rawBody(bodyOf(message));
    session.send(msgType, isPossResend);
    return null;
  }

  /** Nothing: every message was answered when it came. */
  readComplete(): void {}

  /** Whether the order's ClOrdID was seen before in this session; from now on it was. */
  #remember(sessionId: number, order: FixMessage): boolean {
    let ids = this.#seen.get(sessionId);
    if (ids === undefined) this.#seen.set(sessionId, ids = new Set());
    const id = order.text(CL_ORD_ID) ?? "";
    if (ids.has(id)) return true;
    ids.add(id);
    if (ids.size > MAX_REMEMBERED_IDS) ids.delete(ids.values().next().value!);
    return false;
  }
}

/**
 * The encoded fields between header and trailer, borrowed from the message, whose order the dictionary
 * approved.
 */
function bodyOf(message: FixMessage): Uint8Array {
  const { tags, valueEnd, fieldCount, buffer } = message;
  let first = 0;
  while (first < fieldCount && isHeader(tags[first])) first++;
  let end = fieldCount;
  while (end > first && FIX44.trailer.indexOf(tags[end - 1]) >= 0) end--;
  return buffer.subarray(valueEnd[first - 1] + 1, valueEnd[end - 1] + 1);
}

function isHeader(tag: number): boolean {
  return FIX44.header.indexOf(tag) >= 0 || FIX44.header.nests(tag);
}
