/** Asks a shard's matcher what its instruments trade under. Does I/O. */
import { errors, type NatsConnection } from "@nats-io/nats-core";
import { instrumentsRequestSubject, type InstrumentStates } from "../protocol/mod.ts";

/** No matcher leads, or its answer did not come: ask again. */
export class InstrumentsUnavailableError extends Error {}

/**
 * The state of every instrument of the shard. Throws an {@link InstrumentsUnavailableError} when nobody answers within
 * `timeoutMs`, or the connection is lost before; another Error when it is closed.
 */
export async function requestInstruments(
  nc: NatsConnection,
  shard: number,
  timeoutMs = 5000,
): Promise<InstrumentStates> {
  try {
    const answer = await nc.request(instrumentsRequestSubject(shard), "", { timeout: timeoutMs });
    return answer.json<InstrumentStates>();
  } catch (cause) {
    const nobody = cause instanceof errors.RequestError && cause.isNoResponders();
    if (!nobody && !(cause instanceof errors.TimeoutError)) throw cause;
    const why = nobody ? "no matcher leads" : "no answer in time";
    throw new InstrumentsUnavailableError(`Cannot read the instruments of shard ${shard}: ${why}`, { cause });
  }
}
