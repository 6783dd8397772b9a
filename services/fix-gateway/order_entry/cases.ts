/** Test support for translate: whole messages in short, and what became of them. */
import assert from "node:assert/strict";
import { FIX44, validate } from "../../../shared/codec/fix/mod.ts";
import { Command } from "../../../shared/codec/wire/mod.ts";
import type { SessionRole } from "../../../shared/protocol/mod.ts";
import { messageOf, pictureOf, session, venue } from "./fixture.ts";
import { translate, type Translation } from "./translate.ts";

const VENUE = venue();

/** Translates and returns both the outcome and the command's picture without what every command has. */
export function run(
  msgType: string,
  body: string,
  { header = "", role = "trading" as SessionRole } = {},
): { outcome: Translation; command: Record<string, unknown> } {
  const into = new Command();
  into.reason = 99;
  into.text.setText("left over");
  const outcome = translate(messageOf(msgType, body, header), session(role), VENUE, into);
  const { sessionId, firmId, msgSeqNum, ...command } = pictureOf(into);
  if (outcome.kind === "command") assert.deepEqual([sessionId, firmId, msgSeqNum], [7, 9, 42]);
  return { outcome, command };
}

/** Bodies of order messages in order, `|` for SOH; and their TransactTime(60). */
export const TIME = "60=20261130-12:00:00.000|";
export const NEW = `11=c1|55=ACME|54=1|${TIME}38=100|40=2|44=10.05|`;
export const CANCEL = `41=c1|11=c2|55=ACME|54=1|${TIME}`;
export const REPLACE = `41=c1|11=c2|55=ACME|54=1|${TIME}38=100|40=2|44=10.05|`;
export const STATUS = "11=c1|55=ACME|54=1|";

/** Fails unless the session layer would let the message through. */
export function assertValid(msgType: string, body: string): void {
  const fault = validate(messageOf(msgType, body), FIX44, { allowUserDefined: false });
  assert.equal(fault, null, `${fault?.text}: ${body}`);
}

/** Replaces one field of a body; an empty value takes the field out. */
export function withField(body: string, tag: number, value: string): string {
  const field = value === "" ? "" : `${tag}=${value}|`;
  const pattern = new RegExp(`(^|\\|)${tag}=[^|]*\\|`);
  return pattern.test(body) ? body.replace(pattern, `$1${field}`) : body + field;
}
