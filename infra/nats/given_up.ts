/**
 * Which lines of nats-server say that it takes nothing more until it is started again, though the disk may have room long
 * since, and how much it may store. Owns the most that there was room for at any start. Writes a warning.
 */
import type { Logger } from "../../shared/cli/log.ts";
import { diskRoom, sizeOf } from "./disk_room.ts";

const WRITE_ERROR = /\[ERR\] Filestore \[[^\]]*\] Critical write error/;
const LIMIT_REACHED = /\[ERR\] JetStream file resource limits exceeded/;

/** A start with less than this much more room, as a part of what it had, would soon end like the one before it. */
const WORTH_A_START = 1 / 16;

/** How a disk is looked at. */
export interface DiskLook {
  /** Bytes that may lie in a folder on the disk of another; null when it cannot be told. */
  room(dir: string, folder: string): number | null;
  /** Bytes that lie in a folder. */
  stored(folder: string): number;
}

const REAL: DiskLook = { room: diskRoom, stored: sizeOf };

/** How much nats-server may store, and whether another start would let it store more. */
export class StoreLimit {
  readonly #dir: string;
  readonly #storeDir: string;
  readonly #disk: DiskLook;
  readonly #log: Logger;
  /** Bytes; 0 while it is not known. */
  #maxStoreBytes = 0;
  /** Whether the warning was given since the last start. */
  #warned = false;

  /** Of what lies in `storeDir` on the disk of `dir`. */
  constructor(dir: string, storeDir: string, log: Logger, disk: DiskLook = REAL) {
    this.#dir = dir;
    this.#storeDir = storeDir;
    this.#disk = disk;
    this.#log = log;
  }

  /** What it may store when it is started now, bytes: the most that there was room for at any start; 0 when that is not known. */
  atStart(): number {
    this.#warned = false;
    return this.#maxStoreBytes = Math.max(this.#maxStoreBytes, this.#room());
  }

  /**
   * Whether nats-server is to be started again once it has said `line`: after a failed write, and when it has stored all that
   * it may and there is room for more, than it started with and than it has stored. Without that it would say so again: that is warned of once.
   */
  isLast(line: string): boolean {
    if (WRITE_ERROR.test(line)) return true;
    if (!LIMIT_REACHED.test(line)) return false;
    if (this.#isWorthAStart()) return true;
    if (!this.#warned) {
      this.#log.warn(
        `the streams fill the three quarters of the disk that nats-server may use, and orders are refused: ` +
          `make room on the disk of ${this.#dir}, and it is started again with more`,
        { maxStoreBytes: this.#maxStoreBytes },
      );
    }
    this.#warned = true;
    return false;
  }

  #room(): number {
    return this.#disk.room(this.#dir, this.#storeDir) ?? 0;
  }

  #isWorthAStart(): boolean {
    const room = this.#room();
    return room > this.#maxStoreBytes * (1 + WORTH_A_START) && room > this.#disk.stored(this.#storeDir);
  }
}
