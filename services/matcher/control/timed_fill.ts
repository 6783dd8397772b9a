/** From what is due by the clock to the engine's commands. Pure. */
import { CommandKind } from "../../../shared/protocol/mod.ts";
import type { FillCommand } from "./own_commands.ts";
import type { TimedCommand } from "./timekeeper.ts";

/** Sets the fields of the command. */
export function timedFill(due: TimedCommand): FillCommand {
  return (command) => {
    if (due.kind === "expire") {
      command.kind = CommandKind.ExpireOrders;
      command.expireUs = due.cutoffUs;
      return;
    }
    command.kind = CommandKind.SetPhase;
    command.instrumentId = due.instrumentId;
    command.target = due.phase;
    command.scope = due.scope;
    command.expireUs = due.dueUs;
  };
}
