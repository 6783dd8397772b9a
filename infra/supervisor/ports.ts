/** Whether the ports of a venue are free to listen on, tried before anything is started. Does I/O. */
import { errorText } from "../../shared/cli/log.ts";

/** A port that a venue is to listen on; 0 is any. */
export interface WantedPort {
  /** Who listens, for people, and the flag that chooses the port. */
  readonly what: string;
  readonly flag: string;
  readonly hostname: string;
  readonly port: number;
}

/** Throws one sentence when the port is taken, as far as the supervisor may look. Port 0 never is. */
export function claimPort({ what, flag, hostname, port }: WantedPort): void {
  if (port === 0) return;
  try {
    Deno.listen({ hostname, port }).close();
  } catch (error) {
    // Only the gateway may listen on addresses other than the loopback interface's; it says what is wrong with one.
    if (error instanceof Deno.errors.NotCapable) return;
    const why = error instanceof Deno.errors.AddrInUse ? "the port is in use" : errorText(error);
    throw new Error(
      `Cannot listen on ${hostname}:${port} for ${what}: ${why} (${flag} chooses another port, ${flag} 0 a free one)`,
    );
  }
}
