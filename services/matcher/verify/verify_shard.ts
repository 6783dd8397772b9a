/**
 * Verifies one shard on a nats-server: as it is stored, or while it is being written. Says what cannot be verified, and why.
 * Changes nothing. Does I/O.
 */
import { errorText } from "../../../shared/cli/log.ts";
import { type NatsConnection, type StreamExtent, streamExtent } from "../../../shared/nats/mod.ts";
import { cmdStream, evStream } from "../../../shared/protocol/mod.ts";
import { NatsSnapshotStore } from "../snapshot/mod.ts";
import { snapshotBound } from "../snapshot/snapshot.ts";
import { type RebuildStart, startFromSnapshot } from "./reference_snapshot.ts";
import type { Verdict } from "./verdict.ts";
import { engineOptionsOf, OvertakenError, Verification, type VerifyOptions } from "./verification.ts";

/** A shard that cannot be verified, whether it is good or not; the message is one sentence. */
export class CannotVerifyError extends Error {}

const FROM_START = { firstSeq: 1, lastSeq: Infinity };

/** How often a pass is begun again by a newer snapshot because the running venue purged what it was about to read. */
const ATTEMPTS = 5;

/**
 * Verifies what a shard has stored, from the oldest commands on that a snapshot leads to. Where these are purged meanwhile, it
 * begins again with the newest snapshot, and `onEvent` hears all again. Rejects with a {@link CannotVerifyError} when nothing
 * can be told.
 */
export async function verifyShard(options: VerifyOptions): Promise<Verdict> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const verdict = await onePass(options, attempt > 1);
    if (verdict !== null) return verdict;
  }
  throw new CannotVerifyError(
    `Cannot verify shard ${options.shard}: it was begun ${ATTEMPTS} times, and each time the running venue purged what was ` +
      "to be read; verify when fewer orders come, or a copy of the store",
  );
}

/** One attempt; null when it was overtaken by a purge. */
async function onePass(options: VerifyOptions, fromNewest: boolean): Promise<Verdict | null> {
  const { nc, shard } = options;
  const { stored, commands } = await extentsOf(nc, shard);
  let verification: Verification;
  try {
    const start = commands.firstSeq > 1 ? await snapshotStart(options, commands.firstSeq, fromNewest) : null;
    verification = new Verification(options, stored, commands, start);
  } catch (error) {
    if (await isPurgedFurther(nc, shard, commands)) return null;
    throw error;
  }
  try {
    return await named(shard, verification.verdict());
  } catch (error) {
    if (error instanceof CannotVerifyError && error.cause instanceof OvertakenError) return null;
    throw error;
  } finally {
    await verification.stop();
  }
}

async function isPurgedFurther(nc: NatsConnection, shard: number, before: StreamExtent): Promise<boolean> {
  return (await extentOf(nc, cmdStream(shard))).firstSeq > before.firstSeq;
}

/**
 * Verifies a shard while it is written, from the first message on: what is purged meanwhile has been read. Always
 * {@link finish} or {@link stop} it.
 */
export class LiveVerification {
  /** What was found, once there is a difference or an end; null until then. */
  found: Verdict | null = null;
  readonly #options: VerifyOptions;
  readonly #verification: Verification;
  readonly #verdict: Promise<Verdict>;

  /** Starts reading; both streams must begin at 1. */
  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#verification = new Verification(options, FROM_START, FROM_START);
    this.#verdict = named(options.shard, this.#verification.verdict());
    this.#verdict.then((verdict) => this.found = verdict, () => {});
  }

  /** The command message last applied. */
  get cmdSeq(): number {
    return this.#verification.cmdSeq;
  }

  /** Ends with what the streams hold now. Rejects with a {@link CannotVerifyError} when they could not be read. */
  async finish(): Promise<Verdict> {
    const { nc, shard } = this.#options;
    try {
      const { stored, commands } = await extentsOf(nc, shard);
      this.#verification.endAt(commands.lastSeq, stored.lastSeq);
      return await this.#verdict;
    } finally {
      await this.stop();
    }
  }

  stop(): Promise<void> {
    return this.#verification.stop();
  }
}

/** The oldest snapshot that the commands go on from, which leaves most to compare, or the newest, which lasts longest. */
async function snapshotStart(
  options: VerifyOptions,
  firstSeq: number,
  fromNewest: boolean,
): Promise<RebuildStart> {
  const { nc, shard, venue } = options;
  const engine = engineOptionsOf(options);
  const reasons: string[] = [];
  try {
    const store = await NatsSnapshotStore.open(nc, shard);
    const places = await store.places();
    for (const cmdSeq of fromNewest ? places.reverse() : places) {
      if (cmdSeq < firstSeq - 1) continue;
      const bytes = await store.read(cmdSeq, snapshotBound({ ...engine, instruments: venue.instruments }));
      const start = typeof bytes === "string" ? bytes : startFromSnapshot(bytes, engine);
      if (typeof start !== "string") return start;
      reasons.push(`; snapshot ${cmdSeq} cannot be used: ${start}`);
    }
  } catch (cause) {
    reasons.push(`; ${errorText(cause)}`);
  }
  throw new CannotVerifyError(
    `Cannot verify shard ${shard}: ${
      cmdStream(shard)
    } begins at ${firstSeq}, and a rebuild needs it from 1 on, or a ` +
      `snapshot taken after command message ${firstSeq - 1} or a later one${reasons.join("")}`,
  );
}

/** EV_s first: whatever it holds then, CMD_s holds the commands of. */
async function extentsOf(nc: NatsConnection, shard: number) {
  const stored = await extentOf(nc, evStream(shard));
  const commands = await extentOf(nc, cmdStream(shard));
  return { stored, commands };
}

async function extentOf(nc: NatsConnection, stream: string): Promise<StreamExtent> {
  try {
    return await streamExtent(nc, stream);
  } catch (cause) {
    throw new CannotVerifyError(`Cannot read ${stream}: ${errorText(cause)}`, { cause });
  }
}

/** Says in the error which shard could not be verified. */
async function named(shard: number, verdict: Promise<Verdict>): Promise<Verdict> {
  try {
    return await verdict;
  } catch (cause) {
    throw new CannotVerifyError(`Cannot verify shard ${shard}: ${errorText(cause)}`, { cause });
  }
}
