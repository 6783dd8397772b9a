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
 * Tells the senders of every command of a batch (borrowed) for a shard that it was not taken and will not be. `session`
 * finds a session by id and incarnation; commands of sessions that it does not know get no answer. Throws when the batch
 * is unreadable.
 */
export function answerUnavailable(
  batch: Uint8Array,
  reason: string,
  shard: number,
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
    // Other shards may have taken their part of a message about all symbols.
    const where = isAcross(command) ? ` for the symbols of shard ${shard}` : "";
    writer.text(58, `Cannot take the message: ${reason}; it was not processed${where}`);
    port.send("j");
  }
}

const ACROSS_KINDS: readonly number[] = [
  CommandKind.MassCancel,
  CommandKind.MassStatus,
  CommandKind.MassQuote,
  CommandKind.CancelQuotes,
];

/** Whether each shard gets a command of the message. */
function isAcross({ kind, instrumentId }: Command): boolean {
  return instrumentId === 0 && ACROSS_KINDS.includes(kind);
}

/** MsgType(35) of the message that became this command. */
function msgTypeOf(command: Command): string {
  return msgTypeByKind(command.kind === CommandKind.RefuseOrder ? command.refusedKind : command.kind);
}

function msgTypeByKind(kind: number): string {
  switch (kind) {
    case CommandKind.CancelOrder:
      return "F";
    case CommandKind.ReplaceOrder:
      return "G";
    case CommandKind.RequestStatus:
      return "H";
    case CommandKind.MassCancel:
      return "q";
    case CommandKind.MassStatus:
      return "AF";
    case CommandKind.MassQuote:
      return "i";
    case CommandKind.CancelQuotes:
      return "Z";
    default:
      return "D";
  }
}
