/**
 * The answers for commands that were given up: one BusinessMessageReject(j) each, to the session that sent it. Owns
 * the reject's fields. Reads a batch, sends through the session's port, does no I/O of its own.
 * Source: FIX 4.4 Vol. 1, BusinessMessageReject; BusinessRejectReason(380) 4, application not available.
 */
import { type Command, CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { CommandKind } from "../../../shared/protocol/mod.ts";
import type { SessionPort } from "../application.ts";

/** BusinessRejectReason(380): application not available. */
export const APPLICATION_NOT_AVAILABLE = 4;

/**
 * Tells the senders of every command of a batch (borrowed) that it was not taken and will not be. `session` finds a
 * session by id and incarnation; commands of sessions that it does not know get no answer. Throws when the batch is
 * unreadable.
 */
export function answerUnavailable(
  batch: Uint8Array,
  reason: string,
  session: (id: number, incarnation: number) => SessionPort | undefined,
): void {
  const reader = new CommandBatchReader();
  const fault = reader.open(batch);
  if (fault !== null) throw new Error(`Cannot answer for a command batch: ${fault}`);
  while (reader.next()) {
    const { command } = reader;
    const port = session(command.sessionId, command.incarnation);
    if (port === undefined) continue;
    const writer = port.compose();
    writer.int(45, command.msgSeqNum);
    writer.text(372, msgTypeOf(command));
    writer.slice(379, command.clOrdId);
    writer.int(380, APPLICATION_NOT_AVAILABLE);
    writer.text(58, `Cannot take the message: ${reason}; it was not processed`);
    port.send("j");
  }
}

/** MsgType(35) of the message that became this command. */
function msgTypeOf(command: Command): string {
  const kind = command.kind === CommandKind.RefuseOrder ? command.refusedKind : command.kind;
  switch (kind) {
    case CommandKind.CancelOrder:
      return "F";
    case CommandKind.ReplaceOrder:
      return "G";
    case CommandKind.RequestStatus:
      return "H";
    default:
      return "D";
  }
}
