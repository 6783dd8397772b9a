/**
 * Requests that do not outwait their connection: the client lets one that was on its way when the server died wait for its
 * timeout, though no answer can come. Owns when a request fails, and which are asked again. Does I/O.
 */
import { errors, type Msg, type NatsConnection, type Payload, type RequestOptions } from "@nats-io/nats-core";
import { inTime } from "../in_time.ts";
import { watchStatus } from "./watch_status.ts";

/**
 * The connection was lost while a request was on its way: whether it was carried out is not known. Whoever knows what to do
 * when an answer does not come in time knows what to do now, which is why it is a TimeoutError.
 */
export class ConnectionLostError extends errors.TimeoutError {
  constructor(subject: string) {
    super();
    this.name = "ConnectionLostError";
    this.message = `no answer on ${subject}: the connection was lost`;
  }
}

const DEFAULT_TIMEOUT_MS = 1000;
/** Requests of JetStream that change nothing, whatever became of the first. */
const READS = /^\$JS\.API\.(INFO$|STREAM\.(INFO|NAMES|LIST|MSG\.GET)(\.|$)|DIRECT\.GET\.|CONSUMER\.INFO\.)/;

/** Whether a request on this subject may be asked again, as it only reads. Pure. */
export function isRead(subject: string): boolean {
  return READS.test(subject);
}

/**
 * Has requests of `nc` fail with a {@link ConnectionLostError} as soon as their connection is lost; those that only read are
 * asked again once there is another. One that is made while there is none waits for it (the client would send it at once,
 * and forget it at the next attempt to connect). Waiting takes no longer than the request was given; what is sent then has
 * that time once more.
 */
export function makeRequestsPrompt(nc: NatsConnection): void {
  const ask = nc.request.bind(nc);
  const waiting = new Set<() => void>();
  /** Pending while there is no connection. */
  let back: PromiseWithResolvers<void> | null = null;
  watchStatus(nc, (type) => {
    if (type === "disconnect") {
      back ??= Promise.withResolvers();
      for (const lose of waiting) lose();
      waiting.clear();
    } else if (type === "reconnect" || type === "close") {
      back?.resolve();
      back = null;
    }
  });

  const once = (subject: string, payload?: Payload, options?: RequestOptions): Promise<Msg> => {
    const { promise, resolve, reject } = Promise.withResolvers<Msg>();
    const lose = () => reject(new ConnectionLostError(subject));
    waiting.add(lose);
    const settled = () => waiting.delete(lose);
    ask(subject, payload, options).then(resolve, reject).finally(settled);
    return promise;
  };

  nc.request = async (subject, payload, options = { timeout: DEFAULT_TIMEOUT_MS }) => {
    const endMs = performance.now() + options.timeout;
    for (;;) {
      if (back !== null) await inTime(back.promise, endMs - performance.now(), undefined);
      if (back !== null) throw new ConnectionLostError(subject);
      try {
        return await once(subject, payload, { ...options });
      } catch (error) {
        if (!(error instanceof ConnectionLostError) || !isRead(subject)) throw error;
      }
    }
  };
}
