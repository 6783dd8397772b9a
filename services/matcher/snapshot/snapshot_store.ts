/**
 * Where snapshots are kept and which of them are good, as those who take and read them see it; and the stream of commands
 * that they stand for. Pure: types, and the pointer's text.
 */

/** A stored snapshot that was read back and found good. */
export interface SnapshotPlace {
  /** The last command message that it includes. */
  readonly cmdSeq: number;
  /** 16 hexadecimal digits. */
  readonly stateHash: string;
}

/** The two that are kept. Everything that CMD_s holds begins at or before the older one. */
export interface SnapshotPointer {
  readonly newest: SnapshotPlace;
  /** Null while there has been one only. */
  readonly previous: SnapshotPlace | null;
}

/** The pointer as it was read, with what moving it needs. */
export interface PointerEntry {
  /** Null when there is none, or none that can be read. */
  readonly pointer: SnapshotPointer | null;
  /** Whether something stands there that is no pointer. */
  readonly damaged: boolean;
  /** 0 when there is none. */
  readonly revision: number;
}

/** One shard's snapshots. Every call rejects when the store cannot be reached or does not take what it is given. */
export interface SnapshotStore {
  pointer(): Promise<PointerEntry>;
  /** False when the pointer has moved since it was at `revision`. */
  movePointer(to: SnapshotPointer, revision: number): Promise<boolean>;
  /** Command sequences of the snapshots that are stored, whole or not, ascending. */
  list(): Promise<number[]>;
  put(cmdSeq: number, bytes: Uint8Array): Promise<void>;
  /** The snapshot's bytes, borrowed until the next call; a clause that says why when there are none, or more than `maxBytes`. */
  read(cmdSeq: number, maxBytes: number): Promise<Uint8Array | string>;
  remove(cmdSeq: number): Promise<void>;
  /** Removes pieces that a writer left behind when it died. */
  sweep(): Promise<void>;
}

/** CMD_s, and how far EV_s follows it. Every call rejects when the server cannot be reached. */
export interface CommandLog {
  /** First and last sequence; empty when the first is above the last. */
  extent(): Promise<{ readonly firstSeq: number; readonly lastSeq: number }>;
  /** The message at a sequence, the caller's; null when it is gone. */
  message(seq: number): Promise<Uint8Array | null>;
  /** The last command message of which EV_s holds every event. */
  storedUpTo(): Promise<number>;
  /** Removes the messages below `seq`. */
  purgeBelow(seq: number): Promise<void>;
}

/** The pointer's text. */
export function pointerText({ newest, previous }: SnapshotPointer): string {
  return JSON.stringify({ newest, previous });
}

/** Reads a pointer's text; null when it is none. */
export function parsePointer(text: string): SnapshotPointer | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { newest, previous } = (value ?? {}) as Record<string, unknown>;
  if (!isPlace(newest) || previous !== null && !isPlace(previous)) return null;
  return { newest, previous };
}

function isPlace(value: unknown): value is SnapshotPlace {
  const { cmdSeq, stateHash } = (value ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(cmdSeq) && cmdSeq as number > 0 && typeof stateHash === "string";
}
