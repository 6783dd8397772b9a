/** Ending a session's connection from outside of it. Pure. */
import type { Session } from "../session/mod.ts";

/** Closes the connection once what was sent is written, and has its link look at once. */
export function disconnect(session: Session, reason: string): void {
  const { wire } = session.state.outbound;
  session.close(reason);
  wire?.nudge();
}
