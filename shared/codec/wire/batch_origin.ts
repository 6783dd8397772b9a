/** Which FIX message a command batch begins with, without reading the rest of it. Pure. */
import { COMMAND_HEADER_BYTES } from "./command.ts";

/** The message of a batch's first command. */
export interface BatchOrigin {
  readonly sessionId: number;
  readonly incarnation: number;
  readonly msgSeqNum: number;
}

/** The origin of a finished batch. */
export function batchOrigin(batch: Uint8Array): BatchOrigin {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  return {
    sessionId: view.getUint16(COMMAND_HEADER_BYTES + 4, true),
    msgSeqNum: view.getUint32(COMMAND_HEADER_BYTES + 8, true),
    incarnation: view.getUint32(COMMAND_HEADER_BYTES + 40, true),
  };
}
