/**
 * Owns one log file that never grows past its limits: what is appended is written behind, one write at a time, and a
 * full file is put aside under a number. What the disk does not take in time is left out, and a line in its place says
 * how many lines that were. Does I/O through a port.
 */

/** The files that a log needs; {@link diskFiles} in production. */
export interface LogFiles {
  /** Opens for appending, made when missing, and says how long it is. */
  open(path: string): Promise<{ readonly file: LogFile; readonly bytes: number }>;
  /** Renames, replacing; does nothing when `from` is not there. */
  move(from: string, to: string): Promise<void>;
}

/** An open file. */
export interface LogFile {
  /** Writes all of it. */
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
}

/** Bounds of one log. */
export interface LogBounds {
  /** A file is put aside before it would grow past this. */
  readonly maxFileBytes: number;
  /** How many files put aside are kept: `.1` is the newest. */
  readonly keptFiles: number;
  /** Bytes that may wait for the disk. */
  readonly maxWaitingBytes: number;
}

/** What a log tells. */
export interface LogHost {
  /** The line, newline included, that stands where `lines` lines are missing. */
  lostLine(lines: number): Uint8Array;
  /** The disk takes nothing, said once until it does again. */
  failed(path: string, error: unknown): void;
  /** Resolves after `ms`. */
  delay(ms: number): Promise<void>;
}

const RETRY_MS = 1000;
/** How long {@link RotatingFile.close} waits for the disk, ms. */
const CLOSE_MS = 2000;

/** A line that waits: of a message, or of the messages that are missing. */
interface Waiting {
  readonly bytes: Uint8Array;
  /** Messages that it stands for. */
  readonly lines: number;
}

/** One log file and those put aside. */
export class RotatingFile {
  readonly path: string;
  readonly #bounds: LogBounds;
  readonly #files: LogFiles;
  readonly #host: LogHost;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Lines left out since the last one taken. */
  #lost = 0;
  #file: LogFile | null = null;
  #fileBytes = 0;
  #failing = false;
  #closed = false;
  #running: Promise<void> | null = null;

  constructor(path: string, bounds: LogBounds, files: LogFiles, host: LogHost) {
    this.path = path;
    this.#bounds = bounds;
    this.#files = files;
    this.#host = host;
  }

  /** Takes one line, newline included, or counts it as lost when too much waits. Never waits, never throws. */
  append(line: Uint8Array): void {
    if (this.#closed) return;
    if (this.#waitingBytes + line.length > this.#bounds.maxWaitingBytes) {
      this.#lost++;
      return;
    }
    this.#takeLost();
    this.#take({ bytes: line, lines: 1 });
    this.#running ??= this.#run();
  }

  /** Takes no more; resolves when all that waits is written, or given up because the disk does not take it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#takeLost();
    if (this.#waiting.length > 0) this.#running ??= this.#run();
    if (this.#running !== null) await Promise.race([this.#running, this.#host.delay(CLOSE_MS)]);
    this.#file?.close();
    this.#file = null;
  }

  #takeLost(): void {
    if (this.#lost > 0) this.#take({ bytes: this.#host.lostLine(this.#lost), lines: this.#lost });
    this.#lost = 0;
  }

  #take(line: Waiting): void {
    this.#waiting.push(line);
    this.#waitingBytes += line.bytes.length;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#nextLines();
      try {
        await this.#write(lines);
        this.#failing = false;
      } catch (error) {
        await this.#failed(lines, error);
      }
    }
    this.#running = null;
  }

  /** What waits, as far as it fits into one file. */
  #nextLines(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length) {
      bytes += this.#waiting[count].bytes.length;
      if (count > 0 && bytes > this.#bounds.maxFileBytes) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(lines: readonly Waiting[]): Promise<void> {
    const bytes = joined(lines);
    await this.#makeRoom(bytes.length);
    await this.#file!.write(bytes);
    this.#fileBytes += bytes.length;
    this.#waitingBytes -= bytes.length;
  }

  async #makeRoom(bytes: number): Promise<void> {
    if (this.#file === null) await this.#open();
    if (this.#fileBytes === 0 || this.#fileBytes + bytes <= this.#bounds.maxFileBytes) return;
    this.#file!.close();
    this.#file = null;
    for (let number = this.#bounds.keptFiles; number >= 1; number--) {
      const older = number === 1 ? this.path : `${this.path}.${number - 1}`;
      await this.#files.move(older, `${this.path}.${number}`);
    }
    await this.#open();
  }

  async #open(): Promise<void> {
    const { file, bytes } = await this.#files.open(this.path);
    this.#file = file;
    this.#fileBytes = bytes;
  }

  /** Lines that may not be on the disk count as lost, before those that wait. */
  async #failed(failed: readonly Waiting[], error: unknown): Promise<void> {
    this.#file?.close();
    this.#file = null;
    const lines = failed.reduce((sum, line) => sum + line.lines, 0);
    const bytes = this.#host.lostLine(lines);
    this.#waiting.unshift({ bytes, lines });
    this.#waitingBytes += bytes.length - bytesOf(failed);
    if (!this.#failing) this.#host.failed(this.path, error);
    this.#failing = true;
    await this.#host.delay(RETRY_MS);
  }
}

function bytesOf(lines: readonly Waiting[]): number {
  return lines.reduce((sum, line) => sum + line.bytes.length, 0);
}

function joined(lines: readonly Waiting[]): Uint8Array {
  if (lines.length === 1) return lines[0].bytes;
  const joined = new Uint8Array(bytesOf(lines));
  let at = 0;
  for (const { bytes } of lines) {
    joined.set(bytes, at);
    at += bytes.length;
  }
  return joined;
}
