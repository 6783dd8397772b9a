/** Owns opening a TCP connection within a limit. Does I/O. */
import type { NetClock } from "../net/clock.ts";

/**
 * Connects. Rejects with an Error of one sentence when that is refused, or when nothing has answered (name server
 * included) after `limitSec`; a connection that comes later is closed.
 */
export async function dial(
  hostname: string,
  port: number,
  limitSec: number,
  clock: NetClock,
): Promise<Deno.TcpConn> {
  const abort = new AbortController();
  const pending = Deno.connect({ hostname, port, signal: abort.signal });
  let settled = false;
  const settle = () => {
    settled = true;
  };
  pending.then(settle, settle);
  await clock.within(pending, limitSec * 1000);
  if (!settled) {
    abort.abort();
    pending.then((conn) => conn.close(), () => {});
    throw new Error(`Cannot connect to ${hostname}:${port}: no answer within ${limitSec} s`);
  }
  try {
    return await pending;
  } catch (cause) {
    throw new Error(`Cannot connect to ${hostname}:${port}`, { cause });
  }
}
