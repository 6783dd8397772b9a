/**
 * What the venue answers `deno task order`: one readable line or one object per message, and whether a message settles
 * the request. No I/O. docs/fix.md, "Replies".
 */
import { FIX44, type FixMessage } from "../codec/fix/mod.ts";
import type { OrderRequest } from "./order_args.ts";
import { msgTypeOf } from "./order_message.ts";
import { mayRest } from "./order_terms.ts";

/** What a message means for the request that was sent. */
export type Verdict = "accepted" | "rejected" | "not yet" | "not ours";

const EXEC_TYPES = new Map(Object.entries({
  "0": "New",
  "4": "Canceled",
  "5": "Replaced",
  "8": "Rejected",
  "C": "Expired",
  "D": "Restated",
  "F": "Trade",
  "I": "Status",
}));
const ORD_STATUSES = new Map(Object.entries({
  "0": "new",
  "1": "partially filled",
  "2": "filled",
  "4": "canceled",
  "8": "rejected",
  "C": "expired",
}));
const SIDES = new Map([["1", "buy"], ["2", "sell"]]);
const TIMES_IN_FORCE = new Map([
  ["1", " gtc"],
  ["2", " opening"],
  ["3", " ioc"],
  ["4", " fok"],
  ["6", " gtd"],
  ["7", " closing"],
]);
/** What stands for the price of an order that has none. */
const ORD_TYPES = new Map([["1", " @ market"], ["3", " @ market"], ["K", " @ market to limit"]]);
const DONE = ["2", "4", "8", "C"];

/** Judges a message against the request sent under `clOrdId`. */
export function verdictOf(message: FixMessage, request: OrderRequest, clOrdId: string): Verdict {
  const { msgType } = message;
  if (msgType === "j" || msgType === "3") {
    const refId = message.text(379);
    const isOurs = message.text(372) === msgTypeOf(request) && (refId === undefined || refId === clOrdId);
    return isOurs ? "rejected" : "not ours";
  }
  if (message.text(11) !== clOrdId) return "not ours";
  if (msgType === "9") return "rejected";
  if (msgType !== "8") return "not ours";
  const execType = message.text(150) ?? "";
  const ordStatus = message.text(39) ?? "";
  switch (request.kind) {
    case "new":
      if (execType === "8") return "rejected";
      if (mayRest(request.terms)) return execType === "0" ? "accepted" : "not yet";
      // A leftover that rests is restated with its price.
      return DONE.includes(ordStatus) || execType === "D" ? "accepted" : "not yet";
    case "cancel":
      return execType === "4" ? "accepted" : "not yet";
    case "replace":
      return execType === "5" ? "accepted" : "not yet";
    case "status":
      if (execType !== "I") return "not yet";
      return ordStatus === "8" ? "rejected" : "accepted";
  }
}

/** One line for people. */
export function lineOf(message: FixMessage): string {
  const of = (tag: number) => message.text(tag) ?? "?";
  switch (message.msgType) {
    case "8":
      return executionLine(message);
    case "9": {
      const what = of(434) === "1" ? "Cancel" : "Replace";
      return `${what} rejected ${of(11)} of ${of(41)} (order ${of(37)} is ${word(ORD_STATUSES, of(39))}): ${
        of(58)
      }`;
    }
    case "j":
      return `Message refused (${named(message, 380)}): ${of(58)}`;
    case "3":
      return `Message rejected by the session (${named(message, 373)}): ${of(58)}`;
    default:
      return `${FIX44.messageNames.get(message.msgType) ?? "Message"}(${message.msgType})`;
  }
}

/** All fields by FIX name, in message order; a field that repeats becomes an array. */
export function objectOf(message: FixMessage): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = {};
  for (let i = 0; i < message.fieldCount; i++) {
    const tag = message.tags[i];
    const name = FIX44.fields.get(tag)?.name ?? String(tag);
    const value = valueAt(message, i);
    const known = object[name];
    if (known === undefined) object[name] = value;
    else object[name] = Array.isArray(known) ? [...known, value] : [known, value];
  }
  return object;
}

/** The message as sent, `|` for SOH. */
export function rawOf(message: FixMessage): string {
  return rawText(message.buffer.subarray(message.start, message.end));
}

/** FIX bytes as text, `|` for SOH. */
export function rawText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte === 1 ? "|" : String.fromCharCode(byte);
  return text;
}

function executionLine(message: FixMessage): string {
  const of = (tag: number) => message.text(tag);
  const execType = of(150) ?? "?";
  const parts = [word(EXEC_TYPES, execType), of(37) ?? "?", of(11) ?? "", of(55) ?? "?", sideOf(message)];
  const qty = of(38);
  if (qty !== undefined) parts.push(`${qty}${priceOf(message)}${conditionsOf(message)}`);
  if (execType === "F") parts.push(`traded ${of(32)} @ ${of(31)} (${of(527)})`);
  if (execType === "I") parts.push(word(ORD_STATUSES, of(39) ?? "?"));
  // What was refused has no order, and so nothing left or filled.
  if (of(37) !== "NONE") parts.push(`leaves ${of(151)} cum ${of(14)} avg ${of(6)}`);
  const text = of(58);
  return parts.filter((part) => part !== "").join(" ") + (text === undefined ? "" : `: ${text}`);
}

function sideOf(message: FixMessage): string {
  return word(SIDES, message.text(54) ?? "?");
}

function priceOf(message: FixMessage): string {
  const price = message.text(44);
  const stop = message.text(99);
  return (price !== undefined ? ` @ ${price}` : ORD_TYPES.get(message.text(40) ?? "") ?? "") +
    (stop === undefined ? "" : ` stop ${stop}`);
}

/** Time in force and expiry, what is shown, and post-only, where an order has them. */
function conditionsOf(message: FixMessage): string {
  const expiry = message.text(126);
  const maxFloor = message.text(111);
  return (TIMES_IN_FORCE.get(message.text(59) ?? "") ?? "") +
    (expiry === undefined ? "" : ` until ${expiry}`) +
    (maxFloor === undefined ? "" : ` showing ${maxFloor}`) +
    (message.text(18) === "6" ? " post-only" : "");
}

function word(words: ReadonlyMap<string, string>, code: string): string {
  return words.get(code) ?? code;
}

/** An enumerated value with its name. */
function named(message: FixMessage, tag: number): string {
  const value = message.text(tag) ?? "?";
  const name = FIX44.fields.get(tag)?.values?.get(value);
  return name === undefined ? value : `${value} ${name}`;
}

function valueAt(message: FixMessage, index: number): string {
  return rawText(message.buffer.subarray(message.valueStart[index], message.valueEnd[index]));
}
